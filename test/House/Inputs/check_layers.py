"""check_layers.py ROOT: a library includes itself and those below it, no other."""

import re
import sys

import tree

# From the bottom up. Libraries of one layer do not know each other.
LAYERS = [
    ["Support"],
    ["IR", "Tile"],
    ["Scalar", "Size", "Fusion"],
    ["Mask", "CostModel"],
    ["Mask/Census", "Mask/Digest"],
    ["Transforms", "Transforms/Host", "Tile/Transforms"],
    ["Conversion"],
    ["Target"],
    ["Search"],
    ["Pipelines"],
    ["InitAll"],
    ["CAPI"],
]
# The runtime is for machines without a compiler.
ALONE = {"Runtime": {"Support"}}

root = tree.root_from(sys.argv[1])
level = {library: number for number, layer in enumerate(LAYERS) for library in layer}


def library_of(path):
    """The library of a path below include/stof or lib: the longest that is one."""
    parts = path.split("/")
    for length in (2, 1):
        name = "/".join(parts[:length])
        if len(parts) > length and (name in level or name in ALONE):
            return name
    return parts[0].removesuffix(".h")


complaints = []
checked = 0
for folder in ("include/stof", "lib"):
    for path in tree.files(root / folder, ["."], {".h", ".cpp"}):
        name = path.relative_to(root / folder).as_posix()
        own = library_of(name)
        if own not in level and own not in ALONE and own != "cmake":
            complaints.append(f"{folder}/{name}: is in no library of a layer")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'#include "stof/([\w/]+\.h)', line)
            if not include:
                continue
            checked += 1
            other = library_of(include[1])
            below = other in ALONE[own] if own in ALONE else other in level and level[other] < level.get(own, 0)
            if other != own and not below:
                complaints.append(f"{folder}/{name}:{number}: {own} includes {other}, which is not below it")
tree.verdict(complaints, checked, "includes")

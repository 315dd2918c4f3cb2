"""Every header is the first include of a source: a build without precompiled headers then compiles it alone."""

import re
import sys

import tree

FIRST = re.compile(r'^#include "([^"]+)"', re.M)
# It is what is compiled alone.
PRECOMPILED = "lib/cmake/stof/Precompiled.h"

root = tree.root_from(sys.argv[1])
first = set()
for path in tree.files(root, ["lib", "tools", "test"], {".cpp", ".c"}):
    match = FIRST.search(path.read_text())
    if match:
        for folder in (root / "include", path.parent):
            first.add((folder / match[1]).resolve())
headers = [path for path in tree.files(root, ["include", "lib"], {".h"})
           if str(path.relative_to(root)) != PRECOMPILED]
complaints = [f"{path.relative_to(root)}: is the first include of no source" for path in headers
              if path.resolve() not in first]
tree.verdict(complaints, len(headers), "headers")

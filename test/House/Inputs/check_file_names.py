"""check_file_names.py ROOT: a file that a comment or a page names exists."""

import re
import sys

import tree

# Neither a position in a file (model.mlir:4:8), nor a part of a longer name (llvm.mlir.global), nor a placeholder.
NAME = re.compile(r"(?<![\w/.%*{}$<>-])((?:[\w+-]+/)*[\w+-]+\.(?:cpp|h|td|py|test|mlir|md))(?!\.?[\w*]|:\d)")
PLACEHOLDER = re.compile(r"[A-Z_]+\.\w+")
# An example, and files of other projects.
OTHERS = {"FooBar.cpp", "Inliner.cpp", "export.py"}
UPSTREAM = ("mlir/", "llvm/", "xla/")
# A block of a page that is a file for its commands, or a file that these write.
OWN = re.compile(r"(?:<!-- file:| -o) ([\w.-]+)")

root = tree.root_from(sys.argv[1])
suffixes = tree.SOURCES | {".mlir", ".test", ".cfg", ".md"}
paths = list(tree.files(root, ["include", "lib", "tools", "python", "test"], suffixes))
known = set()
for path in paths:
    parts = path.relative_to(root).parts
    known.update("/".join(parts[first:]) for first in range(len(parts)))
complaints = []
for path in paths:
    own = set(OWN.findall(path.read_text())) if path.suffix == ".md" else set()
    for number, comment in tree.comments(path):
        for match in NAME.finditer(comment):
            name = match[1]
            if name not in known | own | OTHERS and not name.startswith(UPSTREAM) and not PLACEHOLDER.fullmatch(name):
                complaints.append(f"{path.relative_to(root)}:{number}: there is no {name}")
tree.verdict(complaints, len(paths), "files")

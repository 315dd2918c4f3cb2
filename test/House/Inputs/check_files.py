"""Files are finished and take no options behind the caller's back."""

import re
import sys

import tree

root = tree.root_from(sys.argv[1])
forbidden = [
    # (what, where it may not be, why)
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), lambda path: True, "an open end"),
    (re.compile(r"\bcl::opt\b"), lambda path: path.parts[0] != "tools", "an option of the whole process"),
    (re.compile(r"\bgetenv\b"), lambda path: True, "an environment variable"),
    (re.compile(r"^\s*using namespace"), lambda path: path.suffix == ".h", "a header that imports a namespace"),
    (re.compile(r"\t"), lambda path: True, "a tab"),
]
complaints = []
checked = 0
for path in tree.files(root, ["include", "lib", "tools", "python"]):
    checked += 1
    name = path.relative_to(root)
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines, 1):
        for pattern, applies, what in forbidden:
            if applies(name) and pattern.search(line):
                complaints.append(f"{name}:{number}: has {what}")
tree.verdict(complaints, checked, "files")

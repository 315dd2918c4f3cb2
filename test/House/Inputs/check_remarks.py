"""Every remark that a pass emits stands in lib/REMARKS.md, and no other does."""

import re
import sys

import tree

root = tree.root_from(sys.argv[1])
emitted = re.compile(r"\b(?:RemarkOpts::name|remarkNamed|named)\(\s*\"([A-Za-z]+)\"")
used = {}
for path in tree.files(root, ["lib"], {".cpp", ".h"}):
    for name in emitted.findall(path.read_text()):
        used.setdefault(name, path.relative_to(root))
page = (root / "lib/REMARKS.md").read_text()
listed = re.findall(r"^\| `(\w+)` \|", page, re.M)
complaints = [f"{used[name]}: '{name}' is not in lib/REMARKS.md" for name in sorted(set(used) - set(listed))]
complaints += [f"lib/REMARKS.md: no pass emits '{name}'" for name in sorted(set(listed) - set(used))]
if listed != sorted(listed):
    complaints.append("lib/REMARKS.md: expects names in alphabetical order")
tree.verdict(complaints, len(used), "remarks")

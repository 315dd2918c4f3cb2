"""Every remark that a pass emits stands in lib/REMARKS.md, every log in lib/README.md, and no other does."""

import re
import sys

import tree

root = tree.root_from(sys.argv[1])
logged = re.compile(r"#define DEBUG_TYPE \"([\w-]+)\"")
emitted = re.compile(r"\b(?:RemarkOpts::name|remarkNamed|named)\(\s*\"([A-Za-z]+)\"")
used, logs = {}, {}
for path in tree.files(root, ["lib"], {".cpp", ".h"}):
    text = path.read_text()
    for name in emitted.findall(text):
        used.setdefault(name, path.relative_to(root))
    if "LDBG()" in text:
        logs[logged.search(text).group(1)] = path.relative_to(root)
page = (root / "lib/REMARKS.md").read_text()
listed = re.findall(r"^\| `(\w+)` \|", page, re.M)
complaints = [f"{used[name]}: '{name}' is not in lib/REMARKS.md" for name in sorted(set(used) - set(listed))]
complaints += [f"lib/REMARKS.md: no pass emits '{name}'" for name in sorted(set(listed) - set(used))]
if listed != sorted(listed):
    complaints.append("lib/REMARKS.md: expects names in alphabetical order")
listed = re.findall(r"^\| `(stof-[a-z-]+)` \|", (root / "lib/README.md").read_text(), re.M)
complaints += [f"{logs[name]}: '{name}' is not in lib/README.md" for name in sorted(set(logs) - set(listed))]
complaints += [f"lib/README.md: no file logs as '{name}'" for name in sorted(set(listed) - set(logs))]
tree.verdict(complaints, len(used) + len(logs), "remarks and logs")

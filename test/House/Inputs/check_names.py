"""check_names.py ROOT: files and names of code that pages have in backticks are in the tree."""

import os
import re
import sys

import tree

FENCE = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
CODE = re.compile(r"`([^`\n]+)`")
# A file of the tree by the end of its path; one letter stands for any name.
FILE = re.compile(r"(?:[\w.-]+/)*[\w-]{2,}\.(?:cpp|h|td|def|py|test|csv|c)")
# A class, a pass or a remark.
NAME = re.compile(r"(?:[A-Z][a-z0-9]+){2,}")
# Names of other projects.
FOREIGN = {"IterSplit", "PipelineAsync", "PipelineState", "PipelineTmaAsync", "KernelTmaWarpSpecializedPingpong"}

root = tree.root_from(sys.argv[1])
folders = ["include", "lib", "python", "test", "tools"]
paths, words = set(), set()
for path in tree.files(root, folders, tree.SOURCES | {".mlir", ".test", ".csv"}):
    parts = path.relative_to(root).parts
    paths.update("/".join(parts[i:]) for i in range(len(parts)))
    words.add(os.path.splitext(path.name)[0])
    words.update(re.findall(r"\w+", path.read_text()))
complaints, checked = [], 0
for page in tree.pages(root):
    text = FENCE.sub(lambda match: "\n" * match[0].count("\n"), page.read_text())
    for match in CODE.finditer(text):
        name = match[1]
        known = name in paths if FILE.fullmatch(name) else name in words | FOREIGN if NAME.fullmatch(name) else None
        checked += known is not None
        if known is False:
            complaints.append(f"{page.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}: the tree has no '{name}'")
tree.verdict(complaints, checked, "names")

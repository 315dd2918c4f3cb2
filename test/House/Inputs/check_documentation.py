"""Every operation and pass says what it is, what it means, and shows it; the page of its library names it."""

import re
import sys

import tree

root, tblgen, mlir_include = tree.root_from(sys.argv[1]), sys.argv[2], sys.argv[3]
complaints = []
checked = 0


def check(name, summary, description, example):
    global checked
    checked += 1
    if not summary or summary.endswith(".") or not summary[0].isupper():
        complaints.append(f"{name}: expects a summary with a capital and no full stop, but got '{summary}'")
    if len(description.split()) < 3:
        complaints.append(f"{name}: expects a description, but got none")
    if not example:
        complaints.append(f"{name}: expects an example in its description, but got none")


def check_page(path, *names):
    """One of `names` is on the page of the library."""
    page = root / "lib" / path.relative_to(root / "include/stof").parts[0] / "README.md"
    if not any(re.search(rf"`{re.escape(name)}[`=]", page.read_text()) for name in names):
        complaints.append(f"{page.relative_to(root)}: does not name '{names[0]}'")


for path, record in tree.records(tblgen, mlir_include, root, "*Ops.td"):
    if tree.is_a(record, "Op") and record["opDialect"]["def"] in ("Stof_Dialect", "Tile_Dialect"):
        text = record["description"]
        check(record["!name"], record["summary"], text, "**Example" in text)
        check_page(path, f"{path.stem.removesuffix('Ops').lower()}.{record['opName']}")
for path, record in tree.records(tblgen, mlir_include, root, "Passes.td"):
    if tree.is_a(record, "PassBase"):
        text = record["description"]
        check(record["!name"], record["summary"], text, "```mlir" in text)
        check_page(path, record["argument"], record["!name"].removesuffix("Pass"))
tree.verdict(complaints, checked, "operations and passes")

"""One phrase for a pass: FooBarPass, -stof-foo-bar, FooBar.cpp, foo-bar*.mlir."""

import re
import sys

import tree

root, tblgen, mlir_include = tree.root_from(sys.argv[1]), sys.argv[2], sys.argv[3]
sources = {path.name for path in tree.files(root, ["lib"], {".cpp"})}
tests = list(tree.files(root, ["test"], {".mlir"}))
complaints = []
checked = 0
for _, record in tree.records(tblgen, mlir_include, root, "Passes.td"):
    if not tree.is_a(record, "PassBase"):
        continue
    checked += 1
    name, flag = record["!name"], record["argument"]
    phrase = name.removesuffix("Pass")
    # An acronym is one word: ToCPU is to-cpu.
    kebab = "-".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*", phrase)).lower()
    if not name.endswith("Pass"):
        complaints.append(f"{name}: expects a class that ends in Pass")
    if flag != f"stof-{kebab}":
        complaints.append(f"{name}: expects the flag stof-{kebab}, but got {flag}")
    if f"{phrase}.cpp" not in sources:
        complaints.append(f"{name}: expects a file {phrase}.cpp in lib, but got none")
    if not any(test.name.startswith(kebab) and flag in test.read_text() for test in tests):
        complaints.append(f"{name}: expects a test {kebab}*.mlir that runs {flag}, but got none")
tree.verdict(complaints, checked, "passes")

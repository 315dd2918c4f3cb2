"""Counts the results in a JSON file of lit; fails if a test failed."""

import collections
import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
FAILED = {"FAIL", "XPASS", "UNRESOLVED", "TIMEOUT"}

with open(sys.argv[1]) as file:
    tests = json.load(file)["tests"]
names = collections.defaultdict(list)
for test in tests:
    kind = "passed" if test["code"] in PASSED else "failed" if test["code"] in FAILED else "skipped"
    names[kind].append(test["name"])

for kind in ("skipped", "failed"):
    for name in names[kind]:
        print(f"{kind}: {name}")
print(f"{len(names['skipped'])} skipped")
print(f"{len(names['passed'])} passed, {len(names['failed'])} failed")
sys.exit(bool(names["failed"]) or not names["passed"])

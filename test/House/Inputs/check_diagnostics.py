"""Every error that the libraries report is provoked by a test.

Of each statement that calls emitError or emitOpError, the longest literal has to
occur in a test. A message that is put together elsewhere is not seen.
"""

import re
import sys

import tree

SHORTEST = 8
root = tree.root_from(sys.argv[1])
call = re.compile(r"\bemit(?:Op)?Error\s*\((?:[^;\"]|\"(?:\\.|[^\"\\])*\")*;")
literal = re.compile(r"\"((?:\\.|[^\"\\])*)\"")
adjacent = re.compile(r"\"\s*\n\s*\"")
tests = "\n".join(
    path.read_text() for path in tree.files(root, ["test"], {".mlir", ".test", ".c", ".py", ".cpp"})
)
complaints = []
checked = 0
for path in tree.files(root, ["lib"], {".cpp", ".h"}):
    text = adjacent.sub("", path.read_text())
    for statement in call.findall(text):
        pieces = [piece.replace('\\"', '"').strip() for piece in literal.findall(statement)]
        longest = max(pieces, key=len, default="")
        if len(longest) < SHORTEST:
            continue
        checked += 1
        if longest not in tests:
            complaints.append(f"{path.relative_to(root)}: no test expects '{longest}'")
tree.verdict(complaints, checked, "messages")

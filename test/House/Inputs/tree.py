"""What the tests of the tree's habits share: files, TableGen records, verdicts."""

import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tokenize

DIRECTIVE = re.compile(r"(//|#)\s*([A-Z][A-Z0-9_-]*:|---)")
SOURCES = {".h", ".cpp", ".c", ".td", ".def", ".py", ".cmake", ".txt", ".json"}


def files(root, folders, suffixes=SOURCES):
    """The files of `folders` with one of `suffixes`, in order."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and "__pycache__" not in path.parts:
                yield path


def pages(root):
    """The pages of a tree, in order, except those that are inputs of tests."""
    for folder, inside, names in os.walk(root):
        inside[:] = sorted(name for name in inside if name not in ("build", "dist", "Inputs") and not name.startswith("."))
        yield from (pathlib.Path(folder) / name for name in sorted(names) if name.endswith(".md"))


def comments(path):
    """(line number, text) for every line with a comment or a docstring; all lines of a page or of TableGen, includes aside."""
    text = path.read_text()
    if path.suffix in (".md", ".td"):
        numbered = enumerate(text.splitlines(), 1)
        yield from (entry for entry in numbered if not entry[1].startswith("include "))
    elif path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.type == tokenize.STRING and '"""' in token.string:
                yield from enumerate(token.string.splitlines(), token.start[0])
    else:
        mark = "#" if path.suffix in (".test", ".cfg", ".txt", ".cmake") else "//"
        for number, line in enumerate(text.splitlines(), 1):
            comment = line[line.find(mark):] if mark in line else ""
            if comment and not DIRECTIVE.match(comment.replace("///", "//")):
                yield number, comment


def records(tblgen, mlir_include, root, pattern):
    """(file, record) for every definition in the .td files that match `pattern`."""
    for path in sorted((root / "include/stof").rglob(pattern)):
        command = [tblgen, "--dump-json", "-I", root / "include", "-I", mlir_include, path]
        dump = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for record in dump.values():
            if isinstance(record, dict) and "!name" in record:
                yield path, record


def is_a(record, kind):
    return kind in record["!superclasses"]


def verdict(complaints, checked, what):
    """Prints the complaints and ends the program, in error if there are any."""
    for complaint in complaints:
        print(complaint)
    print(f"{checked} {what} checked, {len(complaints)} complaints")
    sys.exit(bool(complaints) or not checked)


def root_from(argument):
    return pathlib.Path(argument).resolve()

"""Raises every model of a folder and counts attentions against its expected.json.

    raise_models.py STOF_OPT [OPTION...] FOLDER

A folder that does not exist has no models. An entry of expected.json is a number, or a list of numbers of
which each is right; the first pattern that matches a name counts.
"""

import fnmatch
import json
import pathlib
import re
import subprocess
import sys


def expected_count(entries, name):
    for pattern, count in entries.items():
        if pattern != "_" and fnmatch.fnmatch(name, pattern):
            return count if isinstance(count, list) else [count]
    return []


def count_attentions(tool, path):
    run = subprocess.run(
        tool + ["--stof-raise", "--allow-unregistered-dialect", str(path)], capture_output=True, text=True
    )
    if run.returncode != 0:
        return run.stderr.strip().splitlines()[0] if run.stderr.strip() else f"exit {run.returncode}"
    return len(re.findall(r"= stof\.attention ", run.stdout))


def main(tool, folder):
    folder = pathlib.Path(folder)
    table = folder / "expected.json"
    entries = json.loads(table.read_text()) if table.exists() else {}
    right, wrong = 0, 0
    for path in sorted(folder.glob("*.mlir")):
        wanted, found = expected_count(entries, path.stem), count_attentions(tool, path)
        if found in wanted:
            right += 1
        else:
            wrong += 1
            print(f"{path.stem}: expects {wanted} attentions, but got {found}")
    print(f"{right} models as expected, {wrong} not")


main(sys.argv[1:-1], sys.argv[-1])

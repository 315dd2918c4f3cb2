"""Sources compile without the precompiled header, which hides missing includes.

    check_alone.py ROOT BUILD [--all]

To parse all takes many minutes, so each commit has its share: sources that the newest commits change, and some of the
others, picked by the hash of the commit.
"""

import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "lib"))

import shares
import tree

# How many of the newest commits count as new, how many of their sources are parsed, and which part of all sources.
COMMITS, CHANGED, PART = 8, 3, 160
PRECOMPILED = re.compile(r"-Xclang -include(-pch)? -Xclang \S+|-Winvalid-pch")


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True, text=True).stdout


def read_commands(build):
    """Of each source, the command that parses it without a precompiled header."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(PRECOMPILED.sub("", entry["command"]))
        compiler = next(number for number, word in enumerate(words) if not word.endswith("ccache"))
        output = words.index("-o")
        commands[pathlib.Path(entry["file"])] = (entry["directory"], [
            *words[compiler:output], *(word for word in words[output + 2:] if word != "-c"), "-fsyntax-only"])
    return commands


def select(root, sources):
    ranks = {path: shares.rank(path.relative_to(root)) for path in sources}
    known = set(git(root, "rev-list", f"--max-count={COMMITS + 1}", "HEAD").split())
    names = dict(reversed(line.split("\t")) for line in git(
        root, "diff", "--no-renames", "--name-status", f"HEAD~{len(known) - 1}", "HEAD").splitlines())
    # New files first: their includes are new as well.
    order = {path: (names[name] != "A", ranks[path]) for path in ranks if (name := str(path.relative_to(root))) in names}
    changed = sorted(order, key=order.get)
    return sorted({*changed[:CHANGED], *(path for path, rank in ranks.items() if rank % PART == 0)})


def parse(path, directory, command):
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    return done.returncode and next((line for line in done.stderr.splitlines() if "error:" in line), f"{path}: {done.stderr}")


root = tree.root_from(sys.argv[1])
folders = {root / name for name in ("lib", "tools", "test")}
commands = {path: command for path, command in read_commands(pathlib.Path(sys.argv[2])).items()
            if folders & set(path.parents)}
selected = sorted(commands) if "--all" in sys.argv else select(root, commands)
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    verdicts = pool.map(lambda path: parse(path, *commands[path]), selected)
    tree.verdict([verdict for verdict in verdicts if verdict], len(selected), "sources")

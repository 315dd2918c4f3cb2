"""Runs random sequences of passes over the suite's inputs: no crash, no hang.

    random_pass_orders.py STOF_OPT TEST_FOLDER... [--runs=N] [--seed=N]

An input that a pass refuses is fine; a signal, a sanitizer's report or a run
that does not end is not. A failure is printed as the shortest command found that
still fails.

Left out: `inline` on inputs with operations of unregistered dialects, which a
tool takes only when it is told to. Upstream's inliner (CGUseList in Inliner.cpp)
asserts that it gets all uses of symbols, and a region of an operation that is not
registered may be a symbol table, so that SymbolTable::getSymbolUses gives none:
mlir-opt ends by the same signal.
"""

import argparse
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys

UPSTREAM = [
    "canonicalize",
    "cse",
    "inline",
    "symbol-dce",
    "sccp",
    "linalg-fuse-elementwise-ops",
    "linalg-generalize-named-ops",
    "linalg-fold-unit-extent-dims",
    "loop-invariant-code-motion",
    "one-shot-bufferize=bufferize-function-boundaries",
    "one-shot-bufferize=bufferize-function-boundaries allow-unknown-ops",
    "convert-linalg-to-loops",
    "transform-interpreter",
    "strip-debuginfo",
]
LONGEST = 6
SECONDS = 120


def crashed(tool, path, passes):
    """Why the passes must not do this to the file; empty if all is well."""
    command = [tool, path, "--split-input-file", "--allow-unregistered-dialect"]
    command += [f"--{name}" for name in passes] + ["-o", "/dev/null"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"has not ended after {SECONDS} s"
    if done.returncode < 0:
        return f"ended by signal {-done.returncode}"
    report = re.search(r"PLEASE submit a bug report|Sanitizer: .*|runtime error: .*|Assertion .*", done.stderr)
    return report.group(0) if report else ""


def has_unregistered(tool, path):
    """Whether the file has operations that the tool does not know."""
    command = [tool, path, "--split-input-file", "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return "unregistered" in done.stderr


def shorten(tool, path, passes):
    """Leaves out passes as long as the rest still fails."""
    for position in reversed(range(len(passes))):
        fewer = passes[:position] + passes[position + 1 :]
        if crashed(tool, path, fewer):
            passes = fewer
    return passes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    listed = subprocess.run([arguments.tool, "--help"], capture_output=True, text=True, check=True)
    passes = UPSTREAM + 3 * sorted(set(re.findall(r"^ +--(stof-[\w-]+) ", listed.stdout, re.M)))
    inputs = sorted(path for folder in arguments.folders for path in folder.rglob("*.mlir"))
    chance = random.Random(arguments.seed)
    unregistered = {path for path in inputs if has_unregistered(arguments.tool, path)}
    tries = []
    for _ in range(arguments.runs):
        path = chance.choice(inputs)
        order = chance.choices(passes, k=chance.randint(1, LONGEST))
        if path in unregistered:
            order = [name for name in order if name != "inline"]
        tries.append((str(path), order))

    failures = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        verdicts = pool.map(lambda run: crashed(arguments.tool, *run), tries)
        for (path, order), why in zip(tries, verdicts):
            if not why:
                continue
            failures += 1
            flags = " ".join(f"'--{name}'" for name in shorten(arguments.tool, path, order))
            print(f"{why}: stof-opt {path} --split-input-file --allow-unregistered-dialect {flags}", flush=True)
    print(f"{len(tries)} orders of {len(set(passes))} passes over {len(inputs)} inputs, {failures} failures")
    return bool(failures) or not tries


sys.exit(main())

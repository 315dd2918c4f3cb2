"""Runs two processes that write to a tuning database to their end, then kills two such at random moments, and looks for
what they had said to be in it: kill_writers.py STOF_TUNE FOLDER

Every fifth round starts with no file, so that creation is interrupted as well."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import time

KILLS, ROUNDS_PER_FILE, LINES = 50, 5, 20
tool, folder = sys.argv[1:]


def start(database, name, stdout):
    """A writer of measurements `name.0`, `name.1`, ..., which are durable when their line is in `stdout`."""
    path = os.path.join(folder, f"{name}.lines")
    with open(path, "w") as file:
        for number in range(LINES):
            key = {"signature": "k", "device": "GPU", "driver": "1", "target": "sm_80", "compiler": "1"}
            file.write(json.dumps({**key, "schedule": f"{name}.{number}", "microseconds": 1 + number, "clock_mhz": 0}) + "\n")
    with open(path) as lines:
        return subprocess.Popen([tool, "import", database, "-", "--echo"], stdin=lines, stdout=stdout)


def schedules(text):
    """Of the complete lines of `text`."""
    return {json.loads(line)["schedule"] for line in text.split("\n")[:-1]}


def check(database, durable):
    if not os.path.exists(database):
        return
    exported = subprocess.run([tool, "export", database], capture_output=True, text=True)
    lost = durable - schedules(exported.stdout)
    if exported.returncode or exported.stderr or lost:
        sys.exit(f"{database}: {exported.stderr} lost {sorted(lost)}")
    connection = sqlite3.connect(database)
    for check in ("quick_check", "integrity_check"):
        verdict = connection.execute(f"PRAGMA {check}").fetchall()
        if verdict != [("ok",)]:
            sys.exit(f"{database}: {verdict}")
    connection.close()


def run_writers(database, names, seconds=None):
    """What writers had said when they ended or, after `seconds`, were killed; and how many were."""
    outputs = [open(os.path.join(folder, f"output{number}"), "w+") for number in range(len(names))]
    writers = [start(database, name, output) for name, output in zip(names, outputs)]
    try:
        writers[0].wait(seconds)
    except subprocess.TimeoutExpired:
        for writer in writers:
            writer.kill()
    codes = [writer.wait() for writer in writers]
    if set(codes) - {0, -9}:
        sys.exit(f"{database}: writers ended with {codes}")
    texts = []
    for output in outputs:
        output.seek(0)
        texts.append(output.read())
        output.close()
    return schedules(texts[0]) | schedules(texts[1]), codes.count(-9)


database = os.path.join(folder, "both.db")
begin = time.monotonic()
durable, _ = run_writers(database, ["a", "b"])
longest = time.monotonic() - begin
check(database, durable)
if len(durable) != 2 * LINES:
    sys.exit(f"expects {2 * LINES} measurements of two writers, but got {len(durable)}")

random.seed(1)
kills, kept = 0, 0
while kills < KILLS:
    durable = set()
    database = os.path.join(folder, f"{kills}.db")
    for turn in range(ROUNDS_PER_FILE):
        said, killed = run_writers(database, [f"a{turn}", f"b{turn}"], random.uniform(0, longest))
        durable |= said
        kills += killed
        check(database, durable)
    kept += len(durable)
print(f"killed {kills}, kept {kept}")

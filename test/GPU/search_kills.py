"""Kills whole searches at random moments, then lets two of them run at once on one database.

    search_kills.py --compiler=bin/stof-compile --tune=bin/stof-tune [--target=sm_90a] [--kills=50] [--seconds=14]
        [--seed=N] MODEL.mlir...

After each kill the database is whole and has all rows that it had before, and no runner of the search is left.
Searches that share a database both end well, and what either has measured is in it. Every tenth kill starts with no
file. Exits with 1 at the first failure.
"""

import argparse
import glob
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

KILLS_PER_FILE = 10
# Seconds in which the runner of a killed search finds that it is alone.
GRACE = 5


def start(options, model, database, folder, name):
    command = [options.compiler, model, "-o", os.path.join(folder, name), f"--target={options.target}", "--tune",
               "--tuning-shipped=false", f"--tuning-database={database}", f"--tuning-json={os.path.join(folder, name)}.json"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def read_rows(options, database):
    """The schedules of the database by signature; ends the program if it is not whole."""
    if not os.path.exists(database):
        return set()
    exported = subprocess.run([options.tune, "export", database], capture_output=True, text=True, check=False)
    connection = sqlite3.connect(database)
    verdict = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    if exported.returncode or exported.stderr or verdict != [("ok",)]:
        sys.exit(f"{database}: {exported.stderr} {verdict}")
    rows = [json.loads(line) for line in exported.stdout.splitlines()]
    return {(row["signature"], row["schedule"]) for row in rows if "schedule" in row}


def has_processes(session):
    """Whether a process of the session is left."""
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                # After the name in parentheses: its state, parent, group and session.
                state, _, _, of_process = file.read().rpartition(")")[2].split()[:4]
        except OSError:
            # It has ended meanwhile.
            continue
        if int(of_process) == session and state != "Z":
            return True
    return False


def kill_search(options, model, database, folder):
    """Whether the search was still running after a random time."""
    search = start(options, model, database, folder, "killed")
    try:
        search.wait(random.uniform(0, options.seconds))
        return False
    except subprocess.TimeoutExpired:
        search.kill()
        search.wait()
    until = time.monotonic() + GRACE
    while has_processes(search.pid):
        if time.monotonic() > until:
            sys.exit("a runner is left")
        time.sleep(0.1)
    return True


def kill_searches(options, folder):
    ended, most = 0, 0
    for number in range(options.kills):
        if number % KILLS_PER_FILE == 0:
            database, rows = os.path.join(folder, f"{number}.db"), set()
        ended += not kill_search(options, random.choice(options.models), database, folder)
        now = read_rows(options, database)
        if rows - now:
            sys.exit(f"{database}: lost {sorted(rows - now)}")
        rows, most = now, max(most, len(now))
    print(f"{options.kills} searches, {ended} ended before they were killed; nothing lost of up to {most} rows", flush=True)


def run_two(options, folder):
    database, names = os.path.join(folder, "two.db"), ["first", "second"]
    models = random.sample(options.models, 2) if len(options.models) > 1 else options.models * 2
    begin = time.monotonic()
    searches = [start(options, model, database, folder, name) for model, name in zip(models, names)]
    codes = [search.wait() for search in searches]
    seconds, rows = time.monotonic() - begin, read_rows(options, database)
    measured = []
    for name in names:
        with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
            kernels = json.load(file)["kernels"]
        measured.append({(kernel["signature"], tried["schedule"]) for kernel in kernels for tried in kernel["schedules"]
                         if tried["measured_us"] is not None})
    lost = [len(of_one - rows) for of_one in measured]
    print(f"two at once: exit codes {codes}, {seconds:.1f} s, measured {[len(of_one) for of_one in measured]}, lost {lost}, "
          f"{len(rows)} rows")
    return any(codes) or any(lost)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--tune", required=True)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=14)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        kill_searches(options, folder)
        return run_two(options, folder)


if __name__ == "__main__":
    sys.exit(main())

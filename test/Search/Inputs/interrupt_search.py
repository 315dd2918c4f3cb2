"""interrupt_search.py DATABASE COMMAND...: starts a search, interrupts it once the database has a measurement, and says
how the command ends. What it prints follows."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

database, *command = sys.argv[1:]


def count():
    """The measurements of the database, which may not be there yet."""
    try:
        connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT count(*) FROM measurements").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return 0


# A shell starts what runs in the background with some signals ignored.
process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
try:
    end = time.monotonic() + 120
    while not count() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.01)
    # A terminal interrupts the whole group.
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    printed = process.communicate(timeout=120)[1]
finally:
    process.kill()
print(f"ends with {process.returncode}, {count()} kept")
print(printed)

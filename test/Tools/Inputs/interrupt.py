"""Runs a command again and again and ends it by a signal, a little later each time, until it ends by itself; then says
what it left in its folder and in that of temporary files: interrupt.py FOLDER SIGNAL STEP_MS COMMAND [ARGUMENT]...

The folder holds what the command needs beforehand."""

import os
import signal
import subprocess
import sys

folder, name, step, *command = sys.argv[1:]
before = set(os.listdir(folder))
temporary = os.path.join(folder, "tmp")
delay, landed = 0, 0
while True:
    # A shell starts what runs in the background with some signals ignored.
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "TMPDIR": temporary},
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_DFL),
    )
    try:
        process.wait(delay / 1000)
    except subprocess.TimeoutExpired:
        process.send_signal(getattr(signal, name))
        process.wait()
    if process.returncode == 0:
        break
    if process.returncode != -getattr(signal, name):
        sys.exit(f"ended with {process.returncode} after {delay} ms")
    landed += 1
    left = sorted(set(os.listdir(folder)) - before - {"package", "report.json"})
    if left or os.listdir(temporary):
        sys.exit(f"left {left} and {os.listdir(temporary)} after {delay} ms")
    delay += int(step)
print("interrupted" if landed else "never interrupted")

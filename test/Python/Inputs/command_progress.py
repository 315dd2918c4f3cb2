"""The progress of two steps, on a terminal and on a pipe."""

import os
import subprocess
import sys

STEPS = """
from stof._command.progress import Progress
with Progress(2) as progress:
    progress.step("first")
    progress.detail("half")
    progress.step("second")
"""
piped = subprocess.run([sys.executable, "-c", STEPS], stderr=subprocess.PIPE, text=True, check=True).stderr
print(piped.splitlines())
main, terminal = os.openpty()
process = subprocess.Popen([sys.executable, "-c", STEPS], stderr=terminal, env={**os.environ, "TERM": "xterm"})
os.close(terminal)
drawn = b""
try:
    while part := os.read(main, 1000):
        drawn += part
except OSError:
    # The end of a terminal.
    pass
assert process.wait() == 0
print("redrawn:", b"\x1b[" in drawn, b"second" in drawn, b"1/2" in drawn)

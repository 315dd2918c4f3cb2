"""stop_reading.py COMMAND...: reads one line of what the command prints, then closes its output but not its input, and
prints its exit code."""

import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
process.stdout.readline()
process.stdout.close()
print("ends with", process.wait(timeout=60))

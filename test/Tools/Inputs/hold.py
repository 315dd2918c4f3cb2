"""Runs a command while a folder is locked, as by a process that fills it: hold.py FOLDER COMMAND [ARGUMENT]..."""

import fcntl
import os
import subprocess
import sys

fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)
sys.exit(subprocess.run(sys.argv[2:]).returncode)

"""Runs a program in an address space of so many megabytes: limit_memory.py MEGABYTES PROGRAM [ARGUMENT]..."""

import os
import resource
import sys

size = int(sys.argv[1]) << 20
resource.setrlimit(resource.RLIMIT_AS, (size, size))
os.execvp(sys.argv[2], sys.argv[2:])

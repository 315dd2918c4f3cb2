"""Makes MLIR bytecode one of a later MLIR, whose locations are attributes of a code that is not known yet: age_bytecode.py
FILE. It is written to standard output."""

import pathlib
import sys

# A code is a variable-length integer: one byte of twice the number, plus one.
LOCATION, UNKNOWN = bytes([11 * 2 + 1]), bytes([63 * 2 + 1])

magic, producer, rest = pathlib.Path(sys.argv[1]).read_bytes().partition(b"MLIR22.1.")
patch, zero, rest = rest.partition(b"\0")
later = b"MLIR99.0.0".ljust(len(producer + patch), b"0")
start = rest.index(LOCATION + b"\x01")
sys.stdout.buffer.write(magic + later + zero + rest[:start] + UNKNOWN + rest[start + 1 :])

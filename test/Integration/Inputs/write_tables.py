"""Adds the tables of tables.mlir to random tensors: write_tables.py FROM TO FIRST FULL END ENTRY..."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))

import safetensors_io

source, target, *numbers = sys.argv[1:]
tensors = safetensors_io.read(source)
values = [int(number) for number in numbers]
tensors["arg3"] = ("i64", [1, 1, 1, 3], values[:3])
tensors["arg4"] = ("i64", [len(values) - 3], values[3:])
safetensors_io.write(target, tensors)

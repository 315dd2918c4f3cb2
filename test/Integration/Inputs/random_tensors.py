"""Writes random tensors, the same in every run: random_tensors.py FILE arg0=f32[2,3] arg1=i32[4] ..."""

import math
import pathlib
import random
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "lib"))
import safetensors_io

chance = random.Random(1)
tensors = {}
for argument in sys.argv[2:]:
    name, dtype, sizes = re.fullmatch(r"(\w+)=(\w+)\[([\d,]*)\]", argument).groups()
    shape = [int(size) for size in sizes.split(",")]
    draw = (lambda: chance.gauss(0, 1)) if "f" in dtype else (lambda: chance.randrange(3))
    tensors[name] = (dtype, shape, [draw() for _ in range(math.prod(shape))])
safetensors_io.write(sys.argv[1], tensors)

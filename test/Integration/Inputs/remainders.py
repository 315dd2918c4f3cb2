"""Compares arith.remf with math.fmod, bit by bit: remainders.py FOLDER DEVICE TARGET"""

import math
import os
import random
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))

import safetensors_io

COUNT = 10000
# dtype: its bits, and those of a mantissa.
DTYPES = {"f32": (32, 23), "f16": (16, 10), "bf16": (16, 7)}


def to_number(bits, dtype):
    if dtype == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    return struct.unpack("<f", struct.pack("<I", bits << 16 if dtype == "bf16" else bits))[0]


def numbers(dtype, rng):
    """Of any bits, near each other, and at the ends: zeros, subnormal numbers, the largest, infinities and no number."""
    width, mantissa = DTYPES[dtype]
    infinity = ((1 << (width - 1 - mantissa)) - 1) << mantissa
    ends = [0, 1, 2, 3, (1 << mantissa) - 1, 1 << mantissa, infinity - 1, infinity, infinity + 1]
    sign = 1 << (width - 1)
    ends += [sign | bits for bits in ends]
    pairs = [(x, y) for x in ends for y in ends]
    while len(pairs) < COUNT:
        x = rng.getrandbits(width)
        near = x + rng.randrange(-4 << mantissa, 4 << mantissa)
        y = rng.choice([rng.getrandbits(width), near % (1 << width), rng.choice(ends)])
        pairs.append((x, y))
    return [[to_number(bits, dtype) for bits in side] for side in zip(*pairs)]


def remainder(x, y):
    try:
        return math.fmod(x, y)
    except ValueError:
        return math.nan


def agree(x, y):
    return math.isnan(x) and math.isnan(y) or x == y and math.copysign(1, x) == math.copysign(1, y)


def main(folder, device, target):
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(1)
    for dtype in DTYPES:
        tensor = f"tensor<{COUNT}x{dtype}>"
        with open(f"{folder}/{dtype}.mlir", "w", encoding="ascii") as file:
            file.write(f"""func.func @main(%x: {tensor}, %y: {tensor}) -> {tensor} {{
  %e = tensor.empty() : {tensor}
  %r = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%x, %y : {tensor}, {tensor}) outs(%e : {tensor}) {{
  ^bb0(%a: {dtype}, %b: {dtype}, %o: {dtype}):
    %c = arith.remf %a, %b : {dtype}
    linalg.yield %c : {dtype}
  }} -> {tensor}
  return %r : {tensor}
}}
""")
        xs, ys = numbers(dtype, rng)
        safetensors_io.write(f"{folder}/in", {"arg0": (dtype, [COUNT], xs), "arg1": (dtype, [COUNT], ys)})
        package = f"{folder}/{dtype}"
        subprocess.run(["stof-compile", f"{package}.mlir", "-o", package, f"--target={target}"], check=True)
        subprocess.run(["stof-run", package, f"--device={device}", f"--inputs={folder}/in", f"--outputs={folder}/out"], check=True)
        results = safetensors_io.read(f"{folder}/out")["result0"][2]
        wrong = [(x, y, r) for x, y, r in zip(xs, ys, results) if not agree(remainder(x, y), r)]
        print(dtype, COUNT - len(wrong), "of", COUNT, "agree", *wrong[:5])


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Writes numbers around every boundary of f16 and bf16, and how they round to nearest, ties to even.

    round_cases.py FOLDER    from_f32.in, from_f32.out, from_f64.in, from_f64.out
"""

import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))

import safetensors_io


def to_f16(value):
    """As Python rounds, which overflows where the nearest is infinite."""
    try:
        return struct.unpack("<e", struct.pack("<e", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def to_bf16(value):
    """The nearer of the two neighbours among multiples of the unit in the last place."""
    if value == 0 or not math.isfinite(value):
        return value
    unit = 2.0 ** (max(math.frexp(value)[1] - 1, -126) - 7)
    rounded = round(value / unit) * unit
    return math.copysign(math.inf, value) if abs(rounded) >= 2.0**128 else rounded


def neighbourhood(step):
    """Numbers on halfway points, and `step` off them, of both formats."""
    yield from (0.0, -0.0, math.inf, -math.inf, math.nan)
    for exponent in (-149, -140, -134, -133, -127, -126, -30, -26, -25, -24, -20, -15, -14, -3, 0, 5, 14, 15, 16, 100, 127):
        for fraction in (1, 1 + 2**-11, 1 + 2**-10, 1 + 3 * 2**-11, 1 + 2**-8, 1 + 3 * 2**-8, 2 - 2**-11, 2 - 2**-9):
            for nudge in (1 - step, 1, 1 + step):
                yield from (math.ldexp(fraction * nudge, exponent), -math.ldexp(fraction * nudge, exponent))


def as_f32(value):
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def main(folder):
    for dtype, step, stored in (("f32", 2**-22, as_f32), ("f64", 2**-40, float)):
        numbers = [stored(value) for value in neighbourhood(step)]
        numbers += [0.0] * (-len(numbers) % 1024)
        shape = [len(numbers)]
        safetensors_io.write(f"{folder}/from_{dtype}.in", {"arg0": (dtype, shape, numbers)})
        golden = {"result0": ("f64", shape, [to_f16(v) for v in numbers]), "result1": ("f64", shape, [to_bf16(v) for v in numbers])}
        safetensors_io.write(f"{folder}/from_{dtype}.out", golden)


main(sys.argv[1])

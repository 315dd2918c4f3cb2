"""Floats of 8 bits from the definitions of their formats."""

import math


def decode(code, dtype):
    """What a byte means, from the definition of the format."""
    mantissa, bias = (3, 7) if dtype == "f8E4M3FN" else (2, 15)
    exponent, fraction, sign = code >> mantissa & (1 << 7 - mantissa) - 1, code & (1 << mantissa) - 1, -1.0 if code >> 7 else 1.0
    if dtype == "f8E4M3FN" and code & 127 == 127:
        return math.nan
    if dtype == "f8E5M2" and exponent == 31:
        return math.nan if fraction else sign * math.inf
    scale = 2.0 ** (max(exponent, 1) - bias - mantissa)
    return sign * scale * (fraction + (1 << mantissa if exponent else 0))


def encode(value, dtype):
    """The byte of the nearest float; None for any NaN. The numbers go on behind the largest for what is too large."""
    if math.isnan(value):
        return None
    sign = 128 if math.copysign(1, value) < 0 else 0
    top = 127 if dtype == "f8E4M3FN" else 124
    magnitudes = [decode(code, dtype) for code in range(top)]
    magnitudes.append(2 * magnitudes[-1] - magnitudes[-2])
    value = abs(value)
    if value >= magnitudes[top]:
        return sign | top if dtype == "f8E5M2" else None
    above = next(code for code, magnitude in enumerate(magnitudes) if magnitude >= value)
    if magnitudes[above] != value:
        low, high = value - magnitudes[above - 1], magnitudes[above] - value
        above -= low < high or low == high and above % 2 == 1
    return None if dtype == "f8E4M3FN" and above == top else sign | above

"""Inputs and exact results for the kernels of sorts, floats of 8 bits and complex numbers."""

import os
import sys

import numpy as np

from kernel_cases import Case, Tensor, empty, sized

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from float8 import decode, encode


def ranks_of(keys, descending):
    """The number of elements of each row that come before each; NaN is the greatest."""
    order = np.where(np.isnan(keys), np.inf, keys)
    greater = np.stack([np.isnan(keys), order])
    before = np.zeros(keys.shape + keys.shape[-1:], bool)
    for i, j in np.ndindex(keys.shape[-1], keys.shape[-1]):
        a, b = greater[..., j], greater[..., i]
        less = (a[0] < b[0]) | (a[0] == b[0]) & (a[1] < b[1])
        more = (a[0] > b[0]) | (a[0] == b[0]) & (a[1] > b[1])
        before[..., i, j] = (more if descending else less) | ~less & ~more & (j < i)
    return before.sum(-1)


def short_sorts(random):
    x = Tensor(random.choice([0.0, 1.0, -1.0, 2.5, 7.0, np.inf, -np.inf, np.nan], (13, 60)), "f32")
    ranks = ranks_of(x.array, descending=True)
    sources = np.argsort(ranks, axis=1)[:, :6]
    values = np.take_along_axis(x.exact, sources, 1)
    yield Case("sort_short", "short_0_generic", (104, 1, 1), sized(x, empty((13, 60), "i32")), {1: ranks}, 0)
    yield Case("sort_short", "short_1_generic", (13, 1, 1), sized(Tensor(ranks, "i32"), empty((13, 6), "i32")), {1: sources}, 0)
    yield Case("sort_short", "short_2_generic", (1, 1, 1), sized(Tensor(sources, "i32"), x, empty((1, 78), "f32")),
               {2: values.reshape(1, 78)}, 0)


def long_sorts(random):
    x = Tensor(random.integers(-40, 40, (2, 600)), "f32")
    padded = np.concatenate([x.array, np.repeat(x.array[:, -1:], 168, 1)], 1).reshape(2, 3, 256)
    valid = np.arange(768).reshape(3, 256) < 600
    keys = np.where(valid, padded, np.inf)
    # What lies behind the row counts nowhere; its own rank is that of a last element.
    ranks = ranks_of(keys, descending=False)
    runs = np.argsort(ranks, axis=2) + np.arange(3)[:, None] * 256
    runs = np.where(np.broadcast_to(valid, runs.shape), runs, 0)

    def merged(sources, count):
        kept = np.take_along_axis(x.array, sources, 1)
        return np.take_along_axis(sources, np.argsort(kept, axis=1, kind="stable"), 1)[:, :count]
    first, last = merged(runs[:, :2].reshape(2, 512), 300), runs[:, 2, :88]
    whole = merged(np.concatenate([runs[:, :2].reshape(2, 512), last], 1), 300)
    pairs = np.zeros((2, 2, 300), int)
    pairs[:, 0], pairs[:, 1, :88] = first, last
    yield Case("sort_long", "long_0_generic", (3, 1, 1), sized(x, empty((1, 1536), "f32")), {1: padded.reshape(1, 1536)}, 0)
    yield Case("sort_long", "long_2_generic", (384, 1, 1),
               sized(Tensor(np.where(valid, ranks, 255), "i32"), empty((2, 3, 256), "i32")), {1: runs}, 0)
    yield Case("sort_long", "long_4_generic", (2, 1, 1), sized(Tensor(pairs, "i32"), x, empty((1, 600), "i32")),
               {2: whole.reshape(1, 600)}, 0)
    yield Case("sort_long", "long_5_generic", (2, 1, 1), sized(Tensor(whole, "i32"), x, empty((1, 600), "f32")),
               {2: np.take_along_axis(x.exact, whole, 1).reshape(1, 600)}, 0)


def float8(random):
    bounds = [decode(code, "f8E4M3FN") for code in range(127)]
    middles = [(a + b) / 2 for a, b in zip(bounds, bounds[1:])]
    spread = random.standard_normal(400) * np.exp2(random.integers(-12, 9, 400))
    values = np.concatenate([bounds, middles, np.negative(middles), spread, [464.0, 464.1, 480.0, -1e30, -0.0, np.inf]])
    x = Tensor(values, "f32")
    codes = [encode(float(value), "f8E4M3FN") for value in x.array]
    # A NaN keeps the sign of what it is made of.
    codes = [127 + 128 * bool(np.signbit(v)) if code is None else code for code, v in zip(codes, x.array)]
    count = x.array.size
    blocks = -(-count // 1024)
    yield Case("float8_narrow", "narrow_0_generic", (blocks, 1, 1),
               sized(blocks, count, (Tensor(x.array[None], "f32"), [1]), (empty((1, count), "i8"), [1])),
               {4: np.array(codes, np.uint8).view(np.int8)[None].astype(np.float64)}, 0)
    widened = np.array([decode(code, "f8E5M2") for code in range(256)])
    yield Case("float8_widen", "widen_0_generic", (1, 1, 1),
               sized(Tensor(np.arange(256, dtype=np.uint8).view(np.int8), "i8"), empty((1, 256), "f16")), {1: widened[None]}, 0)


def rotations(random):
    x, angles = Tensor(random.standard_normal((70, 2)), "f32"), Tensor(random.uniform(-3, 3, 70), "f32")
    turned = (x.exact[:, 0] + 1j * x.exact[:, 1]) * np.exp(1j * angles.exact)
    yield Case("complex_rotation", "rotate_0_generic", (2, 1, 1), sized(x, angles, empty((1, 140), "f32")),
               {2: np.stack([turned.real, turned.imag], 1).reshape(1, 140)}, 1e-6)


def imports(random):
    for family in (short_sorts, long_sorts, float8, rotations):
        yield from family(random)

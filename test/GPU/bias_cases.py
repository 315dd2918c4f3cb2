"""Inputs and results for the kernels of biased.mlir: numbers of every size are added to scores, whole rows of the lowest
among them, of minus infinity, and of numbers whose product with log2 e is infinite."""

import numpy as np

from kernel_cases import Case, Tensor, empty


def table(queries, keys, kind):
    lowest = -float(np.finfo(np.float32).max) if kind == "f32" else -3.3895313892515355e38
    late, last = np.arange(keys) >= keys // 2, np.arange(keys) == keys - 1
    rows = [np.full(keys, lowest), np.where(late, lowest, 0), np.where(last, 0, lowest), np.full(keys, lowest / 2),
            np.full(keys, -2.35e38), np.full(keys, -2.4e38), np.where(late, -2.4e38, -2.35e38), np.full(keys, -lowest),
            np.where(last, -lowest, lowest), np.full(keys, -np.inf), np.where(late, -np.inf, lowest),
            np.where(last, 0.5, -np.inf), np.where(last, np.inf, 0), np.where(last, np.nan, lowest), np.full(keys, -65504),
            np.arange(keys) % 5 / 4]
    return Tensor(np.stack([rows[query % len(rows)] for query in range(queries)]), kind)


def weigh(q, k, scale, bias):
    """The scores as float32 has them, their maximum and powers, where a maximum of minus infinity counts as zero."""
    scores = (q.exact @ k.exact.swapaxes(2, 3) * scale + bias.exact).astype(np.float32).astype(np.float64)
    top = np.fmax.reduce(scores, axis=3, keepdims=True)
    return scores, top, np.exp(scores - np.where(top == -np.inf, 0, top))


def biased(random):
    with np.errstate(all="ignore"):
        yield from one_block(random)
        yield from in_parts(random)
        yield from under_mask(random)


def one_block(random):
    q = Tensor(random.standard_normal((1, 2, 70, 64)), "f16")
    k, v = (Tensor(random.standard_normal((1, 1, 150, 64)), "f16") for _ in "kv")
    bias = table(70, 150, "f32")
    _, _, power = weigh(q, k, 0.125, bias)
    yield Case("biased", "biased_0_attention", None, [q, k, v, bias, empty((1, 2, 70, 64), "f16")],
               {4: power @ v.exact / power.sum(3, keepdims=True)}, 2e-3)


def in_parts(random):
    q = Tensor(random.standard_normal((1, 2, 34, 64)), "bf16")
    k, v = (Tensor(random.standard_normal((1, 1, 150, 64)), "bf16") for _ in "kv")
    bias = table(34, 150, "bf16")
    sums, rows = np.zeros((1, 2, 1, 3, 34, 64)), np.zeros((1, 2, 1, 3, 2, 34))
    for part, keys in enumerate((slice(0, 64), slice(64, 128), slice(128, 150))):
        of_part = [Tensor(tensor.array[:, :, keys], "bf16") for tensor in (k, v)]
        _, top, power = weigh(q, of_part[0], 0.125, Tensor(bias.array[:, keys], "bf16"))
        sums[:, :, 0, part] = power @ of_part[1].exact
        rows[:, :, 0, part, 0], rows[:, :, 0, part, 1] = top[..., 0], power.sum(3)
    yield Case("biased", "biased_1_attention", None,
               [q, k, v, bias, empty(sums.shape, "f32"), empty(rows.shape, "f32")], {4: sums, 5: rows}, 2e-2)
    scores, _, power = weigh(q, k, 0.125, bias)
    total = power.sum(3, keepdims=True)
    yield Case("biased", "biased_2_combine", None,
               [q, k, v, bias, Tensor(sums, "f32"), Tensor(rows, "f32"), empty((1, 2, 34, 64), "bf16")],
               {6: np.where((scores == -np.inf).all(3, keepdims=True), 0, power @ v.exact / total)}, 2e-2)


def under_mask(random):
    q, k, v = (Tensor(random.standard_normal((1, 1, 90, 32)), "f32") for _ in "qkv")
    bias = table(90, 90, "f32")
    hidden = np.where(np.arange(90)[None, :] > np.arange(90)[:, None], -np.inf, bias.exact)
    scores, top, power = weigh(q, k, 0.25, Tensor(hidden, "f32"))
    total = power.sum(3, keepdims=True)
    out = np.where((scores == -np.inf).all(3, keepdims=True), 0, power @ v.exact / total)
    yield Case("biased", "biased_3_attention", None,
               [q, k, v, bias, empty((1, 1, 90, 32), "f32"), empty((1, 1, 90), "f32")],
               {4: out, 5: (top + np.log(total))[..., 0]}, 2e-5)

"""Inputs and results for the kernels of specialized_attention.py."""

import numpy as np

from kernel_cases import Case, Tensor, empty
from specialized_attention import ATTENTIONS, CLAIMED, PERSISTENT
from tile_tables import list_tiles


def choose_keys(one, lengths, random):
    """Which heads and queries attend to which keys, and tensors that say so."""
    h, i, j = np.ogrid[:one.heads[0], :lengths[0], :lengths[1]]
    if one.ids:
        ids = np.arange(130) // 50
        keep, said = ids[i] == ids[j], [Tensor(ids, "i32")]
    elif one.tables:
        # The second tile of queries has no keys, the first lacks two tiles of them, the third has two full ones.
        keep = (random.random((1, *lengths)) < 0.4) & (i // 64 != 1) & ((i >= 64) | (j >= 128))
        keep |= (i // 64 == 2) & (j // 64 % 2 == 1)
        said = list_tiles(keep[0], room=9)
    else:
        keep, said = one.keep(h, i, j), []
    return np.broadcast_to(keep, (one.heads[0], *lengths)), said


def isolate(keep, tensor):
    """Makes tiles NaN that no query of the head attends to."""
    keys = tensor.shape[2]
    seen = keep.reshape(tensor.shape[1], -1, keys).any(1)
    for begin in range(0, keys, 64):
        tensor[0, ~seen[:, begin:begin + 64].any(1), begin:begin + 64] = np.nan


def mask_scores(one, scores, keep):
    """The scores of the keys that each row is over."""
    masked = np.where(keep, scores, -np.inf)
    if one.empty_rows == "zero":
        return masked
    i, j = np.ogrid[:scores.shape[2], :scores.shape[3]]
    others = one.others[1](0, i, j) if one.others else True
    instead = np.where(others, scores if one.empty_rows == "unmasked" else 0, -np.inf)
    return np.where(masked.max(3, keepdims=True) == -np.inf, instead, masked)


def expect(scores, v):
    """The results and their log-sum-exp."""
    with np.errstate(all="ignore"):
        top = scores.max(3, keepdims=True)
        power = np.exp(scores - np.where(top == -np.inf, 0, top))
        total = power.sum(3, keepdims=True)
        out = np.where(total == 0, 0, power @ v / total)
        return out, (top + np.log(total))[..., 0]


def expect_parts(one, scores, v, rows):
    """What blocks leave that each have a part of the keys of the first `rows` queries."""
    tiles = -(-one.lengths[1] // 64)
    bounds = [part * tiles // one.splits * 64 for part in range(one.splits + 1)]
    sums, state = [], []
    for begin, end in zip(bounds, bounds[1:]):
        part = scores[:, :, :rows, begin:end]
        top = part.max(3, initial=-np.inf)
        power = np.exp(part - np.where(top == -np.inf, 0, top)[..., None])
        sums.append(power @ v[:, :, begin:end])
        state.append(np.stack([top * np.log2(np.e), power.sum(3)], 2))
    return np.stack(sums, 2)[:, :, None], np.stack(state, 2)[:, :, None]


def make_case(module, kernel, one, lengths, random, *counters):
    keep, said = choose_keys(one, lengths, random)
    q, k, v = (random.standard_normal((1, one.heads[of], lengths[of], one.sizes[size]))
               for of, size in ((0, 0), (1, 0), (1, 1)))
    if one.isolated:
        isolate(keep, k)
        isolate(keep, v)
    q, k, v = (Tensor(array, one.kind) for array in (q, k, v))
    group = one.heads[0] // one.heads[1]
    keys, values = (np.nan_to_num(tensor.exact).repeat(group, 1) for tensor in (k, v))
    scores = mask_scores(one, q.exact @ keys.swapaxes(2, 3) * 0.125, keep)
    out, lse = expect(scores, values)
    arguments, expected = [q, k, v, *said], []
    if one.splits > 1:
        rows = 128
        expected += expect_parts(one, scores, values, rows)
        arguments += [empty(part.shape, "f32") for part in expected]
        # Another kernel combines them.
        out[:, :, :rows] = np.nan
    # CTAs count the tiles that they claim behind everything else.
    arguments += [empty(out.shape, one.kind)] + [empty(lse.shape, "f32")] * one.lse
    expected += [out] + [lse] * one.lse
    tolerance = 2e-2 if one.kind == "bf16" else 2e-3
    if one.dynamic:
        queries, keys = lengths
        return Case(module, kernel, (-(-queries // 64), one.heads[0], 1),
                    [queries, q, queries, keys, k, keys, v, keys, arguments[3], queries, arguments[4], queries],
                    {8: out, 10: lse}, tolerance)
    first = len(arguments) - len(expected)
    return Case(module, kernel, None, arguments + list(counters), dict(enumerate(expected, first)), tolerance)


def persistent(random):
    for number, one in enumerate(PERSISTENT):
        yield make_case("persistent", f"persistent_{number}_attention", one, one.lengths, random)


def claimed(random):
    for number, one in enumerate(CLAIMED):
        # A kernel before that of the attention resets the counter.
        yield make_case("claimed", f"claimed_{2 * number + 1}_attention", one, one.lengths, random,
                        Tensor(np.zeros(1, np.int64), "i32"))


def specialized(random):
    number = 0
    for one in ATTENTIONS:
        for lengths in one.dynamic or (one.lengths,):
            yield make_case("specialized", f"specialized_{number}_attention", one, lengths, random)
        # That which combines parts follows.
        number += 2 if one.splits > 1 else 1

"""Every constructor and operator of masks against a loop over positions in plain Python."""

import itertools
import subprocess
import sys

import numpy
from stof.masks import (
    Mask, block_list, blocked, blocks, captured, causal, dilated, documents, full, global_tokens, padding, prefix, strided, window,
)

BATCH, HEADS, QUERIES, KEYS = 2, 3, 13, 17
random = numpy.random.default_rng(0)
ids = random.integers(0, 3, 17).astype("int32")
batch_ids = random.integers(0, 3, (2, 17)).astype("int64")
lengths = numpy.array([5, 17], "uint8")
table = random.random((4, 5)) < 0.5
head_table = random.random((3, 4, 5)) < 0.5
bits = random.random((2, 3, 13, 17)) < 0.5
row_ptr = numpy.array([0, 2, 2, 5, 6], "int32")
col_idx = numpy.array([0, 3, 4, 1, 1, 2], "int32")
listed = [{0, 3}, set(), {4, 1}, {2}]
# Of two batches, one list for all queries: of three blocks and of two, the last ones in parts.
batch_row_ptr = numpy.array([[0, 3], [3, 5]], "int32")
pages, page_lengths = numpy.array([3, 0, 2, 1, 4], "int32"), numpy.array([[10], [5]], "int32")
paged = [{12, 13, 14, 15, 0, 1, 2, 3, 8, 9}, {4, 5, 6, 7, 16}]

CASES = [
    (full(), lambda b, h, q, k: True),
    (causal(), lambda b, h, q, k: k <= q),
    (causal(4), lambda b, h, q, k: k <= q + 4),
    (causal(-2), lambda b, h, q, k: k <= q - 2),
    (window(3), lambda b, h, q, k: abs(q - k) <= 3),
    (window(3, 1), lambda b, h, q, k: q - 3 <= k <= q + 1),
    (global_tokens(2), lambda b, h, q, k: q < 2 or k < 2),
    (prefix(4), lambda b, h, q, k: k < 4),
    (prefix(lengths), lambda b, h, q, k: k < lengths[b]),
    (padding(lengths), lambda b, h, q, k: k < lengths[b]),
    (dilated(3), lambda b, h, q, k: (q - k) % 3 == 0),
    (dilated(3, 2), lambda b, h, q, k: (q - k) % 3 == 0 and abs(q - k) <= 6),
    (dilated(2, 3, 0), lambda b, h, q, k: q - k in (0, 2, 4, 6)),
    (strided(4), lambda b, h, q, k: k % 4 == 0),
    (strided(4, 7), lambda b, h, q, k: k % 4 == 3),
    (blocked(5), lambda b, h, q, k: q // 5 == k // 5),
    (documents(ids), lambda b, h, q, k: ids[q] == ids[k]),
    (documents(batch_ids), lambda b, h, q, k: batch_ids[b, q] == batch_ids[b, k]),
    (documents(ids, batch_ids), lambda b, h, q, k: ids[q] == batch_ids[b, k]),
    (blocks(table, (4, 4)), lambda b, h, q, k: table[q // 4, k // 4]),
    (blocks(head_table, (4, 4)), lambda b, h, q, k: head_table[h, q // 4, k // 4]),
    (block_list(row_ptr, col_idx, (4, 4)), lambda b, h, q, k: k // 4 in listed[q // 4]),
    (causal() & window(3) | global_tokens(2), lambda b, h, q, k: (k <= q and abs(q - k) <= 3) or q < 2 or k < 2),
    (causal() & (window(3) | global_tokens(2)), lambda b, h, q, k: k <= q and (abs(q - k) <= 3 or q < 2 or k < 2)),
    (~causal(), lambda b, h, q, k: k > q),
    (~(causal() & ~blocked(5)), lambda b, h, q, k: k > q or q // 5 == k // 5),
    (full() & causal(), lambda b, h, q, k: k <= q),
    (full() | causal(), lambda b, h, q, k: True),
    (~full(), lambda b, h, q, k: False),
    (~full() | causal() & full(), lambda b, h, q, k: k <= q),
    (causal() & (lambda b, h, q, k: k != q), lambda b, h, q, k: k < q),
    ((lambda b, h, q, k: k != q) | causal(), lambda b, h, q, k: True),
    (Mask(lambda b, h, q, k: captured(bits)[b, h, q, k]), lambda b, h, q, k: bits[b, h, q, k]),
    (Mask(lambda b, h, q, k: captured(bits)[b][h][q, k] & (k < 9)), lambda b, h, q, k: bits[b, h, q, k] and k < 9),
    (block_list(batch_row_ptr, pages, (16, 4), page_lengths), lambda b, h, q, k: k in paged[b]),
]

# Operators and functions on positions, numpy's functions among them.
PREDICATES = [
    lambda b, h, q, k: (q - k) % 4 > 1,
    lambda b, h, q, k: (q - k) % -4 > -2,
    lambda b, h, q, k: (q - k) // 3 == -1,
    lambda b, h, q, k: 20 - q - k > 2 * h - b,
    lambda b, h, q, k: abs(k - q) < 4,
    lambda b, h, q, k: (q * k) % 5 != 2,
    lambda b, h, q, k: (q ^ k) & 1 == (h | 2) >> 1,
    lambda b, h, q, k: (q << 1) > k,
    lambda b, h, q, k: q / 2 > k / 3,
    lambda b, h, q, k: q**2 + k**2 < 100,
    lambda b, h, q, k: 2.0**-h * q > k / 4,
    lambda b, h, q, k: numpy.minimum(q, k) > numpy.maximum(b, h),
    lambda b, h, q, k: numpy.where(q > k, q - k, 2 * k) > 6,
    lambda b, h, q, k: numpy.logical_or(q == 3, numpy.logical_not(k < 8)),
    lambda b, h, q, k: (q > 2) + (k > 3) + (h > 0) == 2,
    lambda b, h, q, k: numpy.exp(-q / 4.0) < numpy.sqrt(k / 16.0),
    lambda b, h, q, k: -(-q // 4) <= k,
    lambda b, h, q, k: numpy.where(q > k, numpy.full_like(q, 4), numpy.zeros_like(k)) > q - numpy.ones_like(h),
]


def check(mask, expected):
    """The mask evaluated by the package is the predicate in plain Python, and its MLIR is valid."""
    dense = mask.dense(QUERIES, KEYS, BATCH, HEADS)
    assert dense.dtype == bool and dense.shape == (BATCH, HEADS, QUERIES, KEYS), mask
    for at in itertools.product(*map(range, dense.shape)):
        assert dense[at] == bool(expected(*at)), (mask, at)
    parsed = subprocess.run([sys.argv[1], "-o", "/dev/null"], input=mask.mlir(), capture_output=True, text=True)
    assert parsed.returncode == 0, (mask, parsed.stderr, mask.mlir())


for case in CASES:
    check(*case)
for predicate in PREDICATES:
    check(Mask(predicate), predicate)
print(f"{len(CASES)} masks and {len(PREDICATES)} predicates on {BATCH * HEADS * QUERIES * KEYS} positions each")
print([str(mask) for mask, _ in CASES[22:26]])
print(window(3, 1).mlir(8, 16))
print(documents(batch_ids).mlir())

"""Attention on the CPU against float64, for masks or scores on odd shapes; the argument names a group of them."""

import sys

import numpy
import reference
import stof
from stof.masks import (
    Mask, block_list, blocks, captured, causal, dilated, documents, global_tokens, padding, strided, window,
)
from stof.scores import Score, alibi, bias, soft_cap

# batch, heads, key heads, queries, keys
SHAPES = [(1, 2, 2, 1, 1), (2, 4, 2, 37, 53), (1, 6, 1, 65, 64), (3, 2, 2, 5, 130)]
random = numpy.random.default_rng(1)
ids = numpy.sort(random.integers(0, 4, 130)).astype("int32")
lengths = numpy.array([50, 0, 7], "int32")
table = random.random((11, 17)) < 0.3
row_ptr, col_idx = numpy.array([0, 2, 3, 3, 5], "int32"), numpy.array([0, 6, 3, 1, 2], "int32")
sequences, pages = numpy.array([[0, 3], [3, 5], [5, 5]], "int32"), numpy.array([3, 0, 2, 1, 4], "int32")
cached = numpy.array([[41], [32], [0]], "int32")
slopes = numpy.array([0.5, 0.25], "float32")
positions = random.standard_normal((2, 300)).astype("float32")
biases = random.standard_normal((2, 37, 53)).astype("float16")

MASKS = {
    "closed": [causal(), causal() & window(9) | global_tokens(2), ~causal(), dilated(3, 5), strided(4, 1)],
    "captured": [
        documents(ids),
        padding(lengths),
        blocks(table, (8, 8)) & causal(40),
        Mask(lambda b, h, q, k: captured(positions)[h % 2, (q - k) % 7] > 0),
        Mask(lambda b, h, q, k: captured(positions)[-1, (q - k) % 9] > 0),
        Mask(lambda b, h, q, k: captured(positions.T)[q, h % 2] > captured(positions[0, 1:])[k]),
    ],
}


def compute(s, b, h, q, k):
    """A score with every function that scores can have, on traced values and on arrays."""
    near = numpy.exp(-abs(q - k) / 8.0) + numpy.log(1.0 + k) * numpy.sin(q / 3.0) - numpy.cos(k / 5.0)
    steps = numpy.floor(s * 4) / 4 + numpy.ceil(q / 7.0) / 10 + s % 2.5
    return numpy.where(q == k, steps, near / numpy.sqrt(1.0 + q) + (1.0 + h) ** (q / 50.0)) + numpy.minimum(2.0**-h, k)


SCORES = [
    (Score(compute), compute),
    (soft_cap(2.0), lambda s, b, h, q, k: 2 * numpy.tanh(s / 2)),
    (alibi(slopes), lambda s, b, h, q, k: s + slopes[h] * (k - q)),
    (
        Score(lambda s, b, h, q, k: numpy.where(q >= k, s + captured(positions)[h, q - k + 130], float("-inf"))),
        lambda s, b, h, q, k: numpy.where(q >= k, s + positions[h, q - k + 130], -numpy.inf),
    ),
    (soft_cap(5).then(alibi(slopes)), lambda s, b, h, q, k: 5 * numpy.tanh(s / 5) + slopes[h] * (k - q)),
]


def put_positions_first(tensor):
    """The same with positions before heads in memory."""
    return numpy.ascontiguousarray(tensor.swapaxes(1, 2)).swapaxes(1, 2)


def run(shape, tolerance, *, dtype="float32", mask=None, score=None, expected=None, shares_keys=False, positions_first="", **options):
    """The largest difference from float64 on one shape. `positions_first` has the first letters of tensors that are so in
    memory."""
    query, key, value = reference.draw(len(SHAPES), *shape, 16, 24, dtype)
    batch, heads, _, queries, keys = shape
    if shares_keys:
        key, value = key[:1], value[:1]
    stored = [put_positions_first(x) if name in positions_first else x for name, x in zip("qkv", (query, key, value))]
    out, lse = stof.attention(*stored, mask=mask, score=score, return_lse=True, **options)
    assert (out.swapaxes(1, 2) if "q" in positions_first else out).flags.c_contiguous and lse.flags.c_contiguous
    keep = mask.dense(queries, keys, batch, heads) if mask else numpy.ones((batch, heads, queries, keys), bool)
    if shares_keys:
        key, value = key.repeat(batch, 0), value.repeat(batch, 0)
    expected, expected_lse = reference.attend(query, key, value, keep, options.get("scale", 0.25), expected)
    assert out.dtype == dtype and lse.dtype == "float32" and out.shape == expected.shape and lse.shape == expected_lse.shape
    finite = numpy.isfinite(expected_lse)
    assert (lse[~finite] == -numpy.inf).all() and (out[~finite] == 0).all()
    differences = abs(out - expected).max(), abs(lse[finite] - expected_lse[finite]).max(initial=0)
    assert max(differences) < tolerance, (mask, score, shape, differences)
    return numpy.count_nonzero(~finite)


def main(what):
    runs = empty = 0
    for mask in MASKS.get(what, []):
        for shape in SHAPES[1:2] + SHAPES[3:]:
            empty += run(shape, 2e-6, mask=mask)
            runs += 1
    if what == "shapes":
        for shape in SHAPES:
            run(shape, 2e-6, mask=causal(1))
            run(shape, 4e-3, mask=causal(1), dtype="float16")
            runs += 2
        run(SHAPES[1], 2e-5, scale=-1.5)
        run(SHAPES[1], 2e-6, mask=causal(1), dynamic=False)
        run((1, 2, 2, 32, 130), 2e-6, mask=block_list(row_ptr, col_idx, (8, 8)))
        run((3, 4, 2, 1, 80), 2e-6, mask=block_list(sequences, pages, (1, 16), cached))
        run((3, 4, 2, 1, 80), 2e-6, mask=block_list(sequences, pages, (1, 16), cached), dynamic=False, shares_keys=True)
        for shape in ((2, 4, 2, 1, 530), (1, 2, 2, 1, 3000)):
            run(shape, 2e-6)
            run(shape, 2e-6, mask=Mask(lambda b, h, q, k: k % 3 == h % 2), score=soft_cap(2.0), expected=SCORES[1][1])
            runs += 2
        runs += 5
    if what == "strides":
        for positions_first in ("qkv", "q", "kv"):
            for shape in SHAPES[1:]:
                empty += run(shape, 2e-6, mask=causal(1), positions_first=positions_first)
                runs += 1
        options = {"score": alibi(slopes), "expected": lambda s, b, h, q, k: s + slopes[h] * (k - q)}
        run(SHAPES[3], 4e-3, dtype="float16", positions_first="qv", **options)
        empty += run(SHAPES[3], 2e-6, mask=padding(lengths), positions_first="qkv", dynamic=False)
        paged = {"mask": block_list(sequences, pages, (1, 16), cached), "positions_first": "kv"}
        run((3, 4, 2, 1, 80), 2e-6, **paged)
        run((3, 4, 2, 1, 80), 2e-6, dynamic=False, shares_keys=True, **paged)
        runs += 4
    if what == "scores":
        for score, expected in SCORES:
            run(SHAPES[3], 2e-5, score=score, expected=expected)
            runs += 1
        shape = (2, 2, 1, 37, 53)
        run(shape, 2e-6, mask=causal(20), score=bias(biases), expected=lambda s, b, h, q, k: s + biases[h, q, k])
        runs += 1
    print(f"{what}: {runs} attentions, {empty} queries without keys")


main(sys.argv[1])

"""Inputs and results for the kernels of specialized_contractions.py."""

import numpy as np

from kernel_cases import Case, Tensor, empty, sized
from specialized_contractions import DYNAMIC, PARTS, STATIC

# Of each dynamic one pairs of a number of rows and of the CTAs for it.
ROWS = [((1, 2), (257, 3)), ((65, 3), (130, 2)), ((1, 2), (130, 2))]


def make_case(family, n, one, rows, grid, random):
    batch, _, columns, depth = one.sizes
    batches = (batch,) * (batch > 1)
    x = Tensor(random.standard_normal((*batches, rows, depth)), one.kind)
    w = Tensor(random.standard_normal((*batches, *((columns, depth) if one.order == "nk" else (depth, columns)))), one.kind)
    total = x.exact @ (w.exact.swapaxes(-1, -2) if one.order == "nk" else w.exact)
    bias = [Tensor(random.standard_normal(columns), one.kind)] * one.gelu
    if one.gelu:
        total += bias[0].exact
        total *= 0.5 + 0.5 * np.tanh(0.7978845608 * (total + 0.044715 * total**3))
    out, place = empty(total.shape, one.kind), len(bias)
    arguments = [*bias, out, x, w]
    if one.dynamic:
        unknown = [len(batches)]
        tiles = -(-rows // 64)
        arguments = sized(tiles, rows, *bias, (out, unknown), (x, unknown), w, batch * tiles * -(-columns // 64))
        place += 2
    return Case(f"contracted_{family}", f"contracted_{n}_contract", grid, arguments, {place: total},
                2e-2 if one.kind == "bf16" else 2e-3)


def make_parts_case(n, one, random):
    """Contractions with the parts of one tensor."""
    _, rows, columns, depth = one.sizes
    x = Tensor(random.standard_normal((rows, depth)), one.kind)
    w = Tensor(random.standard_normal((one.parts * columns, depth)) / 8, one.kind)
    bias = [Tensor(random.standard_normal(one.parts * columns), one.kind)] * one.gelu
    total = x.exact @ w.exact.T
    if one.gelu:
        total += bias[0].exact
        total *= 0.5 + 0.5 * np.tanh(0.7978845608 * (total + 0.044715 * total**3))
    results = np.split(total, one.parts, axis=1)
    if one.gated:
        results = [results[0] * results[1]]
    first, *others = [empty(result.shape, one.kind) for result in results]
    arguments = [*bias, first, x, w, *others]
    places = [len(bias), *range(len(bias) + 3, len(arguments))]
    return Case("contracted_parts", f"contracted_{n}_contract", None, arguments, dict(zip(places, results)),
                2e-2 if one.kind == "bf16" else 2e-3)


def specialized_contractions(random):
    for n, one in enumerate(STATIC):
        yield make_case("static", n, one, one.sizes[1], None, random)
    for n, one in enumerate(PARTS):
        yield make_parts_case(n, one, random)
    for n, (one, launches) in enumerate(zip(DYNAMIC, ROWS)):
        for rows, ctas in launches:
            yield make_case("dynamic", n, one, rows, (ctas, 1, 1), random)

"""The kernels of scatters.mlir."""

import numpy as np

from kernel_cases import Case, Tensor, sized


def updating(kernel, grid, arguments, original, expected, tolerance):
    case = Case("scatters", kernel, grid, arguments, {original: expected}, tolerance)
    case.updated = (original,)
    return case


def scatters(random):
    for positions in ([17, 0, -1, 33, 5], [32]):
        cache = Tensor(random.standard_normal((2, 3, 33, 24)), "f16")
        k = Tensor(random.standard_normal((2, 3, len(positions), 24)), "f16")
        expected = cache.exact.copy()
        for number, position in enumerate(positions):
            if 0 <= position < 33:
                expected[:, :, position] = k.exact[:, :, number]
        threads = k.array.size
        yield updating("scatters_0_scatter", (-(-threads // 128), 1, 1),
                       sized((k, [2]), (Tensor(positions, "i64"), [0]), (cache, [2]), len(positions)), 4, expected, 0)
    plane, w = Tensor(random.standard_normal((5, 6)), "f32"), Tensor(random.standard_normal(300), "f32")
    r, c = Tensor(random.integers(-1, 6, 300), "i64"), Tensor(random.integers(-1, 7, 300), "i32")
    expected = plane.array.copy()
    for update, row, column in zip(w.array, r.array, c.array):
        if 0 <= row < 5 and 0 <= column < 6:
            expected[row, column] = expected[row, column] * np.float32(0.5) + update
    yield updating("scatters_1_scatter", None, [w, r, c, plane], 3, expected.astype(np.float64), 1e-6)
    counts, n = Tensor(random.integers(0, 9, (7, 3)), "i64"), Tensor(random.integers(0, 9, (40, 3)), "i64")
    i = Tensor(random.integers(-2, 9, 40), "i64")
    expected = counts.array.copy()
    for update, row in zip(n.array, i.array):
        if 0 <= row < 7:
            expected[row] += update
    yield updating("scatters_2_scatter", None, [n, i, counts], 2, expected.astype(np.float64), 0)

"""Inputs and results for the kernels of mainloops.mlir, which are named after how they count."""

import numpy as np

from kernel_cases import Case, Tensor, empty, sized


def mainloops(random):
    c = empty((64, 64), "f32")
    for depth in (0, 8, 32, 64, 104, 256):
        a = Tensor(random.standard_normal((64, depth)), "f16")
        b = Tensor(random.standard_normal((depth, 64)), "f16")
        yield Case("mainloops", "counted", (1, 1, 1), sized((a, [1]), (b, [0]), c), {4: a.exact @ b.exact}, 2e-6)
    for listed in ([], [2], [0, 3], [3, 0, 1], [1, 1, 1, 1, 2, 0, 3]):
        # What no list names is never read.
        wanted = np.isin(np.arange(128) // 32, listed)
        a = Tensor(np.where(wanted, random.standard_normal((64, 128)), np.nan), "f16")
        b = Tensor(np.where(wanted, random.standard_normal((64, 128)), np.nan).T, "f16")
        total = sum((a.exact[:, 32 * k:32 * k + 32] @ b.exact[32 * k:32 * k + 32] for k in listed), np.zeros((64, 64)))
        yield Case("mainloops", "listed", (1, 1, 1),
                   sized((a, [1]), (b, [0]), (Tensor(np.array(listed, np.int64), "i64"), [0]), c), {6: total}, 2e-6)
    for rows in (0, 64, 128, 200, 520):
        a = Tensor(random.standard_normal((64, 64)), "f16")
        b = Tensor(random.standard_normal((rows, 64)), "f16")
        padded = np.vstack([b.exact, np.zeros((-rows % 64, 64))])
        total = sum((a.exact @ padded[k:k + 64] for k in range(0, len(padded), 128)), np.zeros((64, 64)))
        yield Case("mainloops", "stepping", (1, 1, 1), sized(a, (b, [0]), c), {3: total}, 2e-6)

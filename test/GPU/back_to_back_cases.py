"""Inputs and exact results for the kernels of back_to_back_left.mlir and back_to_back_right.mlir."""

import numpy as np

from kernel_cases import Case, Tensor, empty, sized


def back_to_back(random):
    def tensor(*shape, dtype="f16", scale=1.0):
        return Tensor(scale * random.standard_normal(shape), dtype)
    x, u, w = tensor(70, 136), tensor(100, 136, scale=0.1), tensor(66, 100)
    y = np.maximum(x.exact @ u.exact.T, 1).astype(np.float16).astype(np.float64)
    yield Case("back_to_back_left", "left_0_contract", None, sized(empty((70, 66), "f16"), x, u, w), {0: y @ w.exact.T}, 2e-3)
    g, a, b = tensor(35, 40, dtype="f32"), tensor(24, 40, dtype="f32"), tensor(24, 50, dtype="f32")
    yield Case("back_to_back_right", "right_0_contract", None, sized(empty((35, 50), "f32"), g, a, b),
               {0: g.exact @ np.maximum(a.exact.T @ b.exact, 1)}, 1e-5)

"""Inputs and exact results for the kernels of epilogues.mlir."""

import numpy as np

from kernel_cases import Case, Tensor, empty, sized


def half(array):
    return array.astype(np.float16).astype(np.float64)


def epilogues(random):
    def tensor(*shape, dtype="f16", scale=1.0):
        return Tensor(scale * random.standard_normal(shape), dtype)
    x, w, angle = tensor(70, 72), tensor(160, 72, scale=0.1), tensor(70, 80)
    heads = half(x.exact @ w.exact.T).reshape(70, 2, 80).swapaxes(0, 1)
    moved = np.concatenate([-heads[..., 40:], heads[..., :40]], axis=-1)
    yield Case("epilogues", "epilogues_0_contract", None,
               sized(angle, empty((2, 70, 80), "f16"), x, Tensor(w.exact.reshape(2, 80, 72), "f16")),
               {1: heads + moved * angle.exact}, 5e-3)
    gate, up = tensor(66, 72, scale=0.1), tensor(66, 72, scale=0.1)
    yield Case("epilogues", "epilogues_1_contract", None, sized(empty((70, 66), "f16"), x, gate, up),
               {0: np.maximum(x.exact @ gate.exact.T, 0) * (x.exact @ up.exact.T)}, 2e-3)
    v, z = tensor(200, 72), tensor(70, 200, dtype="f32")
    total = x.exact @ v.exact.T + z.exact
    yield Case("epilogues", "epilogues_2_contract", None, sized(z, empty((70, 200), "f16"), x, v),
               {1: total / np.sqrt((total**2).sum(1, keepdims=True))}, 2e-3)
    y, u = tensor(19, 24, dtype="f32"), tensor(64, 24, dtype="f32")
    pairs = (y.exact @ u.exact.T).reshape(19, 2, 32).swapaxes(0, 1)
    scaled = pairs / pairs.max(2, keepdims=True)
    yield Case("epilogues", "epilogues_3_contract", None,
               sized(empty((2, 19, 32), "f32"), y, Tensor(u.exact.reshape(2, 32, 24), "f32")),
               {0: scaled + scaled.reshape(2, 19, 16, 2)[..., ::-1].reshape(2, 19, 32)}, 1e-5)

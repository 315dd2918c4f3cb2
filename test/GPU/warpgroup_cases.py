"""Inputs and results for the kernels of make_warpgroups.py."""

import numpy as np

from kernel_cases import Case, Tensor, empty, sized

ROW = 136


def warpgroups(random):
    for name, m, n, k in (("f16_nn", 70, ROW, ROW), ("f16_nt", 130, 40, ROW), ("f16_tn", ROW, ROW, 77),
                          ("f16_tt", ROW, 70, ROW), ("bf16_nt_any", 61, 141, 45), ("bf16_nn_held", 140, ROW, ROW),
                          ("f16_nt_held", 129, 9, ROW)):
        kind, flags, *_ = name.split("_")
        a = Tensor(random.standard_normal((k, m) if flags[0] == "t" else (m, k)), kind)
        b = Tensor(random.standard_normal((n, k) if flags[1] == "t" else (k, n)), kind)
        left = a.exact.T if flags[0] == "t" else a.exact
        right = b.exact.T if flags[1] == "t" else b.exact
        dims = [0, 1] if "any" in name else [0]
        yield Case("warpgroups", f"product_{name}", (-(-m // 128), -(-n // 128), 1),
                   sized((a, dims), (b, dims), (empty((m, n), "f32"), [0, 1])),
                   {2 * len(dims) + 2: left @ right}, 1e-5)

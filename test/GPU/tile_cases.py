"""Inputs and results for the kernels of tiles.mlir, which are named after them."""

import numpy as np

from kernel_cases import Case, Tensor, empty, sized

SIZES = [(16, 8, 16), (64, 24, 48), (32, 48, 80), (128, 64, 32), (16, 96, 112)]
VARIANTS = ["nn_shared", "nt_shared", "tn_shared", "tt_shared", "tn_shared_turned", "nt_held", "nn_held",
            "nn_through_turned"]


def tiles(random):
    for m, n, k in SIZES:
        for kind in ("f16", "f32"):
            for variant in VARIANTS:
                if "held" in variant and m not in (64,) and (m, n) != (16, 8):
                    continue
                lhs, rhs = random.standard_normal((m, k)), random.standard_normal((k, n))
                turned = "turned" in variant
                a = Tensor(lhs.T if (variant[0] == "t") != turned else lhs, kind)
                b = Tensor(rhs.T if (variant[1] == "t") != turned else rhs, kind)
                left = a.exact.T if (variant[0] == "t") != turned else a.exact
                right = b.exact.T if (variant[1] == "t") != turned else b.exact
                yield Case("tiles", f"tile_{kind}_{m}_{n}_{k}_{variant}", (1, 1, 1),
                           [a, b, empty((m, n), "f32")], {2: left @ right + 1}, 2e-6)
    for kind in ("f16", "f32", "i1", "i64"):
        values = random.integers(0, 2 if kind == "i1" else 2000, (64, 64))
        for source in range(4):
            for result in range(4):
                if source != result:
                    x = Tensor(values, kind)
                    yield Case("tiles", f"convert_{kind}_{source}_{result}", (1, 1, 1),
                               [x, empty((64, 64), kind)], {1: x.exact}, 0)


def other_dialect(random):
    """The operations of a plugin, in other-dialect.mlir."""
    x = Tensor(random.standard_normal(256), "f32")
    yield Case("other-dialect", "reverse", (1, 1, 1), [x, empty(256, "f32"), empty(256, "f32")],
               {1: x.exact[::-1], 2: x.exact}, 0)
    for count in (1, 3):
        # Sums of small integers are exact.
        x = Tensor(random.integers(-50, 50, (32 * count, 64)), "f16")
        yield Case("other-dialect", "transpose", (1, 1, 1),
                   [*sized((x, [0]), (empty((64, 32), "f16"), [1])), 32 * count],
                   {2: x.exact.reshape(count, 32, 64).sum(0).T}, 0)

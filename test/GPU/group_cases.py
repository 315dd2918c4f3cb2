"""Inputs and exact results for the kernels of groups.mlir, slices.mlir, written.mlir, branches.mlir and split_k.mlir."""

import numpy as np

from kernel_cases import Case, Tensor, empty, sized


def groups(random):
    x, z = (Tensor(random.standard_normal((5, 77)), "f16") for _ in "xz")
    gain = Tensor(random.standard_normal(77), "f16")
    total = Tensor(x.exact + z.exact, "f16")
    norm = total.exact / np.sqrt((total.exact**2).mean(1, keepdims=True)) * gain.exact
    yield Case("groups", "groups_0_generic", (2, 1, 1),
               sized(x, z, gain, empty((5, 77), "f16"), empty((5, 77), "f16")), {3: total.exact, 4: norm}, 2e-3)
    for count, columns in ((1, 1), (5, 128), (9, 301)):
        u = Tensor(3 * random.standard_normal((count, columns)), "f32")
        power = np.exp(u.exact - u.exact.max(1, keepdims=True))
        blocks = -(-count // 4)
        yield Case("groups", "groups_1_generic", (blocks, 1, 1),
                   sized(blocks, count, columns, (u, [0, 1]), (empty((count, columns), "f32"), [0, 1])),
                   {6: power / power.sum(1, keepdims=True)}, 2e-6)
    a, w = Tensor(random.standard_normal((70, 29)), "f16"), Tensor(random.standard_normal((33, 29)), "f16")
    bias = Tensor(random.standard_normal(33), "f32")
    product = a.exact @ w.exact.T + bias.exact
    heads = product.reshape(2, 35, 3, 11).swapaxes(1, 2)
    yield Case("groups", "groups_2_contract", (12, 1, 1),
               sized(bias, empty((70, 33), "f32"), empty((2, 3, 35, 11), "f16"), a, w),
               {1: product, 2: heads}, 2e-3)
    p, q = Tensor(random.standard_normal((19, 37)), "f32"), Tensor(random.standard_normal((37, 19)), "f32")
    yield Case("groups", "groups_3_generic", (3, 1, 1),
               sized(p, q, empty((19, 37), "f32"), empty((37, 19), "f32")),
               {2: p.exact + q.exact.T, 3: p.exact.T + q.exact + 1}, 1e-6)


def slices(random):
    def tensor(kind, *shape):
        return Tensor(random.standard_normal(shape), kind)
    x, w, v, b = tensor("f16", 70, 40), tensor("f16", 61, 40), tensor("f16", 40, 96), tensor("f16", 96)
    y, u = tensor("f32", 33, 24), tensor("f32", 24, 52)
    by_rows = -(x.exact @ w.exact.T)
    by_columns = x.exact @ v.exact + b.exact
    whole = y.exact @ u.exact
    number = 0
    for exact, last, before, first, tolerance in (
            (by_rows[:, :27], w, (), x, 2e-3), (by_rows[:, 27:], w, (), x, 2e-3),
            (by_columns[:, 8:40], v, (b,), x, 2e-3), (by_columns[:, 2:6], v, (b,), x, 2e-3),
            (by_columns[:, 43:], v, (b,), x, 2e-3),
            (whole[:, 2:19], u, (), y, 2e-6), (whole[:, 20::2], u, (), y, 2e-6)):
        result = empty(exact.shape, "f32")
        yield Case("slices", f"slices_{number}_contract", None,
                   sized(*before, result, first, last), {len(before): exact}, tolerance)
        number += 1


def written(random):
    def tensor(kind, *shape):
        return Tensor(random.standard_normal(shape), kind)
    a, b, c, d = tensor("f16", 13, 24), tensor("f16", 13, 7), tensor("f32", 13, 9), tensor("f32", 13, 9)
    e, f = tensor("f32", 13, 20), tensor("f32", 13, 5)
    turns = np.stack([c.exact, d.exact], axis=2).reshape(13, 18)
    into = e.exact.copy()
    into[:, 3:18:3] = f.exact
    into[:, :5] = f.exact
    yield Case("written", "written_0_generic", None,
               sized(a, b, empty((13, 31), "f16"), c, d, empty((13, 18), "f32"), f, e, empty((13, 20), "f32")),
               {2: -np.concatenate([a.exact, b.exact], axis=1), 5: turns, 8: into}, 0)


def split_k(random):
    def tensor(kind, *shape):
        return Tensor(random.standard_normal(shape), kind)
    x, w, bias = tensor("f16", 13, 4096), tensor("f16", 40, 4096), tensor("f16", 40)
    y, u, start = tensor("f32", 1, 1024), tensor("f32", 1024, 21), tensor("f32", 1, 21)
    z, v = tensor("bf16", 16, 5, 192), tensor("bf16", 9, 16, 192)
    d, heads = tensor("f16", 1, 32, 1, 128), tensor("f16", 23, 1, 32, 128)
    exact = (np.einsum("mpk,npk->pmn", x.exact.reshape(13, 16, 256), w.exact.reshape(40, 16, 256)),
             np.einsum("mpk,pkn->pmn", y.exact.reshape(1, 16, 64), u.exact.reshape(16, 64, 21)),
             np.einsum("hmk,nhk->hmn", z.exact, v.exact),
             np.einsum("mphqk,nqphk->pmn", d.exact.reshape(1, 16, 2, 1, 128), heads.exact.reshape(23, 1, 16, 2, 128)))
    yield Case("split_k", "split_k_0_contract", None,
               sized(empty((16, 13, 40), "f32"), x, w, empty((16, 1, 21), "f32"), y, u, empty((16, 5, 9), "f32"), z, v,
                     empty((16, 1, 23), "f32"), d, heads),
               {0: exact[0], 3: exact[1], 6: exact[2], 9: exact[3]}, 1e-5)
    sums = [Tensor(some, "f32") for some in exact]
    rows = sums[0].exact.sum(0) + bias.exact
    yield Case("split_k", "split_k_1_generic", None,
               sized(sums[0], bias, empty((13, 40), "f16"), sums[1], start, empty((1, 21), "f32"), sums[2], empty((5, 9), "f32"),
                     sums[3], empty((1, 23), "f32")),
               {2: rows / np.sqrt((rows**2).sum(1, keepdims=True)), 5: sums[1].exact.sum(0) + start.exact,
                7: sums[2].exact.sum(0), 9: sums[3].exact.sum(0)}, 2e-3)


def branches(random):
    x, v, w = (Tensor(random.standard_normal((size, 40)), "f16") for size in (70, 66, 5))
    bias = Tensor(random.standard_normal(66), "f32")
    for rows, lines in ((9, 30), (0, 1), (1, 0)):
        u = Tensor(3 * random.standard_normal((rows, 130)), "f32")
        power = np.exp(u.exact - u.exact.max(1, keepdims=True))
        p = Tensor(random.standard_normal((1, lines * 37)), "f32")
        # The matmuls have nine and three blocks.
        held, runs = -(-rows // 4), -(-lines * 37 // 512)
        yield Case("branches", "branches_0_contract", (12 + held + runs, 1, 1),
                   sized(bias, empty((70, 66), "f16"), x, v, empty((70, 5), "f32"), w, 12 + held, held, rows,
                         (u, [0]), (empty((rows, 130), "f32"), [0]), runs, lines * 37, lines,
                         (p, [1]), (empty((1, lines * 37), "f32"), [1])),
                   {1: np.tanh(x.exact @ v.exact.T + bias.exact), 4: x.exact @ w.exact.T,
                    11: power / power.sum(1, keepdims=True), 18: -p.exact}, 2e-3)

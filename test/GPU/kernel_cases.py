"""The kernels of test/Inputs/kernels, inputs for them, and what they must compute.

A case is a kernel, its grid, its arguments and checks. Arguments are scalars and
`Tensor`s; results are compared with references in float64.
"""

import numpy as np


class Tensor:
    """An array with the type that a kernel gives it; bf16 is held as float32."""

    def __init__(self, array, kind):
        self.kind = kind
        self.array = to_kind(np.asarray(array), kind)

    @property
    def exact(self):
        return self.array.astype(np.float64)


def bf16_bits(values):
    raw = np.ascontiguousarray(values, np.float32).view(np.uint32).astype(np.uint64)
    rounded = (raw + 0x7FFF + ((raw >> 16) & 1)) >> 16
    return np.where(np.isnan(values), 0x7FFF, rounded).astype(np.uint16)


def bf16_values(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i32": np.int32,
         "i64": np.int64, "i8": np.int8, "i1": np.uint8}


def to_kind(array, kind):
    if kind == "bf16":
        return bf16_values(bf16_bits(array))
    return array.astype(NUMPY[kind])


def size_of(kind):
    """The bytes of an element."""
    return 2 if kind == "bf16" else np.dtype(NUMPY[kind]).itemsize


def to_bytes(tensor):
    array = bf16_bits(tensor.array) if tensor.kind == "bf16" else tensor.array
    return np.frombuffer(np.ascontiguousarray(array).tobytes(), np.uint8).copy()


def from_bytes(data, tensor):
    if tensor.kind == "bf16":
        return bf16_values(data.view(np.uint16)).reshape(tensor.array.shape)
    return data.view(NUMPY[tensor.kind]).reshape(tensor.array.shape)


class Case:
    def __init__(self, module, kernel, grid, arguments, expected, tolerance):
        """`expected`: by the number of the argument, what it must hold after. `grid` is None where that of the
        kernel is known and depends on the chip."""
        self.module, self.kernel, self.grid = module, kernel, grid
        self.arguments, self.expected, self.tolerance = arguments, expected, tolerance
        # From which size on errors are relative to each element; None for errors
        # relative to the largest element.
        self.floor = None
        # Numbers of the arguments that the kernel updates; others that it writes it does not read.
        self.updated = ()


def empty(shape, kind):
    return Tensor(np.zeros(shape), kind)


def sized(*arguments):
    """Arguments as kernels take them: tensors with (tensor, dynamic dimensions)."""
    flat = []
    for argument in arguments:
        if isinstance(argument, tuple):
            tensor, dims = argument
            flat.append(tensor)
            flat.extend(tensor.array.shape[dim] for dim in dims)
        else:
            flat.append(argument)
    return flat


def elementwise(random):
    for count in (1, 7, 1024, 2051, 4096):
        x = Tensor(random.standard_normal(count), "f16")
        y = empty(count, "f16")
        yield Case("elementwise", "scale_f16", (-(-count // 1024), 1, 1),
                   sized((x, [0]), (y, [0])), {2: 2 * x.exact + 1}, 2e-3)
        which = Tensor(random.integers(0, 50, count), "i64")
        keep = Tensor(random.integers(0, 2, count), "i1")
        table, z = Tensor(random.standard_normal(50), "f32"), empty(count, "f32")
        yield Case("elementwise", "gather_if", (-(-count // 1024), 1, 1),
                   sized((which, [0]), (keep, [0]), (table, [0]), (z, [0])),
                   {6: np.where(keep.array != 0, table.exact[which.array], 0)}, 0)
    for rows in (1, 32, 45):
        x, y = Tensor(random.standard_normal((rows, 37)), "f32"), empty((rows, 37), "f32")
        yield Case("elementwise", "scale_f32_rows", (-(-rows // 32), 2, 1),
                   sized((x, [0]), (y, [0])), {2: 2 * x.exact + 1}, 1e-6)
        b = empty((37, rows), "i1")
        yield Case("elementwise", "is_positive_transposed", (-(-rows // 32), 2, 1),
                   sized((x, [0, 1]), (b, [0, 1])), {3: x.exact.T > 0}, 0)


def rows(random):
    for count in (1, 2, 5):
        x, w = Tensor(random.standard_normal((count, 768)), "f16"), Tensor(random.standard_normal(768), "f16")
        centred = x.exact - x.exact.mean(1, keepdims=True)
        norm = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w.exact
        yield Case("rows", "layer_norm", (-(-count // 2), 1, 1),
                   sized((x, [0]), w, (empty((count, 768), "f16"), [0])), {3: norm}, 2e-3)
    for count, columns in ((1, 1), (16, 64), (19, 131)):
        x = Tensor(3 * random.standard_normal((count, columns)), "f32")
        power = np.exp(x.exact - x.exact.max(1, keepdims=True))
        sums = power.sum(1)
        yield Case("rows", "softmax", (-(-count // 16), 1, 1),
                   sized((x, [0, 1]), (empty((count, columns), "f32"), [0, 1]), (empty(count, "f32"), [0])),
                   {3: power / sums[:, None], 6: sums}, 2e-6)
    for count, limit in ((1, 9.0), (32, 0.5), (75, 1.0)):
        x = Tensor(random.uniform(-1, 1, (count, 64)), "f32")
        yield Case("rows", "column_max", (1, 1, 1),
                   sized((x, [0]), limit, empty(64, "f32"), empty(1, "i1")),
                   {3: x.exact.max(0), 4: np.array([x.exact.max() > limit])}, 0)


def contractions(random):
    tolerance = {"f16": 1e-5, "bf16": 1e-5, "f32": 3e-6}
    for kind in ("f16", "bf16", "f32"):
        for flags in ("nn", "nt", "tn", "tt", "nt_any"):
            shapes = [(72, 72, 72), (40, 72, 13)] if flags != "nt_any" else [(64, 64, 32), (61, 70, 45)]
            for m, n, k in shapes:
                # 72 is the length of the rows in memory.
                if flags != "nt_any":
                    m = 72 if flags[0] == "t" else m
                    n = 72 if flags[1] == "n" else n
                    k = 72 if flags[0] == "n" or flags[1] == "t" else k
                a = Tensor(random.standard_normal((k, m) if flags[0] == "t" else (m, k)), kind)
                b = Tensor(random.standard_normal((n, k) if flags[1] == "t" else (k, n)), kind)
                left = a.exact.T if flags[0] == "t" else a.exact
                right = b.exact.T if flags[1] == "t" else b.exact
                dims = [0, 1] if flags == "nt_any" else [0]
                yield Case("contractions", f"product_{kind}_{flags}", (-(-m // 64), -(-n // 64), 1),
                           sized((a, dims), (b, dims), (empty((m, n), "f32"), [0, 1])),
                           {2 * len(dims) + 2: left @ right}, tolerance[kind])


def attention(random):
    log2e = 1.4426950408889634
    for kind, features, tolerance in (("f16", 64, 2e-3), ("f16", 128, 2e-3), ("f16", 256, 2e-3),
                                      ("bf16", 64, 2e-2), ("f32", 64, 2e-5)):
        for queries, keys in ((64, 64), (70, 70), (130, 200)):
            shape = (2, queries, features)
            q = Tensor(random.standard_normal(shape), kind)
            k, v = (Tensor(random.standard_normal((2, keys, features)), kind) for _ in "kv")
            scale = log2e / np.sqrt(features)
            scores = q.exact @ k.exact.swapaxes(1, 2) * scale
            hidden = np.arange(keys)[None, :] > np.arange(queries)[:, None]
            scores[:, hidden] = -np.inf
            top = scores.max(2, keepdims=True)
            power = np.exp2(scores - top)
            total = power.sum(2, keepdims=True)
            yield Case("attention", f"attention_{kind}_{features}", (-(-queries // 64), 2, 1),
                       sized((q, [0, 1]), (k, [0, 1]), (v, [0, 1]), scale,
                             (empty(shape, kind), [0, 1]), (empty(shape[:2], "f32"), [0, 1])),
                       {10: power / total @ v.exact, 13: (top + np.log2(total))[..., 0]}, tolerance)


def softmax(scores):
    """The weights of scores and their log-sum-exp."""
    top = scores.max(3, keepdims=True)
    power = np.exp(scores - top)
    total = power.sum(3, keepdims=True)
    return power / total, (top + np.log(total))[..., 0]


def dilated(random):
    q = Tensor(random.standard_normal((1, 2, 230, 64)), "f16")
    k, v = (Tensor(random.standard_normal((1, 1, 250, 64)), "f16") for _ in "kv")
    distance = np.arange(230)[:, None] - np.arange(250)[None, :]
    scores = q.exact @ k.exact.swapaxes(2, 3) / 8
    scores[:, :, (distance < -40) | (distance > 400) | ((distance - 1) % 3 != 0)] = -np.inf
    weights, lse = softmax(scores)
    yield Case("dilated", "dilated_0_attention", (6, 2, 1),
               sized(q, k, v, empty((1, 2, 230, 64), "f16"), empty((1, 2, 230), "f32")),
               {3: weights @ v.exact, 4: lse}, 2e-3)


def transposed(random):
    def case(name, grid, batch, heads, queries, keys, is_hidden, key_shape):
        q = Tensor(random.standard_normal((batch, queries, heads, 64)), "f16")
        k, v = (Tensor(random.standard_normal(key_shape), "f16") for _ in "kv")
        order = (0, 2, 1, 3) if key_shape[1] == keys else (0, 1, 2, 3)
        scores = q.exact.swapaxes(1, 2) @ k.exact.transpose(order).swapaxes(2, 3) / 8
        scores[:, :, is_hidden(np.arange(queries)[:, None] - np.arange(keys)[None, :])] = -np.inf
        out = (softmax(scores)[0] @ v.exact.transpose(order)).swapaxes(1, 2)
        return Case("transposed", name, grid, sized(q, k, v, empty(out.shape, "f16")), {3: out}, 2e-3)
    yield case("transposed_0_attention", (3, 2, 2), 2, 2, 130, 150, lambda distance: distance < 0, (2, 150, 1, 64))
    yield case("transposed_1_attention", (6, 2, 1), 1, 2, 230, 250, lambda distance: distance % 3 != 0, (1, 2, 250, 64))


def masked(random):
    from tile_tables import list_tiles
    q = Tensor(random.standard_normal((1, 2, 230, 64)), "f16")
    k, v = (Tensor(random.standard_normal((1, 1, 230, 64)), "f16") for _ in "kv")
    scores = q.exact @ k.exact.swapaxes(2, 3) / 8
    scores[:, :, abs(np.arange(230)[:, None] - np.arange(230)[None, :]) >= 100] = -np.inf
    yield Case("window", "window_0_attention", (4, 2, 1), sized(q, k, v, empty((1, 2, 230, 64), "f16")),
               {3: softmax(scores)[0] @ v.exact}, 2e-3)
    q = Tensor(random.standard_normal((1, 2, 128, 64)), "f16")
    k, v = (Tensor(random.standard_normal((1, 1, 256, 64)), "f16") for _ in "kv")
    keep = random.random((128, 256)) < 0.4
    keep[:64, 64:128] = True
    scores = q.exact @ k.exact.swapaxes(2, 3) / 8
    scores[:, :, ~keep] = -np.inf
    yield Case("listed", "listed_0_attention", (2, 2, 1),
               sized(q, k, v, *list_tiles(keep, room=9), empty((1, 2, 128, 64), "f16")),
               {6: softmax(scores)[0] @ v.exact}, 2e-3)


def wide(random):
    def attention(name, kind, queries, keys, features, values, heads, grid, tolerance, causal=False):
        q = Tensor(random.standard_normal((1, heads, queries, features)), kind)
        k, v = (Tensor(random.standard_normal((1, 1, keys, size)), kind) for size in (features, values))
        scores = q.exact @ k.exact.swapaxes(2, 3) / 16
        if causal:
            scores[:, :, np.arange(keys)[None, :] > np.arange(queries)[:, None]] = -np.inf
        return Case("wide", name, grid, sized(q, k, v, empty((1, heads, queries, values), kind)),
                    {3: softmax(scores)[0] @ v.exact}, tolerance)
    yield attention("wide_0_attention", "f16", 70, 40, 272, 264, 2, (2, 4, 1), 2e-3, causal=True)
    yield attention("wide_1_attention", "f32", 5, 37, 328, 140, 1, (1, 2, 1), 1e-5)


def all_cases():
    from back_to_back_cases import back_to_back
    from bias_cases import biased
    from epilogue_cases import epilogues
    from function_cases import functions
    from group_cases import branches, groups, slices, split_k, written
    from import_cases import imports
    from mainloop_cases import mainloops
    from page_cases import pages, sent_pages
    from scatter_cases import scatters
    from specialized_cases import claimed, persistent, specialized
    from specialized_contraction_cases import specialized_contractions
    from tile_cases import other_dialect, tiles
    from warpgroup_cases import warpgroups
    random = np.random.default_rng(20)
    for family in (elementwise, rows, contractions, attention, dilated, transposed, wide, functions, groups, branches, slices, written, split_k, epilogues, tiles, other_dialect, mainloops, masked,
                   back_to_back, biased, scatters, imports, warpgroups, specialized,
                   specialized_contractions, persistent, claimed, pages, sent_pages):
        yield from family(random)

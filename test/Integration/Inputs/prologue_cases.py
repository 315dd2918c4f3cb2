"""Functions whose matmuls multiply what the same kernel computes, with float64 results.

A scheme puts all operations of a function into one group. Sizes are odd, so that tiles stick out, and what is computed
of elements that do not exist is not zero.
"""

import math

from group_cases import Array, Function, rounded
from contraction_cases import product


def join(f, count=None):
    """One group of all operations, of which there are `count` after elementwise ones have become one."""
    f.scheme = "0" * (count or sum("linalg.generic" in line or "linalg.contract" in line for line in f.lines))
    return f


def convert(dtype, wide):
    """The element %a as f32 %x, and f32 %y as the result."""
    if dtype == wide:
        return [f"%x = arith.mulf %a, %unit : {wide}"], [f"%r = arith.mulf %y, %unit : {wide}"]
    return [f"%x = arith.extf %a : {dtype} to {wide}"], [f"%r = arith.truncf %y : {wide} to {dtype}"]


def mapped(f, x, xs, dims, letters, dtype, body, exact):
    """What `body` computes of %x, and its exact value rounded as the function does."""
    before, after = convert(dtype, "f32")
    y = f.generic([(x, letters)], letters, dtype, ["%unit = arith.constant 1.0 : f32"] + before + body + after, dims=dims)
    return y, Array(xs.shape, [rounded(exact(v), dtype) for v in xs.values])


# Not zero at zero; the second not even finite.
SHIFT = ["%one = arith.constant 1.0 : f32", "%y = arith.addf %x, %one : f32"], lambda v: v + 1
INVERSE = ["%one = arith.constant 1.0 : f32", "%y = arith.divf %one, %x : f32"], lambda v: 1 / v
GELU = ["%half = arith.constant 0.5 : f32", "%root = arith.constant 0.70710678 : f32", "%s = arith.mulf %x, %root : f32", "%e = math.erf %s : f32",
        "%one = arith.constant 1.0 : f32", "%d = arith.addf %e, %one : f32", "%t = arith.mulf %x, %d : f32", "%y = arith.mulf %t, %half : f32"], \
    lambda v: v * (1 + math.erf(v / math.sqrt(2))) / 2


def positive(f, dtype, *shape):
    """An argument without elements near zero."""
    values = [rounded(f.random.uniform(0.5, 2), dtype) for _ in range(math.prod(shape))]
    return f.argument(dtype, *shape, values=values)


def activated(name, m, k, n, dtype, kind=GELU, order="nk", side=0, dynamic=False):
    """act(x) w, or x act(w), or both."""
    f = Function(name, 1, dynamic=dynamic)
    x, xs = positive(f, dtype, m, k)
    w, ws = positive(f, dtype, *((n, k) if order == "nk" else (k, n)))
    if side != 1:
        x, xs = mapped(f, x, xs, {"m": m, "k": k}, "mk", dtype, *kind)
    if side != 0:
        w, ws = mapped(f, w, ws, {"n": n, "k": k}, order, dtype, *kind)
    f.give(f.matmul(x, w, "f32", rhs_map=order), product(f, xs, ws, dtype, order))
    return join(f)


def normed(name, m, k, n, dtype):
    """((x + z - mean) scale * weight) w + bias: rows that are known before, and an epilogue."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, m, k)
    z, zs = f.argument(dtype, m, k)
    mean, means = f.argument("f32", m)
    scale, scales = f.argument("f32", m)
    g, gs = f.argument(dtype, k)
    w, ws = f.argument(dtype, n, k)
    b, bs = f.argument("f32", n)
    dims = {"m": m, "k": k}
    y = f.generic([(x, "mk"), (z, "mk")], "mk", dtype, [f"%r = arith.addf %a, %b : {dtype}"], dims=dims)
    before, after = convert(dtype, "f32")
    unit = ["%unit = arith.constant 1.0 : f32"]
    c = f.generic([(y, "mk"), (mean, "m"), (scale, "m")], "mk", dtype,
                  unit + before + ["%d = arith.subf %x, %b : f32", "%y = arith.mulf %d, %c : f32"] + after, dims=dims)
    e = f.generic([(c, "mk"), (g, "k")], "mk", dtype, [f"%r = arith.mulf %a, %b : {dtype}"], dims=dims)
    p = f.matmul(e, w, "f32", rhs_map="nk")
    q = f.generic([(p, "mn"), (b, "n")], "mn", "f32", ["%r = arith.addf %a, %b : f32"], dims={"m": m, "n": n})

    def element(i, c):
        centred = rounded((rounded(xs[(i, c)] + zs[(i, c)], dtype) - means[(i,)]) * scales[(i,)], dtype)
        return rounded(centred * gs[(c,)], dtype)
    rows = Array.of((m, k), element)
    exact = product(f, rows, ws, dtype)
    f.give(q, Array.of((m, n), lambda i, j: exact[(i, j)] + bs[(j,)]))
    return join(f, 3)


def quantized(name, m, k, n):
    """Weights of 8 bits, with a scale for each column and blocks of 16."""
    f = Function(name, 1)
    x, xs = f.argument("f16", m, k)
    w, ws = f.argument("i8", k, n, values=[(37 * i) % 255 - 127 for i in range(k * n)])
    s, ss = f.argument("f16", k // 16, n)
    wide = f.generic([(w, "kn")], "kn", "f16", [
        "%u = arith.sitofp %a : i8 to f16", "%i = linalg.index 0 : index", "%j = linalg.index 1 : index", "%c = arith.constant 16 : index",
        "%g = arith.divui %i, %c : index", f"%q = tensor.extract {s}[%g, %j] : {f.type((k // 16, n), 'f16')}", "%r = arith.mulf %u, %q : f16"],
                     dims={"k": k, "n": n})
    weights = Array.of((k, n), lambda c, j: rounded(ws[(c, j)] * ss[(c // 16, j)], "f16"))
    f.give(f.matmul(x, wide, "f32"), product(f, xs, weights, "f16", "kn"))
    return join(f)


def looked_up(name, count, k, n):
    """Rows of a table; those that no token names are NaN."""
    f = Function(name, 1)
    tokens = [(5 * i + 3) % 11 for i in range(count) if i]
    values = [f.random.uniform(-2, 2) if i // k in tokens else math.nan for i in range(13 * k)]
    ids, _ = f.argument("i64", len(tokens), values=tokens)
    table, rows = f.argument("f16", 13, k, values=[v if math.isnan(v) else rounded(v, "f16") for v in values])
    w, ws = f.argument("f16", n, k)
    x = f.generic([(ids, "m")], "mk", "f16", [
        "%i = arith.index_cast %a : i64 to index", "%l = linalg.index 0 : index",
        f"%r = tensor.extract {table}[%i, %l] : {f.type((13, k), 'f16')}"], dims={"m": len(tokens), "k": k})
    taken = Array.of((len(tokens), k), lambda i, c: rows[(tokens[i], c)])
    f.give(f.matmul(x, w, "f32", rhs_map="nk"), product(f, taken, ws, "f16"))
    return join(f)


def heads(name, batch, count, length, width, n):
    """Heads next to each other and gated, as an attention leaves them for its output projection."""
    f = Function(name, 1)
    x, xs = f.argument("f16", batch, count, length, width)
    g, gs = f.argument("f16", batch, length, count, width)
    w, ws = f.argument("f16", n, count * width)
    y = f.generic([(x, "bhsd"), (g, "bshd")], "bshd", "f16", ["%r = arith.mulf %a, %b : f16"],
                  dims={"b": batch, "h": count, "s": length, "d": width})
    rows = f.reshape(y, "collapse", "[[0, 1], [2, 3]]", batch * length, count * width)
    f.give(f.matmul(rows, w, "f32", rhs_map="nk"), product(f, Array.of((batch * length, count * width), lambda i, c: rounded(
        xs[(i // length, c // width, i % length, c % width)] * gs[(i // length, i % length, c // width, c % width)], "f16")), ws, "f16"))
    return join(f)


def gated(name, m, k, n, dtype):
    """Two matmuls of the same computed rows."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, m, k)
    y, ys = mapped(f, x, xs, {"m": m, "k": k}, "mk", dtype, *SHIFT)
    parts, exact = [], []
    for _ in range(2):
        w, ws = f.argument(dtype, n, k)
        parts.append(f.matmul(y, w, "f32", rhs_map="nk"))
        exact.append(product(f, ys, ws, dtype))
    q = f.generic([(part, "mn") for part in parts], "mn", "f32", ["%r = arith.mulf %a, %b : f32"], dims={"m": m, "n": n})
    f.give(q, Array.of((m, n), lambda i, j: exact[0][(i, j)] * exact[1][(i, j)]))
    return join(f)


def cases():
    yield activated("gelu", 37, 27, 45, "f16")
    yield activated("gelu_f32", 35, 19, 70, "f32", order="kn")
    yield activated("gelu_long", 70, 300, 66, "f16", order="kn")
    yield activated("shift", 33, 21, 40, "f16", SHIFT)
    yield activated("inverse", 65, 37, 33, "f16", INVERSE)
    yield activated("inverse_right", 34, 29, 35, "f16", INVERSE, side=1)
    yield activated("inverse_right_f32", 34, 29, 35, "f32", INVERSE, order="kn", side=1)
    yield activated("inverse_both", 21, 45, 52, "f32", INVERSE, side=2)
    yield activated("inverse_bf16", 40, 72, 24, "bf16", INVERSE, side=2)
    yield activated("inverse_dynamic", 35, 43, 40, "f16", INVERSE, side=2, dynamic=True)
    yield activated("inverse_row", 1, 40, 24, "f16", INVERSE)
    yield activated("inverse_column", 24, 40, 1, "f16", INVERSE, side=2)
    yield activated("inverse_one", 24, 1, 40, "f32", INVERSE, side=2)
    yield normed("norm_applied", 37, 44, 35, "f16")
    yield normed("norm_applied_f32", 19, 30, 65, "f32")
    yield quantized("quantized", 33, 48, 37)
    yield looked_up("looked_up", 39, 40, 33)
    yield heads("joined_gate", 2, 3, 19, 24, 40)
    yield gated("gated_shift", 37, 25, 40, "f16")
    yield gated("gated_shift_f32", 18, 33, 24, "f32")

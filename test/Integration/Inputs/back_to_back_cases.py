"""Functions of back-to-back matmuls, with float64 results.

A scheme puts all operations of a function into one group. Sizes are odd, so that tiles stick out, and what is computed
of elements that do not exist is neither zero nor, in some, finite.
"""

import math
import operator

from group_cases import Array, Function, rounded
from contraction_cases import product
from prologue_cases import GELU, INVERSE, SHIFT, join, mapped, positive

SILU = ["%one = arith.constant 1.0 : f32", "%n = arith.negf %x : f32", "%e = math.exp %n : f32", "%d = arith.addf %e, %one : f32",
        "%y = arith.divf %x, %d : f32"], lambda v: v / (1 + math.exp(-v))
SAME = ["%y = arith.mulf %x, %unit : f32"], lambda v: v


def stored(value, dtype):
    """The f32 `value` as an element %r."""
    return f"%r = arith.mulf {value}, %unit : f32" if dtype == "f32" else f"%r = arith.truncf {value} : f32 to {dtype}"


def act(f, p, exact, letters, dtype, kind):
    """An f32 matmul and its elementwise epilogue, as elements of `dtype`."""
    body, function = kind
    sizes = dict(zip(letters, f.types[p][0]))
    value = f.generic([(p, letters)], letters, dtype, ["%unit = arith.constant 1.0 : f32", "%x = arith.mulf %a, %unit : f32", *body, stored("%y", dtype)], dims=sizes)
    return value, Array(exact.shape, [rounded(function(v), dtype) for v in exact.values])


def mlp(name, m, k, h, n, dtype, kind=GELU, orders=("nk", "nk"), before=None, dynamic=False):
    """act(x u) w, perhaps with something computed of x before."""
    f = Function(name, 1, dynamic=dynamic)
    x, xs = positive(f, dtype, m, k)
    u, us = positive(f, dtype, *((h, k) if orders[0] == "nk" else (k, h)))
    w, ws = f.argument(dtype, *((n, h) if orders[1] == "nk" else (h, n)))
    if before:
        x, xs = mapped(f, x, xs, {"m": m, "k": k}, "mk", dtype, *before)
    p = f.matmul(x, u, "f32", rhs_map=orders[0])
    y, ys = act(f, p, product(f, xs, us, dtype, orders[0]), "mn", dtype, kind)
    f.give(f.matmul(y, w, "f32", rhs_map=orders[1]), product(f, ys, ws, dtype, orders[1]))
    return join(f)


def folded(name, m, k, h, n, dtype, left=False):
    """x act(u w): the right operand is computed, and with `left` the left one as well."""
    f = Function(name, 1)
    u, us = positive(f, dtype, k, h)
    w, ws = positive(f, dtype, h, n)
    x, xs = f.argument(dtype, m, h if left else k)
    if left:
        v, vs = f.argument(dtype, k, h)
        x, xs = act(f, f.matmul(x, v, "f32", rhs_map="nk"), product(f, xs, vs, dtype), "mn", dtype, SHIFT)
    y, ys = act(f, f.matmul(u, w, "f32"), product(f, us, ws, dtype, "kn"), "mn", dtype, INVERSE)
    f.give(f.matmul(x, y, "f32"), product(f, xs, ys, dtype, "kn"))
    return join(f)


def gated(name, m, k, h, n, dtype):
    """(silu(x g) * (x u)) w: two matmuls of the same rows, and one of what they make."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, m, k)
    parts, exact = [], []
    for _ in range(2):
        u, us = f.argument(dtype, h, k)
        parts.append(f.matmul(x, u, "f32", rhs_map="nk"))
        exact.append(product(f, xs, us, dtype))
    w, ws = f.argument(dtype, n, h)
    y = f.generic([(part, "mn") for part in parts], "mn", dtype, [
        "%unit = arith.constant 1.0 : f32", "%two = arith.constant 2.0 : f32", "%x = arith.mulf %a, %two : f32", *SILU[0],
        "%t = arith.mulf %y, %b : f32", stored("%t", dtype)], dims={"m": m, "n": h})
    ys = Array.of((m, h), lambda i, j: rounded(SILU[1](2 * exact[0][(i, j)]) * exact[1][(i, j)], dtype))
    f.give(f.matmul(y, w, "f32", rhs_map="nk"), product(f, ys, ws, dtype))
    return join(f)


def transposed(name, m, k, h, n, dtype):
    """w act(x u) with the computed operand the other way round than its matmul has it."""
    f = Function(name, 1)
    x, xs = positive(f, dtype, m, k)
    u, us = positive(f, dtype, h, k)
    w, ws = f.argument(dtype, n, h)
    p = f.matmul(x, u, "f32", rhs_map="nk", out="nm")
    exact = product(f, xs, us, dtype)
    y, ys = act(f, p, Array.of((h, m), lambda j, i: exact[(i, j)]), "nm", dtype, INVERSE)
    f.give(f.matmul(w, y, "f32", lhs_map="nk", rhs_map="km", out="mn"),
           Array((m, n), [sum(map(operator.mul, column, row)) for column in ys.columns() for row in ws.rows()]))
    return join(f)


def residual(name, m, k, h, dtype):
    """act(x u + bias) w + x, with as many columns as x has."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, m, k)
    u, us = f.argument(dtype, h, k)
    b, bs = f.argument("f32", h)
    w, ws = f.argument(dtype, k, h)
    p = f.matmul(x, u, "f32", rhs_map="nk")
    y = f.generic([(p, "mn"), (b, "n")], "mn", dtype, ["%unit = arith.constant 1.0 : f32", "%s = arith.addf %a, %b : f32", stored("%s", dtype)], dims={"m": m, "n": h})
    exact = product(f, xs, us, dtype)
    ys = Array.of((m, h), lambda i, j: rounded(exact[(i, j)] + bs[(j,)], dtype))
    q = f.matmul(y, w, "f32", rhs_map="nk")
    widen = "%w = arith.mulf %b, %one : f32" if dtype == "f32" else f"%w = arith.extf %b : {dtype} to f32"
    z = f.generic([(q, "mn"), (x, "mn")], "mn", "f32", ["%one = arith.constant 1.0 : f32", widen, "%r = arith.addf %a, %w : f32"], dims={"m": m, "n": k})
    out = product(f, ys, ws, dtype)
    f.give(z, Array.of((m, k), lambda i, j: out[(i, j)] + xs[(i, j)]))
    return join(f)


def summed(name, m, k, h, n, dtype):
    """The rows of act(x u) w, divided by their greatest element: columns that a tile has together."""
    f = Function(name, 1)
    x, xs = positive(f, dtype, m, k)
    u, us = positive(f, dtype, h, k)
    w, ws = positive(f, dtype, n, h)
    y, ys = act(f, f.matmul(x, u, "f32", rhs_map="nk"), product(f, xs, us, dtype), "mn", dtype, INVERSE)
    p = f.matmul(y, w, "f32", rhs_map="nk")
    top = f.generic([(p, "mn")], "m", "f32", ["%r = arith.maximumf %a, %o : f32"], start="0.0", dims={"m": m, "n": n})
    q = f.generic([(p, "mn"), (top, "m")], "mn", "f32", ["%r = arith.divf %a, %b : f32"], dims={"m": m, "n": n})
    exact = product(f, ys, ws, dtype)
    tops = [max(exact[(i, j)] for j in range(n)) for i in range(m)]
    f.give(q, Array.of((m, n), lambda i, j: exact[(i, j)] / tops[i]))
    return join(f)


def heads(name, batch, count, length, width, k, n, dtype):
    """Matmuls of each head, and one of what they make, in which heads are next to each other."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, batch, count, length, k)
    u, us = f.argument(dtype, count, k, width)
    w, ws = f.argument(dtype, n, count, width)
    p = f.matmul(x, u, "f32", lhs_map="bhsk", rhs_map="hkd", out="bshd")
    exact = Array.of((batch, length, count, width), lambda b, s, h, d: sum(xs[(b, h, s, c)] * us[(h, c, d)] for c in range(k)))
    y, ys = act(f, p, exact, "bshd", dtype, SHIFT)
    f.give(f.matmul(y, w, "f32", lhs_map="bshd", rhs_map="nhd", out="bsn"), Array.of((batch, length, n), lambda b, s, j: sum(
        ys[(b, s, h, d)] * ws[(j, h, d)] for h in range(count) for d in range(width))))
    return join(f)


def cases():
    yield mlp("chain_gelu", 37, 27, 45, 35, "f16")
    yield mlp("chain_long", 70, 300, 150, 66, "f16", orders=("kn", "kn"))
    yield mlp("chain_inverse", 65, 37, 33, 40, "f16", INVERSE, orders=("kn", "nk"))
    yield mlp("chain_inverse_f32", 34, 21, 37, 50, "f32", INVERSE, orders=("nk", "kn"))
    yield mlp("chain_bf16", 40, 72, 24, 33, "bf16", SHIFT)
    yield mlp("chain_plain", 33, 40, 16, 70, "f16", SAME)
    yield mlp("chain_before", 35, 29, 40, 24, "f16", GELU, before=INVERSE)
    yield mlp("chain_before_f32", 20, 33, 18, 24, "f32", INVERSE, before=SHIFT)
    yield mlp("chain_dynamic", 35, 43, 39, 50, "f16", INVERSE, dynamic=True)
    yield mlp("chain_row", 1, 40, 33, 24, "f16", INVERSE)
    yield mlp("chain_hidden_one", 24, 40, 1, 33, "f16", SHIFT)
    yield mlp("chain_depth_one", 24, 1, 40, 33, "f32", SHIFT)
    yield mlp("chain_column", 24, 40, 33, 1, "f16", SHIFT)
    yield folded("folded", 33, 29, 21, 40, "f16")
    yield folded("folded_f32", 20, 37, 33, 35, "f32")
    yield folded("folded_both", 34, 30, 26, 40, "f16", left=True)
    yield gated("chain_gated", 37, 25, 40, 33, "f16")
    yield gated("chain_gated_f32", 18, 33, 24, 20, "f32")
    yield transposed("chain_transposed", 37, 26, 41, 30, "f16")
    yield transposed("chain_transposed_f32", 18, 33, 24, 20, "f32")
    yield residual("chain_residual", 37, 40, 27, "f16")
    yield residual("chain_residual_f32", 19, 33, 27, "f32")
    yield summed("chain_held", 37, 26, 30, 100, "f16")
    yield summed("chain_held_f32", 19, 21, 30, 40, "f32")
    yield heads("chain_heads", 2, 3, 19, 24, 20, 40, "f16")

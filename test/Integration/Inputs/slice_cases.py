"""Matmuls of whose results only slices are read, with inputs and float64 results.

Widths and offsets are odd, so that rows of slices begin at any address.
"""

import math
import operator

from group_cases import Array, Function

# What is kept of an f16 is rounded after what was f32.
NARROW = ["%r = arith.truncf %a : f32 to f16"]
WIDEN = ["%r = arith.extf %a : f16 to f32"]


def product(f, x, w, dtype, swapped, widened, bias=None):
    """(value, exact sums) of x times w, which is (columns, inner) if `swapped`; f32."""
    (x, xs), (w, ws) = x, w
    rows, inner = xs.shape
    columns = ws.shape[0 if swapped else 1]
    weights = "nk" if swapped else "kn"
    if widened:
        x = f.generic([(x, "ij")], "ij", "f32", WIDEN, dims={"i": rows, "j": inner})
        sizes = dict(zip("ij", ws.shape))
        w = f.generic([(w, "ij")], "ij", "f32", WIDEN, dims=sizes)
        if swapped:
            t, init = f.name_value((inner, columns), "f32"), f.empty((inner, columns), "f32")
            f.lines.append(f"{t} = linalg.transpose ins({w} : {f.type(ws.shape, 'f32')}) "
                           f"outs({init} : {f.type((inner, columns), 'f32')}) permutation = [1, 0]")
            w, weights = t, "kn"
    p = f.matmul(x, w, "f32", rhs_map=weights)
    if bias:
        b, bs = bias
        extend = ["%c = arith.extf %b : f16 to f32", "%r = arith.addf %a, %c : f32"] if dtype == "f16" else \
            ["%r = arith.addf %a, %b : f32"]
        p = f.generic([(p, "mn"), (b, "n")], "mn", "f32", extend, dims={"m": rows, "n": columns})

    lefts, rights = xs.rows(), ws.rows() if swapped else ws.columns()

    def sums(m, n):
        return sum(map(operator.mul, lefts[m], rights[n])) + (bs[(n,)] if bias else 0)
    return p, Array.of((rows, columns), sums)


def take(f, value, offsets, sizes, strides=None, shape=None):
    old, dtype = f.types[value]
    shape = shape or sizes
    result = f.name_value(shape, dtype)
    known = ", ".join(f.size(size) if f.is_open(size) else str(size) for size in sizes)
    f.lines.append(f"{result} = tensor.extract_slice {value}{list(offsets)} [{known}] "
                   f"{list(strides or [1] * len(old))} : {f.type(old, dtype)} to {f.type(shape, dtype)}")
    return result


def joined(name, rows, inner, widths, dtype, swapped=True, widened=False, bias=True):
    """Queries, keys and values from one tensor of weights: (batch, heads, length, features) each."""
    batch, heads = 2, 3
    f = Function(name, 1)
    x = f.argument(dtype, batch * rows, inner)
    columns = sum(widths)
    w = f.argument(dtype, *((columns, inner) if swapped else (inner, columns)))
    b = f.argument(dtype, columns) if bias else None
    p, sums = product(f, x, w, dtype, swapped, widened, b)
    if dtype != "f32":
        p = f.generic([(p, "mn")], "mn", dtype, NARROW, dims={"m": batch * rows, "n": columns})
    whole = f.reshape(p, "expand", "[[0, 1], [2]]", batch, rows, columns)
    offset = 0
    for width in widths:
        s = take(f, whole, (0, 0, offset), (batch, rows, width))
        features = width // heads
        h = f.reshape(s, "expand", "[[0], [1], [2, 3]]", batch, rows, heads, features)
        t = f.generic([(h, "bshd")], "bhsd", dtype, [f"%r = arith.negf %a : {dtype}"],
                      dims={"b": batch, "s": rows, "h": heads, "d": features})
        f.give(t, Array.of((batch, heads, rows, features), lambda i, h, s, d, offset=offset, features=features:
                           -sums[(i * rows + s, offset + h * features + d)]))
        offset += width
    return f


def gated(name, rows, inner, width, dtype, swapped=True, widened=False, dynamic=()):
    """silu of the first half times the second."""
    f = Function(name, None, dynamic)
    x = f.argument(dtype, rows, inner)
    w = f.argument(dtype, *((2 * width, inner) if swapped else (inner, 2 * width)))
    p, sums = product(f, x, w, dtype, swapped, widened)
    gate, up = (take(f, p, (0, start), (rows, width)) for start in (0, width))
    y = f.generic([(gate, "mn"), (up, "mn")], "mn", "f32", [
        "%one = arith.constant 1.0 : f32", "%n = arith.negf %a : f32", "%e = math.exp %n : f32",
        "%s = arith.addf %one, %e : f32", "%g = arith.divf %a, %s : f32", "%r = arith.mulf %g, %b : f32"],
        dims={"m": rows, "n": width})
    f.give(y, Array.of((rows, width), lambda m, n: sums[(m, n)] / (1 + math.exp(-sums[(m, n)])) * sums[(m, width + n)]))
    return f


def pieces(name, rows, inner, columns, slices, dtype, swapped=True):
    """Any (offset, size, stride) of the columns, with a gap and a bias."""
    f = Function(name, 1)
    x = f.argument(dtype, rows, inner)
    w = f.argument(dtype, *((columns, inner) if swapped else (inner, columns)))
    p, sums = product(f, x, w, dtype, swapped, False, f.argument(dtype, columns))
    for offset, size, stride in slices:
        s = take(f, p, (0, offset), (rows, size), (1, stride))
        y = f.generic([(s, "mn")], "mn", "f32", ["%r = arith.addf %a, %a : f32"], dims={"m": rows, "n": size})
        f.give(y, Array.of((rows, size), lambda m, n, offset=offset, stride=stride: 2 * sums[(m, offset + stride * n)]))
    return f


def last_rows(name, dtype):
    """Of a matmul with what another kernel computes, one row of each of three batches."""
    batch, length, inner, columns = 3, 7, 40, 21
    f = Function(name, 2)
    x, xs = f.argument(dtype, batch * length, inner)
    w, ws = f.argument(dtype, columns, inner)
    u = f.generic([(x, "ij")], "ij", dtype, [f"%r = arith.negf %a : {dtype}"], dims={"i": batch * length, "j": inner})
    whole = f.reshape(u, "expand", "[[0, 1], [2]]", batch, length, inner)
    p = f.matmul(whole, w, "f32", lhs_map="bsk", rhs_map="nk", out="bsn")
    s = take(f, p, (0, length - 1, 0), (batch, 1, columns), shape=(batch, columns))
    y = f.generic([(s, "mn")], "mn", "f32", ["%r = arith.addf %a, %a : f32"], dims={"m": batch, "n": columns})
    f.give(y, Array.of((batch, columns), lambda b, n: -2 * sum(
        xs[(b * length + length - 1, k)] * ws[(n, k)] for k in range(inner))))
    return f


def stacked(name):
    """(rows, 3 * heads * features) as (3, batch, heads, rows, features), of which each first is taken."""
    batch, rows, heads, features, inner = 2, 5, 3, 8, 16
    f = Function(name, 1)
    x = f.argument("f16", batch * rows, inner)
    columns = 3 * heads * features
    w = f.argument("f16", columns, inner)
    p, sums = product(f, x, w, "f16", True, False)
    e = f.reshape(p, "expand", "[[0, 1], [2, 3, 4]]", batch, rows, 3, heads, features)
    shape = (3, batch, heads, rows, features)
    t, init = f.name_value(shape, "f32"), f.empty(shape, "f32")
    f.lines.append(f"{t} = linalg.transpose ins({e} : {f.type(f.types[e][0], 'f32')}) outs({init} : {f.type(shape, 'f32')}) "
                   "permutation = [2, 0, 3, 1, 4]")
    for part in range(3):
        s = take(f, t, (part, 0, 0, 0, 0), (1, *shape[1:]), shape=shape[1:])
        y = f.generic([(s, "bhsd")], "bhsd", "f32", ["%r = arith.negf %a : f32"], dims=dict(zip("bhsd", shape[1:])))
        f.give(y, Array.of(shape[1:], lambda b, h, s, d, part=part: -sums[
            (b * rows + s, (part * heads + h) * features + d)]))
    return f


def elements_of_slices(dtype):
    """Elementwise operations and a reduction of slices of arguments, slices of rows and of columns."""
    f = Function(f"elements_of_slices_{dtype}", 1)
    x, xs = f.argument(dtype, 9, 4, 21)
    b, bs = f.argument(dtype, 40)
    sizes = (5, 2, 13)
    s = take(f, x, (2, 1, 3), sizes)
    c = take(f, b, (11,), (13,), (2,))
    y = f.generic([(s, "ijk"), (c, "k")], "ijk", dtype, [f"%r = arith.addf %a, %b : {dtype}"], dims=dict(zip("ijk", sizes)))
    f.give(y, Array.of(sizes, lambda i, j, k: xs[(2 + i, 1 + j, 3 + k)] + bs[(11 + 2 * k,)]))
    t = take(f, x, (0, 0, 4), (9, 1, 16), shape=(9, 16))
    most = f.generic([(t, "ik")], "i", dtype, [f"%r = arith.maximumf %a, %o : {dtype}"],
                     start="0xFF800000" if dtype == "f32" else "0xFC00", dims={"i": 9, "k": 16})
    f.give(most, Array.of((9,), lambda i: max(xs[(i, 0, 4 + k)] for k in range(16))))
    return f


def operands_in_pieces(dtype):
    """A left operand in slices of rows, a right one in slices of columns, and other slices of what is added."""
    batch, length, inner, heads, features = 3, 7, 24, 5, 8
    f = Function(f"operands_in_pieces_{dtype}", 1)
    x, xs = f.argument(dtype, batch, 2 * length, inner)
    w, ws = f.argument(dtype, inner, heads, 3 * features)
    z, zs = f.argument("f32", batch, length + 1, heads + 1, features)
    a = take(f, x, (0, 3, 0), (batch, length, inner))
    b = take(f, w, (0, 0, features), (inner, heads, features))
    shape = (batch, length, heads, features)
    c = take(f, z, (0, 1, 1, 0), shape)
    p = f.matmul(a, b, "f32", lhs_map="bsk", rhs_map="khd", out="bshd")
    y = f.generic([(p, "bshd"), (c, "bshd")], "bshd", "f32", ["%r = arith.addf %a, %b : f32"], dims=dict(zip("bshd", shape)))
    f.give(y, Array.of(shape, lambda b, s, h, d: zs[(b, s + 1, h + 1, d)] + sum(
        xs[(b, s + 3, k)] * ws[(k, h, features + d)] for k in range(inner))))
    return f


def no_views():
    """Slices that are copied: reshaped across slices, of what a kernel computes for elements, and used for more."""
    f = Function("no_views", None)
    x, xs = f.argument("f32", 3, 9, 16)
    w, ws = f.argument("f32", 16, 12)
    s = take(f, x, (0, 2, 0), (3, 5, 16))
    c = f.reshape(s, "collapse", "[[0, 1], [2]]", 15, 16)
    p = f.matmul(c, w, "f32")
    f.give(p, Array.of((15, 12), lambda m, n: sum(xs[(m // 5, 2 + m % 5, k)] * ws[(k, n)] for k in range(16))))
    u = f.generic([(x, "ijk")], "ijk", "f32", ["%r = math.exp %a : f32"], dims={"i": 3, "j": 9, "k": 16})
    t = take(f, u, (0, 1, 0), (3, 4, 16))
    y = f.generic([(t, "ijk")], "ijk", "f32", ["%r = arith.negf %a : f32"], dims={"i": 3, "j": 4, "k": 16})
    f.give(y, Array.of((3, 4, 16), lambda i, j, k: -math.exp(xs[(i, j + 1, k)])))
    f.give(u, Array.of((3, 9, 16), lambda i, j, k: math.exp(xs[(i, j, k)])))
    return f


def halves_of_result():
    """Two matmuls with halves of what a matmul computes, whose other columns a third one reads."""
    f = Function("halves_of_result", 2)
    x, xs = f.argument("f32", 11, 8)
    w, ws = f.argument("f32", 8, 24)
    v, vs = f.argument("f32", 12, 10)
    q, qs = f.argument("f32", 24, 6)
    p = f.matmul(x, w, "f32")
    exact = Array.of((11, 24), lambda m, n: sum(xs[(m, k)] * ws[(k, n)] for k in range(8)))
    for start in (0, 12):
        s = take(f, p, (0, start), (11, 12))
        f.give(f.matmul(s, v, "f32"), Array.of((11, 10), lambda m, n, start=start: sum(
            exact[(m, start + k)] * vs[(k, n)] for k in range(12))))
    f.give(f.matmul(p, q, "f32"), Array.of((11, 6), lambda m, n: sum(exact[(m, k)] * qs[(k, n)] for k in range(24))))
    return f


def first_columns(dtype, columns, kept, opened):
    """The first columns of a matmul, and as many rows as an argument has of which nothing else is known."""
    rows, inner = 9, 24
    f = Function(f"first_{kept}_of_{columns}_{dtype}", 2 if rows in opened else 1, opened)
    x, w = f.argument(dtype, rows, inner), f.argument(dtype, inner, columns)
    p, sums = product(f, x, w, dtype, swapped=False, widened=False)
    f.argument(dtype, rows)
    old = f.types[p]
    f.lines += ["%first = arith.constant 0 : index", f"%rows = tensor.dim %arg2, %first : {f.type((rows,), dtype)}"]
    some = f.name_value((rows, kept), "f32")
    f.lines.append(f"{some} = tensor.extract_slice {p}[0, 0] [{'%rows' if rows in opened else rows}, {kept}] [1, 1] : "
                   f"{f.type(*old)} to {f.type((rows, kept), 'f32')}")
    f.give(some, Array.of((rows, kept), lambda m, n: sums[(m, n)]))
    return f


def cases():
    for dtype in ("f16", "f32"):
        for swapped in (True, False):
            order = "rows" if swapped else "columns"
            yield joined(f"joined_{order}_{dtype}", 35, 40, (24, 24, 24), dtype, swapped)
            yield joined(f"joined_unequal_{order}_{dtype}", 18, 29, (33, 9, 9), dtype, swapped, bias=False)
            yield gated(f"gated_{order}_{dtype}", 37, 33, 70, dtype, swapped)
            yield pieces(f"pieces_{order}_{dtype}", 20, 24, 91, ((3, 5, 1), (8, 64, 1), (77, 11, 1)), dtype, swapped)
            yield pieces(f"every_second_{order}_{dtype}", 9, 24, 66, ((0, 33, 2), (1, 33, 2)), dtype, swapped)
    for swapped in (True, False):
        order = "rows" if swapped else "columns"
        yield joined(f"joined_widened_{order}", 70, 24, (24, 48, 24), "f16", swapped, widened=True)
        yield gated(f"gated_widened_{order}", 20, 40, 72, "f16", swapped, widened=True)
    yield gated("gated_dynamic", 51, 24, 40, "f16", dynamic=(51,))
    for dtype in ("f16", "f32"):
        # Nothing says how many columns there are besides those that are read.
        yield first_columns(dtype, 40, 8, opened=(9, 24, 40))
        yield first_columns(dtype, 16, 5, opened=(16,))
    yield last_rows("last_rows_f16", "f16")
    yield last_rows("last_rows_f32", "f32")
    yield stacked("stacked")
    for dtype in ("f16", "f32"):
        yield elements_of_slices(dtype)
        yield operands_in_pieces(dtype)
    yield no_views()
    yield halves_of_result()

"""Functions that read one tensor at several places, or that must not be asked about points beyond an edge, with results."""

import math

from group_cases import Array, Function
from contraction_cases import product


def mirrored(name, size, dynamic=False):
    """x + 2 x^T of a square."""
    f = Function(name, 1, dynamic=dynamic)
    x, xs = f.argument("f32", size, size)
    y = f.generic([(x, "ij"), (x, "ji")], "ij", "f32", ["%t = arith.addf %b, %b : f32", "%r = arith.addf %a, %t : f32"],
                  dims={"i": size, "j": size})
    f.give(y, Array.of((size, size), lambda i, j: xs[(i, j)] + 2 * xs[(j, i)]))
    return f


def distances(name, count, width, dynamic=False):
    """The squared distance of every two rows."""
    f = Function(name, 1, dynamic=dynamic)
    x, xs = f.argument("f32", count, width)
    d = f.generic([(x, "iz"), (x, "jz")], "ij", "f32", ["%d = arith.subf %a, %b : f32", "%s = arith.mulf %d, %d : f32",
                                                        "%r = arith.addf %o, %s : f32"], start="0.0", dims={"i": count, "j": count, "z": width})
    f.give(d, Array.of((count, count), lambda i, j: sum((xs[(i, c)] - xs[(j, c)]) ** 2 for c in range(width))))
    return f


def both_ways(name, size, columns, dtype):
    """x w + x^T v, in one kernel."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, size, size)
    w, ws = f.argument(dtype, size, columns)
    v, vs = f.argument(dtype, size, columns)
    p, q = f.matmul(x, w, "f32"), f.matmul(x, v, "f32", lhs_map="km")
    f.give(f.generic([(p, "mn"), (q, "mn")], "mn", "f32", ["%r = arith.addf %a, %b : f32"], dims={"m": size, "n": columns}),
           Array.of((size, columns), lambda i, j: sum(xs[(i, c)] * ws[(c, j)] + xs[(c, i)] * vs[(c, j)] for c in range(size))))
    f.scheme = "000"
    return f


def head_mean(name, rows, columns):
    """The sum over one head, of which the row maximum is subtracted."""
    f = Function(name, 1)
    x, xs = f.argument("f32", rows, 1, columns)
    dims = {"i": rows, "u": 1, "z": columns}
    s = f.generic([(x, "iuz")], "iz", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=dims)
    del dims["u"]
    m = f.generic([(s, "iz")], "i", "f32", ["%r = arith.maximumf %a, %o : f32"], start="0xFF800000", dims=dims)
    y = f.generic([(s, "iz"), (m, "i")], "iz", "f32", ["%r = arith.subf %a, %b : f32"], dims=dims)
    f.give(y, Array.of((rows, columns), lambda i, j: xs[(i, 0, j)] - max(xs[(i, 0, c)] for c in range(columns))))
    return f


def ones(f, *shape):
    return f.argument("f32", *shape, values=[1.0] * math.prod(shape))


def quotient(name, m, k, n):
    """Integers divided by a product, which is not zero anywhere."""
    f = Function(name, 1)
    x, xs = ones(f, m, k)
    w, ws = ones(f, n, k)
    p = f.matmul(x, w, "f32", rhs_map="nk")
    q = f.generic([(p, "mn")], "mn", "f32", ["%c = arith.constant 1000 : i32", "%i = arith.fptosi %a : f32 to i32", "%d = arith.divsi %c, %i : i32",
                                             "%r = arith.sitofp %d : i32 to f32"], dims={"m": m, "n": n})
    exact = product(f, xs, ws, "f32")
    f.give(q, Array.of((m, n), lambda i, j: float(1000 // int(exact[(i, j)]))))
    return f


def found(name, m, k, n):
    """Elements at places that a product says."""
    f = Function(name, 1)
    x, _ = ones(f, m, k)
    w, _ = ones(f, n, k)
    t, ts = f.argument("f32", 5)
    p = f.matmul(x, w, "f32", rhs_map="nk")
    q = f.generic([(p, "mn")], "mn", "f32", [
        f"%c = arith.constant {k - 3} : i32", "%i = arith.fptosi %a : f32 to i32", "%j = arith.subi %i, %c : i32",
        "%l = arith.index_cast %j : i32 to index", f"%r = tensor.extract {t}[%l] : tensor<5xf32>"], dims={"m": m, "n": n})
    f.give(q, Array.of((m, n), lambda i, j: ts[(3,)]))
    return f


def branched(name, m, n):
    """A division in a branch, by elements of which none is zero."""
    f = Function(name, 1)
    x, xs = f.argument("f32", m, n, values=[2.5 + i % 7 for i in range(m * n)])
    y = f.generic([(x, "ij")], "ij", "f32", [
        "%l = linalg.index 1 : index", "%h = arith.constant 3 : index", "%w = arith.cmpi ult, %l, %h : index", "%s = scf.if %w -> i32 {",
        "  %z = arith.constant 7 : i32", "  scf.yield %z : i32", "} else {", "  %c = arith.constant 1000 : i32", "  %i = arith.fptosi %a : f32 to i32",
        "  %d = arith.divsi %c, %i : i32", "  scf.yield %d : i32", "}", "%r = arith.sitofp %s : i32 to f32"], dims={"i": m, "j": n})
    f.give(y, Array.of((m, n), lambda i, j: 7.0 if j < 3 else float(1000 // int(xs[(i, j)]))))
    return f


def cases():
    yield mirrored("mirrored", 37)
    yield mirrored("mirrored_64", 64)
    yield mirrored("mirrored_dynamic", 21, dynamic=True)
    yield distances("distances", 35, 24)
    yield distances("distances_dynamic", 19, 24, dynamic=(19,))
    yield both_ways("both_ways", 64, 24, "f16")
    yield both_ways("both_ways_f32", 33, 17, "f32")
    yield head_mean("head_mean", 40, 24)
    yield quotient("quotient", 65, 32, 37)
    yield found("found", 65, 32, 37)
    yield branched("branched", 65, 33)

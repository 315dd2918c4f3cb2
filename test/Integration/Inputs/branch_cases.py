"""Functions whose operations share a kernel although no data flows between them, with float64 results."""

import math

from group_cases import Array, Function


def project(f, x, xs, k, n, dtype, body=None, exact=None):
    """x w^T with weights of its own and, if asked for, an epilogue."""
    m = xs.shape[0]
    w, ws = f.argument(dtype, n, k)
    p = f.matmul(x, w, "f32", rhs_map="nk")
    product = Array.of((m, n), lambda i, j: sum(xs[(i, c)] * ws[(j, c)] for c in range(k)))
    if body:
        p = f.generic([(p, "ij")], "ij", "f32", body, dims={"i": m, "j": n})
    f.give(p, Array.of((m, n), lambda i, j: (exact or (lambda v: v))(product[(i, j)])))


def double(f, m, n, dtype="f32"):
    x, xs = f.argument(dtype, m, n)
    y = f.generic([(x, "ij")], "ij", dtype, [f"%r = arith.addf %a, %a : {dtype}"], dims={"i": m, "j": n})
    f.give(y, Array.of((m, n), lambda i, j: 2 * xs[(i, j)]))


def normalize(f, m, n):
    x, xs = f.argument("f32", m, n)
    dims = {"i": m, "z": n}
    s = f.generic([(x, "iz")], "i", "f32", ["%p = arith.mulf %a, %a : f32", "%r = arith.addf %p, %o : f32"],
                  start="1.0", dims=dims)
    y = f.generic([(x, "iz"), (s, "i")], "iz", "f32", ["%q = math.rsqrt %b : f32", "%r = arith.mulf %a, %q : f32"],
                  dims=dims)
    sums = [1 + sum(xs[(i, c)] ** 2 for c in range(n)) for i in range(m)]
    f.give(y, Array.of((m, n), lambda i, c: xs[(i, c)] / math.sqrt(sums[i])))


NEGATE = ["%r = arith.negf %a : f32"]
GATE = ["%m = arith.negf %a : f32", "%x = math.exp %m : f32", "%c = arith.constant 1.0 : f32",
        "%d = arith.addf %x, %c : f32", "%r = arith.divf %a, %d : f32"]


def projections(name, dtype, dynamic=False):
    """Three matmuls of different widths and epilogues, all of one operand."""
    f = Function(name, 1, dynamic=dynamic)
    x, xs = f.argument(dtype, 37, 29)
    project(f, x, xs, 29, 131, dtype, NEGATE, lambda v: -v)
    project(f, x, xs, 29, 5, dtype)
    project(f, x, xs, 29, 66, dtype, GATE, lambda v: v / (1 + math.exp(-v)))
    return f


def contractions():
    """Matmuls of different operands, types and depths."""
    f = Function("contractions", 1)
    x, xs = f.argument("f16", 70, 40)
    y, ys = f.argument("f32", 3, 77)
    project(f, x, xs, 40, 66, "f16")
    project(f, y, ys, 77, 9, "f32", NEGATE, lambda v: -v)
    return f


def templates(name, dynamic=False, columns=67):
    """Elements, rows and a matmul."""
    f = Function(name, 1, dynamic=dynamic)
    double(f, 7, 19)
    normalize(f, 5, columns)
    x, xs = f.argument("f16", 33, 24)
    project(f, x, xs, 24, 71, "f16", GATE, lambda v: v / (1 + math.exp(-v)))
    return f


def rows(name, *columns):
    """Rows of different lengths, in registers and in loops, and elements."""
    f = Function(name, 1)
    for number, size in enumerate(columns):
        normalize(f, 3 + number, size)
    double(f, 2, 301, "f16")
    return f


def empty(name, dynamic=False):
    """Branches that have no CTAs before, between and after those that do."""
    f = Function(name, 1, dynamic=dynamic)
    double(f, 0, 43)
    normalize(f, 5, 44)
    normalize(f, 0, 45)
    x, xs = f.argument("f32", 0, 21)
    project(f, x, xs, 21, 34, "f32")
    double(f, 6, 46)
    return f


def rotations():
    """Two results of one pass over what they share remain one branch; another shape is a branch of its own."""
    f = Function("rotations", 1)
    x, xs = f.argument("f32", 6, 35)
    y, ys = f.argument("f32", 4, 3, 35)
    dims = {"i": 6, "j": 35}
    for sign in (1, -1):
        z = f.generic([(x, "ij")], "ij", "f32", [f"%c = arith.constant {float(sign)} : f32", "%r = arith.addf %a, %c : f32"], dims=dims)
        f.give(z, Array.of((6, 35), lambda i, j, sign=sign: xs[(i, j)] + sign))
    z = f.generic([(y, "hij")], "ihj", "f32", NEGATE, dims={"h": 4, "i": 3, "j": 35})
    f.give(z, Array.of((3, 4, 35), lambda i, h, j: -ys[(h, i, j)]))
    return f


def cases():
    yield projections("projections_half", "f16")
    yield projections("projections_single", "f32")
    yield projections("projections_dynamic", "f16", dynamic=True)
    yield contractions()
    yield templates("templates")
    yield templates("templates_dynamic", dynamic=True)
    yield templates("templates_long", columns=2500)
    yield rows("rows_held", 5, 130, 33)
    yield rows("rows_warps", 1537, 5)
    yield rows("rows_walked", 9001, 130)
    yield empty("empty_sections")
    yield empty("empty_dynamic", dynamic=True)
    yield rotations()

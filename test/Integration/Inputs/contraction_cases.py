"""Functions of matmuls and their epilogues: rotations, gates and norms.

As in group_cases.py, each says how many kernels it takes.
"""

import math
import operator

from group_cases import Array, Function, rounded
from slice_cases import take


def product(f, xs, ws, dtype, order="nk"):
    """The exact x w, rounded as the function does."""
    rights = ws.rows() if order == "nk" else ws.columns()
    return Array((xs.shape[0], len(rights)), [sum(map(operator.mul, left, right)) for left in xs.rows() for right in rights])


def narrow(f, value, shape, dtype, letters):
    """The f32 matmul as the elements of a model."""
    if dtype == "f32":
        return value
    return f.generic([(value, letters)], letters, dtype, [f"%r = arith.truncf %a : f32 to {dtype}"],
                     dims=dict(zip(letters, shape)))


# Where element d of a head comes from, and the sign that it gets.
def half(width):
    return [
        f"%h = arith.constant {width // 2} : index", "%low = arith.cmpi slt, %d, %h : index",
        "%m = scf.if %low -> (TYPE) {", "  %n = arith.addi %d, %h : index", "  %e = tensor.extract READ[%i, %k, %j, %n] : TENSOR",
        "  %g = arith.negf %e : TYPE", "  scf.yield %g : TYPE", "} else {", "  %n = arith.subi %d, %h : index",
        "  %e = tensor.extract READ[%i, %k, %j, %n] : TENSOR", "  scf.yield %e : TYPE", "}",
    ], lambda x, d: -x(d + width // 2) if d < width // 2 else x(d - width // 2)


def pairs(width):
    return [
        "%one = arith.constant 1 : index", "%n = arith.xori %d, %one : index", "%e = tensor.extract READ[%i, %k, %j, %n] : TENSOR",
        "%odd = arith.andi %d, %one : index", "%bit = arith.index_cast %odd : index to i1", "%g = arith.negf %e : TYPE",
        "%m = arith.select %bit, %e, %g : TYPE",
    ], lambda x, d: x(d - 1) if d % 2 else -x(d + 1)


def partial(width):
    """Only the first half is rotated."""
    part = width // 2
    return [
        f"%p = arith.constant {part} : index", f"%h = arith.constant {part // 2} : index", "%kept = arith.cmpi sge, %d, %p : index",
        "%m = scf.if %kept -> (TYPE) {", "  %e = tensor.extract READ[%i, %k, %j, %d] : TENSOR", "  scf.yield %e : TYPE", "} else {",
        "  %low = arith.cmpi slt, %d, %h : index", "  %up = arith.addi %d, %h : index", "  %down = arith.subi %d, %h : index",
        "  %n = arith.select %low, %up, %down : index", "  %e = tensor.extract READ[%i, %k, %j, %n] : TENSOR",
        "  %g = arith.negf %e : TYPE", "  %s = arith.select %low, %g, %e : TYPE", "  scf.yield %s : TYPE", "}",
    ], lambda x, d: x(d) if d >= part else -x(d + part // 2) if d < part // 2 else x(d - part // 2)


def rotation(name, batch, length, heads, width, depth, dtype, kind, norm=False, dynamic=False, kernels=1):
    """Heads of a matmul, transposed and rotated; before that, normalised."""
    f = Function(name, kernels, dynamic=dynamic)
    x, xs = f.argument(dtype, batch * length, depth)
    w, ws = f.argument(dtype, heads * width, depth)
    c, cs = f.argument(dtype, length, width)
    s, ss = f.argument(dtype, length, width)
    rows, wide = batch * length, heads * width
    p = narrow(f, f.matmul(x, w, "f32", rhs_map="nk"), (rows, wide), dtype, "ij")
    e = f.reshape(p, "expand", "[[0, 1], [2, 3]]", batch, length, heads, width)
    dims = {"b": batch, "h": heads, "s": length, "z": width}
    exact = product(f, xs, ws, dtype)
    head = lambda b, h, s, d: rounded(exact[(b * length + s, h * width + d)], dtype)
    if norm:
        squares = f.generic([(e, "bshz")], "bsh", "f32", ([f"%q = arith.extf %a : {dtype} to f32"] if dtype != "f32" else [
            "%q = math.absf %a : f32"]) + ["%t = arith.mulf %q, %q : f32", "%r = arith.addf %t, %o : f32"], start="0.0", dims=dims)
        e = f.generic([(e, "bshz"), (squares, "bsh")], "bshz", dtype, [
            f"%n = arith.constant {float(width)} : f32", "%m = arith.divf %b, %n : f32", "%v = math.rsqrt %m : f32"] + (
                [f"%q = arith.truncf %v : f32 to {dtype}"] if dtype != "f32" else ["%q = math.absf %v : f32"]) + [
                    f"%r = arith.mulf %a, %q : {dtype}"], dims=dims)
        raw = head
        scale = {}
        for b, h, t in ((b, h, t) for b in range(batch) for h in range(heads) for t in range(length)):
            scale[b, h, t] = 1 / math.sqrt(sum(raw(b, h, t, d) ** 2 for d in range(width)) / width)
        head = lambda b, h, s, d: raw(b, h, s, d) * scale[b, h, s]
    t = f.generic([(e, "bshz")], "bhsz", dtype, [f"%r = arith.addf %a, %a : {dtype}" if norm else f"%r = arith.negf %a : {dtype}"], dims=dims)
    sign = 2 if norm else -1
    body, moved = kind(width)
    words = {"TYPE": dtype, "READ": t, "TENSOR": f.type((batch, heads, length, width), dtype)}
    for word, by in words.items():
        body = [line.replace(word, by) for line in body]
    out = f.generic([(t, "bhsz"), (c, "sz"), (s, "sz")], "bhsz", dtype, [
        "%i = linalg.index 0 : index", "%k = linalg.index 1 : index", "%j = linalg.index 2 : index", "%d = linalg.index 3 : index"]
        + body + [f"%u = arith.mulf %m, %c : {dtype}", f"%w = arith.mulf %a, %b : {dtype}", f"%r = arith.addf %u, %w : {dtype}"], dims=dims)
    f.give(out, Array.of((batch, heads, length, width), lambda b, h, s, d: sign * (
        head(b, h, s, d) * cs[(s, d)] + moved(lambda n: head(b, h, s, n), d) * ss[(s, d)])))
    return f


def concat(f, dim, *values):
    """`values` put together along `dim`."""
    shapes, dtype = [f.types[value][0] for value in values], f.types[values[0]][1]
    shape = [sum(sizes) if at == dim else sizes[0] for at, sizes in enumerate(zip(*shapes))]
    result = f.name_value(shape, dtype)
    f.lines.append(f"{result} = tensor.concat dim({dim}) {', '.join(values)} : "
                   f"({', '.join(f.type(old, dtype) for old in shapes)}) -> {f.type(shape, dtype)}")
    return result


def rotated_part(name, batch, length, heads, width, part, depth, dtype, values=False):
    """Heads that are split, of which the first `part` elements are rotated, and put together; with the same
    matmul of other weights as `values`."""
    f = Function(name, 1)
    rows, wide = batch * length, heads * width
    x, xs = f.argument(dtype, rows, depth)
    w, ws = f.argument(dtype, wide, depth)
    c, cs = f.argument(dtype, length, part)
    s, ss = f.argument(dtype, length, part)

    def project(weights):
        p = narrow(f, f.matmul(x, weights, "f32", rhs_map="nk"), (rows, wide), dtype, "ij")
        e = f.reshape(p, "expand", "[[0, 1], [2, 3]]", batch, length, heads, width)
        return f.generic([(e, "bshz")], "bhsz", dtype, [], dims={"b": batch, "h": heads, "s": length, "z": width})

    def piece(value, offset, size):
        return take(f, value, (0, 0, 0, offset), (batch, heads, length, size))

    def each(ins, size, body):
        return f.generic(ins, "bhsz", dtype, body, dims={"b": batch, "h": heads, "s": length, "z": size})

    t = project(w)
    turned = piece(t, 0, part) if part < width else t
    swapped = concat(f, 3, each([(piece(turned, part // 2, part // 2), "bhsz")], part // 2, [f"%r = arith.negf %a : {dtype}"]),
                     piece(turned, 0, part // 2))
    product_of = [f"%r = arith.mulf %a, %b : {dtype}"]
    straight, crossed = (each([(value, "bhsz"), (by, "sz")], part, product_of) for value, by in ((turned, c), (swapped, s)))
    out = each([(straight, "bhsz"), (crossed, "bhsz")], part, [f"%r = arith.addf %a, %b : {dtype}"])
    if part < width:
        out = concat(f, 3, out, piece(t, part, width - part))
    exact = product(f, xs, ws, dtype)

    def element(b, h, m, d):
        head = lambda n: rounded(exact[(b * length + m, h * width + n)], dtype)
        if d >= part:
            return head(d)
        return head(d) * cs[(m, d)] + (head(d - part // 2) if d >= part // 2 else -head(d + part // 2)) * ss[(m, d)]

    f.give(out, Array.of((batch, heads, length, width), element))
    if values:
        v, vs = f.argument(dtype, wide, depth)
        of_values = product(f, xs, vs, dtype)
        f.give(project(v), Array.of((batch, heads, length, width), lambda b, h, m, d: rounded(
            of_values[(b * length + m, h * width + d)], dtype)))
    return f


def copied_weight(name, batch, length, depth, columns, dtype, dynamic=False):
    """A weight that is transposed and copied for every batch, with a bias behind the matmul."""
    f = Function(name, 1, dynamic=dynamic)
    x, xs = f.argument(dtype, batch, length, depth)
    w, ws = f.argument(dtype, columns, depth)
    c, cs = f.argument(dtype, columns)
    copies = f.generic([(w, "nk")], "bkn", dtype, [], dims={"b": batch, "k": depth, "n": columns})
    p = f.matmul(x, copies, "f32", lhs_map="bmk", rhs_map="bkn", out="bmn")
    p = narrow(f, p, (batch, length, columns), dtype, "bmn")
    out = f.generic([(p, "bmn"), (c, "n")], "bmn", dtype, [f"%r = arith.addf %a, %b : {dtype}"],
                    dims={"b": batch, "m": length, "n": columns})
    f.give(out, Array.of((batch, length, columns), lambda b, m, n: cs[(n,)] + rounded(
        sum(xs[(b, m, k)] * ws[(n, k)] for k in range(depth)), dtype)))
    return f


def permutation(name, rows, columns, depth):
    """Columns in an order that an operand gives."""
    f = Function(name, 1)
    x, xs = f.argument("f16", rows, depth)
    w, ws = f.argument("f16", columns, depth)
    order = [(7 * j + 3) % columns for j in range(columns)]
    o, _ = f.argument("i64", columns, values=order)
    p = f.matmul(x, w, "f32", rhs_map="nk")
    out = f.generic([(o, "j")], "ij", "f32", ["%i = linalg.index 0 : index", "%k = arith.index_cast %a : i64 to index",
                                              f"%r = tensor.extract {p}[%i, %k] : {f.type((rows, columns), 'f32')}"], dims={"i": rows, "j": columns})
    exact = product(f, xs, ws, "f32")
    f.give(out, Array.of((rows, columns), lambda i, j: exact[(i, order[j])]))
    return f


def gated(name, rows, depth, columns, dtype, kind="silu", orders=("nk", "nk"), bias=False, inputs=1, products=2, dynamic=False, kernels=1):
    """act(x g) * (x u), or of several more matmuls."""
    f = Function(name, kernels, dynamic=dynamic)
    x, xs = f.argument(dtype, rows, depth)
    others = [(x, xs)] + [f.argument(dtype, rows, depth) for _ in range(inputs - 1)]
    dims = {"i": rows, "j": columns}
    values, exact = [], []
    for number in range(products):
        y, ys = others[number % len(others)]
        order = orders[number % len(orders)]
        w, ws = f.argument(dtype, *((columns, depth) if order == "nk" else (depth, columns)))
        values.append(narrow(f, f.matmul(y, w, "f32", rhs_map=order), (rows, columns), dtype, "ij"))
        exact.append(product(f, ys, ws, dtype, order))
        if bias:
            b, bs = f.argument(dtype, columns)
            values[-1] = f.generic([(values[-1], "ij"), (b, "j")], "ij", dtype, [f"%r = arith.addf %a, %b : {dtype}"], dims=dims)
            exact[-1] = Array.of((rows, columns), lambda i, j, e=exact[-1], bs=bs: e[(i, j)] + bs[(j,)])
    act = {"silu": (["%m = arith.negf %x : f32", "%e = math.exp %m : f32", "%one = arith.constant 1.0 : f32", "%d = arith.addf %e, %one : f32",
                     "%y = arith.divf %x, %d : f32"], lambda v: v / (1 + math.exp(-v))),
           "gelu": (["%half = arith.constant 0.5 : f32", "%root = arith.constant 0.70710678 : f32", "%s = arith.mulf %x, %root : f32",
                     "%e = math.erf %s : f32", "%one = arith.constant 1.0 : f32", "%d = arith.addf %e, %one : f32", "%t = arith.mulf %x, %d : f32",
                     "%y = arith.mulf %t, %half : f32"], lambda v: v * (1 + math.erf(v / math.sqrt(2))) / 2)}[kind]
    widen = [f"%x = arith.extf %a : {dtype} to f32"] if dtype != "f32" else ["%x = arith.negf %a : f32"]
    sign = 1 if dtype != "f32" else -1
    cut = [f"%z = arith.truncf %y : f32 to {dtype}"] if dtype != "f32" else ["%z = arith.negf %y : f32"]
    result = f.generic([(values[0], "ij")], "ij", dtype, widen + act[0] + cut + [f"%r = arith.addf %z, %z : {dtype}"], dims=dims)
    for value in values[1:]:
        result = f.generic([(result, "ij"), (value, "ij")], "ij", dtype, [f"%r = arith.mulf %a, %b : {dtype}"], dims=dims)
    f.give(result, Array.of((rows, columns), lambda i, j: 2 * sign * act[1](sign * exact[0][(i, j)]) * math.prod(e[(i, j)] for e in exact[1:])))
    return f


def normed(name, rows, depth, columns, dtype, residual=True, bias=True, dynamic=False, kernels=1):
    """The norm of x w + b + z, and the sum itself."""
    f = Function(name, kernels, dynamic=dynamic)
    x, xs = f.argument(dtype, rows, depth)
    w, ws = f.argument(dtype, columns, depth)
    dims = {"i": rows, "z": columns}
    y = f.matmul(x, w, "f32", rhs_map="nk")
    exact = product(f, xs, ws, dtype)
    if bias:
        b, bs = f.argument("f32", columns)
        y = f.generic([(y, "iz"), (b, "z")], "iz", "f32", ["%r = arith.addf %a, %b : f32"], dims=dims)
        exact = Array.of((rows, columns), lambda i, j, e=exact: e[(i, j)] + bs[(j,)])
    if residual:
        z, zs = f.argument(dtype, rows, columns)
        widen = [f"%q = arith.extf %b : {dtype} to f32"] if dtype != "f32" else ["%q = math.absf %b : f32"]
        y = f.generic([(y, "iz"), (z, "iz")], "iz", "f32", widen + ["%r = arith.addf %a, %q : f32"], dims=dims)
        value = (lambda v: v) if dtype != "f32" else abs
        exact = Array.of((rows, columns), lambda i, j, e=exact: e[(i, j)] + value(zs[(i, j)]))
        f.give(y, exact)
    length = [f"%n = arith.constant {float(columns)} : f32"]
    total = f.generic([(y, "iz")], "i", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=dims)
    squares = f.generic([(y, "iz"), (total, "i")], "i", "f32", length + [
        "%m = arith.divf %b, %n : f32", "%d = arith.subf %a, %m : f32", "%s = arith.mulf %d, %d : f32", "%r = arith.addf %s, %o : f32"],
        start="0.0", dims=dims)
    scale = f.generic([(squares, "i")], "i", "f32", length + [
        "%m = arith.divf %a, %n : f32", "%e = arith.constant 1.0e-5 : f32", "%v = arith.addf %m, %e : f32", "%r = math.rsqrt %v : f32"],
        dims={"i": rows})
    out = f.generic([(y, "iz"), (total, "i"), (scale, "i")], "iz", dtype, length + [
        "%m = arith.divf %b, %n : f32", "%t = arith.subf %a, %m : f32"] + (
            ["%s = arith.mulf %t, %c : f32", f"%r = arith.truncf %s : f32 to {dtype}"] if dtype != "f32" else ["%r = arith.mulf %t, %c : f32"]), dims=dims)
    statistics = []
    for i in range(rows):
        row = [exact[(i, j)] for j in range(columns)]
        mean = sum(row) / columns
        statistics.append((mean, 1 / math.sqrt(sum((v - mean) ** 2 for v in row) / columns + 1e-5)))
    if not residual:
        f.give(scale, Array((rows,), [factor for _, factor in statistics]))
    f.give(out, Array.of((rows, columns), lambda i, j: (exact[(i, j)] - statistics[i][0]) * statistics[i][1]))
    return f


def softmax(name, rows, depth, columns, dtype):
    """The softmax of a matmul, as a router computes it."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, rows, depth)
    w, ws = f.argument(dtype, columns, depth)
    dims = {"i": rows, "z": columns}
    y = f.matmul(x, w, "f32", rhs_map="nk")
    most = f.generic([(y, "iz")], "i", "f32", ["%r = arith.maximumf %a, %o : f32"], start="0xFF800000", dims=dims)
    power = f.generic([(y, "iz"), (most, "i")], "iz", "f32", ["%d = arith.subf %a, %b : f32", "%r = math.exp %d : f32"], dims=dims)
    total = f.generic([(power, "iz")], "i", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=dims)
    f.give(f.generic([(power, "iz"), (total, "i")], "iz", "f32", ["%r = arith.divf %a, %b : f32"], dims=dims),
           Array.of((rows, columns), element(product(f, xs, ws, dtype))))
    return f


def of_functions(name, dtype, body, exact):
    """Sums of products %p of functions of elements %a and %b."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, 37, 24)
    w, ws = f.argument(dtype, 24, 40)
    y = f.generic([(x, "ik"), (w, "kj")], "ij", "f32", body + ["%r = arith.addf %o, %p : f32"], start="0.0",
                  dims={"i": 37, "j": 40, "k": 24})
    f.give(y, Array.of((37, 40), lambda i, j: sum(exact(xs[(i, k)], ws[(k, j)]) for k in range(24))))
    return f


def element(exact):
    def at(i, j):
        row = [exact[(i, c)] for c in range(exact.shape[1])]
        return math.exp(exact[(i, j)] - max(row)) / sum(math.exp(v - max(row)) for v in row)
    return at


def few_rows(name, rows, depth, columns, dtype, order="nk", result="f32", heads=None, start=None):
    """A matmul of few rows and its epilogue, from a number or the elements of an operand; sums over two loops
    if there are heads."""
    f = Function(name, None)
    x, xs = f.argument(dtype, *((heads, rows, depth) if heads else (rows, depth)))
    w, ws = f.argument(dtype, *((columns, heads, depth) if heads else (columns, depth) if order == "nk" else (depth, columns)))
    init, first = None, lambda i, j: 0
    if start == "operand":
        init, c = f.argument(result, rows, columns)
        first = lambda i, j: c[(i, j)]
    elif start:
        init, first = f"{f.empty((rows, columns), result)}i", lambda i, j: start
        kind = f.type((rows, columns), result)
        f.lines.append(f"{init}c = arith.constant {start} : {result}")
        f.lines.append(f"{init} = linalg.fill ins({init}c : {result}) outs({init[:-1]} : {kind}) -> {kind}")
    if heads:
        y = f.matmul(x, w, result, lhs_map="hmk", rhs_map="nhk", start=init)
        exact = Array.of((rows, columns), lambda i, j: sum(
            xs[(h, i, k)] * ws[(j, h, k)] for h in range(heads) for k in range(depth)))
    else:
        y = f.matmul(x, w, result, rhs_map=order, start=init)
        exact = product(f, xs, ws, dtype, order)
    f.give(y, Array.of((rows, columns), lambda i, j: first(i, j) + exact[(i, j)]))
    f.give(f.generic([(y, "ij")], "ij", result, [f"%r = arith.negf %a : {result}"], dims={"i": rows, "j": columns}),
           Array.of((rows, columns), lambda i, j: -first(i, j) - exact[(i, j)]))
    return f


def bands(name, rows, columns):
    """As many columns as take bands of tiles, of which the last has fewer rows."""
    f = Function(name, 1, dynamic=(rows,))
    x, xs = f.argument("f32", rows, 1)
    w, ws = f.argument("f32", columns, 1)
    f.give(f.matmul(x, w, "f32", rhs_map="nk"), product(f, xs, ws, "f32"))
    return f


def cases():
    yield few_rows("few_rows_1", 1, 384, 40, "f16")
    yield few_rows("few_rows_1_f32", 1, 100, 33, "f32", order="kn", start="operand")
    yield few_rows("few_rows_16", 16, 168, 24, "bf16", order="kn", start=1.5)
    yield few_rows("few_rows_f16", 5, 72, 17, "f16", result="f16", start="operand")
    yield few_rows("few_rows_heads", 7, 24, 21, "f16", heads=8)
    yield few_rows("few_rows_joined_heads", 7, 24, 21, "f32", heads=3, start=-0.5)
    yield normed("norm_of_few_rows", 3, 192, 72, "f16")
    yield normed("norm_of_1_row", 1, 76, 40, "f32", bias=False)
    yield rotation("half_64", 2, 37, 3, 64, 24, "f16", half)
    yield rotation("half_32", 1, 35, 3, 32, 20, "f16", half)
    yield rotation("half_80", 2, 19, 2, 80, 16, "f16", half)
    yield rotation("half_128", 1, 70, 2, 128, 16, "f16", half)
    yield rotation("half_f32", 2, 21, 2, 64, 12, "f32", half)
    yield rotation("half_96_f32", 1, 33, 1, 96, 12, "f32", half)
    yield rotation("pairs_64", 2, 37, 2, 64, 24, "f16", pairs)
    yield rotation("pairs_24", 1, 17, 3, 24, 24, "f32", pairs)
    yield rotation("partial_64", 1, 37, 2, 64, 24, "f16", partial)
    yield rotation("half_dynamic", 1, 29, 3, 64, 24, "f16", half, dynamic=(29,))
    yield rotation("norm_half_64", 2, 21, 2, 64, 24, "f16", half, norm=True)
    yield rotation("norm_pairs_80", 1, 35, 2, 80, 16, "f32", pairs, norm=True)
    yield rotated_part("rotated_16_of_64", 2, 37, 2, 64, 16, 24, "f16")
    yield rotated_part("rotated_32_of_80_f32", 1, 21, 2, 80, 32, 12, "f32")
    yield rotated_part("rotated_32_of_96_and_values", 1, 35, 2, 96, 32, 16, "f16", values=True)
    yield rotated_part("rotated_128_and_values", 1, 70, 2, 128, 128, 16, "f16", values=True)
    yield rotated_part("rotated_128_and_values_f32", 2, 19, 1, 128, 128, 12, "f32", values=True)
    yield copied_weight("copied_weight", 3, 37, 24, 40, "f16")
    yield copied_weight("copied_weight_f32", 2, 21, 20, 33, "f32")
    yield copied_weight("copied_weight_dynamic", 3, 37, 24, 40, "f16", dynamic=(37,))
    yield permutation("permutation", 39, 48, 20)
    yield bands("bands", 1100, 2150)
    yield gated("gated_silu", 70, 40, 66, "f16")
    yield gated("gated_gelu", 33, 29, 71, "f32", kind="gelu", orders=("nk", "kn"))
    yield gated("gated_bias", 65, 33, 64, "f16", bias=True, orders=("kn", "kn"))
    yield gated("gated_two_inputs", 37, 24, 40, "f16", inputs=2)
    yield gated("gated_three", 37, 24, 72, "f16", products=3)
    yield gated("gated_dynamic", 37, 24, 40, "f32", dynamic=(37,))
    yield normed("norm_48", 37, 20, 48, "f16")
    yield normed("norm_96", 35, 20, 96, "f32", residual=False)
    yield normed("norm_200", 33, 16, 200, "f16")
    yield normed("norm_200_f32", 17, 16, 200, "f32", bias=False)
    yield normed("norm_dynamic", 35, 16, 80, "f16", dynamic=(35,))
    yield normed("norm_560", 18, 8, 560, "f16", residual=False, bias=False)
    yield softmax("router_8", 37, 24, 8, "f16")
    yield softmax("router_45", 21, 24, 45, "f32")
    yield of_functions("of_power", "f32", ["%e = math.exp %a : f32", "%p = arith.mulf %e, %b : f32"], lambda a, b: math.exp(a) * b)
    yield of_functions("of_magnitude", "f16", [
        "%x = arith.extf %a : f16 to f32", "%y = arith.extf %b : f16 to f32", "%m = math.absf %x : f32",
        "%p = arith.mulf %m, %y : f32"], lambda a, b: abs(a) * b)
    yield of_functions("of_negative", "f32", ["%m = arith.mulf %b, %a : f32", "%p = arith.negf %m : f32"], lambda a, b: -a * b)

"""Small functions of linalg operations that share kernels, with inputs and float64 results.

Each says how many kernels it takes. Sizes are odd, so that tiles stick out.
"""

import itertools
import math
import random
import struct

import safetensors_io

PACK = {"f16": "e", "f32": "f", "f64": "d"}
KINDS = {"p": '"parallel"', "r": '"reduction"'}


def rounded(value, dtype):
    if dtype == "bf16":
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        return struct.unpack("<f", struct.pack("<I", (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000))[0]
    return struct.unpack("<" + PACK[dtype], struct.pack("<" + PACK[dtype], value))[0] if dtype in PACK else value


class Array:
    """A tensor of Python numbers."""

    def __init__(self, shape, values):
        self.shape, self.values = tuple(shape), list(values)

    def __getitem__(self, place):
        number = 0
        for size, at in zip(self.shape, place):
            number = number * size + at
        return self.values[number]

    def rows(self):
        """The rows of a matrix, as lists."""
        width = self.shape[1]
        return [self.values[begin: begin + width] for begin in range(0, len(self.values), width)]

    def columns(self):
        """The columns of a matrix, as lists."""
        return [self.values[number:: self.shape[1]] for number in range(self.shape[1])]

    @staticmethod
    def of(shape, function):
        return Array(shape, [function(*place) for place in itertools.product(*map(range, shape))])


class Function:
    """Builds a function; `dynamic` are the sizes that its types leave open, or all but 1, `scheme` the bits of one."""

    def __init__(self, name, kernels, dynamic=False):
        self.name, self.kernels, self.dynamic = name, kernels, dynamic
        self.scheme = None
        self.random = random.Random(name)
        self.arguments, self.lines, self.types, self.results = [], [], {}, []

    def is_open(self, size):
        return size in self.dynamic if isinstance(self.dynamic, (set, tuple)) else self.dynamic and size != 1

    def type(self, shape, dtype):
        sizes = ["?" if self.is_open(size) else str(size) for size in shape]
        return "tensor<" + "".join(size + "x" for size in sizes) + dtype + ">"

    def argument(self, dtype, *shape, values=None):
        count = math.prod(shape)
        values = values if values is not None else [rounded(self.random.uniform(-2, 2), dtype) for _ in range(count)]
        name = f"%arg{len(self.arguments)}"
        self.arguments.append((dtype, shape, values))
        self.types[name] = (shape, dtype)
        return name, Array(shape, values)

    def name_value(self, shape, dtype):
        name = f"%v{len(self.types)}"
        self.types[name] = (tuple(shape), dtype)
        return name

    def empty(self, shape, dtype):
        name = f"%e{len(self.lines)}"
        sizes = []
        for size in shape:
            if self.is_open(size):
                sizes.append(self.size(size))
        self.lines.append(f"{name} = tensor.empty({', '.join(sizes)}) : {self.type(shape, dtype)}")
        return name

    def size(self, size):
        """Where a dynamic size is found among the arguments."""
        for number, (_, shape, _) in enumerate(self.arguments):
            if size in shape:
                name = f"%d{len(self.lines)}"
                self.lines.append(f"{name}c = arith.constant {shape.index(size)} : index")
                self.lines.append(f"{name} = tensor.dim %arg{number}, {name}c : {self.type(*self.types[f'%arg{number}'])}")
                return name
        raise ValueError(size)

    def generic(self, ins, out, dtype, body, start=None, dims=None):
        """`ins` are (value, subscripts), `out` the result's subscripts, `dims` the sizes of all loops.

        `body` yields %r of the elements %a, %b, ... and, where it reduces from `start`, %o; without one, it is a copy.
        """
        letters = sorted(dims)
        shape = [dims[letter] if letter in dims else 1 for letter in out]
        init = self.empty(shape, dtype)
        if start is not None:
            self.lines.append(f"{init}c = arith.constant {start} : {dtype}")
            self.lines.append(f"{init}f = linalg.fill ins({init}c : {dtype}) outs({init} : {self.type(shape, dtype)}) -> {self.type(shape, dtype)}")
            init += "f"

        def subscript(text):
            return f"affine_map<({', '.join(letters)}) -> ({', '.join('0' if x == '1' else x for x in text)})>"
        maps = ", ".join(subscript(text) for text in [text for _, text in ins] + [out])
        kinds = ", ".join(KINDS["p" if letter in out else "r"] for letter in letters)
        result = self.name_value(shape, dtype)
        names = ", ".join(value for value, _ in ins)
        types = ", ".join(self.type(*self.types[value]) for value, _ in ins)
        elements = [f"%{'abcdefgh'[i]}: {self.types[value][1]}" for i, (value, _) in enumerate(ins)]
        taken = f"ins({names} : {types}) " if ins else ""
        self.lines.append(
            f"{result} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {taken}"
            f"outs({init} : {self.type(shape, dtype)}) {{\n  ^bb0({', '.join(elements + [f'%o: {dtype}'])}):\n    "
            + "\n    ".join(body) + f"\n    linalg.yield {'%r' if body else '%a'} : {dtype}\n  }} -> {self.type(shape, dtype)}")
        return result

    def matmul(self, lhs, rhs, dtype, lhs_map="mk", rhs_map="kn", out="mn", start=None):
        """The matmul, added to the value `start` if there is one."""
        sizes = dict(zip(lhs_map + rhs_map, self.types[lhs][0] + self.types[rhs][0]))
        shape = [sizes[letter] for letter in out]
        kind = self.type(shape, dtype)
        if not start:
            init = self.empty(shape, dtype)
            start = f"{init}f"
            self.lines.append(f"{init}c = arith.constant 0.0 : {dtype}")
            self.lines.append(f"{start} = linalg.fill ins({init}c : {dtype}) outs({init} : {kind}) -> {kind}")
        letters = ", ".join(sorted(sizes))
        maps = ", ".join(f"affine_map<({letters}) -> ({', '.join(text)})>" for text in (lhs_map, rhs_map, out))
        result = self.name_value(shape, dtype)
        self.lines.append(f"{result} = linalg.contract indexing_maps = [{maps}] ins({lhs}, {rhs} : {self.type(*self.types[lhs])}, "
                          f"{self.type(*self.types[rhs])}) outs({start} : {kind}) -> {kind}")
        return result

    def reshape(self, value, kind, groups, *shape):
        old, dtype = self.types[value]
        result = self.name_value(shape, dtype)
        sizes = [self.size(size) if self.is_open(size) else str(size) for size in shape] if kind == "expand" else []
        sizes = f" output_shape [{', '.join(sizes)}]" if sizes else ""
        self.lines.append(f"{result} = tensor.{kind}_shape {value} {groups}{sizes} : {self.type(old, dtype)} into {self.type(shape, dtype)}")
        return result

    def give(self, value, golden):
        self.results.append((value, golden))

    def write(self, model, inputs, golden):
        types = [self.type(*self.types[value]) for value, _ in self.results]
        arguments = ", ".join(f"%arg{i}: {self.type(shape, dtype)}" for i, (dtype, shape, _) in enumerate(self.arguments))
        attributes = f' attributes {{stof.scheme = #stof.scheme<"{self.scheme}">}}' if self.scheme else ""
        with open(model, "w", encoding="ascii") as file:
            file.write(f"func.func @{self.name}({arguments}) -> ({', '.join(types)}){attributes} {{\n  " + "\n  ".join(self.lines)
                       + f"\n  return {', '.join(value for value, _ in self.results)} : {', '.join(types)}\n}}\n")
        safetensors_io.write(inputs, {f"arg{i}": what for i, what in enumerate(self.arguments)})
        safetensors_io.write(golden, {f"result{i}": ("f64", array.shape, array.values)
                                      for i, (_, array) in enumerate(self.results)})


def layer_norm(name, rows, columns, dtype, statistics="f32", dynamic=False, kernels=1, residual=True):
    """y = x + z, and the norm of y; mean and variance in `statistics`."""
    f = Function(name, kernels, dynamic=dynamic)
    x, xs = f.argument(dtype, *rows, columns)
    z, zs = f.argument(dtype, *rows, columns)
    g, gs = f.argument(dtype, columns)
    letters = "ijk"[: len(rows)]
    dims = dict(zip(letters, rows)) | {"z": columns}
    full, row = letters + "z", letters + "1"
    y = f.generic([(x, full), (z, full)], full, dtype, [f"%r = arith.addf %a, %b : {dtype}"], dims=dims)
    w = f.generic([(y, full)], full, statistics, [f"%r = arith.extf %a : {dtype} to {statistics}"] if dtype != statistics
                  else [f"%r = math.absf %a : {dtype}"], dims=dims)
    total = f.generic([(w, full)], row, statistics, [f"%r = arith.addf %a, %o : {statistics}"], start="0.0", dims=dims)
    length = [f"%n = arith.constant {float(columns)} : {statistics}"]
    squares = f.generic([(w, full), (total, row)], row, statistics, length + [
        f"%m = arith.divf %b, %n : {statistics}", f"%d = arith.subf %a, %m : {statistics}",
        f"%s = arith.mulf %d, %d : {statistics}", f"%r = arith.addf %s, %o : {statistics}"], start="0.0", dims=dims)
    # Devices have no f64 root.
    root = [f"%r = math.rsqrt %v : {statistics}"] if statistics != "f64" else [
        "%vn = arith.truncf %v : f64 to f32", "%q = math.rsqrt %vn : f32", "%r = arith.extf %q : f32 to f64"]
    scale = f.generic([(squares, row)], row, statistics, length + [
        f"%m = arith.divf %a, %n : {statistics}", f"%e = arith.constant 1.0e-5 : {statistics}",
        f"%v = arith.addf %m, %e : {statistics}"] + root, dims=dict(zip(letters, rows)))
    last = [f"%q = arith.addf %u, %u : {statistics}", f"%r = arith.truncf %q : {statistics} to {dtype}"] if dtype != statistics \
        else [f"%r = arith.addf %u, %u : {statistics}"]
    widen = [f"%dw = arith.extf %d : {dtype} to {statistics}"] if dtype != statistics else [f"%dw = math.absf %d : {statistics}"]
    out = f.generic([(w, full), (total, row), (scale, row), (g, "z")], full, dtype, length + widen + [
        f"%m = arith.divf %b, %n : {statistics}", f"%t = arith.subf %a, %m : {statistics}",
        f"%s = arith.mulf %t, %c : {statistics}", f"%u = arith.mulf %s, %dw : {statistics}"] + last, dims=dims)

    sums = Array.of(xs.shape, lambda *p: rounded(xs[p] + zs[p], dtype))
    exact = Array.of(xs.shape, lambda *p: sums[p] if dtype != statistics else abs(sums[p]))
    golden = {}
    for place in itertools.product(*map(range, rows)):
        values = [exact[place + (c,)] for c in range(columns)]
        mean = sum(values) / columns
        variance = sum((v - mean) ** 2 for v in values) / columns
        for c, v in enumerate(values):
            factor = gs[(c,)] if dtype != statistics else abs(gs[(c,)])
            golden[place + (c,)] = 2 * (v - mean) / math.sqrt(variance + 1e-5) * factor
    if residual:
        f.give(y, sums)
    f.give(out, Array.of(xs.shape, lambda *p: golden[p]))
    return f


def softmax(name, shape, logarithm=False, dynamic=False):
    f = Function(name, 1, dynamic=dynamic)
    x, xs = f.argument("f32", *shape)
    dims = {"i": shape[0], "z": shape[1]}
    most = f.generic([(x, "iz")], "i", "f32", ["%r = arith.maximumf %a, %o : f32"], start="0xFF800000", dims=dims)
    power = f.generic([(x, "iz"), (most, "i")], "iz", "f32", ["%d = arith.subf %a, %b : f32", "%r = math.exp %d : f32"], dims=dims)
    total = f.generic([(power, "iz")], "i", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=dims)
    if logarithm:
        out = f.generic([(x, "iz"), (most, "i"), (total, "i")], "iz", "f32", [
            "%d = arith.subf %a, %b : f32", "%l = math.log %c : f32", "%r = arith.subf %d, %l : f32"], dims=dims)
    else:
        out = f.generic([(power, "iz"), (total, "i")], "iz", "f32", ["%r = arith.divf %a, %b : f32"], dims=dims)

    def element(i, c):
        row = [xs[(i, j)] for j in range(shape[1])]
        total = sum(math.exp(v - max(row)) for v in row)
        return row[c] - max(row) - math.log(total) if logarithm else math.exp(row[c] - max(row)) / total
    f.give(out, Array.of(shape, element))
    return f


def elements():
    """Broadcasts, a transpose, integers and two results in different orders."""
    f = Function("elements", 1)
    x, xs = f.argument("f32", 5, 7)
    t, ts = f.argument("f32", 7, 5)
    b, bs = f.argument("f16", 7)
    n, ns = f.argument("i32", 5, 7, values=[3 - i % 11 for i in range(35)])
    d, ds = f.argument("i32", 5, values=[1, 2, 3, -2, 5])
    dims = {"i": 5, "j": 7}
    s = f.generic([(x, "ij"), (t, "ji"), (b, "j")], "ij", "f32", [
        "%w = arith.extf %c : f16 to f32", "%p = arith.mulf %a, %b : f32", "%r = arith.addf %p, %w : f32"], dims=dims)
    q = f.generic([(n, "ij"), (d, "i")], "ij", "i32", ["%r = arith.divsi %a, %b : i32"], dims=dims)
    u = f.generic([(s, "ij"), (q, "ij")], "ij", "f32", [
        "%k = linalg.index 0 : index", "%l = arith.index_cast %k : index to i32", "%m = arith.addi %b, %l : i32",
        "%w = arith.sitofp %m : i32 to f32", "%r = arith.mulf %a, %w : f32"], dims=dims)
    v = f.generic([(s, "ij"), (u, "ij")], "ji", "f32", ["%r = arith.subf %b, %a : f32"], dims=dims)
    first = Array.of((5, 7), lambda i, j: xs[(i, j)] * ts[(j, i)] + bs[(j,)])
    second = Array.of((5, 7), lambda i, j: first[(i, j)] * (int(ns[(i, j)] / ds[(i,)]) + i))
    f.give(u, second)
    f.give(v, Array.of((7, 5), lambda j, i: second[(i, j)] - first[(i, j)]))
    return f


def embedding():
    """Rows of a table and what normalises them; rows that no token names are NaN."""
    f = Function("embedding", 1)
    tokens = [1, 4, 4, 6, 1, 3]
    values = [rounded(math.sin(i), "f32") if i // 37 in tokens else math.nan for i in range(9 * 37)]
    ids, _ = f.argument("i64", 2, 3, values=tokens)
    table, rows = f.argument("f32", 9, 37, values=values)
    dims = {"i": 2, "j": 3, "z": 37}
    x = f.generic([(ids, "ij")], "ijz", "f32", [
        "%k = arith.index_cast %a : i64 to index", "%l = linalg.index 2 : index",
        f"%r = tensor.extract {table}[%k, %l] : tensor<9x37xf32>"], dims=dims)
    s = f.generic([(x, "ijz")], "ij", "f32", ["%p = arith.mulf %a, %a : f32", "%r = arith.addf %p, %o : f32"], start="0.0", dims=dims)
    y = f.generic([(x, "ijz"), (s, "ij")], "ijz", "f32", ["%q = math.rsqrt %b : f32", "%r = arith.mulf %a, %q : f32"], dims=dims)

    def element(i, j, c):
        row = [rows[(tokens[3 * i + j], k)] for k in range(37)]
        return row[c] / math.sqrt(sum(v * v for v in row))
    f.give(y, Array.of((2, 3, 37), element))
    return f


def columns():
    """A sum along the slow dimension and what is made of it."""
    f = Function("columns", 1)
    x, xs = f.argument("f32", 13, 7)
    dims = {"i": 7, "z": 13}
    s = f.generic([(x, "zi")], "i", "f32", ["%r = arith.addf %a, %o : f32"], start="1.0", dims=dims)
    y = f.generic([(x, "zi"), (s, "i")], "zi", "f32", ["%r = arith.subf %a, %b : f32"], dims=dims)
    sums = [1 + sum(xs[(k, i)] for k in range(13)) for i in range(7)]
    f.give(s, Array((7,), sums))
    f.give(y, Array.of((13, 7), lambda k, i: xs[(k, i)] - sums[i]))
    return f


def nothing():
    """The maximum of no elements is what it begins with."""
    f = Function("nothing", 1)
    x, _ = f.argument("f32", 3, 0)
    y, ys = f.argument("f32", 3)
    s = f.generic([(x, "iz")], "i", "f32", ["%r = arith.maximumf %a, %o : f32"], start="-1.5", dims={"i": 3, "z": 0})
    t = f.generic([(s, "i"), (y, "i")], "i", "f32", ["%r = arith.mulf %a, %b : f32"], dims={"i": 3})
    f.give(t, Array((3,), [-1.5 * ys[(i,)] for i in range(3)]))
    return f


def positions():
    """The largest and the smallest of numbers of type index, and where they begin."""
    f = Function("positions", 1)
    n, ns = f.argument("i32", 5, 41, values=[i * 37 % 101 - 120 + 100 * (i // 100) for i in range(5 * 41)])
    x, xs = f.argument("f32", 5)
    for operation, start, exact in (("maxsi", -95, max), ("minsi", 3, min)):
        s = f.generic([(n, "iz")], "i", "index", ["%k = arith.index_cast %a : i32 to index", f"%r = arith.{operation} %k, %o : index"],
                      start=start, dims={"i": 5, "z": 41})
        f.give(f.generic([(s, "i"), (x, "i")], "i", "f32", [
            "%k = arith.index_cast %a : index to i32", "%w = arith.sitofp %k : i32 to f32", "%r = arith.mulf %w, %b : f32"], dims={"i": 5}),
               Array((5,), [exact(start, *(ns[(i, j)] for j in range(41))) * xs[(i,)] for i in range(5)]))
    return f


def planes():
    """A sum along two dimensions that others lie between, down to one number in the end."""
    f = Function("planes", 2)
    x, xs = f.argument("f32", 5, 3, 6)
    s = f.generic([(x, "yiz")], "i", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims={"i": 3, "y": 5, "z": 6})
    t = f.generic([(s, "i")], "", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims={"i": 3})
    sums = [sum(xs[(a, i, b)] for a in range(5) for b in range(6)) for i in range(3)]
    f.give(s, Array((3,), sums))
    f.give(t, Array((), [sum(sums)]))
    return f


def linear(name, m, k, n, dtype, heads=None, rows=None):
    """x w + b, its gate, and a residual; with heads, the result is split and transposed."""
    f = Function(name, 1)
    x, xs = f.argument(dtype, m, k)
    w, ws = f.argument(dtype, n, k)
    b, bs = f.argument("f32", n)
    z, zs = f.argument(dtype, *((rows, m // rows, n) if rows else (m, n)))
    p = f.matmul(x, w, "f32", rhs_map="nk")
    dims = {"i": m, "j": n}
    q = f.generic([(p, "ij"), (b, "j")], "ij", "f32", ["%r = arith.addf %a, %b : f32"], dims=dims)
    g = f.generic([(q, "ij")], "ij", "f32", ["%m = arith.negf %a : f32", "%x = math.exp %m : f32", "%c = arith.constant 1.0 : f32",
                                             "%d = arith.addf %x, %c : f32", "%r = arith.divf %a, %d : f32"], dims=dims)
    exact = Array.of((m, n), lambda i, j: sum(xs[(i, c)] * ws[(j, c)] for c in range(k)) + bs[(j,)])
    gated = Array.of((m, n), lambda i, j: exact[(i, j)] / (1 + math.exp(-exact[(i, j)])))
    f.give(q, exact)
    sum_of = ([f"%w = arith.extf %b : {dtype} to f32"] if dtype != "f32" else ["%w = math.absf %b : f32"]) + ["%r = arith.addf %a, %w : f32"]
    added = (lambda v: v) if dtype != "f32" else abs
    if not rows:
        f.give(f.generic([(g, "ij"), (z, "ij")], "ij", "f32", sum_of, dims=dims),
               Array.of((m, n), lambda i, j: gated[(i, j)] + added(zs[(i, j)])))
        return f
    length, width = m // rows, n // heads
    e = f.reshape(g, "expand", "[[0, 1], [2]]", rows, length, n)
    s = f.generic([(e, "ijk"), (z, "ijk")], "ijk", "f32", sum_of, dims={"i": rows, "j": length, "k": n})
    h = f.reshape(s, "expand", "[[0], [1], [2, 3]]", rows, length, heads, width)
    t = f.generic([(h, "bshd")], "bhsd", "f32", ["%r = arith.negf %a : f32"], dims={"b": rows, "s": length, "h": heads, "d": width})
    f.give(t, Array.of((rows, heads, length, width), lambda i, h, j, d: -gated[(i * length + j, h * width + d)]
                       - added(zs[(i, j, h * width + d)])))
    return f


def joined_heads(name, batch, heads, length, width, n):
    """Heads side by side, multiplied as f32 although both operands are f16."""
    f = Function(name, 1)
    x, xs = f.argument("f16", batch, heads, length, width)
    w, ws = f.argument("f16", n, heads * width)
    shape, wide = (batch, length, heads, width), heads * width
    init = f.empty(shape, "f16")
    t = f.name_value(shape, "f16")
    f.lines.append(f"{t} = linalg.transpose ins({x} : {f.type(*f.types[x])}) outs({init} : {f.type(shape, 'f16')}) "
                   "permutation = [0, 2, 1, 3]")
    c = f.reshape(t, "collapse", "[[0, 1], [2, 3]]", batch * length, wide)
    a = f.generic([(c, "ij")], "ij", "f32", ["%r = arith.extf %a : f16 to f32"], dims={"i": batch * length, "j": wide})
    b = f.generic([(w, "ij")], "ij", "f32", ["%r = arith.extf %a : f16 to f32"], dims={"i": n, "j": wide})
    p = f.matmul(a, b, "f32", rhs_map="nk")
    f.give(f.generic([(p, "ij")], "ij", "f32", ["%r = arith.negf %a : f32"], dims={"i": batch * length, "j": n}),
           Array.of((batch * length, n), lambda i, j: -sum(
               xs[(i // length, h, i % length, d)] * ws[(j, h * width + d)] for h in range(heads) for d in range(width))))
    return f


def cases():
    yield layer_norm("norm_odd", (3, 5), 67, "f32")
    yield layer_norm("norm_short", (11,), 5, "f16")
    yield layer_norm("norm_unit", (2, 3), 1, "f16")
    yield layer_norm("norm_bf16", (3,), 130, "bf16")
    yield layer_norm("norm_double", (2, 2), 77, "f16", statistics="f64", residual=False)
    yield layer_norm("norm_warps", (2,), 1537, "f32")
    yield layer_norm("norm_walk", (2,), 9001, "f16")
    yield layer_norm("norm_dynamic", (3, 7), 61, "f32", dynamic=True)
    yield softmax("softmax_odd", (6, 45))
    yield softmax("softmax_dynamic", (3, 301), dynamic=True)
    yield softmax("log_softmax", (5, 33), logarithm=True)
    yield elements()
    yield embedding()
    yield columns()
    yield nothing()
    yield positions()
    yield planes()
    yield linear("linear_odd", 33, 29, 71, "f32")
    yield linear("linear_half", 70, 40, 66, "f16")
    yield linear("linear_bf16", 65, 33, 64, "bf16")
    yield linear("linear_heads", 26, 24, 35, "f16", heads=5, rows=2)
    yield joined_heads("joined_heads", 2, 3, 61, 30, 19)
    yield linear("linear_heads_wide", 130, 20, 136, "f32", heads=2, rows=1)

"""What front ends leave in forms of their own: padding, sorts, complex numbers, floats of 8 bits, globals; with exact results.

A case has the text of its model and the tensors that go in and come out.
"""

import cmath
import functools
import itertools
import math
import random
import struct

import safetensors_io
from float8 import decode, encode

INFINITY, NAN = math.inf, math.nan


class Case:
    kernels = None

    def __init__(self, name, text, arguments, results, tolerance=1e-6):
        self.name, self.text, self.tolerance = name, text, tolerance
        self.arguments, self.results = arguments, results

    def write(self, model, inputs, golden):
        with open(model, "w", encoding="ascii") as file:
            file.write(self.text)
        safetensors_io.write(inputs, {f"arg{i}": what for i, what in enumerate(self.arguments)})
        safetensors_io.write(golden, {f"result{i}": what for i, what in enumerate(self.results)})


def tensor(shape, dtype):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


# Sorts.

def index_of(shape, place):
    flat = 0
    for size, at in zip(shape, place):
        flat = flat * size + at
    return flat


def rows_of(shape, dim):
    """The flat indices of the elements of each row along a dimension."""
    others = [range(size) if d != dim else (0,) for d, size in enumerate(shape)]
    for place in itertools.product(*others):
        yield [index_of(shape, (*place[:dim], at, *place[dim + 1:])) for at in range(shape[dim])]


def sort_text(shapes, dtypes, dim, region, used=None):
    """A function that sorts its arguments together; `shapes` as written in types and as they are. With `used`, only
    so many elements of each row are results."""
    written, actual = shapes
    types = [tensor(written, dtype) for dtype in dtypes]
    names = [f"%arg{i}" for i in range(len(dtypes))]
    pairs = ", ".join(f"%{letter}{side}: {dtype}" for letter, dtype in zip("abc", dtypes) for side in "01")
    lines = [f'%y:{len(dtypes)} = "tm_tensor.sort"({", ".join(names)}) <{{dimension = {dim} : i64, '
             f'operandSegmentSizes = array<i32: 0, {len(dtypes)}>}}> ({{', f"^bb0({pairs}):", *region,
             f'"tm_tensor.yield"(%r) : (i1) -> ()', f'}}) : ({", ".join(types)}) -> ({", ".join(types)})']
    results = [f"%y#{i}" for i in range(len(dtypes))]
    if used is not None:
        sizes = [used if d == dim else size for d, size in enumerate(actual)]
        for i, (dtype, whole) in enumerate(zip(dtypes, types)):
            part = tensor(sizes, dtype)
            lines.append(f"%s{i} = tensor.extract_slice %y#{i}{[0] * len(sizes)} {sizes} {[1] * len(sizes)} : {whole} to {part}")
            types[i], results[i] = part, f"%s{i}"
    arguments = ", ".join(f"%arg{i}: {tensor(written, dtype)}" for i, dtype in enumerate(dtypes))
    body = "\n  ".join([*lines, f"return {', '.join(results)} : {', '.join(types)}"])
    return f"func.func @main({arguments}) -> ({', '.join(types)}) {{\n  {body}\n}}\n"


def sort_case(name, shape, dim, dtypes, columns, region, order, used=None, written=None):
    """`order` tells of two rows of elements whether the first has to come before the second."""
    count = shape[dim] if used is None else used
    sizes = [count if d == dim else size for d, size in enumerate(shape)]
    results = [[0] * math.prod(sizes) for _ in dtypes]
    compare = functools.cmp_to_key(lambda a, b: -1 if order(a, b) else 1 if order(b, a) else 0)
    for source, target in zip(rows_of(shape, dim), rows_of(sizes, dim)):
        ordered = sorted(source, key=lambda at: compare([column[at] for column in columns]))
        for to, at in zip(target, ordered):
            for column, result in zip(columns, results):
                result[to] = column[at]
    text = sort_text((written or shape, shape), dtypes, dim, region, used)
    return Case(name, text, [(dtype, shape, column) for dtype, column in zip(dtypes, columns)],
                [(dtype, sizes, result) for dtype, result in zip(dtypes, results)], 0)


def before(greater):
    """NaN is the greatest; equal elements are not before each other."""
    def order(a, b):
        x, y = (b[0], a[0]) if greater else (a[0], b[0])
        return not math.isnan(x) and (math.isnan(y) or x < y)
    return order


def float_sorts():
    draw = random.Random(5)
    few = [0.0, 1.0, -1.0, 2.5, INFINITY, -INFINITY, NAN]

    def positions(shape, dim):
        places = itertools.product(*(range(size) for size in shape))
        return [place[dim] for place in places]

    def columns(shape, dim, some):
        values = [draw.choice(few) if some else float(draw.randrange(-2000, 2000)) for _ in range(math.prod(shape))]
        return [values, positions(shape, dim)]
    for number, (shape, dim, predicate, dtype, used) in enumerate([
            ((5, 1), 1, "oge", "f32", None), ((3, 2), 0, "olt", "f32", None), ((4, 7), 1, "oge", "f32", None),
            ((4, 60), 1, "ogt", "f16", 6), ((2, 9, 5), 1, "ole", "bf16", None), ((60,), 0, "oge", "f32", 1),
            ((3, 128), 1, "oge", "f32", 8), ((2, 512), 1, "olt", "f32", None), ((2, 513), 1, "ole", "f32", None),
            ((3, 700), 1, "oge", "f32", None), ((700, 3), 0, "oge", "f32", 5), ((2, 1024), 1, "ult", "f32", None),
            ((1, 3333), 1, "oge", "f32", 50), ((1, 3333), 1, "ole", "f32", 1500), ((2, 2, 1281), 2, "oge", "f32", 300)]):
        for some in (True, False):
            region = [f"%r = arith.cmpf {predicate}, %a0, %a1 : {dtype}"]
            yield sort_case(f"sort_{number}_{'few' if some else 'many'}", shape, dim, [dtype, "i64"], columns(shape, dim, some), region,
                            before("g" in predicate), used)
    swapped = ["%r = arith.cmpf ogt, %a1, %a0 : f32"]
    yield sort_case("sort_swapped", (2, 40), 1, ["f32", "i64"], columns((2, 40), 1, True), swapped, before(False))
    for written, shape, dim, used in ((("?", 20), (7, 20), 1, 3), (("?", "?"), (3, 600), 1, None), (("?", 4), (9, 4), 0, 2),
                                      (("?", 700), (2, 700), 1, None)):
        yield sort_case(f"sort_open_{len(str(written))}_{dim}_{shape[1]}", shape, dim, ["f32", "i64"], columns(shape, dim, False),
                        ["%r = arith.cmpf oge, %a0, %a1 : f32"], before(True), used, written)


def other_sorts():
    draw = random.Random(6)
    for shape in ((3, 50), (2, 600)):
        count = math.prod(shape)
        integers = [draw.randrange(-9, 9) for _ in range(count)]
        yield sort_case(f"sort_integers_{shape[1]}", shape, 1, ["i64", "i64"], [integers, list(range(count))],
                        ["%r = arith.cmpi sge, %a0, %a1 : i64"], lambda a, b: a[0] > b[0])
        # By one tensor, then by another; a third goes with them.
        numbers = [float(draw.randrange(4)) for _ in range(count)]
        region = ["%l = arith.cmpi slt, %a0, %a1 : i64", "%e = arith.cmpi eq, %a0, %a1 : i64",
                  "%f = arith.cmpf ogt, %b0, %b1 : f32", "%both = arith.andi %e, %f : i1", "%r = arith.ori %l, %both : i1"]
        yield sort_case(f"sort_pairs_{shape[1]}", shape, 1, ["i64", "f32", "i64"], [integers, numbers, list(range(count))],
                        region, lambda a, b: a[0] < b[0] or a[0] == b[0] and a[1] > b[1])
        # What may come first in both directions, or in none, stays where it is.
        for name, constant in (("all", "true"), ("none", "false")):
            yield sort_case(f"sort_{name}_{shape[1]}", shape, 1, ["i64", "i64"], [integers, list(range(count))],
                            ["%n = arith.cmpi eq, %a0, %a1 : i64", f"%t = arith.constant {constant}",
                             f"%r = arith.{'ori' if constant == 'true' else 'andi'} %n, %t : i1"], lambda a, b: False)
    # No order at all: places keep what ranks say, and nothing else is read.
    circle = [draw.randrange(3) for _ in range(30)]

    def wins(a, b):
        return (a + 1) % 3 == b
    ranks = [sum(not wins(x, circle[j]) if j < i else wins(circle[j], x) for j in range(30)) for i, x in enumerate(circle)]
    sources = [max([i for i, rank in enumerate(ranks) if rank == place], default=0) for place in range(30)]
    region = ["%one = arith.constant 1 : i64", "%three = arith.constant 3 : i64", "%n = arith.addi %a0, %one : i64",
              "%big = arith.cmpi sge, %n, %three : i64", "%less = arith.subi %n, %three : i64",
              "%m = arith.select %big, %less, %n : i64", "%r = arith.cmpi eq, %m, %a1 : i64"]
    yield Case("sort_no_order", sort_text(((30,), (30,)), ["i64"], 0, region), [("i64", (30,), circle)],
               [("i64", (30,), [circle[at] for at in sources])], 0)


# Complex numbers.

PAIR = "affine_map<(i, j) -> (i, j)>"
TRIPLE = "affine_map<(i, j, k) -> (i, j, k)>"


class Complex:
    """A function on pairs of parts."""

    def __init__(self, name, rows, columns, written=None):
        self.name, self.rows, self.columns = name, rows, columns
        self.shape = written or (rows, columns)
        self.arguments, self.lines, self.count = [], ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index"], 0
        self.draw = random.Random(7)
        if "?" in self.shape:
            self.lines.append(f"%rows = tensor.dim %arg0, %c0 : {tensor((*self.shape, 2), 'f32')}")

    def next(self):
        self.count += 1
        return f"%v{self.count}"

    def empty(self, shape, dtype):
        value = self.next()
        open_size = "%rows" if shape[0] == "?" else ""
        self.lines.append(f"{value} = tensor.empty({open_size}) : {tensor(shape, dtype)}")
        return value

    def argument(self, shape=None):
        """A complex tensor that is given as pairs, and its numbers."""
        rows, columns = shape or (self.rows, self.columns)
        written = shape or self.shape
        values = [single(self.draw.uniform(-3, 3)) for _ in range(rows * columns * 2)]
        name = f"%arg{len(self.arguments)}"
        self.arguments.append((written, ("f32", (rows, columns, 2), values)))
        init, value = self.empty(written, "complex<f32>"), self.next()
        self.lines.append(f"""{value} = linalg.generic {{indexing_maps = [{PAIR}], iterator_types = ["parallel", "parallel"]}}
      outs({init} : {tensor(written, "complex<f32>")}) {{
  ^bb0(%o: complex<f32>):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = tensor.extract {name}[%i, %j, %c0] : {tensor((*written, 2), "f32")}
    %y = tensor.extract {name}[%i, %j, %c1] : {tensor((*written, 2), "f32")}
    %z = complex.create %x, %y : complex<f32>
    linalg.yield %z : complex<f32>
  }} -> {tensor(written, "complex<f32>")}""")
        return value, [complex(*values[at:at + 2]) for at in range(0, len(values), 2)]

    def compute(self, inputs, body, dtype="complex<f32>"):
        """What `body` makes of the complex %a, %b, ...: %r."""
        init, value = self.empty(self.shape, dtype), self.next()
        letters = [f"%{letter}: complex<f32>" for letter in "abc"[: len(inputs)]]
        types = ", ".join([tensor(self.shape, "complex<f32>")] * len(inputs))
        self.lines.append(f"""{value} = linalg.generic {{indexing_maps = [{", ".join([PAIR] * (len(inputs) + 1))}],
      iterator_types = ["parallel", "parallel"]}} ins({", ".join(inputs)} : {types}) outs({init} : {tensor(self.shape, dtype)}) {{
  ^bb0({", ".join(letters)}, %o: {dtype}):
    {chr(10).join(body)}
    linalg.yield %r : {dtype}
  }} -> {tensor(self.shape, dtype)}""")
        return value

    def pairs(self, value, shape=None):
        """A complex tensor as pairs."""
        shape = shape or self.shape
        init, result = self.empty((*shape, 2), "f32"), self.next()
        self.lines.append(f"""{result} = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, j)>, {TRIPLE}],
      iterator_types = ["parallel", "parallel", "parallel"]}} ins({value} : {tensor(shape, "complex<f32>")})
      outs({init} : {tensor((*shape, 2), "f32")}) {{
  ^bb0(%z: complex<f32>, %o: f32):
    %x = complex.re %z : complex<f32>
    %w = complex.im %z : complex<f32>
    %k = linalg.index 2 : index
    %s = arith.cmpi eq, %k, %c0 : index
    %r = arith.select %s, %x, %w : f32
    linalg.yield %r : f32
  }} -> {tensor((*shape, 2), "f32")}""")
        return result

    def give(self, value, shape, numbers, tolerance=3e-6):
        """The case whose result is `value`; numbers are complex if the last size is 2."""
        written = tuple("?" if size == "?" else real for size, real in zip((*self.shape, *shape[len(self.shape):]), shape)) \
            if "?" in self.shape else shape
        arguments = ", ".join(f"%arg{i}: {tensor((*shape_, 2), 'f32')}" for i, (shape_, _) in enumerate(self.arguments))
        body = "\n  ".join([*self.lines, f"return {value} : {tensor(written, 'f32')}"])
        flat = [part for number in numbers for part in ((number.real, number.imag) if isinstance(number, complex) else (number,))]
        return Case(self.name, f"func.func @main({arguments}) -> {tensor(written, 'f32')} {{\n  {body}\n}}\n",
                    [what for _, what in self.arguments], [("f64", shape, flat)], tolerance)


def complex_functions():
    def unary(name, exact):
        f = Complex(f"complex_{name}", 9, 14)
        z, numbers = f.argument()
        y = f.compute([z], [f"%r = complex.{name} %a : complex<f32>"])
        return f.give(f.pairs(y), (9, 14, 2), [exact(number) for number in numbers], 1e-5)
    for name, exact in (("exp", cmath.exp), ("conj", complex.conjugate), ("neg", lambda z: -z), ("sqrt", cmath.sqrt),
                        ("log", cmath.log), ("sin", cmath.sin), ("tanh", cmath.tanh)):
        yield unary(name, exact)
    for name, exact in (("abs", abs), ("angle", cmath.phase)):
        f = Complex(f"complex_{name}", 9, 14)
        z, numbers = f.argument()
        y = f.compute([z], [f"%r = complex.{name} %a : complex<f32>"], "f32")
        yield f.give(y, (9, 14), [exact(number) for number in numbers])
    for name, exact in (("add", lambda a, b: a + b), ("sub", lambda a, b: a - b), ("mul", lambda a, b: a * b), ("div", lambda a, b: a / b)):
        for written in (None, ("?", 14)):
            f = Complex(f"complex_{name}{'_open' if written else ''}", 9, 14, written)
            (z, ones), (w, others) = f.argument(), f.argument()
            y = f.compute([z, w], [f"%r = complex.{name} %a, %b : complex<f32>"])
            yield f.give(f.pairs(y), (9, 14, 2), [exact(a, b) for a, b in zip(ones, others)], 1e-5)
    # A choice between complex numbers, and constants.
    f = Complex("complex_choice", 9, 14)
    z, numbers = f.argument()
    y = f.compute([z], ["%x = complex.re %a : complex<f32>", "%n = arith.constant 0.0 : f32", "%s = arith.cmpf ogt, %x, %n : f32",
                        "%k = complex.constant [2.0 : f32, -0.5 : f32] : complex<f32>", "%m = complex.mul %a, %k : complex<f32>",
                        "%r = arith.select %s, %m, %a : complex<f32>"])
    yield f.give(f.pairs(y), (9, 14, 2), [z * (2 - 0.5j) if z.real > 0 else z for z in numbers])


def complex_tensors():
    # Rows are joined, cut and transposed, and meet a constant.
    f = Complex("complex_moved", 6, 4)
    z, numbers = f.argument()
    table = [complex(single(f.draw.uniform(-1, 1)), single(f.draw.uniform(-1, 1))) for _ in range(4)]
    text = ", ".join(f"({n.real!r}, {n.imag!r})" for n in table)
    whole, part, turned = (tensor(shape, "complex<f32>") for shape in ((6, 4), (3, 4), (4, 3)))
    f.lines += [f"%table = arith.constant dense<[{text}]> : tensor<4xcomplex<f32>>",
                f"%cut = tensor.extract_slice {z}[1, 0] [3, 4] [2, 1] : {whole} to {part}", f"%te = tensor.empty() : {turned}",
                f"%t = linalg.transpose ins(%cut : {part}) outs(%te : {turned}) permutation = [1, 0]",
                f"%flat = tensor.collapse_shape %t [[0, 1]] : {turned} into tensor<12xcomplex<f32>>",
                "%deep = tensor.expand_shape %flat [[0, 1]] output_shape [4, 3] : tensor<12xcomplex<f32>> into tensor<4x3xcomplex<f32>>",
                f"""%moved = linalg.generic {{indexing_maps = [{PAIR}, affine_map<(i, j) -> (i)>, {PAIR}],
      iterator_types = ["parallel", "parallel"]}} ins(%deep, %table : {turned}, tensor<4xcomplex<f32>>) outs(%te : {turned}) {{
  ^bb0(%a: complex<f32>, %b: complex<f32>, %o: complex<f32>):
    %r = complex.mul %a, %b : complex<f32>
    linalg.yield %r : complex<f32>
  }} -> {turned}"""]
    yield f.give(f.pairs("%moved", (4, 3)), (4, 3, 2), [numbers[(1 + 2 * j) * 4 + i] * table[i] for i in range(4) for j in range(3)])
    # Matmuls and sums of rows.
    f = Complex("complex_product", 5, 7)
    (z, rows), (w, columns) = f.argument(), f.argument((7, 6))
    f.lines += ["%none = complex.create %zero, %zero : complex<f32>", f"%pe = tensor.empty() : {tensor((5, 6), 'complex<f32>')}",
                f"%p0 = linalg.fill ins(%none : complex<f32>) outs(%pe : {tensor((5, 6), 'complex<f32>')}) -> {tensor((5, 6), 'complex<f32>')}",
                f"%p = linalg.matmul ins({z}, {w} : {tensor((5, 7), 'complex<f32>')}, {tensor((7, 6), 'complex<f32>')}) "
                f"outs(%p0 : {tensor((5, 6), 'complex<f32>')}) -> {tensor((5, 6), 'complex<f32>')}"]
    f.lines.insert(0, "%zero = arith.constant 0.0 : f32")
    exact = [sum(rows[i * 7 + k] * columns[k * 6 + j] for k in range(7)) for i in range(5) for j in range(6)]
    yield f.give(f.pairs("%p", (5, 6)), (5, 6, 2), exact)


def complex_rotation():
    """Heads of a matmul are turned, pair by pair, in the kernel of the matmul."""
    rows, inner, heads, pairs = 19, 12, 3, 4
    draw = random.Random(11)
    x, w, angles = ([single(draw.uniform(-1, 1)) for _ in range(count)] for count in (rows * inner, inner * heads * pairs * 2, rows * pairs))
    wide, deep, form = heads * pairs * 2, (rows, heads, pairs, 2), (rows, heads, pairs)
    text = f"""func.func @main(%x: {tensor((rows, inner), "f32")}, %w: {tensor((inner, wide), "f32")},
    %angles: {tensor((rows, pairs), "f32")}) -> {tensor(deep, "f32")} {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pe = tensor.empty() : {tensor((rows, wide), "f32")}
  %p0 = linalg.fill ins(%zero : f32) outs(%pe : {tensor((rows, wide), "f32")}) -> {tensor((rows, wide), "f32")}
  %p = linalg.matmul ins(%x, %w : {tensor((rows, inner), "f32")}, {tensor((inner, wide), "f32")})
      outs(%p0 : {tensor((rows, wide), "f32")}) -> {tensor((rows, wide), "f32")}
  %q = tensor.expand_shape %p [[0], [1, 2, 3]] output_shape {list(deep)} : {tensor((rows, wide), "f32")} into {tensor(deep, "f32")}
  %ze = tensor.empty() : {tensor(form, "complex<f32>")}
  %z = linalg.generic {{indexing_maps = [affine_map<(i, h, j) -> (i, j)>, affine_map<(i, h, j) -> (i, h, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}} ins(%angles : {tensor((rows, pairs), "f32")})
      outs(%ze : {tensor(form, "complex<f32>")}) {{
  ^bb0(%angle: f32, %o: complex<f32>):
    %i = linalg.index 0 : index
    %h = linalg.index 1 : index
    %j = linalg.index 2 : index
    %a = tensor.extract %q[%i, %h, %j, %c0] : {tensor(deep, "f32")}
    %b = tensor.extract %q[%i, %h, %j, %c1] : {tensor(deep, "f32")}
    %n = complex.create %a, %b : complex<f32>
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %t = complex.create %c, %s : complex<f32>
    %r = complex.mul %n, %t : complex<f32>
    linalg.yield %r : complex<f32>
  }} -> {tensor(form, "complex<f32>")}
  %e = tensor.empty() : {tensor(deep, "f32")}
  %y = linalg.generic {{indexing_maps = [affine_map<(i, h, j, k) -> (i, h, j)>, affine_map<(i, h, j, k) -> (i, h, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}} ins(%z : {tensor(form, "complex<f32>")})
      outs(%e : {tensor(deep, "f32")}) {{
  ^bb0(%n: complex<f32>, %o: f32):
    %a = complex.re %n : complex<f32>
    %b = complex.im %n : complex<f32>
    %k = linalg.index 3 : index
    %first = arith.cmpi eq, %k, %c0 : index
    %r = arith.select %first, %a, %b : f32
    linalg.yield %r : f32
  }} -> {tensor(deep, "f32")}
  return %y : {tensor(deep, "f32")}
}}
"""
    turned = []
    for i, h, j in itertools.product(range(rows), range(heads), range(pairs)):
        a, b = (sum(x[i * inner + d] * w[d * wide + (h * pairs + j) * 2 + k] for d in range(inner)) for k in (0, 1))
        number = complex(a, b) * cmath.exp(1j * angles[i * pairs + j])
        turned += [number.real, number.imag]
    case = Case("complex_rotation", text, [("f32", (rows, inner), x), ("f32", (inner, wide), w), ("f32", (rows, pairs), angles)],
                [("f64", deep, turned)])
    case.kernels = 1
    yield case


# Floats of 8 bits.

def to_numbers(codes, dtype):
    return [NAN if code is None else decode(code, dtype) for code in codes]


def convert_text(count, source, target, body, result=None):
    result = result or target
    return f"""func.func @main(%x: tensor<{count}x{source}>) -> tensor<{count}x{result}> {{
  %e = tensor.empty() : tensor<{count}x{result}>
  %y = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%x : tensor<{count}x{source}>) outs(%e : tensor<{count}x{result}>) {{
  ^bb0(%a: {source}, %o: {result}):
    {chr(10).join(body)}
    linalg.yield %r : {result}
  }} -> tensor<{count}x{result}>
  return %y : tensor<{count}x{result}>
}}
"""


def edges(dtype, source):
    """Values at, between and next to all numbers of a format, that a source has exactly."""
    pack, integer = {"f64": ("d", "Q"), "f32": ("f", "I"), "f16": ("e", "H"), "bf16": ("f", "I")}[source]
    step = 1 << 16 if source == "bf16" else 1
    finite = sorted({abs(n) for n in (decode(code, dtype) for code in range(256)) if math.isfinite(n)})
    finite.append(2 * finite[-1] - finite[-2])
    points = finite + [(a + b) / 2 for a, b in zip(finite, finite[1:])] + [finite[1] / 4, finite[1] * 0.75, 2 * finite[-1]]
    values = [0.0, -0.0, INFINITY, -INFINITY, NAN]
    for point in points:
        try:
            bits = struct.unpack("<" + integer, struct.pack("<" + pack, point))[0] // step * step
        except OverflowError:
            continue
        for near in (bits - step, bits, bits + step):
            if near >= 0:
                value = struct.unpack("<" + pack, struct.pack("<" + integer, near))[0]
                values += [value, -value]
    draw = random.Random(8)
    for _ in range(300):
        value = math.ldexp(draw.uniform(-2, 2), draw.randrange(-20, 18))
        if source == "bf16":
            value = struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", value))[0] & 0xFFFF0000))[0]
        elif source != "f64":
            try:
                value = struct.unpack("<" + pack, struct.pack("<" + pack, value))[0]
            except OverflowError:
                continue
        values.append(value)
    if source == "f64":
        # Rounded to f32 first, these would be ties.
        values += [s * (a + b) / 2 * (1 + e) for a, b in zip(finite[1:], finite[2:]) for e in (2.0**-40, -2.0**-40) for s in (1, -1)]
    return values


def float8():
    for dtype in ("f8E4M3FN", "f8E5M2"):
        codes = list(range(256))
        for target in ("f32", "f16", "bf16", "f64"):
            text = convert_text(256, dtype, target, [f"%r = arith.extf %a : {dtype} to {target}"])
            yield Case(f"widen_{dtype}_{target}", text, [(dtype, (256,), codes)], [("f64", (256,), [decode(c, dtype) for c in codes])], 0)
        for source in ("f32", "f16", "bf16", "f64"):
            values = edges(dtype, source)
            text = convert_text(len(values), source, dtype, [f"%r = arith.truncf %a : {source} to {dtype}"])
            numbers = to_numbers([encode(value, dtype) for value in values], dtype)
            yield Case(f"narrow_{dtype}_{source}", text, [(source, (len(values),), values)], [("f64", (len(values),), numbers)], 0)
            # Signs of zeros show in what is divided by them.
            one = [f"%n = arith.truncf %a : {source} to {dtype}", f"%w = arith.extf %n : {dtype} to f32",
                   "%u = arith.constant 1.0 : f32", "%r = arith.divf %u, %w : f32"]
            inverses = [1 / n if n else math.copysign(INFINITY, v) for n, v in zip(numbers, values)]
            yield Case(f"inverse_{dtype}_{source}", convert_text(len(values), source, dtype, one, "f32"),
                       [(source, (len(values),), values)], [("f64", (len(values),), [single(n) for n in inverses])])
        # Arithmetic on them is done in f32 and rounded.
        body = [f"%k = arith.constant 1.5 : {dtype}", f"%m = arith.mulf %a, %k : {dtype}", f"%r = arith.negf %m : {dtype}"]
        products = to_numbers([encode(decode(c, dtype) * -1.5, dtype) for c in codes], dtype)
        yield Case(f"arithmetic_{dtype}", convert_text(256, dtype, dtype, body), [(dtype, (256,), codes)], [("f64", (256,), products)], 0)
    # A matmul of such matrices, one of which is constant.
    draw = random.Random(9)
    left, right = ([draw.randrange(0, 80) + 128 * draw.randrange(2) for _ in range(count)] for count in (9 * 20, 20 * 7))
    rows = ", ".join("[" + ", ".join(repr(decode(right[k * 7 + j], "f8E5M2")) for j in range(7)) + "]" for k in range(20))
    text = f"""func.func @main(%x: tensor<9x20xf8E4M3FN>) -> tensor<9x7xf32> {{
  %w = arith.constant dense<[{rows}]> : tensor<20x7xf8E5M2>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x7xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<9x7xf32>) -> tensor<9x7xf32>
  %y = linalg.matmul ins(%x, %w : tensor<9x20xf8E4M3FN>, tensor<20x7xf8E5M2>) outs(%0 : tensor<9x7xf32>) -> tensor<9x7xf32>
  return %y : tensor<9x7xf32>
}}
"""
    sums = [sum(decode(left[i * 20 + k], "f8E4M3FN") * decode(right[k * 7 + j], "f8E5M2") for k in range(20)) for i in range(9) for j in range(7)]
    yield Case("product_float8", text, [("f8E4M3FN", (9, 20), left)], [("f64", (9, 7), sums)])


# Globals and bytes.

def globals_and_bytes():
    # A seed goes through the function, a table is a constant.
    text = """ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
ml_program.global private @table(dense<[2.0, 3.0, 5.0]> : tensor<3xf32>) : tensor<3xf32>
func.func private @next() -> i64 {
  %a = arith.constant 6364136223846793005 : i64
  %s = ml_program.global_load @seed : tensor<i64>
  %x = tensor.extract %s[] : tensor<i64>
  %p = arith.muli %x, %a : i64
  %n = tensor.insert %p into %s[] : tensor<i64>
  ml_program.global_store @seed = %n : tensor<i64>
  return %p : i64
}
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %t = ml_program.global_load @table : tensor<3xf32>
  %a = func.call @next() : () -> i64
  %b = func.call @next() : () -> i64
  %e = tensor.empty() : tensor<3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %t : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %k = arith.constant 40 : i64
    %h = arith.shrui %a, %k : i64
    %l = arith.shrui %b, %k : i64
    %d = arith.subi %h, %l : i64
    %f = arith.sitofp %d : i64 to f32
    %m = arith.mulf %u, %v : f32
    %r = arith.addf %m, %f : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %y : tensor<3xf32>
}
"""
    a, mask = 6364136223846793005, (1 << 64) - 1
    seed = 12345
    first = seed * a & mask
    second = first * a & mask
    shift = (first >> 40) - (second >> 40)
    state = second - (1 << 64) if second >> 63 else second
    yield Case("globals", text, [("f32", (3,), [1.0, -1.0, 0.5]), ("i64", (), [seed])],
               [("f64", (3,), [single(n + shift) for n in (2.0, -3.0, 2.5)]), ("i64", (), [state])], 0)
    values = [0, 1, 127, 128, 200, 255]
    yield Case("bytes", convert_text(6, "i8", "f32", ["%r = arith.uitofp %a : i8 to f32"]), [("u8", (6,), values)],
               [("f64", (6,), [float(n) for n in values])], 0)


# Single elements.

def of_scalars(name, arguments, result, body, exact):
    names = ", ".join(f"%{letter}: {tensor(shape, dtype)}" for letter, (dtype, shape, _) in zip("xyz", arguments))
    text = f"func.func @main({names}) -> {tensor(*result)} {{\n" + "\n".join(body) + f"\nreturn %r : {tensor(*result)}\n}}\n"
    return Case(name, text, arguments, [(result[1], list(result[0]), exact)])


def scalars():
    """Tensors of rank 0 and their elements."""
    x, y, z = ("f32", [8], [single(math.sin(i)) for i in range(8)]), ("f32", [], [3.0]), ("i64", [], [5])
    take = "%s = tensor.extract %y[] : tensor<f32>"
    index = ["%k = tensor.extract %z[] : tensor<i64>", "%j = arith.index_cast %k : i64 to index"]
    yield of_scalars("slice_to_scalar", [x], ((), "f32"), [
        "%s = tensor.extract_slice %x[3] [1] [1] : tensor<8xf32> to tensor<f32>", "%e = tensor.empty() : tensor<f32>",
        "%r = linalg.exp ins(%s : tensor<f32>) outs(%e : tensor<f32>) -> tensor<f32>"], [math.exp(x[2][3])])
    yield of_scalars("element_at", [x, y, z], ((), "f32"), index + [
        "%s = tensor.extract %x[%j] : tensor<8xf32>", "%r = tensor.from_elements %s : tensor<f32>"], [x[2][5]])
    yield of_scalars("pair_of_scalars", [x, y], ((1, 2), "f32"), [
        take, "%t = arith.mulf %s, %s : f32", "%r = tensor.from_elements %t, %s : tensor<1x2xf32>"], [9.0, 3.0])
    yield of_scalars("splat_of_scalar", [x, y], ((4,), "f32"), [take, "%r = tensor.splat %s : tensor<4xf32>"], [3.0] * 4)
    yield of_scalars("scalar_into_row", [x, y], ((8,), "f32"), [
        "%r = tensor.insert_slice %y into %x[2] [1] [1] : tensor<f32> into tensor<8xf32>"], x[2][:2] + [3.0] + x[2][3:])
    yield of_scalars("sum_as_scalar", [x], ((), "f32"), [
        "%z = arith.constant dense<0.0> : tensor<1x1xf32>", "%s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (0, 0)>],",
        'iterator_types = ["reduction"]} ins(%x : tensor<8xf32>) outs(%z : tensor<1x1xf32>) {', "^bb0(%a: f32, %o: f32):",
        "%p = arith.addf %a, %o : f32", "linalg.yield %p : f32", "} -> tensor<1x1xf32>",
        "%r = tensor.collapse_shape %s [] : tensor<1x1xf32> into tensor<f32>"], [sum(x[2])])


# Constants.

def truths_of_resource():
    """Truth values that an exporter keeps as bytes."""
    x, keep = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [1, 0, 0, 1, 0, 1, 1, 0]
    text = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %keep = arith.constant dense_resource<keep> : tensor<8xi1>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %keep : tensor<8xf32>, tensor<8xi1>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: i1, %o: f32):
    %r = arith.select %b, %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
{-#
  dialect_resources: { builtin: { keep: "0x01000000""" + "".join(f"{b:02X}" for b in keep) + """" } }
#-}
"""
    yield Case("truths_of_resource", text, [("f32", (8,), x)], [("f32", (8,), [a * b for a, b in zip(x, keep)])])


# Padding.

def pads():
    """Padding that cuts off, adds, or does both; static and dynamic rows."""
    rows, columns, filler = 5, 6, 9.0
    x = [[float(i * columns + j) for j in range(columns)] for i in range(rows)]
    for number, (top, bottom, left, right) in enumerate([(-1, -1, 2, 0), (-1, 1, 1, -1), (-3, 0, 0, 0), (0, 0, -6, 7)]):
        expected = [x[i - top][j - left] if 0 <= i - top < rows and 0 <= j - left < columns else filler
                    for i in range(rows + top + bottom) for j in range(columns + left + right)]
        shape = (rows + top + bottom, columns + left + right)
        for written in (rows, "?"):
            result = tensor((shape[0] if written == rows else "?", shape[1]), "f32")
            source = tensor((written, columns), "f32")
            yield Case(f"pad_{number}_{'open' if written == '?' else 'static'}", f"""func.func @main(%x: {source}) -> {result} {{
  %filler = arith.constant {filler} : f32
  %y = tensor.pad %x low[{top}, {left}] high[{bottom}, {right}] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %filler : f32
  }} : {source} to {result}
  return %y : {result}
}}
""", [("f32", (rows, columns), sum(x, []))], [("f32", shape, expected)])


def cases():
    yield from truths_of_resource()
    yield from pads()
    yield from scalars()
    yield from float_sorts()
    yield from other_sorts()
    yield from complex_functions()
    yield from complex_tensors()
    yield from complex_rotation()
    yield from float8()
    yield from globals_and_bytes()

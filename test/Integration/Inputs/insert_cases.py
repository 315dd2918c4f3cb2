"""Tensors that slices are written into, with inputs and float64 results.

A destination holds NaN where all of it is written, so that what must not be read is found.
"""

import itertools
import math

from group_cases import Array, Function


class Written:
    """A tensor of `f` and what it holds after each slice; `value` is None where it is uninitialised."""

    def __init__(self, f, shape, dtype, value=None, holds=None):
        self.f, self.shape, self.dtype = f, shape, dtype
        self.value = value or f.empty(shape, dtype)
        self.holds = {} if holds is None else {place: holds[place] for place in itertools.product(*map(range, shape))}

    def write(self, source, numbers, offsets, sizes, strides=None):
        """`source` may lack dimensions of size 1; `numbers` has those that it has."""
        f = self.f
        strides = strides or [1] * len(self.shape)
        shape, _ = f.types[source]
        result = f.name_value(self.shape, self.dtype)
        # A dynamic offset or size is the name of a value.
        known = ", ".join(f.size(size) if f.is_open(size) else str(size) for size in sizes)
        begins = ", ".join(f.size(begin) if f.is_open(begin) else str(begin) for begin in offsets)
        f.lines.append(f"{result} = tensor.insert_slice {source} into {self.value}[{begins}] [{known}] {list(strides)} : "
                       f"{f.type(shape, self.dtype)} into {f.type(self.shape, self.dtype)}")
        kept = [dim for dim, size in enumerate(sizes) if size in shape and len(shape) == len(sizes) or size != 1]
        for place in itertools.product(*map(range, sizes)):
            at = tuple(o + s * p for o, s, p in zip(offsets, strides, place))
            self.holds[at] = numbers[tuple(place[dim] for dim in kept)]
        self.value = result
        return self

    def give(self, twice=True):
        """Twice what is there, computed by an operation that reads it."""
        letters = "ijkl"[: len(self.shape)]
        double = [f"%r = arith.addf %a, %a : {self.dtype}"]
        y = self.f.generic([(self.value, letters)], letters, self.dtype, double, dims=dict(zip(letters, self.shape)))
        self.f.give(y, Array.of(self.shape, lambda *place: 2 * self.holds[place]))
        return self.f


def exponentials(f, x, xs):
    """exp(x / 2), which a kernel may compute in place."""
    shape, dtype = f.types[x]
    letters = "ijkl"[: len(shape)]
    body = [f"%h = arith.constant 0.5 : {dtype}", f"%m = arith.mulf %a, %h : {dtype}", f"%r = math.exp %m : {dtype}"]
    y = f.generic([(x, letters)], letters, dtype, body, dims=dict(zip(letters, shape)))
    return y, Array.of(shape, lambda *place: math.exp(xs[place] / 2))


def halves(dtype):
    """Features without and with positions, as latent attention puts them together."""
    f = Function(f"written_halves_{dtype}", None)
    a, b = f.argument(dtype, 2, 3, 13, 24), f.argument(dtype, 2, 3, 13, 7)
    w = Written(f, (2, 3, 13, 31), dtype)
    w.write(*exponentials(f, *a), (0, 0, 0, 0), (2, 3, 13, 24))
    return w.write(*b, (0, 0, 0, 24), (2, 3, 13, 7)).give()


def every_second(dtype, length, over=None):
    """Even and odd features by turns; of an odd number the last is even."""
    f = Function(f"written_every_second_{length}_{dtype}", None)
    even, odd = f.argument(dtype, 5, (length + 1) // 2), f.argument(dtype, 5, length // 2)
    w = Written(f, (5, length), dtype)
    w.write(*exponentials(f, *even), (0, 0), (5, (length + 1) // 2), (1, 2))
    return w.write(*odd, (0, 1), (5, length // 2), (1, 2)).give()


def columns(count, start):
    """A loop over columns that was unrolled, each computed from the one before; from `start` on into what was there."""
    f = Function(f"written_columns_{count}_{start}", None)
    x, xs = f.argument("f32", 9)
    d, ds = f.argument("f32", 9, count)
    w = Written(f, (9, count), "f32", *((d, ds) if start else ()))
    column, numbers = x, xs
    for at in range(start, count):
        column = f.generic([(column, "i")], "i", "f32", ["%h = arith.constant 0.75 : f32", "%m = arith.mulf %a, %h : f32",
                                                        "%r = arith.addf %m, %h : f32"], dims={"i": 9})
        numbers = Array.of((9,), lambda i, numbers=numbers: 0.75 * numbers[(i,)] + 0.75)
        w.write(column, numbers, (0, at), (9, 1))
    return w.give()


def grid(dtype):
    """Rows above, and below them three blocks, the first written twice."""
    f = Function(f"written_grid_{dtype}", None)
    top, a, b, c, old = (f.argument(dtype, *shape) for shape in ((4, 21), (7, 5), (7, 3), (7, 13), (7, 5)))
    w = Written(f, (11, 21), dtype)
    w.write(*old, (4, 0), (7, 5)).write(*b, (4, 5), (7, 3)).write(*top, (0, 0), (4, 21))
    return w.write(*a, (4, 0), (7, 5)).write(*c, (4, 8), (7, 13)).give()


def into(name, computed, slices, dtype="f32", shape=(7, 20)):
    """(offset, size, stride) of the columns of an argument, or of what another operation computes."""
    f = Function(f"written_into_{name}_{dtype}", None)
    d, ds = f.argument(dtype, *shape)
    if computed:
        d, ds = exponentials(f, d, ds)
    w = Written(f, shape, dtype, d, ds)
    for offset, size, stride in slices:
        w.write(*f.argument(dtype, shape[0], size), (0, offset), (shape[0], size), (1, stride))
    return w.give()


def dynamic_rows(dtype):
    """Rows of unknown number behind one another: the second slice begins where the first ends."""
    f = Function(f"written_dynamic_{dtype}", None, dynamic=(17, 6, 23))
    a, b, d = f.argument(dtype, 17, 8), f.argument(dtype, 6, 8), f.argument(dtype, 23, 8, values=[float("nan")] * 23 * 8)
    w = Written(f, (23, 8), dtype, d[0])
    w.holds = {}
    return w.write(*a, (0, 0), (17, 8)).write(*b, (17, 0), (6, 8)).give()


def beside():
    """Of a tensor of which rows are never written, what was."""
    f = Function("written_beside", None)
    a, numbers = f.argument("f32", 5, 9)
    w = Written(f, (12, 9), "f32")
    w.write(a, numbers, (3, 0), (5, 9))
    s = f.name_value((4, 9), "f32")
    f.lines.append(f"{s} = tensor.extract_slice {w.value}[4, 0] [4, 9] [1, 1] : tensor<12x9xf32> to tensor<4x9xf32>")
    y = f.generic([(s, "ij")], "ij", "f32", ["%r = arith.negf %a : f32"], dims={"i": 4, "j": 9})
    f.give(y, Array.of((4, 9), lambda i, j: -numbers[(i + 1, j)]))
    return f


def rotated(dtype):
    """Pairs of neighbouring features turned, written back between one another, and contracted."""
    rows, features = 11, 16
    f = Function(f"written_rotated_{dtype}", None)
    x, xs = f.argument(dtype, rows, features)
    c, cs = f.argument(dtype, rows, features // 2)
    k, ks = f.argument(dtype, 9, features)
    parts = []
    for start in (0, 1):
        s = f.name_value((rows, features // 2), dtype)
        f.lines.append(f"{s} = tensor.extract_slice {x}[0, {start}] [{rows}, {features // 2}] [1, 2] : "
                       f"{f.type((rows, features), dtype)} to {f.type((rows, features // 2), dtype)}")
        parts.append(s)
    dims = {"i": rows, "j": features // 2}
    w = Written(f, (rows, features), dtype)
    for start, body in ((0, "subf"), (1, "addf")):
        first, second = parts if start == 0 else parts[::-1]
        y = f.generic([(first, "ij"), (second, "ij"), (c, "ij")], "ij", dtype, [
            f"%m = arith.mulf %b, %c : {dtype}", f"%r = arith.{body} %a, %m : {dtype}"], dims=dims)
        sign = -1 if start == 0 else 1
        numbers = Array.of((rows, features // 2), lambda i, j, start=start, sign=sign: xs[(i, 2 * j + start)] +
                           sign * xs[(i, 2 * j + 1 - start)] * cs[(i, j)])
        w.write(y, numbers, (0, start), (rows, features // 2), (1, 2))
    p = f.matmul(w.value, k, "f32", rhs_map="nk")
    f.give(p, Array.of((rows, 9), lambda m, n: sum(w.holds[(m, d)] * ks[(n, d)] for d in range(features))))
    return f


def cases():
    for dtype in ("f16", "f32"):
        yield halves(dtype)
        yield every_second(dtype, 24)
        yield every_second(dtype, 23)
        yield grid(dtype)
        yield dynamic_rows(dtype)
        yield rotated(dtype)
    yield columns(12, 0)
    yield columns(12, 5)
    for computed in (False, True):
        kind = "computed" if computed else "argument"
        yield into(f"{kind}_once", computed, ((5, 9, 1),))
        yield into(f"{kind}_strided", computed, ((1, 6, 3),), "f16")
        yield into(f"{kind}_overlapping", computed, ((2, 9, 1), (6, 10, 1), (0, 3, 7)))
    yield beside()

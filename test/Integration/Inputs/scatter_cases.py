"""Scatters, with inputs and what comes out if updates are taken one after the other.

Among the indices are such that lie outside on either side, and the same one again.
"""

import itertools
import math
import random

import safetensors_io
from group_cases import Array, rounded

# What a region computes of an update and what is there, as MLIR and as Python.
COMBINE = {
    "set": ([], "%u", lambda u, o: u),
    "add": (["%r = arith.addf %o, %u : {}"], "%r", lambda u, o: o + u),
    "addi": (["%r = arith.addi %o, %u : {}"], "%r", lambda u, o: o + u),
    "max": (["%r = arith.maximumf %u, %o : {}"], "%r", max),
    # Not commutative: the order of updates shows.
    "blend": (["%h = arith.constant 0.5 : {}", "%m = arith.mulf %o, %h : {}", "%r = arith.addf %m, %u : {}"], "%r",
              lambda u, o: o * 0.5 + u),
    "or": (["%r = arith.ori %o, %u : {}"], "%r", lambda u, o: o | u),
}


class Scatter:
    """`indices`: for each the letters of its dimensions and its values; `place`: what the position is in letters of the
    updates and numbers of indices, as in `["a", 0, "c+1"]` (an index may be shifted by a letter)."""

    def __init__(self, name, dtype, updates, original, indices, place, combine, unique=False, dynamic=(), index="i64",
                 kernels=None, wrapped=False):
        self.name, self.dtype, self.place, self.combine = name, dtype, place, combine
        self.unique, self.dynamic, self.index, self.kernels, self.wrapped = unique, dynamic, index, kernels, wrapped
        self.letters, self.shape = "".join(updates), list(updates.values())
        self.sizes, self.original = updates, original
        self.random = random.Random(name)
        self.indices = indices
        self.arguments = [(dtype, self.shape, self.draw(math.prod(self.shape))),
                          (dtype, original, self.draw(math.prod(original)))]
        for letters, values in indices:
            self.arguments.append((index, [updates[letter] for letter in letters], values))

    def draw(self, count):
        if self.dtype == "i1":
            return [self.random.randrange(2) for _ in range(count)]
        if self.dtype.startswith("i"):
            return [self.random.randrange(-9, 10) for _ in range(count)]
        return [rounded(self.random.uniform(-2, 2), self.dtype) for _ in range(count)]

    def type(self, shape, dtype):
        sizes = ["?" if size in self.dynamic else str(size) for size in shape]
        return "tensor<" + "".join(size + "x" for size in sizes) + dtype + ">"

    def spell(self, term):
        """A term of the position as an affine expression."""
        if isinstance(term, int):
            return f"s{term}"
        return term if isinstance(term, str) else " + ".join(map(self.spell, term))

    def find(self, term, at):
        if isinstance(term, int):
            letters, values = self.indices[term]
            number = 0
            for letter in letters:
                number = number * self.sizes[letter] + at[letter]
            return values[number]
        if isinstance(term, str):
            return int(term) if term.isdigit() else at[term]
        return sum(self.find(part, at) for part in term)

    def expected(self):
        result = list(self.arguments[1][2])
        combine = COMBINE[self.combine][2]
        for update, at in zip(self.arguments[0][2], itertools.product(*map(range, self.shape))):
            place = [self.find(term, dict(zip(self.letters, at))) for term in self.place]
            if self.wrapped:
                place = [p + size if p < 0 else p for p, size in zip(place, self.original)]
            if not all(0 <= p < size for p, size in zip(place, self.original)):
                continue
            number = 0
            for p, size in zip(place, self.original):
                number = number * size + p
            result[number] = rounded(combine(update, result[number]), self.dtype)
        return Array(self.original, result)

    def write(self, model, inputs, golden):
        lines, yielded, _ = COMBINE[self.combine]
        dims = ", ".join(self.letters)
        symbols = ", ".join(f"s{number}" for number in range(len(self.indices)))
        position = f"({dims})[{symbols}] -> ({', '.join(map(self.spell, self.place))})"
        maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(letters)})>" for letters, _ in self.indices)
        types = [self.type(shape, dtype) for dtype, shape, _ in self.arguments]
        names = ", ".join(f"%arg{number + 2}" for number in range(len(self.indices)))
        at = f" at({names} : {', '.join(types[2:])})" if self.indices else ""
        body = "\n    ".join([line.format(self.dtype) for line in lines] + [f"stof.yield {yielded} : {self.dtype}"])
        with open(model, "w", encoding="ascii") as file:
            file.write(f"""func.func @{self.name}({', '.join(f'%arg{n}: {t}' for n, t in enumerate(types))}) -> {types[1]} {{
  %0 = stof.scatter %arg0{at} into %arg1 maps [{maps}] position affine_map<{position}>{' unique' * self.unique}{' wrapped' * self.wrapped} {{
  ^bb0(%u: {self.dtype}, %o: {self.dtype}):
    {body}
  }} : {types[0]}, {types[1]} -> {types[1]}
  return %0 : {types[1]}
}}
""")
        safetensors_io.write(inputs, {f"arg{i}": what for i, what in enumerate(self.arguments)})
        array = self.expected()
        dtype = "f64" if self.dtype[0] in "fb" else self.dtype
        safetensors_io.write(golden, {"result0": (dtype, array.shape, array.values)})


def cases():
    far = 1 << 40
    yield Scatter("rows", "f32", {"n": 4, "k": 37}, [9, 37], [("n", [3, 0, 8, 5])], [0, "k"], "set", unique=True)
    yield Scatter("outside", "f32", {"n": 6, "k": 5}, [9, 5], [("n", [-1, 9, 2, far, -far, 8])], [0, "k"], "set", unique=True)
    yield Scatter("cache", "f16", {"b": 2, "h": 3, "k": 24}, [2, 3, 65, 24], [("", [64])], ["b", "h", 0, "k"], "set",
                  unique=True, kernels=2)
    yield Scatter("cache_rows", "bf16", {"b": 3, "h": 2, "p": 4, "k": 20}, [3, 2, 33, 20], [("p", [32, 0, 7, 40])],
                  ["b", "h", 0, "k"], "set", unique=True)
    yield Scatter("window", "f32", {"p": 5, "k": 7}, [12, 16], [("", [9]), ("", [-2])], [("p", 0), ("k", 1)], "set", unique=True)
    yield Scatter("windows", "f32", {"n": 3, "p": 2, "k": 7}, [12, 16], [("n", [4, 11, 0]), ("n", [0, 9, 12])],
                  [("p", 0), ("k", 1)], "add")
    yield Scatter("batch_rows", "f32", {"b": 5, "k": 9}, [5, 11, 9], [("b", [10, 0, 3, 3, -4])], ["b", 0, "k"], "set", unique=True)
    yield Scatter("last_wins", "f32", {"n": 7, "k": 3}, [4, 3], [("n", [1, 3, 1, 0, 1, 3, 4])], [0, "k"], "set")
    yield Scatter("in_order", "f32", {"n": 9, "k": 3}, [4, 3], [("n", [1, 3, 1, 0, 1, 3, 4, 1, 1])], [0, "k"], "blend")
    yield Scatter("from_end", "f32", {"n": 6, "k": 5}, [9, 5], [("n", [-1, 0, -9, -10, 9, 4])], [0, "k"], "add", wrapped=True)
    yield Scatter("window_from_end", "f16", {"p": 3, "k": 7}, [12, 8], [("", [-2]), ("", [-8])], [("p", 0), ("k", 1)], "blend",
                  wrapped=True, dynamic=(12,))
    points = random.Random(1)
    rows, columns = ([points.randrange(-1, size + 1) for _ in range(300)] for size in (5, 6))
    yield Scatter("points", "f32", {"n": 300}, [5, 6], [("n", rows), ("n", columns)], [0, 1], "blend")
    yield Scatter("histogram", "i64", {"n": 300}, [6], [("n", columns)], [0], "addi")
    yield Scatter("columns", "f32", {"a": 6, "n": 10, "c": 3}, [6, 7, 3],
                  [("anc", [points.randrange(8) for _ in range(180)])], ["a", 0, "c"], "add")
    yield Scatter("largest", "f16", {"a": 6, "n": 10}, [6, 7], [("an", [points.randrange(7) for _ in range(60)])], ["a", 0], "max")
    yield Scatter("words", "i32", {"n": 3, "k": 5}, [9, 5], [("n", [8, 1, 8])], [0, "k"], "addi", index="i32")
    yield Scatter("bytes", "i8", {"n": 3, "k": 5}, [9, 5], [("n", [8, 1, 4])], [0, "k"], "set", unique=True, index="i32")
    yield Scatter("truths", "i1", {"n": 3, "k": 5}, [9, 5], [("n", [8, 1, 8])], [0, "k"], "or")
    yield Scatter("doubles", "f64", {"n": 3, "k": 5}, [9, 5], [("n", [8, 1, 8])], [0, "k"], "add")
    yield Scatter("halves", "bf16", {"n": 5, "k": 8}, [9, 8], [("n", [8, 1, 8, 8, 2])], [0, "k"], "add")
    yield Scatter("slice", "f32", {"p": 5, "k": 7}, [12, 7], [], [("p", "3"), "k"], "set", kernels=2)
    yield Scatter("scalar", "f32", {}, [12], [("", [7])], [0], "set", unique=True)
    yield Scatter("empty", "f32", {"n": 0, "k": 5}, [9, 5], [("n", [])], [0, "k"], "set", dynamic=(0,))
    yield Scatter("open_rows", "f32", {"n": 4, "k": 37}, [9, 37], [("n", [3, 0, 9, 5])], [0, "k"], "set", unique=True,
                  dynamic=(4, 9, 37))
    yield Scatter("open_points", "f32", {"n": 31, "k": 3}, [5, 6, 3],
                  [("n", [points.randrange(-1, 6) for _ in range(31)]), ("n", [points.randrange(7) for _ in range(31)])],
                  [0, 1, "k"], "blend", dynamic=(31, 5, 6))

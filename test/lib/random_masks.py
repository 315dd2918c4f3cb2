"""Random masks, each twice: as a `stof.mask` in MLIR and as a Python expression.

A mask is affine for the most part: bands, boxes, residues, blocks, two-dimensional neighbourhoods, limits that are
captured or depend on the batch and the head, joined by and, or, xor, not and select, in many spellings.
"""

import argparse
import os
import random
import sys

# What the expressions call; arith's division rounds towards zero.
FUNCTIONS = {
    "quotient": lambda a, b: abs(a) // b * (1 if a >= 0 else -1),
    "remainder": lambda a, b: abs(a) % b * (1 if a >= 0 else -1),
}
PREDICATES = {"slt": "<", "sle": "<=", "sgt": ">", "sge": ">=", "eq": "==", "ne": "!="}
FLOATS = {"slt": "olt", "sle": "ule", "sgt": "ogt", "sge": "uge", "eq": "oeq", "ne": "une"}


class Node:
    """An expression in both languages; `emit` writes it as MLIR and returns its value."""

    def __init__(self, python, emit):
        self.python, self.emit = python, emit


class Writer:
    """The region of a mask, line by line."""

    def __init__(self, element):
        self.element = element
        self.lines, self.known = [], {}

    def add(self, text):
        name = f"%{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def once(self, text):
        if text not in self.known:
            self.known[text] = self.add(text)
        return self.known[text]

    def integer(self, name, element):
        """A value of the type that the mask computes in."""
        if element == self.element:
            return name
        if "index" in (element, self.element):
            return self.once(f"arith.index_cast {name} : {element} to {self.element}")
        return self.once(f"arith.{'extsi' if element == 'i32' else 'trunci'} {name} : {element} to {self.element}")

    def wide(self, name):
        """The same as an i64."""
        if self.element == "i64":
            return name
        return self.add(f"arith.{'index_cast' if self.element == 'index' else 'extsi'} {name} : {self.element} to i64")


class Mask:
    """One random mask with lengths, batch and heads of an attention, and the values of what it captures.

    An entry is a function that stof-compile takes: its arguments are tensors, none of them of index.
    """

    def __init__(self, source, longest=97, entry=False):
        self.source, self.entry = source, entry
        self.element = source.choice(["index", "index", "i32", "i64"])
        self.queries = source.randint(1, longest)
        self.keys = self.queries if source.random() < 0.4 else source.randint(1, longest)
        self.batch, self.heads = source.randint(1, 3), source.randint(1, 3)
        # The length of the values' unit vectors is that of the keys.
        self.dynamic = source.random() < 0.25 and not entry
        # name: (type in MLIR, type of an element, value or values)
        self.captures = {}
        # Captured constants; name: (type in MLIR, values)
        self.constants = {}
        self.keep = self.predicate(source.choice([0, 1, 1, 2, 2, 3]))

    def __str__(self):
        return f"{self.keep.python}, {self.queries} x {self.keys}, {self.captures} {self.constants}"

    # Integers.

    def constant(self, value):
        return Node(f"({value})", lambda w: w.once(f"arith.constant {value} : {w.element}"))

    def coordinate(self, name):
        return Node(name, lambda w: w.integer(f"%{name}", "index"))

    def binary(self, op, python, lhs, rhs):
        def emit(w):
            left, right = lhs.emit(w), rhs.emit(w)
            return w.add(f"{op} {left}, {right} : {w.element}")

        return Node(python.format(lhs.python, rhs.python), emit)

    def add(self, lhs, rhs):
        return self.binary("arith.addi", "({} + {})", lhs, rhs)

    def sub(self, lhs, rhs):
        return self.binary("arith.subi", "({} - {})", lhs, rhs)

    def scaled(self, node, factor):
        return self.binary("arith.muli", "({} * {})", node, self.constant(factor))

    def minimum(self, lhs, rhs):
        return self.binary("arith.minsi", "min({}, {})", lhs, rhs)

    def maximum(self, lhs, rhs):
        return self.binary("arith.maxsi", "max({}, {})", lhs, rhs)

    def divided(self, node, divisor, positive=True):
        ops = [("arith.floordivsi", "({} // {})"), ("arith.divsi", "quotient({}, {})")]
        if positive:
            ops.append(("arith.divui", "({} // {})"))
        return self.binary(*self.source.choice(ops), node, self.constant(divisor))

    def remainder(self, node, divisor, positive=True):
        ops = [("arith.remsi", "remainder({}, {})")]
        if positive:
            ops.append(("arith.remui", "({} % {})"))
        elif self.source.random() < 0.5:
            # Of floordivsi, which rounds the other way.
            quotient = self.binary("arith.floordivsi", "({} // {})", node, self.constant(divisor))
            return self.sub(node, self.scaled(quotient, divisor))
        return self.binary(*self.source.choice(ops), node, self.constant(divisor))

    def magnitude(self, node):
        def emit(w):
            return w.add(f"math.absi {node.emit(w)} : {w.element}")

        kind = self.source.randrange(3)
        negated = self.sub(self.constant(0), node)
        if kind == 0:
            return Node(f"abs({node.python})", emit)
        if kind == 1:
            return self.maximum(node, negated)
        return self.choose(self.compare("sge", node, self.constant(0)), node, negated, None)

    def distance(self):
        """How far the key lies behind the query."""
        q, k = self.coordinate("q"), self.coordinate("k")
        kind = self.source.randrange(4)
        if kind == 0:
            return self.add(q, self.scaled(k, -1))
        if kind == 1:
            # The last query stands at the last key.
            return self.sub(self.add(q, self.constant(self.keys - self.queries)), k)
        return self.sub(q, k)

    def limit(self, most):
        """A number, a captured one, or one that depends on batch or head."""
        kind = self.source.random()
        value = self.source.randint(-2, most)
        if kind < 0.7:
            return self.constant(value)
        if kind < 0.8:
            return self.add(self.constant(value), self.scaled(self.coordinate(self.source.choice("bh")), self.source.randint(-9, 9)))
        name = f"c{len(self.captures)}"
        element = self.source.choice(["index", "i32", "i64"])
        if self.entry and element == "index":
            element = "i32"
        if kind < 0.92 and self.entry:
            self.captures[name] = (f"tensor<{element}>", element, [value])
            return Node(f"{name}[0]", lambda w: w.integer(w.once(f"tensor.extract %in_{name}[] : tensor<{element}>"), element))
        if kind < 0.92:
            self.captures[name] = (element, element, [value])
            return Node(f"{name}[0]", lambda w: w.integer(f"%in_{name}", element))
        values = [self.source.randint(-2, most) for _ in range(self.batch)]
        kind = f"tensor<{self.batch}x{element}>"
        self.captures[name] = (kind, element, values)
        return Node(f"{name}[b]", lambda w: w.integer(w.once(f"tensor.extract %in_{name}[%b] : {kind}"), element))

    # Truth values.

    def compare(self, predicate, lhs, rhs):
        # Positions and numbers of masks are exact in f64.
        floats = predicate in FLOATS and self.source.random() < 0.1

        def emit(w):
            left, right = lhs.emit(w), rhs.emit(w)
            if floats:
                left, right = (w.add(f"arith.sitofp {w.wide(value)} : i64 to f64") for value in (left, right))
                return w.add(f"arith.cmpf {FLOATS[predicate]}, {left}, {right} : f64")
            return w.add(f"arith.cmpi {predicate}, {left}, {right} : {w.element}")

        if predicate in PREDICATES:
            return Node(f"({lhs.python} {PREDICATES[predicate]} {rhs.python})", emit)
        bits = (1 << (32 if self.element == "i32" else 64)) - 1
        return Node(f"(({lhs.python} & {bits}) {'<' if predicate == 'ult' else '<='} ({rhs.python} & {bits}))", emit)

    def logic(self, op, python, lhs, rhs):
        def emit(w):
            left, right = lhs.emit(w), rhs.emit(w)
            return w.add(f"arith.{op} {left}, {right} : i1")

        return Node(f"({lhs.python} {python} {rhs.python})", emit)

    def both(self, lhs, rhs):
        return self.logic("andi", "and", lhs, rhs)

    def either(self, lhs, rhs):
        return self.logic("ori", "or", lhs, rhs)

    def differs(self, lhs, rhs):
        if self.source.random() < 0.5:
            return self.logic("xori", "!=", lhs, rhs)
        return self.logic("cmpi ne,", "!=", lhs, rhs)

    def inverse(self, operand):
        truth = Node("True", lambda w: w.once("arith.constant true"))
        false = Node("False", lambda w: w.once("arith.constant false"))
        kind = self.source.randrange(3)
        if kind == 0:
            return self.logic("xori", "!=", operand, truth)
        if kind == 1:
            return self.logic("cmpi eq,", "==", operand, false)
        return self.choose(operand, false, truth, "i1")

    def choose(self, condition, if_true, if_false, kind):
        def emit(w):
            values = [node.emit(w) for node in (condition, if_true, if_false)]
            return w.add(f"arith.select {', '.join(values)} : {kind or w.element}")

        return Node(f"({if_true.python} if {condition.python} else {if_false.python})", emit)

    def between(self, node, low, high):
        """low <= node < high."""
        if self.source.random() < 0.7:
            lower = self.compare("sge", node, low) if self.source.random() < 0.5 else self.compare("sle", low, node)
            upper = self.compare("slt", node, high) if self.source.random() < 0.5 else self.compare("sgt", high, node)
            return self.both(lower, upper) if self.source.random() < 0.5 else self.inverse(self.either(self.inverse(lower), self.inverse(upper)))
        clamped = self.minimum(self.maximum(node, low), self.sub(high, self.constant(1)))
        return self.both(self.compare("eq", node, clamped), self.compare("slt", low, high))

    def leaf(self):
        source, q, k = self.source, self.coordinate("q"), self.coordinate("k")
        longest = max(self.queries, self.keys)
        kind = source.choice(
            ["causal", "causal", "line", "band", "band", "window", "box", "box", "global", "padding", "residue",
             "stride", "dilated", "blocks", "blocks", "image", "clamped", "unsigned", "constant", "table"]
        )
        if kind == "causal":
            predicate = source.choice(["slt", "sle", "sgt", "sge"])
            return self.compare(predicate, k, q) if source.random() < 0.5 else self.compare(predicate, q, self.add(k, self.limit(longest // 2)))
        if kind == "line":
            a, c = source.randint(-3, 3), source.randint(1, 3)
            return self.compare(source.choice(list(PREDICATES)), self.add(self.scaled(q, a), self.scaled(k, c)), self.limit(2 * longest))
        if kind == "band":
            return self.compare(source.choice(["sle", "slt"]), self.magnitude(self.distance()), self.limit(longest // 2))
        if kind == "window":
            return self.between(self.distance(), self.limit(longest // 4), self.limit(longest))
        if kind == "box":
            return self.both(
                self.between(q, self.limit(self.queries // 2), self.limit(self.queries + 2)),
                self.between(k, self.limit(self.keys // 2), self.limit(self.keys + 2)),
            )
        if kind == "global":
            return self.either(self.compare("slt", q, self.limit(longest // 3)), self.compare("slt", k, self.limit(longest // 3)))
        if kind == "padding":
            return self.compare("slt", k, self.limit(self.keys + 3))
        if kind == "residue":
            period = source.choice([source.randint(2, 9), source.randint(2, 40)])
            node, positive = source.choice([(self.distance(), False), (q, True), (k, True), (self.add(q, k), True)])
            rest = self.remainder(node, period, positive)
            return self.compare(source.choice(["eq", "eq", "slt", "ne"]), rest, self.constant(source.randrange(period)))
        if kind == "stride":
            period = source.randint(2, 40)
            return self.compare("eq", self.remainder(k, period), self.constant(source.randrange(period)))
        if kind == "dilated":
            period = source.randint(2, 5)
            rest = self.remainder(self.distance(), period, False)
            apart = self.compare("eq", rest, self.constant(source.randrange(period)))
            if source.random() < 0.5:
                return self.both(self.between(self.distance(), self.limit(0), self.limit(longest)), apart)
            return self.both(apart, self.compare("sle", self.magnitude(self.distance()), self.limit(longest)))
        if kind == "table":
            return self.table()
        if kind == "blocks":
            side = source.choice([2, 3, 8, 12, 16, 24, 32])
            other = side if source.random() < 0.6 else source.choice([4, 5, 8, 16, 20, 48])
            predicate = source.choice(["sge", "sgt", "eq", "eq", "sle", "ne"])
            return self.compare(predicate, self.divided(q, side), self.add(self.divided(k, other), self.constant(source.choice([0, 0, 1, -1]))))
        if kind == "image":
            width, radius = source.randint(3, 12), source.randint(0, 3)
            rows = self.sub(self.divided(q, width), self.divided(k, width))
            columns = self.sub(self.remainder(q, width), self.remainder(k, width))
            near = lambda node: self.compare("sle", self.magnitude(node), self.constant(radius))
            return self.both(near(rows), near(columns))
        if kind == "clamped":
            joined = source.choice([self.minimum, self.maximum])(q, self.limit(self.queries))
            return self.compare(source.choice(["sle", "sge"]), k, joined)
        if kind == "unsigned":
            return self.compare(source.choice(["ult", "ule"]), source.choice([self.distance(), k, self.sub(k, self.limit(9))]), self.limit(longest))
        return self.compare("sle", self.constant(source.randint(0, 1)), self.constant(0))

    def table(self):
        """Documents of the positions, or a limit of the keys of each query, in a constant."""
        name, element = f"t{len(self.constants)}", self.source.choice(["i32", "i64"])
        length = max(self.queries, self.keys)
        documents = self.source.random() < 0.5
        values = [self.source.randint(0, 9 if documents else length) for _ in range(length)]
        if self.source.random() < 0.7:
            values.sort()
        kind = f"tensor<{length}x{element}>"
        self.constants[name] = (kind, values)

        def read(position):
            def emit(w):
                return w.integer(w.once(f"tensor.extract %in_{name}[%{position}] : {kind}"), element)

            return Node(f"{name}[{position}]", emit)

        if documents:
            return self.compare(self.source.choice(["eq", "sle"]), read("k"), read("q"))
        return self.compare("sle", self.coordinate("k"), read("q"))

    def predicate(self, depth):
        if depth == 0:
            return self.leaf()
        lhs = self.predicate(depth - 1)
        kind = self.source.choice(["and", "and", "or", "or", "minus", "xor", "not", "select"])
        if kind == "not":
            return self.inverse(lhs)
        rhs = self.predicate(self.source.randint(0, depth - 1))
        if kind == "and":
            return self.both(lhs, rhs)
        if kind == "or":
            return self.either(lhs, rhs)
        if kind == "minus":
            return self.both(lhs, self.inverse(rhs))
        if kind == "xor":
            return self.differs(lhs, rhs)
        return self.choose(lhs, rhs, self.predicate(0), "i1")

    # The whole.

    def grid(self, batch, head):
        """Which keys each query keeps, row by row."""
        names = dict(FUNCTIONS, b=batch, h=head, Q=self.queries, K=self.keys)
        names.update((name, values) for name, (_, _, values) in self.captures.items())
        names.update((name, values) for name, (_, values) in self.constants.items())
        return eval(f"[[bool({self.keep.python}) for k in range(K)] for q in range(Q)]", names)

    def function(self, name, features=16, value_features=16, element="f16"):
        """A function with one attention under the mask, whose last three arguments are query, key and value."""
        writer = Writer(self.element)
        result = self.keep.emit(writer)
        queries, keys = ("?", "?") if self.dynamic else (self.queries, self.keys)
        query = f"tensor<{self.batch}x{self.heads}x{queries}x{features}x{element}>"
        key = f"tensor<{self.batch}x{self.heads}x{keys}x{features}x{element}>"
        value = f"tensor<{self.batch}x{self.heads}x{keys}x{value_features}x{element}>"
        out = f"tensor<{self.batch}x{self.heads}x{queries}x{value_features}x{element}>"
        types = [kind for kind, _, _ in self.captures.values()]
        arguments = [f"%{name}: {kind}" for name, kind in zip(self.captures, types)]
        constants = []
        for constant, (kind, values) in self.constants.items():
            constants.append(f"  %{constant} = arith.constant dense<{values}> : {kind}")
            types.append(kind)
        captures = [*self.captures, *self.constants]
        region = "".join(f", %in_{name}: {kind}" for name, kind in zip(captures, types))
        arguments += [f"%query: {query}", f"%key: {key}", f"%value: {value}"]
        captured = f"captures({', '.join('%' + name for name in captures)} : {', '.join(types)}) " if types else ""
        lines = [f"func.func @{name}({', '.join(arguments)}) -> {out} {{"] + constants
        size = ""
        if self.dynamic:
            lines += ["  %two = arith.constant 2 : index", f"  %size = tensor.dim %query, %two : {query}"]
            size = "%size"
        lines.append(f"  %init = tensor.empty({size}) : {out}")
        lines += [f"  %mask = stof.mask {captured}{{", f"  ^bb0(%b: index, %h: index, %q: index, %k: index{region}):"]
        lines += [f"    {line}" for line in writer.lines] + [f"    stof.yield {result} : i1"]
        lines.append(f"  }} : !stof.mask<{queries}x{keys}>")
        lines.append(
            f"  %out = stof.attention ins(%query, %key, %value : {query}, {key}, {value}) "
            f"mask(%mask : !stof.mask<{queries}x{keys}>) outs(%init : {out}) -> {out}"
        )
        return "\n".join(lines + [f"  return %out : {out}", "}"]) + "\n"


def masks(seed, count, **what):
    """`count` masks that depend on nothing but the seed."""
    return [Mask(random.Random(f"{seed}.{number}"), **what) for number in range(count)]


class Campaign:
    """What a script that checks random masks is told on its command line.

    That is `SCRIPT TOOL FOLDER [--count=N] [--seed=N] [--batch=N]`; batches of masks go through the tools together.
    `flags` are further words that it may have, `self.flags` those that it has.
    """

    def __init__(self, count, batch, *flags):
        parser = argparse.ArgumentParser()
        parser.add_argument("tool")
        parser.add_argument("folder")
        parser.add_argument("--count", type=int, default=count)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--batch", type=int, default=batch)
        for flag in flags:
            parser.add_argument(flag, dest="flags", action="append_const", const=flag, default=[])
        arguments = parser.parse_args()
        os.makedirs(arguments.folder, exist_ok=True)
        self.tool, self.folder = arguments.tool, arguments.folder
        self.count, self.seed, self.batch = arguments.count, arguments.seed, arguments.batch
        self.flags = arguments.flags if flags else []

    def run(self, masks, check, summary):
        """Prints what `check` complains about in batches of numbered masks, and the summary; exits 1 if it does."""
        numbered, wrong = list(enumerate(masks)), 0
        for first in range(0, len(numbered), self.batch):
            for complaint in check(numbered[first : first + self.batch]):
                wrong += 1
                print(complaint, flush=True)
        print(f"{len(numbered)} masks: {summary()}, {wrong} wrong")
        sys.exit(bool(wrong) or not numbered)

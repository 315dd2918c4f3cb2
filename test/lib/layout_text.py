"""Reads the layouts that stof-plan-layout writes, and evaluates them."""

import re


class Reader:
    """Attributes in MLIR's text; structs become dictionaries, maps the Python expression of their results."""

    def __init__(self, text):
        self.text, self.position = text, 0

    def take(self, pattern):
        found = re.compile(rf"\s*(?:{pattern})").match(self.text, self.position)
        if found:
            self.position = found.end()
        return found

    def expect(self, pattern):
        found = self.take(pattern)
        if not found:
            raise ValueError(f"expects {pattern}, but got {self.text[self.position : self.position + 80]}")
        return found

    def fields(self, end):
        result = {}
        while not self.take(end):
            name = self.expect(r"(\w+) = ").group(1)
            result[name] = self.value()
            self.take(",")
        return result

    def value(self):
        if self.take(r"\["):
            result = []
            while not self.take(r"\]"):
                result.append(self.value())
                self.take(",")
            return result
        if self.take(r"\{"):
            return self.fields(r"\}")
        if self.take(r"#stof\.\w+"):
            return self.fields(">") if self.take("<") else {}
        if found := self.take(r"affine_map<\([^)]*\)(?:\[[^\]]*\])? -> \((.*?)\)>"):
            results = found.group(1).replace("floordiv", "//").replace("mod", "%")
            return compile(f"({results},)" if results else "()", results, "eval")
        if found := self.take(r'"([^"]*)"'):
            return found.group(1)
        return self.expect(r"(-?\w+)(?: : i64)?").group(1)


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "min": min,
    "max": max,
    "<=": lambda a, b: int(a <= b),
}


def evaluate(count, symbols):
    """The value of a count that may be an expression of symbols."""
    if isinstance(count, list):
        if count[0] == "sum":
            _, index, times, body = count
            return sum(evaluate(body, {**symbols, index: i}) for i in range(evaluate(times, symbols)))
        return OPERATORS[count[0]](*(evaluate(part, symbols) for part in count[1:]))
    return symbols[count] if count in symbols else int(count)


def elements(line):
    """The shape and the flat values of a constant."""
    found = re.search(r"dense<(.*)> : tensor<((?:\d+x)*)\w+>", line)
    shape = [int(size) for size in found.group(2).split("x")[:-1]]
    values = [int(value) for value in re.findall(r"-?\d+", found.group(1))]
    count = 1
    for size in shape:
        count *= size
    return shape, values * (count if len(values) == 1 else 1)


class Tile:
    """Keys that a row tile reads at once; those that no key is in lie behind the last."""

    def __init__(self, keys, partial, lattice=False, bitmap=None):
        self.keys, self.partial, self.lattice, self.bitmap = keys, partial, lattice, bitmap


class Layout:
    """What stof-plan-layout wrote for the attention of one function, if anything."""

    def __init__(self, function):
        self.lines = function.split("\n")
        found = re.search(r" layout <(.*)", function)
        self.found = bool(found)
        # Whether the tiles are in the text; tables of run-time data are not.
        self.is_known = self.found and "storage = run_time" not in found.group(1)
        if not found:
            return
        reader = Reader(found.group(1))
        self.fields = reader.fields(">")
        operands = reader.take(r"from\((.*?) :")
        self.operands = operands.group(1).split(", ") if operands else []
        self.shape = int(self.fields["row_tile"]), int(self.fields["col_tile"])
        self.storage = self.fields["storage"]
        self.lattices = self.fields.get("lattices", [])
        self.row_stride, self.residue = int(self.fields.get("row_stride", 1)), int(self.fields.get("residue", 0))
        self.census = self.fields.get("census", {})
        if self.storage == "tables":
            tables = [elements(self.line(operand)) for operand in self.operands]
            (self.ranges_shape, self.ranges), (_, self.entries), (self.bitmaps_shape, self.bitmaps) = tables

    def line(self, operand):
        return next((line.strip() for line in self.lines if line.strip().startswith(f"{operand} = ")), None)

    def value(self, operand, mask, position):
        """An element of an operand, at a position of the rank that it has."""
        line = self.line(operand)
        if line is None:
            number = int(re.fullmatch(r"%arg(\d+)", operand).group(1))
            values = list(mask.captures.values())[number][2]
            return values[position[0] if position else 0]
        of = lambda pattern: re.search(rf"= {pattern}", line)
        if found := of(r"arith\.constant (-?\d+)"):
            return int(found.group(1))
        if of(r"arith\.constant dense"):
            return elements(line)[1][position[0] if position else 0]
        if found := of(r"tensor\.dim (%\w+), "):
            argument = int(re.fullmatch(r"%arg(\d+)", found.group(1)).group(1)) - len(mask.captures)
            return (mask.queries, mask.keys, mask.keys)[argument]
        if found := of(r"arith\.(?:index_cast|extsi|trunci) (%\w+) :"):
            return self.value(found.group(1), mask, position)
        if found := of(r"arith\.(addi|subi|muli|maxsi|minsi) (%\w+), (%\w+)"):
            lhs, rhs = (self.value(name, mask, position) for name in found.groups()[1:])
            results = {"addi": lhs + rhs, "subi": lhs - rhs, "muli": lhs * rhs, "maxsi": max(lhs, rhs), "minsi": min(lhs, rhs)}
            return results[found.group(1)]
        raise ValueError(f"cannot evaluate {line}")

    def counts(self, mask):
        """The numbers of the census."""
        symbols = {"Sq": mask.queries, "Sk": mask.keys}
        for name, operand in self.census.get("symbols", {}).items():
            symbols[name] = self.value(self.operands[int(operand)], mask, ())
        return {name: evaluate(count, symbols) for name, count in self.census.items() if name not in ("symbols", "unknown")}

    def rows(self, mask, batch, head):
        """The tiles that each row tile visits."""
        return [list(self.row(mask, batch, head, row)) for row in range(self.count(mask))]

    def count(self, mask):
        """How many row tiles begin inside."""
        whole, rest = divmod(mask.queries, self.row_stride * self.shape[0])
        return whole * self.row_stride + min(rest, self.row_stride)

    def queries(self, mask, row):
        """The queries of a row tile that exist."""
        tile, first = divmod(row, self.row_stride)
        first += self.row_stride * self.shape[0] * tile
        return range(first, min(first + self.row_stride * self.shape[0], mask.queries), self.row_stride)

    def lattice(self, view, row):
        """The stride of the keys of a view, and the first."""
        if self.row_stride > 1:
            return self.row_stride, (row - self.residue) % self.row_stride
        return int(view.get("stride", 1)), int(view.get("offset", 0))

    def columns(self, mask, view, row):
        """How many tiles of keys a view has."""
        stride, offset = self.lattice(view, row)
        return -(-max(mask.keys - offset, 0) // (stride * self.shape[1]))

    def bitmap(self, number):
        """The pairs that a partial tile keeps, row by row."""
        _, rows, words = self.bitmaps_shape
        first = number * rows * words
        lines = [self.bitmaps[at : at + words] for at in range(first, first + rows * words, words)]
        # The bits of each of the four threads that hold a row of a fragment lie together.
        width = 1 << (-(-self.shape[1] // 4) - 1).bit_length()
        places = [key // 2 % 4 * width + key // 8 * 2 + key % 2 for key in range(self.shape[1])]
        return [[bool(line[at // 32] >> at % 32 & 1) for at in places] for line in lines]

    def row(self, mask, batch, head, row):
        side = self.shape[1]
        if self.storage == "tables":
            batches, heads, rows, ends = self.ranges_shape
            at = ((batch % batches * heads + head % heads) * rows + row) * ends
            first, full, end = self.ranges[at : at + ends]
            for position, entry in enumerate(self.entries[first:end], first):
                tile, partial = (entry & 0xFFFFFFFF) // 2, entry % 2 == 1
                assert partial == (position < full), "expects partial tiles ahead of full ones"
                yield Tile(range(tile * side, (tile + 1) * side), partial, bitmap=self.bitmap(entry >> 32) if partial else None)
            return
        names = {"d0": row, "d1": batch, "d2": head}
        for number, (operand, position) in enumerate(zip(self.operands, self.fields.get("symbols", []))):
            names[f"s{number}"] = self.value(operand, mask, eval(position, {}, {"d0": batch, "d1": head}))
        for number, view in enumerate([self.fields, *self.lattices]):
            stride, offset = self.lattice(view, row)
            columns = self.columns(mask, view, row)
            inside = lambda name: {tile for interval in view.get(name, []) for tile in span(interval, names, columns)}
            partial = inside("partial")
            for tile in sorted(inside("visited")):
                keys = range(offset + stride * side * tile, offset + stride * side * (tile + 1), stride)
                yield Tile(keys, tile in partial, number > 0)


def span(interval, names, columns):
    """The tiles of a `#stof.interval`."""
    begin, end, guard = (eval(interval[name], {}, names) if name in interval else () for name in ("from", "to", "where"))
    if min(guard, default=0) < 0:
        return range(0)
    return range(max((0, *begin)), min((columns, *end)))

"""Models that are changed at random: sizes, element types, maps, operations, constants, operands, casts, slices.

A model is text in MLIR's generic form with unique names, where each operation says its operands and their types; see
`Model.read`. `mutate` changes one thing and keeps the text one that may be a model still. Whether it is one, the
verifier says.
"""

import math
import re

FLAGS = ["--mlir-print-op-generic", "--mlir-print-unique-ssa-ids"]
OPERATION = re.compile(r'^\s*(?:(?P<results>%[\w#:, %]+?) = )?"(?P<name>[\w.]+)"\((?P<operands>[^)]*)\)(?P<rest>.*)$')
# What neither sees nor hands on the values around it.
ISOLATED = {"func.func", "stof.mask", "stof.attention", "stof.group", "builtin.module"}
SIZES = [1, 1, 1, 2, 3, 5, 7, 13, 17, 31, 33, 48, 65]
LARGEST = 1 << 17
FLOATS = {
    "f64": ["0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000", "-1.7976931348623157E+308", "0xFFEFFFFFFFFFFFFF"],
    "f32": ["0x7F800000", "0xFF800000", "0x7FC00000", "-3.40282347E+38", "3.40282347E+38", "-2.0E+38", "1.0E-40", "-1.0E+4"],
    "f16": ["0x7C00", "0xFC00", "0x7E00", "-6.550400E+04", "6.550400E+04", "6.0E-08"],
    "bf16": ["0x7F80", "0xFF80", "0x7FC0", "-3.38953139E+38", "3.38953139E+38"],
}
ORDINARY = ["0.0", "-0.0", "1.0", "-1.0", "0.5", "3.0", "-1.0E+4", "1.0E-3"]
KIN = [
    ["arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"],
    ["arith.andi", "arith.ori", "arith.xori"],
    ["arith.addi", "arith.subi", "arith.muli", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui", "arith.floordivsi", "arith.remsi",
     "arith.andi", "arith.ori"],
    ["math.exp", "math.exp2", "math.tanh", "math.rsqrt", "math.sqrt", "math.absf", "arith.negf", "math.erf", "math.log"],
    ["arith.extui", "arith.extsi"],
    ["arith.sitofp", "arith.uitofp"],
]


def split(text):
    """The elements of a list, between commas that no bracket encloses."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}" or (letter == ">" and text[i - 1] != "-"):
            depth -= 1
        elif letter == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return parts + [last] if last else parts


class Operation:
    """One line, or those of its regions; `head` is what stands before regions, `tail` before the types."""

    def __init__(self, results, name, operands, head, regions, tail, takes, gives):
        self.results, self.name, self.operands, self.head = results, name, operands, head
        self.regions, self.tail, self.takes, self.gives = regions, tail, takes, gives

    @property
    def values(self):
        """The names of the results."""
        if len(self.gives) == 1:
            return [self.results]
        return [f"{self.results}#{i}" for i in range(len(self.gives))]

    @property
    def says_its_body(self):
        """Whether the name alone says what the body computes: one that is changed contradicts it."""
        return self.name.startswith("linalg.") and self.name not in ("linalg.generic", "linalg.map", "linalg.reduce")

    def walk(self, isolated=(), named=True):
        """(block, position, operation, values that it may take) of all that it holds, but for bodies that a name says
        unless `named`; values are (name, type)."""
        for region in self.regions if named or not self.says_its_body else ():
            outer = () if self.name in ISOLATED else isolated
            for block in region:
                known = list(outer) + block.arguments
                for position, op in enumerate(block.operations):
                    yield block, position, op, known
                    yield from op.walk(known, named)
                    known = known + list(zip(op.values, op.gives)) if op.gives else known

    def write(self, out, indent=0):
        space = "  " * indent
        results = self.results + (f":{len(self.gives)}" if len(self.gives) > 1 else "")
        line = f"{space}{results + ' = ' if results else ''}\"{self.name}\"({', '.join(self.operands)}){self.head}"
        for number, region in enumerate(self.regions):
            out.append(line + " ({" if not number else f"{space}}}, {{")
            for label, block in enumerate(region):
                arguments = ", ".join(f"{name}: {kind}" for name, kind in block.arguments)
                out.append(f"{space}^bb{label}({arguments}):" if arguments else f"{space}^bb{label}:")
                for op in block.operations:
                    op.write(out, indent + 1)
        if self.regions:
            line = space + "})"
        gives = self.gives[0] if len(self.gives) == 1 and "->" not in self.gives[0] else f"({', '.join(self.gives)})"
        out.append(f"{line}{self.tail} : ({', '.join(self.takes)}) -> {gives}")


class Block:
    def __init__(self, arguments):
        self.arguments, self.operations = arguments, []


class Unreadable(Exception):
    """Text of another shape than the printer's."""


class Model:
    """The operations of a file, and what stands before and after them."""

    def __init__(self, text):
        self.lines, self.at = text.splitlines(), 0
        before = []
        while self.at < len(self.lines) and not OPERATION.match(self.lines[self.at]):
            before.append(self.lines[self.at])
            self.at += 1
        if self.at == len(self.lines):
            raise Unreadable("no operation")
        self.before = before
        self.module = self.operation()
        self.after = self.lines[self.at:]

    def operation(self):
        match = OPERATION.match(self.lines[self.at])
        if not match:
            raise Unreadable(self.lines[self.at])
        self.at += 1
        results = (match["results"] or "").split(":")[0].split(",")[0]
        rest, regions, head = match["rest"], [], None
        if rest.endswith("({"):
            head = rest[:-2].rstrip()
            while True:
                regions.append(self.region())
                rest = self.lines[self.at].strip()
                self.at += 1
                if rest.startswith("})"):
                    rest = rest[2:]
                    break
                if rest != "}, {":
                    raise Unreadable(rest)
        split_at = rest.rfind(" : (")
        arrow = rest.rfind(") -> ")
        if split_at < 0 or arrow < split_at:
            raise Unreadable(rest)
        tail, takes, gives = rest[:split_at], split(rest[split_at + 4:arrow]), rest[arrow + 5:]
        gives = split(gives[1:-1]) if gives.startswith("(") else [gives]
        if head is None:
            head, tail = tail, ""
        return Operation(results, match["name"], split(match["operands"]), head, regions, tail, takes, gives)

    def region(self):
        blocks = []
        while not self.lines[self.at].strip().startswith("}"):
            line = self.lines[self.at].strip()
            if line.startswith("^"):
                arguments = line[line.find("(") + 1:line.rfind(")")] if "(" in line else ""
                blocks.append(Block([tuple(part.split(": ", 1)) for part in split(arguments)]))
                self.at += 1
                continue
            if not blocks:
                blocks.append(Block([]))
            blocks[-1].operations.append(self.operation())
        return blocks

    def __str__(self):
        out = list(self.before)
        self.module.write(out)
        return "\n".join(out + self.after) + "\n"

    def operations(self):
        return list(self.module.walk(named=False))

    def functions(self):
        return [op for _, _, op, _ in self.operations() if op.name == "func.func" and op.regions and op.regions[0]]

    def fresh(self):
        self.named = getattr(self, "named", 0) + 1
        taken = str(self) if self.named == 1 else ""
        if taken:
            self.first = 1 + max([int(number) for number in re.findall(r"%z(\d+)\b", taken)], default=0)
        return f"%z{self.first + self.named}"


def sizes_of(text):
    return [int(size) for body in re.findall(r"(?:tensor|mask)<([\dx?]+)", text) for size in re.findall(r"\d+", body)]


def resize(text, change):
    """`text` with each static size of a tensor as `change` has it."""
    def shape(match):
        return match[1] + "x".join(
            str(change(int(size))) if size.isdigit() else size for size in match[2].split("x"))

    def numbers(match):
        return match[1] + ", ".join(
            str(change(int(size))) if int(size) > 1 else size for size in match[2].split(", ")) + match[3]
    text = re.sub(r"(tensor<|stof\.mask<)((?:\d+|\?)(?:x(?:\d+|\?))*)", shape, text)
    return re.sub(r"((?:static_output_shape|static_sizes) = array<i64: )([-\d, ]+)(>)", numbers, text)


# Each changes a Model, or gives a text that takes its place, or None where there is nothing to change.


def other_size(model, random):
    text = str(model)
    sizes = sorted({size for size in sizes_of(text) if size > 1})
    if not sizes:
        return None
    old = random.choice(sizes)
    new = random.choice(SIZES + [old - 1, old + 1])
    wide = random.random() < 0.7

    def change(size):
        if size == old:
            return new
        return size // old * new if wide and size % old == 0 and size > old else size
    changed = resize(text, change)
    return changed if max(sizes_of(changed), default=1) <= 4096 else None


def dynamic_size(model, random):
    text = str(model)
    inputs = [(function, number, kind) for function in model.functions()
              for number, (_, kind) in enumerate(function.regions[0][0].arguments) if kind.startswith("tensor<")]
    sizes = sorted({size for _, _, kind in inputs for size in sizes_of(kind)})
    if not sizes:
        return None
    old = random.choice(sizes)
    opened = Model(re.sub(r"tensor<([\dx?]+)", lambda match: "tensor<" + "x".join(
        "?" if size == str(old) else size for size in match[1].split("x")), text).replace(f"mask<{old}x", "mask<?x").replace(
            f"x{old}>", "x?>"))
    for function in opened.functions():
        where = next(((name, kind, dim) for name, kind in function.regions[0][0].arguments if kind.startswith("tensor<")
                      for dim, size in enumerate(kind[7:].split("x")[:-1]) if size == "?"), None)
        if not where:
            continue
        name, kind, dim = where
        index, size = opened.fresh(), opened.fresh()
        function.regions[0][0].operations[:0] = [
            Operation(index, "arith.constant", [], f" <{{value = {dim} : index}}>", [], "", [], ["index"]),
            Operation(size, "tensor.dim", [name, index], "", [], "", [kind, "index"], ["index"])]
        for _, _, op, _ in function.walk():
            if not op.gives or op.name not in ("tensor.empty", "tensor.expand_shape", "tensor.extract_slice"):
                continue
            missing = op.gives[0].count("?") - (len(op.operands) - (op.name != "tensor.empty"))
            if missing > 0:
                op.operands += [size] * missing
                op.takes += ["index"] * missing
                op.head = re.sub(r"((?:static_output_shape|static_sizes) = array<i64: )([-\d, ]+)", lambda match: match[1] + ", ".join(
                    "-9223372036854775808" if part == str(old) else part for part in match[2].split(", ")), op.head)
                op.head = re.sub(r"(operandSegmentSizes = array<i32: 1, 0, )\d+", rf"\g<1>{missing}", op.head)
    return str(opened)


def other_type(model, random):
    text = str(model)
    types = sorted(set(re.findall(r"\b(?:f16|bf16|f32|f64|i64|i32)\b", text)))
    old = random.choice(types) if types else None
    new = random.choice(["f16", "bf16", "f32", "f32", "f64"] if old and "f" in old else ["i64", "i32", "i16", "i8"])
    if not old or old == new:
        return None
    text = re.sub(rf"\b{old}\b", new, text)
    # A cast between what is one type now is none, and segments are counted in i32.
    text = re.sub(r"(array<)\w+(?=: [\d, -]+>)", lambda match: match[0], text)
    text = re.sub(r"(SegmentSizes = array<)\w+", r"\1i32", text)
    text = re.sub(r"((?:static_\w+|permutation|dimensions|known_\w+) = array<)\w+", r"\1i64", text)
    return re.sub(r"(predicate = \d+ : )\w+", r"\1i64", text)


def other_map(model, random):
    maps = [i for i, line in enumerate(model.before) if line.startswith("#map") and "->" in line]
    if not maps:
        return None
    number = random.choice(maps)
    head, body = model.before[number].rsplit("-> (", 1)
    results = split(body[:body.rindex(")>")])
    if not results:
        return None
    i, j = random.randrange(len(results)), random.randrange(len(results))
    if random.random() < 0.3 and i != j:
        results[i], results[j] = results[j], results[i]
    elif random.random() < 0.5:
        results[i] = random.choice(["0", results[j], f"{results[i]} + 0"])
    else:
        dims = re.findall(r"\bd\d+\b", head)
        if len(dims) < 2:
            return None
        a, b = random.sample(dims, 2)
        results = [{a: b, b: a}.get(result, result) for result in results]
    # Of the operations with that map one reads another way; the others keep theirs.
    new = f"#mapz{len(model.before)}"
    model.before.insert(number + 1, f"{new} = {head.split(' = ', 1)[1]}-> ({', '.join(results)})>")
    name = model.before[number].split(" = ")[0]
    users = [op for _, _, op, _ in model.operations() if re.search(rf"{name}\b", op.head)]
    if not users:
        return None
    op = random.choice(users)
    places = list(re.finditer(rf"{name}\b", op.head))
    place = random.choice(places)
    op.head = op.head[:place.start()] + new + op.head[place.end():]
    return str(model)


def rename(op, old, new):
    """Lets what `op` holds, and it, take `new` for `old`."""
    op.operands = [new if operand == old else operand for operand in op.operands]
    for _, _, inner, _ in op.walk():
        inner.operands = [new if operand == old else operand for operand in inner.operands]


def drop(model, random):
    places = [place for place in model.operations() if place[2].gives and len(place[2].gives) == 1 and place[3]]
    if not places:
        return None
    block, position, op, known = random.choice(places)
    same = [name for name, kind in known if kind == op.gives[0]]
    if not same:
        return None
    del block.operations[position]
    rename(model.module, op.results, random.choice(same))
    return str(model)


def duplicate(model, random):
    places = [place for place in model.operations() if place[2].gives and len(place[2].gives) == 1]
    if not places:
        return None
    block, position, op, _ = random.choice(places)
    lines = []
    op.write(lines)
    # Names inside are new as well.
    text = "\n".join(lines)
    for name in sorted(set(re.findall(r"^\s*(%\w+)(?::\d+)? = ", text, re.M)) | {
            name for line in lines if line.strip().startswith("^") for name in re.findall(r"%\w+", line)}):
        text = re.sub(rf"{name}\b", model.fresh(), text)
    reader = Model.__new__(Model)
    reader.lines, reader.at = text.splitlines(), 0
    copy = reader.operation()
    after = block.operations[position + 1:]
    block.operations.insert(position + 1, copy)
    for user in after:
        if random.random() < 0.5:
            rename(user, op.results, copy.results)
    return str(model)


def reorder(model, random):
    blocks = [block for block, position, _, _ in model.operations() if position == 0 and len(block.operations) > 2]
    if not blocks:
        return None
    block = random.choice(blocks)
    op = block.operations.pop(random.randrange(len(block.operations) - 1))
    block.operations.insert(random.randrange(len(block.operations)), op)
    return str(model)


def get_starts(model):
    """What sums start from. They stay: of a sum that starts from a finite number, how many digits are left depends on its order."""
    return {op.operands[0] for _, _, op, _ in model.operations() if op.name == "linalg.fill"}


def other_constant(model, random):
    starts = get_starts(model)
    constants = [op for _, _, op, _ in model.operations() if op.name == "arith.constant" and op.results not in starts]
    if not constants:
        return None
    op = random.choice(constants)
    element = re.search(r"\b(bf16|f16|f32|f64|index|i\d+)>?$", op.gives[0])
    if not element:
        return None
    element = element[1]
    if "f" in element:
        value = random.choice(FLOATS[element] + ORDINARY)
    elif element == "i1":
        value = random.choice(["true", "false"])
    elif element == "index":
        value = str(random.choice([0, 1, 2, 3, 63, 64, 4096]))
    else:
        width = int(element[1:])
        value = str(random.choice([0, 1, -1, 2, 7, 100, (1 << width - 1) - 1, -(1 << width - 1)]))
    if "tensor<" in op.gives[0]:
        op.head = f" <{{value = dense<{value}> : {op.gives[0]}}}>"
    else:
        op.head = f" <{{value = {value}{'' if element == 'i1' else ' : ' + element}}}>"
    return str(model)


def other_predicate(model, random):
    comparisons = [op for _, _, op, _ in model.operations() if op.name in ("arith.cmpi", "arith.cmpf")]
    if not comparisons:
        return None
    op = random.choice(comparisons)
    op.head = re.sub(r"predicate = \d+", f"predicate = {random.randrange(10 if op.name == 'arith.cmpi' else 16)}", op.head)
    return str(model)


def other_operand(model, random):
    places = [(op, known) for _, _, op, known in model.operations() if op.operands and op.name != "linalg.fill"]
    if not places:
        return None
    op, known = random.choice(places)
    number = random.randrange(len(op.operands))
    same = [name for name, kind in known if kind == op.takes[number] and name != op.operands[number]]
    if not same:
        return None
    op.operands[number] = random.choice(same[-6:])
    return str(model)


def exchange(model, random):
    places = [op for _, _, op, _ in model.operations() if len(op.operands) > 1 and op.name != "linalg.yield"]
    if not places:
        return None
    op = random.choice(places)
    i, j = random.sample(range(len(op.operands)), 2)
    op.operands[i], op.operands[j] = op.operands[j], op.operands[i]
    op.takes[i], op.takes[j] = op.takes[j], op.takes[i]
    return str(model)


def other_operation(model, random):
    places = [(op, names) for _, _, op, _ in model.operations() for names in KIN if op.name in names]
    if not places:
        return None
    op, names = random.choice(places)
    op.name = random.choice(names)
    if op.name.startswith("math.") or op.name in ("arith.andi", "arith.ori", "arith.xori") or "ext" in op.name or "itofp" in op.name \
            or op.name.startswith(("arith.max", "arith.min")) or op.name in ("arith.floordivsi", "arith.remsi"):
        op.head = "" if "fastmath" not in op.head or "i" == op.name[-1] else op.head
    return str(model)


def tensors(model):
    """(block, position, operation, number of an operand that is a tensor of known rank)."""
    return [(block, position, op, number) for block, position, op, _ in model.operations() for number, kind in enumerate(op.takes)
            if re.match(r"tensor<[\d?]", kind) and op.name not in ("func.return", "stof.yield", "linalg.yield", "tensor.dim")]


def add_cast(model, random):
    places = tensors(model)
    if not places:
        return None
    block, position, op, number = random.choice(places)
    kind = op.takes[number]
    sizes = kind[7:-1].split("x")
    dim = random.randrange(len(sizes) - 1)
    if not sizes[dim].isdigit():
        return None
    sizes[dim] = "?"
    opened = "tensor<" + "x".join(sizes) + ">"
    cast, operand = model.fresh(), op.operands[number]
    added = [Operation(cast, "tensor.cast", [operand], "", [], "", [kind], [opened])]
    if random.random() < 0.3:
        back = model.fresh()
        added.append(Operation(back, "tensor.cast", [cast], "", [], "", [opened], [kind]))
        op.operands[number] = back
    else:
        op.operands[number], op.takes[number] = cast, opened
        if op.gives and op.gives[0] == kind and number == len(op.takes) - 1:
            # The result is of the type of what it begins with.
            result, op.results, op.gives = op.results, model.fresh(), [opened] * len(op.gives)
            block.operations.insert(position + 1, Operation(result, "tensor.cast", [op.results], "", [], "", [opened], [kind]))
    block.operations[position:position] = added
    return str(model)


def add_slice(model, random):
    """An operand is a slice of a constant or of an argument that is added."""
    places = [place for place in tensors(model) if "?" not in place[2].takes[place[3]]]
    if not places or len(model.functions()) != 1:
        return None
    block, position, op, number = random.choice(places)
    function = model.functions()[0]
    entry = function.regions[0][0]
    if block is not entry:
        return None
    kind = op.takes[number]
    *sizes, element = kind[7:-1].split("x")
    if element not in ("f16", "bf16", "f32", "i64", "i1", "i32"):
        return None
    sizes = [int(size) for size in sizes]
    offsets = [random.choice([0, 0, 1, 3]) for _ in sizes]
    strides = [random.choice([1, 1, 1, 2]) for _ in sizes]
    whole = [offset + (size - 1) * stride + 1 + random.choice([0, 2]) for size, offset, stride in zip(sizes, offsets, strides)]
    source, name = "tensor<" + "x".join(map(str, whole + [element])) + ">", model.fresh()
    entry.arguments.append((name, source))
    function.head = re.sub(r"function_type = \((.*?)\) -> ", lambda match: f"function_type = ({match[1]}{', ' if match[1] else ''}{source}) -> ",
                           function.head, count=1)
    if "arg_attrs" in function.head:
        return None
    slice_ = model.fresh()

    def array(values):
        return f"array<i64: {', '.join(map(str, values))}>"
    head = (f" <{{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = {array(offsets)}, static_sizes = {array(sizes)}, "
            f"static_strides = {array(strides)}}}>")
    block.operations.insert(position, Operation(slice_, "tensor.extract_slice", [name], head, [], "", [source], [kind]))
    op.operands[number] = slice_
    return str(model)


def other_result(model, random):
    functions = model.functions()
    if not functions:
        return None
    function = random.choice(functions)
    block = function.regions[0][-1]
    last = block.operations[-1]
    if last.name != "func.return" or not last.operands:
        return None
    known = [(name, kind) for op in block.operations for name, kind in zip(op.values, op.gives) if kind.startswith("tensor<")]
    if not known:
        return None
    name, kind = random.choice(known)
    if random.random() < 0.5:
        last.operands.append(name)
        last.takes.append(kind)
    else:
        last.operands[-1], last.takes[-1] = name, kind
    gives = last.takes[0] if len(last.takes) == 1 else f"({', '.join(last.takes)})"
    arguments = ", ".join(kind for _, kind in block.arguments)
    at = function.head.index("function_type = ")
    end = function.head.index(", sym_name", at)
    function.head = function.head[:at] + f"function_type = ({arguments}) -> {gives}" + function.head[end:]
    return None if "res_attrs" in function.head else str(model)


def known_argument(model, random):
    """An argument is a constant all over."""
    functions = [function for function in model.functions() if function.regions[0][0].arguments]
    if not functions:
        return None
    block = random.choice(functions).regions[0][0]
    name, kind = random.choice(block.arguments)
    match = re.match(r"tensor<((?:\d+x)*)(f16|bf16|f32|f64|i1|i32|i64)>$", kind)
    if not match or math.prod(int(size) for size in match[1].split("x")[:-1]) > LARGEST:
        return None
    element = match[2]
    value = random.choice(FLOATS[element] + ORDINARY) if element in FLOATS else random.choice(["0", "1"])
    is_read_in_tiles = any(op.name == "stof.attention" and name in op.operands[:3] for op in block.operations)
    if is_read_in_tiles and value.startswith("0x"):
        # An infinite or undefined element of a tile that is visited may make a whole row undefined.
        value = "1.0"
    if element == "i1":
        value = random.choice(["true", "false"])
    constant = model.fresh()
    for op in block.operations:
        rename(op, name, constant)
    block.operations.insert(0, Operation(constant, "arith.constant", [], f" <{{value = dense<{value}> : {kind}}}>", [], "", [], [kind]))
    return str(model)


def other_attribute(model, random):
    """Another treatment of fully masked rows, another scale."""
    places = [op for _, _, op, _ in model.operations() if op.name == "stof.attention"]
    if not places:
        return None
    op = random.choice(places)
    if random.random() < 0.5:
        op.head = re.sub(r"(empty_rows = )[^,}]*", rf"\g<1>{random.randrange(4)} : i32", op.head)
    else:
        op.head = re.sub(r"(\bscale = )[^,}]*", lambda match: match[1] + random.choice(FLOATS["f32"] + ORDINARY) + " : f32", op.head)
    return str(model)


MUTATIONS = [other_size] * 5 + [dynamic_size] * 2 + [other_type] * 2 + [other_map] * 2 + [drop] * 3 + [duplicate] * 2 + [reorder] + \
    [other_constant] * 4 + [other_predicate] * 2 + [other_operand] * 3 + [exchange] * 3 + [other_operation] * 3 + [add_cast] * 3 + \
    [add_slice] * 2 + [other_result] * 2 + [known_argument] + [other_attribute]


def mutate(text, random):
    """(name of the mutation, changed text), or None where nothing was changed."""
    mutation = random.choice(MUTATIONS)
    changed = mutation(Model(text), random)
    return (mutation.__name__, changed) if changed and changed != text else None

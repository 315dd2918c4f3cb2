"""What the PTX instructions of stof's kernels do, for ptx_simulator.py.

Registers hold unsigned 64-bit integers; each instruction reads the bits that its
type has. Functions take the block, the parts of the opcode after its name, the
operands and the mask of the threads that run.
"""

import re
import struct

import numpy as np

U64, MASK64 = np.uint64, (1 << 64) - 1
FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
SIGNED = {16: np.int16, 32: np.int32, 64: np.int64}
UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


def width(kind):
    return 1 if kind == "pred" else int(re.sub(r"\D", "", kind.replace("x2", ""))) * (2 if "x2" in kind else 1)


def bits_of(kind, value):
    """A parameter as the bits of its register."""
    if kind.startswith("f"):
        return int.from_bytes(struct.pack("<f" if kind == "f32" else "<d", value), "little")
    return int(value) & MASK64


def read_text(text, bits):
    """An immediate as bits."""
    if re.match(r"0[fF][0-9A-Fa-f]{8}$", text):
        return int(text[2:], 16)
    if re.match(r"0[dD][0-9A-Fa-f]{16}$", text):
        return int(text[2:], 16)
    return int(text.rstrip("U"), 0) & ((1 << bits) - 1)


def typed(values, kind):
    """Bits as numbers of the type `kind`."""
    bits = width(kind)
    if kind == "pred":
        return values.astype(bool)
    raw = values.astype(UNSIGNED[bits])
    if kind == "bf16":
        return (values.astype(np.uint32) << 16).view(np.float32)
    if kind.startswith("f"):
        return raw.view(FLOATS[kind])
    return raw.view(SIGNED[bits]) if kind.startswith("s") else raw


def untyped(values, kind):
    """The reverse of `typed`."""
    bits = width(kind)
    if kind == "pred":
        return values.astype(U64)
    if kind == "bf16":
        return round_to_bf16(values.astype(np.float32))
    if kind.startswith("f"):
        return values.astype(FLOATS[kind]).view(UNSIGNED[bits]).astype(U64)
    target = SIGNED[bits] if kind.startswith("s") else UNSIGNED[bits]
    return values.astype(target).view(UNSIGNED[bits]).astype(U64)


def round_to_bf16(values):
    raw = values.view(np.uint32).astype(U64)
    rounded = (raw + 0x7FFF + ((raw >> U64(16)) & U64(1))) >> U64(16)
    return np.where(np.isnan(values), U64(0x7FFF), rounded)


def pairs(values):
    """The two 16-bit halves of 32 bits."""
    return values & U64(0xFFFF), (values >> U64(16)) & U64(0xFFFF)


def elementwise(compute):
    """An instruction that computes its result from numbers of one type."""
    def run(block, parts, operands, mask):
        kind = parts[-1]
        values = [block.value(text, width(kind), mask) for text in operands[1:]]
        with np.errstate(all="ignore"):
            if kind.endswith("x2"):
                single = kind[:-2]
                halves = zip(*(pairs(value) for value in values))
                low, high = (untyped(compute(*(typed(v, single) for v in half)), single)
                             for half in halves)
                result = low | high << U64(16)
            else:
                result = untyped(compute(*(typed(v, kind) for v in values)), kind)
        block.assign(operands[0], result, mask)
    return run


def multiply(block, parts, operands, mask):
    kind = parts[-1]
    if parts[0] not in ("wide", "hi"):
        elementwise(lambda a, b: a * b)(block, parts, operands, mask)
        return
    bits = width(kind)
    a, b = (typed(block.value(text, bits, mask), kind) for text in operands[1:])
    if bits == 64:
        high = [int(x) * int(y) >> 64 & MASK64 for x, y in zip(a, b)]
        block.assign(operands[0], np.array(high, U64), mask)
        return
    wide = np.int64 if kind[0] == "s" else np.uint64
    product = (a.astype(wide) * b.astype(wide)).view(U64)
    if parts[0] == "hi":
        product = product >> U64(bits) & U64((1 << bits) - 1)
    block.assign(operands[0], product, mask)


def multiply_add(block, parts, operands, mask):
    kind = parts[-1]
    if parts[0] == "wide":
        multiply(block, parts, ["%product"] + operands[1:3], mask)
        total = block.value("%product", 64, mask) + block.value(operands[3], 64, mask)
        block.assign(operands[0], total, mask)
        return
    if parts[0] != "lo":
        raise NotImplementedError("mad." + parts[0])
    elementwise(lambda a, b, c: a * b + c)(block, parts, operands, mask)


def fused(block, parts, operands, mask):
    wide = {"f32": np.float64, "f16": np.float32, "f64": np.longdouble, "f16x2": np.float32}[parts[-1]]
    elementwise(lambda a, b, c: a.astype(wide) * b.astype(wide) + c.astype(wide))(
        block, parts, operands, mask)


def logical(compute):
    def run(block, parts, operands, mask):
        kind = parts[-1]
        values = [block.value(text, width(kind), mask) for text in operands[1:]]
        block.assign(operands[0], compute(*values) & U64((1 << width(kind)) - 1), mask)
    return run


def shift(block, parts, operands, mask, left):
    kind = parts[-1]
    value = typed(block.value(operands[1], width(kind), mask), kind)
    count = block.value(operands[2], 32, mask).astype(value.dtype)
    block.assign(operands[0], untyped(value << count if left else value >> count, kind), mask)


def extract(block, parts, operands, mask):
    value, start, length = (block.value(text, 32, mask) for text in operands[1:])
    field = (value >> start) & ((U64(1) << length) - U64(1))
    if parts[-1] == "s32":
        sign = U64(1) << (length - U64(1))
        field = ((field ^ sign) - sign) & U64(0xFFFFFFFF)
    block.assign(operands[0], field, mask)


def permute(block, parts, operands, mask):
    low, high, choice = (block.value(text, 32, mask) for text in operands[1:])
    both, result = low | high << U64(32), np.zeros_like(low)
    for byte in range(4):
        which = (choice >> U64(4 * byte)) & U64(7)
        result |= ((both >> (which * U64(8))) & U64(0xFF)) << U64(8 * byte)
    block.assign(operands[0], result, mask)


COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
           "gt": np.greater, "ge": np.greater_equal}


def compare(block, parts, operands, mask):
    name, kind = parts[0], parts[-1]
    a, b = (typed(block.value(text, width(kind), mask), kind) for text in operands[1:])
    if name == "num" or name == "nan":
        result = np.isnan(a) | np.isnan(b)
        result = result if name == "nan" else ~result
    elif name in COMPARE and not (name == "ne" and kind[0] == "f"):
        result = COMPARE[name](a, b)
    else:
        nan = np.isnan(a) | np.isnan(b)
        result = (a != b) & ~nan if name == "ne" else COMPARE[name[:-1]](a, b) | nan
    block.assign(operands[0], result.astype(U64), mask)


def choose(block, parts, operands, mask):
    a, b = (block.value(text, width(parts[-1]), mask) for text in operands[1:3])
    block.assign(operands[0], np.where(block.value(operands[3], 1, mask) != 0, a, b), mask)


def move(block, parts, operands, mask):
    into, source = operands
    bits = width(parts[-1])
    if into.startswith("{"):
        names = split(into)
        step = bits // len(names)
        value = block.value(source, bits, mask)
        for number, name in enumerate(names):
            block.assign(name, (value >> U64(number * step)) & U64((1 << step) - 1), mask)
    elif source.startswith("{"):
        names = split(source)
        step = bits // len(names)
        value = sum(block.value(name, step, mask) << U64(number * step)
                    for number, name in enumerate(names))
        block.assign(into, value, mask)
    else:
        block.assign(into, block.value(source, bits, mask), mask)


def convert(block, parts, operands, mask):
    to, source = parts[-2], parts[-1]
    if to.endswith("x2"):
        high, low = (typed(block.value(text, 32, mask), "f32") for text in operands[1:])
        with np.errstate(all="ignore"):
            result = untyped(low, to[:-2]) | untyped(high, to[:-2]) << U64(16)
    elif to == "tf32":
        raw = block.value(operands[1], 32, mask)
        result = np.where((raw & U64(0x7F800000)) == U64(0x7F800000), raw, raw + U64(0x1000))
        result &= U64(0xFFFFE000)
    else:
        value = typed(block.value(operands[1], width(source), mask), source)
        with np.errstate(all="ignore"):
            for part, rounding in (("rni", np.rint), ("rmi", np.floor),
                                   ("rpi", np.ceil), ("rzi", np.trunc)):
                if part in parts and source[0] in "fb":
                    value = rounding(value)
            result = untyped(value, to)
    block.assign(operands[0], result, mask)


def split(text):
    return [name.strip() for name in text.strip("{} ").split(",")]


def access(parts, operand):
    """The names of the registers of a load or store, and the size of each."""
    names = split(operand)
    return names, width(parts[-1]) // 8


def load(block, parts, operands, mask):
    if parts[0] == "param":
        block.assign(operands[0], block.value(operands[1], width(parts[-1]), mask), mask)
        return
    names, size = access(parts, operands[0])
    addresses = block.address(operands[1], mask)
    total = size * len(names)
    if "shared" in parts:
        data = block.shared.read(np.flatnonzero(mask), addresses, total)
    else:
        block.prerequisites.check(mask)
        data = block.memory.read(addresses, total)
    numbers = data.copy().view(UNSIGNED[size * 8])
    for column, name in enumerate(names):
        block.assign(name, numbers[:, column].astype(U64), mask)


def store(block, parts, operands, mask):
    names, size = access(parts, operands[1])
    addresses = block.address(operands[0], mask)
    columns = [block.value(name, size * 8, mask).astype(UNSIGNED[size * 8]) for name in names]
    data = np.stack(columns, axis=1).view(np.uint8)
    if "shared" in parts:
        block.shared.write(np.flatnonzero(mask), addresses, data)
        return
    block.prerequisites.check(mask)
    block.memory.write(addresses, data)


def add_atomically(block, parts, operands, mask):
    """An addition to global memory, thread after thread."""
    if "global" not in parts or parts[-2:] != ["add", "u32"]:
        raise NotImplementedError("atom." + ".".join(parts))
    block.prerequisites.check(mask)
    addresses, added = block.address(operands[1], mask), block.value(operands[2], 32, mask)
    before = np.zeros(len(addresses), np.uint32)
    for thread in range(len(addresses)):
        at = addresses[thread:thread + 1]
        before[thread] = block.memory.read(at, 4).view(np.uint32)[0, 0]
        after = before[thread:thread + 1] + added[thread:thread + 1].astype(np.uint32)
        block.memory.write(at, after.view(np.uint8)[None])
    block.assign(operands[0], before.astype(U64), mask)


def shuffle(block, parts, operands, mask):
    value = block.value(operands[1], 32, mask)
    lanes = np.arange(len(value))
    if "idx" in parts:
        lanes = lanes // 32 * 32 + read_text(operands[2], 32)
    else:
        lanes = lanes ^ read_text(operands[2], 32)
    block.assign(operands[0].split("|")[0], value[lanes], mask)


def load_matrix(block, parts, operands, mask):
    names = split(operands[0])
    addresses = block.address(operands[1], mask).reshape(-1, 32)
    threads = np.flatnonzero(mask).reshape(-1, 32)
    lane = np.arange(32)
    for number, name in enumerate(names):
        rows = slice(8 * number, 8 * number + 8)
        # The eight rows of a matrix are read at once: from different banks.
        banks = addresses[:, rows] // U64(16) % U64(8)
        if any(len(set(row)) < 8 for row in banks.tolist()):
            raise RuntimeError("ldmatrix whose rows share banks")
        data = block.shared.read(threads[:, rows].ravel(),
                                 addresses[:, rows].ravel(), 16)
        matrix = data.copy().view(np.uint16).reshape(-1, 8, 8)
        if "trans" in parts:
            matrix = matrix.swapaxes(1, 2)
        low = matrix[:, lane // 4, lane % 4 * 2].astype(U64)
        high = matrix[:, lane // 4, lane % 4 * 2 + 1].astype(U64)
        block.assign(name, (low | high << U64(16)).ravel(), mask)


def multiply_matrices(block, parts, operands, mask):
    element = parts[-2]
    d, a, b, c = (split(text) for text in operands)
    lane = np.arange(32)
    group, member = lane // 4, lane % 4
    warps = mask.sum() // 32

    def words(names):
        return np.stack([block.value(name, 32, mask).reshape(warps, 32) for name in names])

    def place(names, rows, columns, shape, along):
        full = np.zeros((warps, *shape), np.float64)
        for word, row, column in zip(words(names), rows, columns):
            if element == "tf32":
                value = typed((word & U64(0xFFFFE000)).ravel(), "f32").reshape(word.shape)
                full[:, row, column] = value
            else:
                for half, part in enumerate(pairs(word)):
                    at = (row, column + half) if along == 1 else (row + half, column)
                    full[:, at[0], at[1]] = typed(part.ravel(), element).reshape(word.shape)
        return full

    with np.errstate(all="ignore"):
        if element == "tf32":
            left = place(a, [group, group + 8] * 2, [member] * 2 + [member + 4] * 2, (16, 8), 1)
            right = place(b, [member, member + 4], [group] * 2, (8, 8), 0)
        else:
            left = place(a, [group, group + 8] * 2,
                         [2 * member] * 2 + [2 * member + 8] * 2, (16, 16), 1)
            right = place(b, [2 * member, 2 * member + 8], [group] * 2, (16, 8), 0)
        product = left @ right
        for number, (name, old) in enumerate(zip(d, words(c))):
            row, column = group + number // 2 * 8, 2 * member + number % 2
            total = product[:, row, column] + typed(old.ravel(), "f32").reshape(old.shape)
            block.assign(name, untyped(total.ravel(), "f32"), mask)


def extremum(of_numbers, with_nan):
    """Minimum or maximum: NaN loses, or stays where the instruction says so."""
    def run(block, parts, operands, mask):
        elementwise(with_nan if "NaN" in parts else of_numbers)(block, parts, operands, mask)
    return run


def flush(values):
    return np.where(np.abs(values) < np.float32(2.0**-126), values * 0, values)


INSTRUCTIONS = {
    "abs": elementwise(np.abs), "add": elementwise(lambda a, b: a + b),
    "sub": elementwise(lambda a, b: a - b), "div": elementwise(
        lambda a, b: a / b if a.dtype.kind == "f" else a // b),
    "rem": elementwise(lambda a, b: a % b),
    "neg": elementwise(lambda a: -a), "sqrt": elementwise(np.sqrt),
    "min": extremum(np.fmin, np.minimum), "max": extremum(np.fmax, np.maximum),
    "mul": multiply, "mad": multiply_add, "fma": fused,
    "ex2": elementwise(lambda a: flush(np.exp2(a.astype(np.float64)).astype(np.float32))),
    "rcp": elementwise(lambda a: 1 / a),
    "copysign": elementwise(lambda a, b: np.copysign(b, a)),
    "rsqrt": elementwise(lambda a: 1 / np.sqrt(a.astype(np.float64))),
    "and": logical(lambda a, b: a & b), "or": logical(lambda a, b: a | b),
    "xor": logical(lambda a, b: a ^ b), "not": logical(lambda a: ~a),
    "shl": lambda *at: shift(*at, left=True), "shr": lambda *at: shift(*at, left=False),
    "bfe": extract, "prmt": permute, "setp": compare, "selp": choose, "mov": move,
    "cvt": convert, "cvta": move, "ld": load, "st": store, "atom": add_atomically,
    "shfl": shuffle, "ldmatrix": load_matrix, "mma": multiply_matrices,
}

"""Contractions whose warps have roles, on GPUs with warpgroups, each of which covers something of its own.

Usage: specialized_contractions.py static|dynamic|parts > FILE
"""

import dataclasses
import sys

ONE = "rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, producers = 1"
TWO = "rows = 128, columns = 64, k = 64, row_warps = 8, column_warps = 1, producers = 1"
FOUR = ONE.replace("producers = 1", "producers = 4")
TALL = FOUR.replace("rows = 64", "rows = 128")


@dataclasses.dataclass
class Contraction:
    tile: str
    # Batch, rows, columns and K.
    sizes: tuple
    kind: str = "f16"
    # The order of the dimensions of the rhs.
    order: str = "nk"
    # Whether a bias and GELU (tanh) follow.
    gelu: bool = False
    # Whether the number of rows is dynamic.
    dynamic: bool = False
    # Contractions of one lhs, whose rhs are parts of one tensor with columns outermost: branches of the kernel, or the two of
    # a gated unit, whose results are multiplied.
    parts: int = 1
    gated: bool = False

    @property
    def batch(self):
        return "b" * (self.sizes[0] > 1)

    @property
    def results(self):
        return 1 if self.gated else self.parts


# Persistent CTAs are those of a GPU with two SMs.
STATIC = [
    # Each CTA has a tile.
    Contraction(ONE + ", stages = 3", (1, 70, 77, 136)),
    # Each CTA has three tiles, with a K tile and a part of one.
    Contraction(ONE + ", stages = 2, resident = 1", (1, 70, 135, 104), "bf16", gelu=True),
    # Two of four CTAs have one tile more than the others; four K tiles share three stages.
    Contraction(ONE + ", stages = 3, resident = 2", (3, 65, 56, 200), order="kn"),
    # Fewer tiles than CTAs.
    Contraction(ONE + ", stages = 3, resident = 2", (1, 64, 129, 72)),
    Contraction(TWO + ", stages = 2, resident = 1", (1, 300, 72, 72), order="kn", gelu=True),
    # Two groups take turns: one CTA has six tiles, the other five; three K tiles do not fill a round of stages.
    Contraction(ONE + ", stages = 2, resident = 1, groups = 2", (1, 40, 650, 136), gelu=True),
    # One CTA has a tile for each of three groups, the other one for each but the last.
    Contraction(TWO + ", stages = 3, resident = 1, groups = 3", (1, 600, 40, 72), "bf16", "kn"),
    # Roles are whole warpgroups and exchange registers; a CTA has two tiles for each group.
    Contraction(FOUR + ", stages = 3, resident = 1, groups = 2", (2, 100, 120, 136), order="kn"),
    # Each group is one warpgroup, which computes 128 rows; the last tile has 70 of them.
    Contraction(TALL + ", stages = 3, resident = 1, groups = 2", (1, 198, 120, 136), gelu=True),
]
DYNAMIC = [
    Contraction(ONE + ", stages = 2, resident = 1", (1, 0, 72, 104), dynamic=True),
    Contraction(ONE + ", stages = 2, resident = 2", (2, 0, 24, 72), "bf16", "kn", True, True),
    Contraction(ONE + ", stages = 3, resident = 1, groups = 3", (1, 0, 200, 104), dynamic=True),
]
PARTS = [
    # Three branches, of whose tiles each CTA has some of all; three K tiles do not fill a round of stages.
    Contraction(ONE + ", stages = 2, resident = 1", (1, 70, 72, 136), parts=3, gelu=True),
    # Two groups take turns in whichever branch a tile belongs to: one CTA has four tiles, the other one three.
    Contraction(FOUR + ", stages = 2, resident = 1, groups = 2", (1, 40, 72, 136), "bf16", parts=3),
    Contraction(TALL + ", stages = 3, resident = 1, groups = 2", (1, 198, 48, 200), parts=2, gelu=True),
    # Each CTA has one tile.
    Contraction(ONE + ", stages = 3", (1, 40, 56, 104), parts=2),
    # The products of a gated unit, with as many accumulators as a tile of 128 columns, by two groups in turn.
    Contraction(ONE + ", stages = 2, resident = 1", (1, 70, 136, 104), parts=2, gated=True),
    Contraction(FOUR + ", stages = 2, resident = 1, groups = 2", (1, 70, 136, 136), "bf16", parts=2, gated=True),
]
FAMILIES = {"static": STATIC, "dynamic": DYNAMIC, "parts": PARTS}

GELU = [
    "%half = arith.constant 0.5 : f32", "%one = arith.constant 1.0 : f32", "%cubic = arith.constant 0.044715 : f32",
    "%root = arith.constant 0.7978845608 : f32", "%wide = arith.extf %given : TYPE to f32", "%g0 = arith.addf %a, %wide : f32",
    "%g1 = arith.mulf %g0, %g0 : f32", "%g2 = arith.mulf %g1, %cubic : f32", "%g3 = arith.addf %g2, %one : f32",
    "%g4 = arith.mulf %g0, %root : f32", "%g5 = arith.mulf %g3, %g4 : f32", "%g6 = math.tanh %g5 : f32",
    "%g7 = arith.addf %g6, %one : f32", "%g8 = arith.mulf %g0, %half : f32", "%g9 = arith.mulf %g8, %g7 : f32",
    "%y = arith.truncf %g9 : f32 to TYPE",
]


def shape(one, dims, kind=None):
    sizes = dict(zip("bmnk", one.sizes))
    return f"tensor<{'x'.join('?' if dim == 'm' and one.dynamic else str(sizes[dim]) for dim in dims)}x{kind or one.kind}>"


def maps(loops, *operands):
    comma = ", "
    return f"[{', '.join(f'affine_map<({comma.join(loops)}) -> ({comma.join(dims)})>' for dims in operands)}]"


def write_part(one, part, size):
    """The lines of a contraction and what follows it, with the name of its result."""
    left, right, both = f"{one.batch}mk", one.batch + one.order, f"{one.batch}mn"
    x, w, out, sum_type = (shape(one, left), shape(one, right), shape(one, both), shape(one, both, "f32"))
    parallel = ", ".join(['"parallel"'] * len(both))
    bias, element = (f", %bias{part} : sum, {shape(one, 'n')}", f", %given: {one.kind}") if one.gelu else (" : sum", "")
    body = GELU if one.gelu else ["%y = arith.truncf %a : f32 to TYPE"]
    return [
        f"    %product{part} = linalg.contract indexing_maps = {maps(one.batch + 'mnk', left, right, both)} "
        f"ins(%x, %weight{part} : {x}, {w}) outs(%s1 : {sum_type}) -> {sum_type}",
        f"    %out{part} = tensor.empty({size}) : {out}",
        f"    %part{part} = linalg.generic {{indexing_maps = {maps(both, both, *['n'] * one.gelu, both)}, "
        f"iterator_types = [{parallel}]}} ins(%product{part}{bias.replace('sum', sum_type)}) outs(%out{part} : {out}) {{",
        f"    ^bb0(%a: f32{element}, %o: {one.kind}):",
        *("      " + line.replace("TYPE", one.kind) for line in body),
        f"      linalg.yield %y : {one.kind}", f"    }} -> {out}"]


def write_gate(one):
    """The lines of the product of the two parts of a gated unit."""
    both = f"{one.batch}mn"
    out = shape(one, both)
    return [
        f"    %gated = linalg.generic {{indexing_maps = {maps(both, both, both, both)}, iterator_types = [\"parallel\", \"parallel\"]}} "
        f"ins(%part0, %part1 : {out}, {out}) outs(%out0 : {out}) {{",
        f"    ^bb0(%a: {one.kind}, %b: {one.kind}, %o: {one.kind}):", f"      %y = arith.mulf %a, %b : {one.kind}",
        f"      linalg.yield %y : {one.kind}", f"    }} -> {out}"]


def write_operands(n, one):
    """The arguments of a function, lines with their parts, and of each operand of the group its name, that in the group, and
    its type."""
    _, _, columns, depth = one.sizes
    left, right = f"{one.batch}mk", one.batch + one.order
    x, w, c = shape(one, left), shape(one, right), shape(one, "n")
    if one.parts == 1:
        operands = [(f"%x{n}", "%x", x), (f"%w{n}", "%weight0", w), *[(f"%c{n}", "%bias0", c)] * one.gelu]
        return [f"{name}: {kind}" for name, _, kind in operands], [], operands
    all_columns = one.parts * columns
    w_all, c_all = f"tensor<{all_columns}x{depth}x{one.kind}>", f"tensor<{all_columns}x{one.kind}>"
    arguments, lines, operands = [f"%x{n}: {x}", f"%w{n}: {w_all}"], [], [(f"%x{n}", "%x", x)]
    for part in range(one.parts):
        first = part * columns
        lines += [f"  %w{n}_{part} = tensor.extract_slice %w{n}[{first}, 0] [{columns}, {depth}] [1, 1] : {w_all} to {w}"]
        operands += [(f"%w{n}_{part}", f"%weight{part}", w)]
        if one.gelu:
            lines += [f"  %c{n}_{part} = tensor.extract_slice %c{n}[{first}] [{columns}] [1] : {c_all} to {c}"]
            operands += [(f"%c{n}_{part}", f"%bias{part}", c)]
    return arguments + [f"%c{n}: {c_all}"] * one.gelu, lines, operands


def write_group(n, one):
    """The arguments of contractions, their lines, and the types of their results."""
    both = f"{one.batch}mn"
    x, out, sum_type = shape(one, f"{one.batch}mk"), shape(one, both), shape(one, both, "f32")
    arguments, lines, operands = write_operands(n, one)
    size = ""
    if one.dynamic:
        size = "%m"
        lines += [f"  %at{n} = arith.constant {len(one.batch)} : index", f"  %m{n} = tensor.dim %x{n}, %at{n} : {x}"]
        operands += [(f"%m{n}", "%m", "index")]
    types = ", ".join([out] * one.results)
    yielded = ["%gated"] if one.gated else [f"%part{part}" for part in range(one.parts)]
    lines += [
        f"  %r{n}{f':{one.results}' * (one.results > 1)} = stof.group ins({', '.join(name for name, _, _ in operands)} : "
        f"{', '.join(kind for _, _, kind in operands)}) tiles [{', '.join([f'#stof.matmul_tile<{one.tile}>'] * one.results)}] {{",
        f"  ^bb0({', '.join(f'{inner}: {kind}' for _, inner, kind in operands)}):",
        "    %zero = arith.constant 0.0 : f32",
        f"    %s0 = tensor.empty({size}) : {sum_type}",
        f"    %s1 = linalg.fill ins(%zero : f32) outs(%s0 : {sum_type}) -> {sum_type}",
        *(line for part in range(one.parts) for line in write_part(one, part, size)),
        *(write_gate(one) if one.gated else []),
        f"    stof.yield {', '.join(yielded)} : {types}", f"  }} -> {types}"]
    return arguments, lines, [out] * one.results


def write_function(name, contractions):
    """A function of all of them."""
    groups = [write_group(n, one) for n, one in enumerate(contractions)]
    arguments = ", ".join(argument for group in groups for argument in group[0])
    lines = [line for group in groups for line in group[1]]
    types = ", ".join(kind for group in groups for kind in group[2])
    results = ", ".join(f"%r{n}{f'#{part}' * (one.results > 1)}" for n, one in enumerate(contractions)
                        for part in range(one.results))
    return "\n".join([f"func.func @{name}({arguments}) -> ({types}) {{", *lines, f"  return {results} : {types}", "}", ""])


def main():
    print(write_function("contracted", FAMILIES[sys.argv[1]]), end="")


if __name__ == "__main__":
    main()

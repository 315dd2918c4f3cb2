"""Contractions whose warps have roles, on GPUs with warpgroups, each of which covers something of its own.

Usage: specialized_contractions.py static|dynamic > FILE
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

    @property
    def batch(self):
        return "b" * (self.sizes[0] > 1)


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
FAMILIES = {"static": STATIC, "dynamic": DYNAMIC}

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


def write_group(n, one):
    """The arguments of a contraction, its lines, and the type of its result."""
    left, right, both = f"{one.batch}mk", one.batch + one.order, f"{one.batch}mn"
    given = {"x": left, "w": right, **({"c": "n"} if one.gelu else {})}
    x, w, out, sum_type = (shape(one, left), shape(one, right), shape(one, both), shape(one, both, "f32"))
    size, lines = "", []
    names, types = [f"%{name}{n}" for name in given], [shape(one, dims) for dims in given.values()]
    arguments = [f"{name}: {kind}" for name, kind in zip(names, types)]
    inner = [f"%{name}" for name in given]
    if one.dynamic:
        size = "%m"
        lines += [f"  %at{n} = arith.constant {len(one.batch)} : index", f"  %m{n} = tensor.dim %x{n}, %at{n} : {x}"]
        names, inner, types = names + [f"%m{n}"], inner + [size], types + ["index"]
    parallel = ", ".join(['"parallel"'] * len(both))
    bias, element = (f", %c : sum, {shape(one, 'n')}", f", %given: {one.kind}") if one.gelu else (" : sum", "")
    body = GELU if one.gelu else ["%y = arith.truncf %a : f32 to TYPE"]
    lines += [
        f"  %r{n} = stof.group ins({', '.join(names)} : {', '.join(types)}) tiles [#stof.matmul_tile<{one.tile}>] {{",
        f"  ^bb0({', '.join(f'{name}: {kind}' for name, kind in zip(inner, types))}):",
        "    %zero = arith.constant 0.0 : f32",
        f"    %s0 = tensor.empty({size}) : {sum_type}",
        f"    %s1 = linalg.fill ins(%zero : f32) outs(%s0 : {sum_type}) -> {sum_type}",
        f"    %s2 = linalg.contract indexing_maps = {maps(one.batch + 'mnk', left, right, both)} "
        f"ins(%x, %w : {x}, {w}) outs(%s1 : {sum_type}) -> {sum_type}",
        f"    %e = tensor.empty({size}) : {out}",
        f"    %r = linalg.generic {{indexing_maps = {maps(both, both, *['n'] * one.gelu, both)}, "
        f"iterator_types = [{parallel}]}} ins(%s2{bias.replace('sum', sum_type)}) outs(%e : {out}) {{",
        f"    ^bb0(%a: f32{element}, %o: {one.kind}):",
        *("      " + line.replace("TYPE", one.kind) for line in body),
        f"      linalg.yield %y : {one.kind}", f"    }} -> {out}", f"    stof.yield %r : {out}", f"  }} -> {out}"]
    return arguments, lines, out


def write_function(name, contractions):
    """A function of all of them."""
    groups = [write_group(n, one) for n, one in enumerate(contractions)]
    arguments = ", ".join(argument for group in groups for argument in group[0])
    lines = [line for group in groups for line in group[1]]
    types = ", ".join(group[2] for group in groups)
    results = ", ".join(f"%r{n}" for n in range(len(groups)))
    return "\n".join([f"func.func @{name}({arguments}) -> ({types}) {{", *lines, f"  return {results} : {types}", "}", ""])


def main():
    print(write_function("contracted", FAMILIES[sys.argv[1]]), end="")


if __name__ == "__main__":
    main()

"""Attention whose warps have roles, on GPUs with warpgroups, each of which covers something of its own.

Usage: specialized_attention.py [persistent | claimed] > FILE

Those of persistent CTAs are for a GPU of one SM, or of two if CTAs claim their tiles.
"""

import dataclasses
import sys

ONE = "queries = 64, keys = 64, warps = 4, producers = 1"
FOUR = "queries = 128, keys = 64, warps = 8, producers = 4"
OVERLAPS = ", overlaps = true"
CLAIMS = ", dynamic = true"
THREE_RESIDENT = ONE + ", resident = 3"
TWELVE = "queries = 192, keys = 64, warps = 12, producers = 4, overlaps = true, resident = 1"


@dataclasses.dataclass
class Attention:
    tile: str
    # Of queries and of keys, as are heads.
    lengths: tuple
    heads: tuple = (2, 1)
    # The features of keys and of values.
    sizes: tuple = (64, 64)
    kind: str = "f16"
    # The body of a predicate on %h, %i and %j, and what it says.
    mask: str = ""
    keep: callable = lambda h, i, j: (i >= 0) & (j >= 0)
    # Whether nothing reads the keys and values of a tile that no query attends to.
    isolated: bool = False
    empty_rows: str = "zero"
    # As mask and keep, of the keys of fully masked rows: all without one.
    others: tuple = ()
    lse: bool = False
    # Pairs of lengths, instead of static ones.
    dynamic: tuple = ()
    # A tensor that the predicate reads, of one number for each position.
    ids: bool = False
    tables: bool = False
    splits: int = 1

CAUSAL = ("%y = arith.cmpi sge, %i, %j : index", lambda h, i, j: i >= j)
WINDOW = ("""%w = arith.constant 70 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %y = arith.cmpi sle, %a, %w : index""", lambda h, i, j: abs(i - j) <= 70)
LATTICE = ("""%z = arith.constant 0 : index
    %t = arith.constant 3 : index
    %d = arith.subi %i, %j : index
    %r = arith.remsi %d, %t : index
    %y = arith.cmpi eq, %r, %z : index""", lambda h, i, j: (i - j) % 3 == 0)
FIRST_HEAD = ("""%z = arith.constant 0 : index
    %y = arith.cmpi eq, %h, %z : index""", lambda h, i, j: (h == 0) & (i >= 0) & (j >= 0))
SAME = """%x = tensor.extract %ids[%i] : tensor<130xi32>
    %z = tensor.extract %ids[%j] : tensor<130xi32>
    %y = arith.cmpi eq, %x, %z : i32"""

# Types of what masks and tables read.
IDS = "tensor<130xi32>"
TABLES = ["tensor<1x1x3x3xi64>", "tensor<9xi64>", "tensor<12x64x2xi32>"]


def far(distance):
    """Of queries that are far behind their keys: the first tiles of queries have none."""
    return (f"""%w = arith.constant {distance} : index
    %d = arith.subi %i, %j : index
    %y = arith.cmpi sge, %d, %w : index""", lambda h, i, j: i - j >= distance)


ATTENTIONS = [
    Attention(ONE + OVERLAPS, (0, 0), lse=True, dynamic=((70, 150), (1, 1))),
    Attention(FOUR + OVERLAPS, (130, 260), (1, 1), (128, 128), "bf16", *CAUSAL, isolated=True, lse=True),
    Attention(FOUR.replace("keys = 64", "keys = 128"), (200, 200), (1, 1), (64, 64), "f16", *WINDOW),
    Attention(ONE + OVERLAPS, (70, 400), (1, 1), (64, 64), "f16", *LATTICE, lse=True),
    Attention(FOUR, (196, 400), (1, 1), (128, 64), "f16", *LATTICE),
    Attention(ONE + OVERLAPS, (130, 130), mask=SAME, keep=None, ids=True),
    Attention(ONE + OVERLAPS, (130, 100), (1, 1), (64, 64), "f16", *far(64), isolated=True, lse=True),
    Attention(ONE + OVERLAPS, (130, 100), (1, 1), (64, 64), "f16", *far(64), empty_rows="mean"),
    Attention(FOUR, (140, 100), (1, 1), (64, 64), "bf16", *far(128), empty_rows="mean"),
    Attention(ONE + OVERLAPS, (70, 70), (2, 2), (64, 64), "f16", *FIRST_HEAD, isolated=True),
    Attention(ONE + OVERLAPS, (192, 256), mask=CAUSAL[0], keep=None, tables=True),
    Attention(FOUR + OVERLAPS, (140, 170), (1, 1), splits=4),
    Attention(ONE + OVERLAPS, (70, 100), sizes=(56, 120), kind="bf16"),
    Attention(ONE + OVERLAPS, (40, 70), (1, 1), (49, 64)),
    Attention(FOUR + OVERLAPS, (70, 70), (1, 1), (50, 50), lse=True),
    Attention(ONE + OVERLAPS, (130, 100), (1, 1), (64, 64), "f16", *far(64), empty_rows="mean", others=CAUSAL, lse=True),
    Attention(FOUR, (140, 100), (1, 1), (64, 64), "bf16", *far(128), empty_rows="unmasked", others=WINDOW, lse=True),
]

# Three or more tiles for each CTA, of which none, one or many keys are visited.
PERSISTENT = [
    Attention(THREE_RESIDENT, (330, 130), (2, 1), (64, 64), "f16", *CAUSAL, isolated=True, lse=True),
    Attention(THREE_RESIDENT, (260, 200), (2, 2), (64, 64), "bf16", *WINDOW),
    Attention(FOUR + OVERLAPS + ", resident = 1", (400, 300), (1, 1), (128, 128), "f16", *WINDOW, isolated=True, lse=True),
    Attention(TWELVE, (400, 260), (1, 1), (64, 64), "f16", *CAUSAL, isolated=True),
    Attention(TWELVE, (200, 130), (2, 1), (64, 64), "f16", *far(64), empty_rows="mean"),
    Attention(TWELVE, (200, 130), (2, 1), (64, 64), "f16", *far(64), empty_rows="unmasked", others=CAUSAL),
]

# The same if CTAs claim their tiles: of equal and of unequal lengths, some without keys.
CLAIMED = [
    Attention(THREE_RESIDENT + CLAIMS, (330, 130), (2, 1), (64, 64), "f16", *CAUSAL, isolated=True, lse=True),
    Attention(THREE_RESIDENT + CLAIMS, (260, 200), (2, 2), (64, 64), "bf16", *WINDOW),
    Attention(FOUR + OVERLAPS + ", resident = 1" + CLAIMS, (400, 300), (1, 1), (128, 128), "f16", *CAUSAL, isolated=True),
    Attention(FOUR + OVERLAPS + ", resident = 1" + CLAIMS, (400, 150), (1, 1), (128, 128), "bf16", *far(200), lse=True),
    Attention(TWELVE + CLAIMS, (400, 260), (2, 1), (64, 64), "f16", *CAUSAL, isolated=True),
    Attention(TWELVE + CLAIMS, (200, 130), (2, 1), (64, 64), "f16", *far(64), empty_rows="mean"),
    Attention(FOUR + OVERLAPS + ", resident = 1" + CLAIMS, (140, 130), (3, 1)),
    # As many CTAs as tiles, or none for most of them.
    Attention(TWELVE + CLAIMS, (190, 70), (1, 1)),
    Attention(THREE_RESIDENT + CLAIMS, (64, 64), (2, 1)),
]


def shape(heads, length, size, one):
    return f"tensor<1x{heads}x{'?' if one.dynamic else length}x{size}x{one.kind}>"


class Writer:
    """The function of all."""

    def __init__(self):
        self.arguments, self.lines, self.results, self.types = [], [], [], []

    def add_mask(self, name, predicate, one):
        """A mask and its type."""
        kind = f"!stof.mask<{one.lengths[0]}x{one.lengths[1]}>"
        captured, inside = "", ""
        if one.ids:
            self.arguments.append(f"%given: {IDS}")
            captured, inside = f"captures(%given : {IDS}) ", f", %ids: {IDS}"
        self.lines += [f"  {name} = stof.mask {captured}{{", f"  ^bb0(%b: index, %h: index, %i: index, %j: index{inside}):",
                       f"    {predicate}", "    stof.yield %y : i1", f"  }} : {kind}"]
        return f"{name} : {kind}"

    def add_tables(self, n):
        names = [f"%{name}{n}" for name in ("ranges", "entries", "bitmaps")]
        self.arguments += [f"{name}: {kind}" for name, kind in zip(names, TABLES)]
        return f"layout <row_tile = 64, col_tile = 64, storage = tables> from({', '.join(names)} : {', '.join(TABLES)})"

    def add(self, n, one):
        q, k, v, o = (shape(one.heads[of], one.lengths[of], one.sizes[size], one)
                      for of, size in ((0, 0), (1, 0), (1, 1), (0, 1)))
        self.arguments += [f"%q{n}: {q}", f"%k{n}: {k}", f"%v{n}: {v}"]
        mask = f"mask({self.add_mask(f'%m{n}', one.mask, one)})" if one.mask else ""
        others = f" over {self.add_mask(f'%other{n}', one.others[0], one)}" if one.others else ""
        layout = self.add_tables(n) if one.tables else ""
        schedule = f"schedule <ahead = 1, splits = {one.splits}>" if one.splits > 1 else ""
        size = ""
        if one.dynamic:
            self.lines += [f"  %two{n} = arith.constant 2 : index", f"  %n{n} = tensor.dim %q{n}, %two{n} : {q}"]
            size = f"%n{n}"
        self.lines.append(f"  %o{n} = tensor.empty({size}) : {o}")
        outs, types, names = f"%o{n} : {o}", [o], [f"%r{n}"]
        if one.lse:
            types.append(f"tensor<{o[7:].rsplit('x', 2)[0]}xf32>")
            self.lines.append(f"  %l{n} = tensor.empty({size}) : {types[1]}")
            outs, names = f"{outs}, lse %l{n} : {types[1]}", [f"%r{n}#0", f"%r{n}#1"]
        self.lines.append(
            f"  %r{n}:{len(types)} = stof.attention ins(%q{n}, %k{n}, %v{n} : {q}, {k}, {v}) {mask} tile <{one.tile}> "
            f"{layout} {schedule} outs({outs}) scale 0.125 empty_rows({one.empty_rows}{others}) -> {', '.join(types)}")
        self.results += names
        self.types += types


def main():
    writer = Writer()
    name = sys.argv[1] if len(sys.argv) > 1 else "specialized"
    attentions = {"specialized": ATTENTIONS, "persistent": PERSISTENT, "claimed": CLAIMED}[name]
    for n, one in enumerate(attentions):
        writer.add(n, one)
    print(f"func.func @{name}({', '.join(writer.arguments)}) -> ({', '.join(writer.types)}) {{")
    print("\n".join(writer.lines))
    print(f"  return {', '.join(writer.results)} : {', '.join(writer.types)}\n}}")


if __name__ == "__main__":
    main()

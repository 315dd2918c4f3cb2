"""Small attentions with inputs and float64 results, one for each thing that `stof.attention` may say."""

import math
import operator
import random
import struct

import safetensors_io

INFINITY = float("inf")


class Case:
    """One attention. `mask` and `score` are given twice: as MLIR and as Python."""

    def __init__(self, name, **what):
        self.name = name
        self.dtype = "f32"
        self.batch, self.heads, self.key_heads = 2, 4, 4
        self.queries, self.keys = 9, 9
        self.features, self.value_features = 8, 8
        self.scale, self.times = 0.375, None
        self.mask = self.keep = None
        # The definition of the mask by another operation; {} is its type.
        self.definition = None
        self.score = self.change = None
        # What fully masked rows yield, and over which keys: all without another mask.
        self.empty_rows = None
        self.empty_mask = self.empty_keep = None
        # True for one sink of each head, a number for so many.
        self.sinks = self.lse = self.dynamic = False
        # Whether all batches have the same keys and values.
        self.shares_keys = False
        # Keys that hold NaN and values that hold infinity.
        self.poison = ()
        self.captures = {}
        self.blocks = self.schedule = None
        # Whether kernels compute it, or the reference alone.
        self.kernels = True
        self.__dict__.update(what)

    @property
    def key_batch(self):
        return 1 if self.shares_keys else self.batch

    def shape(self, *sizes):
        """A shape in MLIR's spelling; with `dynamic`, lengths are not known."""
        unknown = {self.queries, self.keys} if self.dynamic else set()
        return "x".join("?" if size in unknown else str(size) for size in sizes)


CAUSAL = """
      %keep = arith.cmpi sle, %k, %q : index
      stof.yield %keep : i1"""
FROM_THIRD = """
      %c3 = arith.constant 3 : index
      %c2 = arith.constant 2 : index
      %early = arith.cmpi sle, %k, %q : index
      %late = arith.cmpi sge, %q, %c3 : index
      %not_first = arith.cmpi uge, %k, %c2 : index
      %both = arith.andi %early, %late : i1
      %keep = arith.andi %both, %not_first : i1
      stof.yield %keep : i1"""
BIAS = """
      %slope = tensor.extract %t[%h] : tensor<4xf32>
      %qi = arith.index_cast %q : index to i32
      %ki = arith.index_cast %k : index to i32
      %d = arith.subi %ki, %qi : i32
      %f = arith.sitofp %d : i32 to f32
      %bias = arith.mulf %slope, %f : f32
      %r = arith.addf %s, %bias : f32
      stof.yield %r : f32"""
CAP = """
      %c2 = arith.constant 2.0 : f32
      %in = arith.divf %s, %c2 : f32
      %flat = math.tanh %in : f32
      %r = arith.mulf %flat, %c2 : f32
      stof.yield %r : f32"""
DOCUMENT = """
      %of_q = tensor.extract %t[%b, %q] : tensor<2x9xi32>
      %of_k = tensor.extract %t[%b, %k] : tensor<2x9xi32>
      %keep = arith.cmpi eq, %of_q, %of_k : i32
      stof.yield %keep : i1"""
# Long enough for tables of tiles, which are made at run time.
LONG = 300
LONG_DOCUMENT = """
      %of_q = tensor.extract %t[%b, %q] : tensor<2x{0}xi32>
      %of_k = tensor.extract %t[%b, %k] : tensor<2x{0}xi32>
      %same = arith.cmpi eq, %of_q, %of_k : i32
      %early = arith.cmpi ule, %k, %q : index
      %keep = arith.andi %same, %early : i1
      stof.yield %keep : i1"""
HEAD_KEYS = """
      %keep = tensor.extract %t[%h, %k] : tensor<2x300xi1>
      stof.yield %keep : i1"""
PADDING = """
      %n = tensor.extract %t[%b] : tensor<2xi64>
      %end = arith.index_cast %n : i64 to index
      %keep = arith.cmpi slt, %k, %end : index
      stof.yield %keep : i1"""
LENGTHS = [37, 211]
# What comes before some key is padding.
LEFT_PADDED = """
      %n = tensor.extract %t[%b] : tensor<2xi64>
      %start = arith.index_cast %n : i64 to index
      %early = arith.cmpi sle, %k, %q : index
      %live = arith.cmpi sge, %k, %start : index
      %keep = arith.andi %early, %live : i1
      stof.yield %keep : i1"""
PADDED = """
      %n = tensor.extract %t[%b] : tensor<2xi64>
      %start = arith.index_cast %n : i64 to index
      %keep = arith.cmpi slt, %k, %start : index
      stof.yield %keep : i1"""
BEFORE = """
      %keep = arith.cmpi slt, %k, %q : index
      stof.yield %keep : i1"""
SLOPES = [0.5, 0.25, 0.125, -0.5]
# The second block of queries attends to nothing.
ROW_PTR = [0, 2, 2, 5]
COL_IDX = [0, 2, 0, 1, 3]
DOCUMENTS = [0, 0, 0, 1, 1, 2, 2, 2, 2, 0, 1, 1, 1, 1, 1, 1, 1, 3]


# What is added to scores: of each row of queries one of these, by its number. A sum of such numbers and usual scores
# is the number itself, but the sum of a half of the lowest float and another is the lowest.
LOWEST, THRESHOLD = -3.4028234663852886e38, 2.3586e38
LOWEST_BF16 = -3.3895313892515355e38


def added(q, k, keys):
    late, last = k >= keys // 2, k == keys - 1
    return [
        LOWEST, LOWEST if late else 0, 0 if last else LOWEST, LOWEST / 2, LOWEST_BF16, -THRESHOLD, THRESHOLD,
        math.nextafter(-THRESHOLD, -INFINITY) if late else -THRESHOLD * 1.01, -LOWEST if last else LOWEST, -LOWEST,
        -INFINITY, -INFINITY if late else LOWEST, 0 if last else -INFINITY, INFINITY if last else 0,
        math.nan if last else LOWEST, -65504, -1e9, 0.25 * (k % 5)][q % 17]


ADDED = """
      %x = tensor.extract %t[%q, %k] : tensor<{0}xf32>
      %r = arith.addf %s, %x : f32
      stof.yield %r : f32"""
# The same row for all queries of a head, which a kernel computes: lowest, or a number for which the product overflows.
FILLED = """
      %low = arith.constant -3.40282347e+38 : f32
      %x = tensor.extract %t[%h] : tensor<4xf32>
      %m = arith.mulf %low, %x : f32
      %r = arith.addf %s, %m : f32
      stof.yield %r : f32"""


def in_f32(number):
    """The float that is nearest, infinite where none is."""
    try:
        return struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return math.copysign(INFINITY, number)


def biased(queries, keys, extent=None, **what):
    """An attention to whose scores a table is added, large numbers among its elements."""
    table = [in_f32(added(q, k, keys)) for q in range(queries) for k in range(keys)]
    return dict(
        queries=queries, keys=keys, score=ADDED.format(extent or f"{queries}x{keys}"),
        captures={"slopes": (f"{extent or f'{queries}x{keys}'}xf32", "f32", [queries, keys], table)},
        change=lambda s, b, h, q, k: in_f32(s + table[q * keys + k]), **what)


# Three sequences: of six pages and a part of one, in any order, of a part of one, and of none.
PAGE_LISTS = [17, 3, 8, 0, 12, 5, 9], [4], []
PAGE_LENGTHS = [101, 1, 0]
PAGE_TABLE = {
    "row_ptr": ("3x2xi32", "i32", [3, 2], [0, 7, 7, 8, 8, 8]), "col_idx": ("?xi32", "i32", [8], sum(PAGE_LISTS, [])),
    "lengths": ("3x1xi32", "i32", [3, 1], PAGE_LENGTHS),
}


def in_pages(b, h, q, k):
    pages = PAGE_LISTS[b]
    return k // 16 in pages and pages.index(k // 16) * 16 + k % 16 < PAGE_LENGTHS[b]


def causal(b, h, q, k):
    return k <= q


def from_third(b, h, q, k):
    return k <= q and q >= 3 and k >= 2


def document(b, h, q, k):
    return DOCUMENTS[b * 9 + q] == DOCUMENTS[b * 9 + k]


LONG_DOCUMENTS = [i // 70 for i in range(LONG)] + [i // 11 % 9 for i in range(LONG)]
# The first head attends to nothing, the second to keys here and there.
OF_HEADS = [0] * LONG + [int(i // 40 in (1, 5) or i == 299) for i in range(LONG)]
# Neither ascending nor all inside; a pointer that points past the list ends there.
LONG_ROW_PTR = [0, 3, 3, 6, 90]
LONG_COL_IDX = [7, 0, 7, 9, 1, -2, 4, 200]


def long_document(b, h, q, k):
    return k <= q and LONG_DOCUMENTS[b * LONG + q] == LONG_DOCUMENTS[b * LONG + k]


def of_head(b, h, q, k):
    return OF_HEADS[h * LONG + k] == 1


def padding(b, h, q, k):
    return k < LENGTHS[b]


def left_padded(*starts, **what):
    """Keys of a batch count from its start on; those before the query are the ones of fully masked rows."""
    captures = {"mask": ("2xi64", "i64", [2], starts), **what.pop("captures", {})}
    return dict(mask=LEFT_PADDED, keep=lambda b, h, q, k: starts[b] <= k <= q, empty_mask=CAUSAL, empty_keep=causal,
                captures=captures, **what)


def in_long_blocks(b, h, q, k):
    return k // 30 in LONG_COL_IDX[LONG_ROW_PTR[q // 25] : LONG_ROW_PTR[q // 25 + 1]]


def in_blocks(b, h, q, k):
    return k // 3 in COL_IDX[ROW_PTR[q // 4] : ROW_PTR[q // 4 + 1]]


def dilated(stride, residue, low, high):
    """The pairs of every `stride`-th distance from `low` to `high`, in MLIR and in Python."""
    text = f"""
      %low = arith.constant {low} : index
      %high = arith.constant {high} : index
      %residue = arith.constant {residue} : index
      %stride = arith.constant {stride} : index
      %zero = arith.constant 0 : index
      %d = arith.subi %q, %k : index
      %more = arith.cmpi sge, %d, %low : index
      %less = arith.cmpi sle, %d, %high : index
      %near = arith.andi %more, %less : i1
      %shifted = arith.subi %d, %residue : index
      %rest = arith.remsi %shifted, %stride : index
      %on = arith.cmpi eq, %rest, %zero : index
      %keep = arith.andi %near, %on : i1
      stof.yield %keep : i1"""
    return dict(mask=text, keep=lambda b, h, q, k: low <= q - k <= high and (q - k - residue) % stride == 0)


def behind(offset):
    """A causal mask of queries behind `offset` keys, in MLIR and in Python."""
    text = f"""
      %offset = arith.constant {offset} : index
      %end = arith.addi %q, %offset : index
      %keep = arith.cmpi sle, %k, %end : index
      stof.yield %keep : i1"""
    return dict(mask=text, keep=lambda b, h, q, k: k <= q + offset)


OF_HEAD = """
      %c20 = arith.constant 20 : index
      %first = arith.muli %h, %c20 : index
      %end = arith.addi %first, %q : index
      %keep = arith.cmpi sle, %k, %end : index
      stof.yield %keep : i1"""
# Rows that several CTAs compute, the first ones or all.
SOME, EVERY = "reversed = true, ahead = 1, splits = 3", "ahead = 9, splits = 7"


def cases():
    """All cases."""
    for kind in (plain_cases, other_key_cases, packed_cases, dilated_cases, split_cases, bias_cases, list_cases, long_cases):
        yield from kind()


def plain_cases():
    """Sizes, types, fully masked rows, sinks and scores."""
    yield Case("plain")
    yield Case("causal", mask=CAUSAL, keep=causal)
    for dtype in ("f16", "bf16"):
        yield Case(f"causal_{dtype}", mask=CAUSAL, keep=causal, dtype=dtype)
    yield Case("grouped", mask=CAUSAL, keep=causal, key_heads=2)
    yield Case("one_key_head", key_heads=1)
    yield Case("cross", queries=5, keys=13)
    yield Case("wide_values", value_features=20, lse=True)
    yield Case("many_value_features", value_features=136, lse=True)
    yield Case("one_key", queries=3, keys=1)
    yield Case("one_query", queries=1, keys=17, lse=True)
    yield Case("no_scale", scale=None)
    yield Case("scale_operand", scale=None, times=0.625)
    yield Case("both_scales", times=0.5)
    yield Case("dynamic", dynamic=True, queries=5, keys=13, mask=CAUSAL, keep=causal)
    yield Case("dynamic_grouped", dynamic=True, queries=11, keys=11, key_heads=2, lse=True)
    for empty_rows in ("zero", "nan", "mean", "unmasked"):
        for sinks in (False, True):
            yield Case(
                f"empty_{empty_rows}{'_sinks' if sinks else ''}", mask=FROM_THIRD, keep=from_third,
                empty_rows=empty_rows, sinks=sinks, lse=True,
            )
    yield Case("no_keys", dynamic=True, queries=3, keys=0)
    for empty_rows in ("zero", "mean", "unmasked"):
        yield Case(f"no_keys_{empty_rows}", dynamic=True, queries=3, keys=0, mask=CAUSAL, keep=causal, empty_rows=empty_rows)
    yield Case("sinks", sinks=True, lse=True)
    yield Case("soft_cap", score=CAP, change=lambda s, b, h, q, k: 2 * math.tanh(s / 2))
    yield Case(
        "alibi", score=BIAS, captures={"slopes": ("4xf32", "f32", [4], SLOPES)},
        change=lambda s, b, h, q, k: s + SLOPES[h] * (k - q),
    )
    yield Case("documents", mask=DOCUMENT, keep=document, captures={"mask": ("2x9xi32", "i32", [2, 9], DOCUMENTS)})


def other_key_cases():
    """Fully masked rows over the keys of another mask."""
    over = dict(empty_mask=CAUSAL, empty_keep=causal)
    for empty_rows in ("mean", "unmasked"):
        for sinks in (False, True):
            what = dict(empty_rows=empty_rows, sinks=sinks, lse=True)
            name = f"others_{empty_rows}{'_sinks' if sinks else ''}"
            # All rows of the second batch are fully masked.
            yield Case(name, **left_padded(4, 9), **what)
            # There are rows that neither mask keeps a key of.
            yield Case(f"{name}_none", mask=FROM_THIRD, keep=from_third, empty_mask=BEFORE,
                       empty_keep=lambda b, h, q, k: k < q, **what)
            yield Case(f"{name}_parts", queries=80, keys=150, key_heads=2, schedule=EVERY if sinks else SOME, **left_padded(70, 150), **what)
            yield Case(f"{name}_packed", queries=5, keys=80, heads=6, key_heads=2, **left_padded(3, 80), **what)
            yield Case(f"{name}_scores", **left_padded(5, 70, **biased(34, 70, **what)))
        yield Case(f"others_{empty_rows}_dynamic", dynamic=True, queries=70, keys=130, empty_rows=empty_rows, **left_padded(67, 3))
        yield Case(f"others_{empty_rows}_one_key", queries=3, keys=1, empty_rows=empty_rows, **left_padded(1, 0))
        yield Case(f"others_{empty_rows}_no_keys", dynamic=True, queries=3, keys=0, empty_rows=empty_rows, **left_padded(1, 0))
        yield Case(f"others_{empty_rows}_dilated", queries=85, keys=66, empty_rows=empty_rows, lse=True, **over, **dilated(4, 2, 8, 70))
        yield Case(
            f"others_{empty_rows}_blocks", queries=10, keys=12, keep=in_blocks, blocks=(4, 3), empty_rows=empty_rows, lse=True,
            captures={"row_ptr": ("4xi32", "i32", [4], ROW_PTR), "col_idx": ("?xi32", "i32", [5], COL_IDX)}, **over,
        )
        for dtype in ("f16", "bf16"):
            yield Case(f"others_{empty_rows}_{dtype}", dtype=dtype, queries=70, keys=70, empty_rows=empty_rows, **left_padded(40, 70))
        # The padding itself, and keys that no mask keeps.
        yield Case(f"others_{empty_rows}_padding", empty_rows=empty_rows, keys=12, poison=(9, 10, 11), kernels=False, **{
            **left_padded(4, 9), "empty_mask": PADDED, "empty_keep": lambda b, h, q, k: k < (4, 9)[b]})


def packed_cases():
    """Query heads of a group that are rows of their key head: odd groups, one query or a few, causal at an offset."""
    for heads, key_heads in ((3, 1), (14, 2)):
        for queries in (1, 3, 5):
            for dtype in ("f32", "f16"):
                yield Case(
                    f"packed_{heads // key_heads}_{queries}_{dtype}", heads=heads, key_heads=key_heads, queries=queries, keys=70,
                    dtype=dtype, lse=True, **behind(70 - queries),
                )
    yield Case("packed_plain", heads=6, key_heads=2, queries=1, keys=301, features=20, value_features=12, batch=3)
    yield Case("packed_many", heads=8, key_heads=1, queries=40, keys=50, batch=1, dtype="bf16", lse=True, **behind(10))
    yield Case("packed_few_keys", heads=4, key_heads=2, queries=2, keys=1, lse=True)
    yield Case("packed_long", heads=8, key_heads=2, queries=2, keys=1500, batch=1, features=16, value_features=16, dtype="f16", lse=True, **behind(1498))
    for queries in (1, 3):
        yield Case(
            f"packed_alibi_{queries}", heads=4, key_heads=2, queries=queries, keys=90, score=BIAS, lse=True,
            captures={"slopes": ("4xf32", "f32", [4], SLOPES)}, change=lambda s, b, h, q, k: s + SLOPES[h] * (k - q), **behind(60),
        )
        yield Case(
            f"packed_lengths_{queries}", heads=4, key_heads=2, queries=queries, keys=300, mask=PADDING, keep=padding, sinks=True,
            lse=True, captures={"mask": ("2xi64", "i64", [2], LENGTHS)}, poison=range(256, 300),
        )
        # Masks that depend on the head are left alone.
        yield Case(
            f"packed_heads_{queries}", heads=4, key_heads=2, queries=queries, keys=100, mask=OF_HEAD, lse=True,
            keep=lambda b, h, q, k: k <= 20 * h + q,
        )
    for empty_rows in ("zero", "nan", "mean", "unmasked"):
        for sinks in (False, True):
            yield Case(
                f"packed_{empty_rows}{'_sinks' if sinks else ''}", mask=FROM_THIRD, keep=from_third, queries=5, keys=80,
                heads=6, key_heads=2, empty_rows=empty_rows, sinks=sinks, lse=True,
            )
    yield Case("packed_sinks", heads=6, key_heads=2, queries=3, keys=20, sinks=True, lse=True)
    # Of each head, the first half of the queries has another sink than the second.
    for sinks in (2, 4):
        for empty_rows in ("zero", "mean"):
            yield Case(
                f"packed_{sinks}_sinks_{empty_rows}", mask=FROM_THIRD, keep=from_third, queries=8, keys=20, heads=6, key_heads=3,
                sinks=sinks, empty_rows=empty_rows, lse=True,
            )
    yield Case("sinks_of_parts", queries=90, keys=70, sinks=6, lse=True)
    yield Case("sinks_of_parts_dynamic", dynamic=True, queries=90, keys=70, sinks=3, lse=True, schedule=SOME)
    yield Case("packed_blocks", heads=8, key_heads=2, queries=4, keys=12, keep=in_blocks, blocks=(4, 3), lse=True,
               captures={"row_ptr": ("2xi32", "i32", [2], ROW_PTR[:2]), "col_idx": ("?xi32", "i32", [5], COL_IDX)})


def dilated_cases():
    """Every n-th distance between query and key."""
    yield Case("dilated", queries=128, keys=128, **dilated(2, 0, -40, 40))
    yield Case("dilated_long", queries=290, keys=310, batch=1, heads=2, key_heads=2, **dilated(2, 1, -70, 60))
    yield Case("dilated_causal", queries=190, keys=190, batch=1, key_heads=2, dtype="f16", lse=True, **dilated(3, 1, 0, 190))
    yield Case("dilated_wide", queries=135, keys=71, empty_rows="zero", lse=True, **dilated(4, 3, -9, 60))
    yield Case("dilated_cross", queries=70, keys=150, sinks=True, dtype="bf16", **dilated(2, 1, -90, 8))
    for empty_rows in ("nan", "mean", "unmasked"):
        yield Case(f"dilated_{empty_rows}", queries=85, keys=66, empty_rows=empty_rows, lse=True, **dilated(4, 2, 8, 70))
    yield Case("dilated_dynamic", dynamic=True, queries=102, keys=97, batch=3, lse=True, **dilated(3, 2, -50, 75))
    yield Case(
        "dilated_alibi", queries=90, keys=90, score=BIAS, captures={"slopes": ("4xf32", "f32", [4], SLOPES)},
        change=lambda s, b, h, q, k: s + SLOPES[h] * (k - q), **dilated(3, 2, -100, 100),
    )


def split_cases():
    """Keys that several CTAs share; some have none of a row."""
    for empty_rows in ("zero", "nan", "mean", "unmasked"):
        for sinks in (False, True):
            yield Case(
                f"parts_{empty_rows}{'_sinks' if sinks else ''}", mask=FROM_THIRD, keep=from_third, queries=80, keys=150,
                batch=1, key_heads=2, empty_rows=empty_rows, sinks=sinks, lse=True, schedule=EVERY if sinks else SOME,
            )
    yield Case("parts_plain", queries=70, keys=200, batch=1, dtype="f16", lse=True, schedule=EVERY)
    yield Case("parts_some", queries=150, keys=200, batch=1, heads=2, key_heads=1, sinks=True, schedule=SOME)
    yield Case("parts_features", queries=70, keys=100, batch=1, heads=2, key_heads=1, value_features=200, lse=True, schedule=EVERY)
    yield Case("parts_one_query", queries=1, keys=500, key_heads=1, lse=True, sinks=True, schedule=EVERY)
    yield Case("parts_dilated", queries=130, keys=70, batch=1, schedule="ahead = 2, splits = 2", **dilated(3, 2, -50, 75))
    for name, schedule in (("some", SOME), ("all", EVERY)):
        yield Case(
            f"parts_dynamic_{name}", dynamic=True, queries=83, keys=140, mask=CAUSAL, keep=causal, lse=True, dtype="bf16",
            schedule=schedule,
        )


def bias_cases():
    """Biases of every size, in every way to compute them."""
    for dtype in ("f32", "f16", "bf16"):
        yield Case(f"bias_{dtype}", dtype=dtype, lse=True, **biased(17, 21))
        yield Case(f"bias_causal_{dtype}", dtype=dtype, mask=CAUSAL, keep=causal, **biased(34, 34))
        yield Case(f"bias_parts_{dtype}", dtype=dtype, batch=1, heads=2, key_heads=1, lse=True, schedule=EVERY, **biased(34, 150))
    for empty_rows in ("zero", "nan", "mean", "unmasked"):
        for sinks in (False, True):
            what = dict(empty_rows=empty_rows, sinks=sinks, lse=True, batch=1, key_heads=2)
            name = f"bias_{empty_rows}{'_sinks' if sinks else ''}"
            # Every query keeps one of the keys that count.
            yield Case(name, mask=FROM_THIRD, keep=from_third, **biased(21, 21, **what))
            yield Case(f"{name}_parts", mask=FROM_THIRD, keep=from_third, schedule=EVERY if sinks else SOME, **biased(80, 150, **what))
            if empty_rows in ("zero", "nan"):
                yield Case(f"{name}_unmasked", **biased(17, 70, **what))
                yield Case(f"{name}_dynamic", dynamic=True, **biased(20, 70, extent="?x?", **what))
    yield Case("bias_no_keys", dynamic=True, empty_rows="nan", **biased(3, 0, extent="?x?"))
    yield Case(
        "bias_computed", score=FILLED, lse=True, captures={"slopes": ("4xf32", "f32", [4], [1, 0.5, 0.7, 0])},
        change=lambda s, b, h, q, k: in_f32(s + in_f32(in_f32(LOWEST) * in_f32([1, 0.5, 0.7, 0][h]))),
    )


def list_cases():
    """Keys and values that no query attends to, and a list of blocks."""
    # They may hold anything; kernels skip only whole tiles of them.
    yield Case("poison", mask=FROM_THIRD, keep=from_third, poison=(0, 1), kernels=False)
    yield Case(
        "blocks", queries=10, keys=12, keep=in_blocks, blocks=(4, 3), lse=True,
        captures={"row_ptr": ("4xi32", "i32", [4], ROW_PTR), "col_idx": ("?xi32", "i32", [5], COL_IDX)},
    )


def long_cases():
    """Lengths of many tiles."""
    for shares_keys in (True, False):
        yield Case(
            "pages" + "_of_batches" * (not shares_keys), shares_keys=shares_keys, queries=1, heads=8, key_heads=2, keys=304, batch=3,
            keep=in_pages, blocks=(1, 16), lse=True, captures=PAGE_TABLE,
        )
    yield Case(
        "pages_mean", shares_keys=True, queries=1, key_heads=1, keys=304, batch=3, keep=in_pages, blocks=(1, 16), empty_rows="mean",
        captures=PAGE_TABLE,
    )
    for dynamic in (False, True):
        extent = "?" if dynamic else str(LONG)
        yield Case(
            "long_documents" + "_dynamic" * dynamic, queries=LONG if dynamic else 130, keys=LONG, dynamic=dynamic,
            heads=1, key_heads=1, mask=LONG_DOCUMENT.format(extent), keep=long_document,
            captures={"mask": (f"2x{extent}xi32", "i32", [2, LONG], LONG_DOCUMENTS)}, schedule=SOME if dynamic else None,
        )
    yield Case(
        "long_padding", queries=LONG, keys=LONG, dynamic=True, heads=1, key_heads=1, mask=PADDING, keep=padding,
        captures={"mask": ("2xi64", "i64", [2], LENGTHS)},
    )
    yield Case(
        "long_heads", queries=20, keys=LONG, heads=2, key_heads=1, mask=HEAD_KEYS, keep=of_head, lse=True,
        captures={"mask": ("2x300xi1", "i1", [2, LONG], OF_HEADS)},
    )
    yield Case(
        "long_blocks", queries=100, keys=LONG, batch=1, heads=1, key_heads=1, keep=in_long_blocks, blocks=(25, 30),
        captures={"row_ptr": ("5xi32", "i32", [5], LONG_ROW_PTR), "col_idx": ("?xi32", "i32", [8], LONG_COL_IDX)},
    )


def sinks_shape(c):
    return [c.heads] if c.sinks is True else [c.heads, c.sinks]


def sinks_type(c):
    return f"tensor<{'x'.join(map(str, sinks_shape(c)))}xf32>"


def operation(c, types, lengths):
    """The attention of a case, without the types of its results."""
    op = f"  %r{':2' if c.lse else ''} = stof.attention ins(%query, %key, %value : {types['q']}, {types['k']}, {types['v']})"
    if c.mask or c.blocks or c.definition:
        op += f" mask(%m : !stof.mask<{lengths}>)"
    if c.schedule:
        op += f" schedule <{c.schedule}>"
    if c.sinks:
        op += f" sinks(%sinks : {sinks_type(c)})"
    slopes = c.captures.get("slopes")
    if slopes:
        op += f" captures(%slopes : tensor<{slopes[0]}>)"
    op += f" outs(%init : {types['o']}" + (f", lse %rows : {types['l']})" if c.lse else ")")
    if c.scale is not None:
        op += f" scale {c.scale:e}"
    if c.times is not None:
        op += " times %times"
    if c.empty_rows:
        over = f" over %m2 : !stof.mask<{lengths}>" if c.empty_mask else ""
        op += f" empty_rows({c.empty_rows}{over})"
    if c.score:
        extra = f", %t: tensor<{slopes[0]}>" if slopes else ""
        op += f" score {{\n    ^bb0(%s: f32, %b: index, %h: index, %q: index, %k: index{extra}):"
        op += c.score + "\n    }"
    return op


def module(case):
    """The function of `case` in MLIR, and the arguments that it takes in addition to query, key and value."""
    c, element = case, case.dtype
    shapes = {
        "q": c.shape(c.batch, c.heads, c.queries, c.features),
        "k": c.shape(c.key_batch, c.key_heads, c.keys, c.features),
        "v": c.shape(c.key_batch, c.key_heads, c.keys, c.value_features),
        "o": c.shape(c.batch, c.heads, c.queries, c.value_features),
        "l": c.shape(c.batch, c.heads, c.queries),
    }
    types = {name: f"tensor<{shape}x{'f32' if name == 'l' else element}>" for name, shape in shapes.items()}
    arguments = [f"%{name}: {types[name[0]]}" for name in ("query", "key", "value")]
    if c.sinks:
        arguments.append(f"%sinks: {sinks_type(c)}")
    for name, (shape, *_) in c.captures.items():
        arguments.append(f"%{name}: tensor<{shape}>")
    results = [types["o"]] + ([types["l"]] if c.lse else [])
    lengths = f"{c.shape(c.queries)}x{c.shape(c.keys)}"
    lines = [f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{"]
    sizes = ""
    if c.dynamic:
        lines += ["  %c2 = arith.constant 2 : index", f"  %length = tensor.dim %query, %c2 : {types['q']}"]
        sizes = "%length"
    lines.append(f"  %init = tensor.empty({sizes}) : {types['o']}")
    if c.lse:
        lines.append(f"  %rows = tensor.empty({sizes}) : {types['l']}")
    if c.times is not None:
        lines.append(f"  %times = arith.constant {c.times} : f32")
    table = c.captures.get("mask")
    for name, predicate in (("%m", c.mask), ("%m2", c.empty_mask)):
        if not predicate:
            continue
        captured = f"captures(%mask : tensor<{table[0]}>) " if table else ""
        extra = f", %t: tensor<{table[0]}>" if table else ""
        lines.append(f"  {name} = stof.mask {captured}{{\n    ^bb0(%b: index, %h: index, %q: index, %k: index{extra}):"
                     + predicate + f"\n    }} : !stof.mask<{lengths}>")
    if c.blocks:
        of_rows = f" lengths(%lengths : tensor<{c.captures['lengths'][0]}>)" if "lengths" in c.captures else ""
        lines.append(f"  %m = stof.block_mask %row_ptr, %col_idx{of_rows} block{c.blocks} : tensor<{c.captures['row_ptr'][0]}>, tensor<?xi32> -> !stof.mask<{lengths}>")
    if c.definition:
        lines.append(f"  %m = {c.definition.format(f'!stof.mask<{lengths}>')}")
    lines.append(operation(c, types, lengths) + f" -> {', '.join(results)}")
    names = "%r#0, %r#1" if c.lse else "%r"
    lines += [f"  return {names} : {', '.join(results)}", "}"]
    return "\n".join(lines) + "\n"


def row_weights(case, scores, kept, others, sink):
    """The weights of one row's values and the row's log-sum-exp; `others` are kept if it is fully masked."""
    if not scores:
        return [], -INFINITY
    if any(keep and score != -INFINITY for keep, score in zip(kept, scores)):
        return softmax(scores, kept, sink)
    if case.empty_keep and case.empty_rows == "unmasked":
        others = [keep and score != -INFINITY for keep, score in zip(others, scores)]
    count = sum(others)
    if case.empty_rows == "nan":
        return [math.nan] * len(scores), -INFINITY if sink is None else sink
    if case.empty_rows == "mean":
        return [keep / count if count else 0.0 for keep in others], math.log(count) if count else -INFINITY
    if case.empty_rows != "unmasked" or not count:
        return [0.0] * len(scores), -INFINITY if sink is None else sink
    return softmax(scores, others, sink)


def softmax(scores, kept, sink):
    """The weights of those that are kept, and their log-sum-exp."""
    terms = [score for score, keep in zip(scores, kept) if keep] + ([sink] if sink is not None else [])
    top = max(terms)
    if any(math.isnan(term) for term in terms) or math.isinf(top):
        return [math.nan] * len(scores), top if top == -INFINITY else math.nan
    total = sum(math.exp(term - top) for term in terms)
    return [math.exp(score - top) / total if keep else 0.0 for score, keep in zip(scores, kept)], top + math.log(total)


def attend(case, query, key, value, sinks):
    """The results, as flat lists."""
    c = case
    scale = (1 if c.scale is None else c.scale) * (1 if c.times is None else c.times)
    out, rows = [], []
    for b in range(c.batch):
        for h in range(c.heads):
            base = (b % c.key_batch * c.key_heads + h // (c.heads // c.key_heads)) * c.keys
            for q in range(c.queries):
                at = ((b * c.heads + h) * c.queries + q) * c.features
                row = query[at : at + c.features]
                scores, kept, others = [], [], []
                for k in range(c.keys):
                    start = (base + k) * c.features
                    s = scale * sum(map(operator.mul, row, key[start : start + c.features]))
                    scores.append(c.change(s, b, h, q, k) if c.change else s)
                    kept.append(c.keep(b, h, q, k) if c.keep else True)
                    others.append(c.empty_keep(b, h, q, k) if c.empty_keep else True)
                sink = sinks[h * int(c.sinks) + q // (c.queries // int(c.sinks))] if sinks else None
                weights, lse = row_weights(c, scores, kept, others, sink)
                rows.append(lse)
                for d in range(c.value_features):
                    terms = (w * value[(base + k) * c.value_features + d] for k, w in enumerate(weights) if w != 0)
                    out.append(sum(terms))
    return out, rows


def write(case, model, inputs, golden):
    """Writes the module, the inputs, and the inputs' exact results."""
    c = case
    source = random.Random(c.name)

    def numbers(count, dtype):
        values = [source.gauss(0, 1) for _ in range(count)]
        safetensors_io.write(inputs, {"x": (dtype, [count], values)})
        return safetensors_io.read(inputs)["x"][2]

    query = numbers(c.batch * c.heads * c.queries * c.features, c.dtype)
    key = numbers(c.key_batch * c.key_heads * c.keys * c.features, c.dtype)
    value = numbers(c.key_batch * c.key_heads * c.keys * c.value_features, c.dtype)
    for head in range(c.key_batch * c.key_heads):
        for k in c.poison:
            for d in range(c.features):
                key[(head * c.keys + k) * c.features + d] = math.nan
                value[(head * c.keys + k) * c.features + d] = INFINITY
    sinks = numbers(math.prod(sinks_shape(c)), "f32") if c.sinks else None
    tensors = [
        (c.dtype, [c.batch, c.heads, c.queries, c.features], query),
        (c.dtype, [c.key_batch, c.key_heads, c.keys, c.features], key),
        (c.dtype, [c.key_batch, c.key_heads, c.keys, c.value_features], value),
    ]
    if sinks:
        tensors.append(("f32", sinks_shape(c), sinks))
    tensors += [tuple(rest) for _, *rest in c.captures.values()]
    out, rows = attend(c, query, key, value, sinks)
    results = {"result0": ("f64", [c.batch, c.heads, c.queries, c.value_features], out)}
    if c.lse:
        results["result1"] = ("f64", [c.batch, c.heads, c.queries], rows)
    with open(model, "w") as file:
        file.write(module(c))
    safetensors_io.write(inputs, {f"arg{i}": tensor for i, tensor in enumerate(tensors)})
    safetensors_io.write(golden, results)

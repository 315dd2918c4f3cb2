"""Attention written as linalg in ways that are easily mistaken, with float64 results.

What is an attention takes one kernel, whatever surrounds its softmax. Loops are in the order of their letters.
"""

import math

from attention_cases import INFINITY, LOWEST, in_f32
from group_cases import Array, Function

BATCH, HEADS, QUERIES, KEYS, DEPTH = 2, 3, 9, 21, 8
DIMS = {"b": BATCH, "h": HEADS, "q": QUERIES, "k": KEYS}
LENGTHS, KEPT = [7, 4], [[1.0] * 6 + [0.0] * 15, [0.0] * 3 + [1.0] * 18]
LOW = ["%one = arith.constant 1.0 : f32", "%low = arith.constant {} : f32"]
BEHIND = ("%i = linalg.index 3 : index; %j = linalg.index 2 : index; %c = arith.constant {} : index; "
          "%e = arith.subi %i, %c : index; %keep = arith.cmpi sle, %j, %e : index")
ZERO = ["%zero = arith.constant 0.0 : f32"]


def attention(name, keep=None, mask=None, argument=None, guard=None, counted=None, used=None, divisor=None,
              exact=None, alone=None, bias=None, is_bare=False, is_stable=False, is_guarded=False, is_attention=True):
    """Attention whose score %a becomes %r by `mask` and whose weight %a does by `guard`.

    %b is of the argument, in a guard of how many pairs of the row are `counted` (%r an i32 of each pair) if there are such.

    If it `is_guarded`, rows whose scores are all minus infinity are zero.

    In Python, `keep(b, q, k)` and `used(b, q)` say which pairs and rows count, `bias(q, k)` what is added to their scores, and
    `exact` what their powers are divided by. Where a row has no pair, the values of those are averaged that are masked `alone`,
    by one mask of several; by their scores without bias, or those of all pairs, if it `is_bare`: those are eighths of eighths,
    to which a large number is added exactly.
    """
    f = Function(name, 1 if is_attention else None)
    (q, qs), (k, ks) = (f.argument("f32", BATCH, HEADS, size, DEPTH, values=[
        f.random.randint(-16, 16) / 8 for _ in range(BATCH * HEADS * size * DEPTH)]) for size in (QUERIES, KEYS))
    v, vs = f.argument("f32", BATCH, HEADS, KEYS, DEPTH)
    extra = []
    if argument:
        dtype, subscripts, values = argument
        extra = [(f.argument(dtype, *(DIMS[letter] for letter in subscripts), values=values)[0], subscripts)]
    s = f.matmul(q, k, "f32", "bhqd", "bhkd", "bhqk")
    if mask:
        s = f.generic([(s, "bhqk")] + extra, "bhqk", "f32", mask, dims=DIMS)
    if is_guarded:
        extra = [(f.generic([(s, "bhqk")], "bhq", "i1", [
            "%none = arith.constant 0xFF800000 : f32", "%c = arith.cmpf oeq, %a, %none : f32", "%r = arith.andi %c, %o : i1"],
            start="1", dims=DIMS), "bhq")]
        guard = ZERO + ["%r = arith.select %b, %zero, %a : f32"]
    if is_stable:
        most = f.generic([(s, "bhqk")], "bhq", "f32", ["%r = arith.maximumf %a, %o : f32"], start="0xFF800000", dims=DIMS)
        s = f.generic([(s, "bhqk"), (most, "bhq")], "bhqk", "f32", ["%r = arith.subf %a, %b : f32"], dims=DIMS)
    e = f.generic([(s, "bhqk")], "bhqk", "f32", ["%r = math.exp %a : f32"], dims=DIMS)
    t = f.generic([(e, "bhqk")], "bhq", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=DIMS)
    if divisor:
        t = f.generic([(t, "bhq")], "bhq", "f32", divisor, dims={letter: DIMS[letter] for letter in "bhq"})
    w = f.generic([(e, "bhqk"), (t, "bhq")], "bhqk", "f32", ["%r = arith.divf %a, %b : f32"], dims=DIMS)
    if counted:
        n = f.generic([], "bhqk", "i32", counted, dims=DIMS)
        extra = [(f.generic([(n, "bhqk")], "bhq", "i32", ["%r = arith.addi %a, %o : i32"], start="0", dims=DIMS), "bhq")]
    if guard:
        w = f.generic([(w, "bhqk")] + extra, "bhqk", "f32", guard, dims=DIMS)

    def result(b, h, i, d):
        keys = [j for j in range(KEYS) if not keep or keep(b, i, j)]
        is_empty = is_bare and not keys
        keys = [j for j in range(KEYS) if not alone or alone(b, i, j)] if is_empty else keys
        scores = [in_f32(sum(qs[(b, h, i, c)] * ks[(b, h, j, c)] for c in range(DEPTH)) +
                         (bias(i, j) if bias and not is_empty else 0)) for j in keys]
        top = max(scores, default=0) if is_stable else 0
        if top == -INFINITY:
            return 0 if is_guarded else math.nan
        powers = [math.exp(score - top) for score in scores]
        if used and not used(b, i):
            return 0
        if alone and not keys:
            keys = [j for j in range(KEYS) if alone(b, i, j)]
            powers = [1] * len(keys)
        return sum(p * vs[(b, h, j, d)] for p, j in zip(powers, keys)) / (exact or (lambda x: x))(sum(powers))

    o = f.matmul(w, v, "f32", "bhqk", "bhkd", "bhqd")
    f.give(o, Array.of((BATCH, HEADS, QUERIES, DEPTH), result))
    return f


FLOATS = ("f32", "bk", sum(KEPT, []))
LENGTH = ("i32", "b", LENGTHS)
LOWEST_FLOAT = "%low = arith.constant -3.40282347e+38 : f32"


def is_kept(b, q, k):
    return KEPT[b][k] == 1


def is_used(b, q):
    return q < LENGTHS[b]


def cases():
    """All functions."""
    for kind in (mask_cases, lowest_cases, bias_cases, divisor_cases):
        yield from kind()


def mask_cases():
    """Masks and guards of rows, as exporters spell them."""
    for name, number in ("billion", "-1.0e+09"), ("finfo", "-3.40282347e+38"):
        yield attention(f"one_minus_mask_{name}", is_kept, [line.format(number) for line in LOW] + [
            "%n = arith.subf %one, %b : f32", "%m = arith.mulf %n, %low : f32", "%r = arith.addf %a, %m : f32"], FLOATS)
    yield attention("mask_minus_billion", is_kept, [line.format("1.0e+09") for line in LOW] + [
        "%m = arith.mulf %b, %low : f32", "%n = arith.subf %m, %low : f32", "%r = arith.addf %a, %n : f32"], FLOATS)
    yield attention("truth_values", lambda b, q, k: k <= q, [
        "%i = linalg.index 3 : index", "%j = linalg.index 2 : index", "%e = arith.cmpi sle, %j, %i : index",
        "%false = arith.constant false", "%keep = arith.cmpi slt, %e, %false : i1",
        "%none = arith.constant 0xFF800000 : f32", "%r = arith.select %keep, %a, %none : f32"])
    yield attention("rows_left_out", argument=LENGTH, used=is_used, guard=ZERO + [
        "%i = linalg.index 3 : index", "%x = arith.index_cast %i : index to i32",
        "%used = arith.cmpi slt, %x, %b : i32", "%r = arith.select %used, %a, %zero : f32"])
    sizes = [7000, 3]
    yield attention("rows_of_large_integers", argument=("i64", "b", sizes), used=lambda b, q: sizes[b] < 5000, guard=ZERO + [
        "%x = arith.sitofp %b : i64 to f32", "%most = arith.constant 5.0e+03 : f32", "%large = arith.cmpf oge, %x, %most : f32",
        "%r = arith.select %large, %zero, %a : f32"])
    for name, apart, guard in (("rows_counted", 2, "eq, %b, %none"), ("rows_counted_above_zero", 2, "sle, %b, %none"),
                               ("other_rows_counted", 4, "eq, %b, %none")):
        yield attention(name, lambda b, q, k: k <= q - 2, BEHIND.format(2).split("; ") + [
            "%low = arith.constant 0xFF800000 : f32", "%r = arith.select %keep, %a, %low : f32"],
            counted=BEHIND.format(apart).split("; ") + ["%r = arith.extui %keep : i1 to i32"],
            used=lambda b, q, apart=apart: q >= apart, is_attention=apart == 2, guard=ZERO + [
                "%none = arith.constant 0 : i32", f"%empty = arith.cmpi {guard} : i32",
                "%r = arith.select %empty, %zero, %a : f32"])
    # Read as signed the mask would keep nothing.
    yield attention("unsigned_bytes", lambda b, q, k: k <= q, [
        "%i = linalg.index 3 : index", "%j = linalg.index 2 : index", "%e = arith.cmpi sle, %j, %i : index",
        "%all = arith.constant -1 : i8", "%no = arith.constant 0 : i8", "%byte = arith.select %e, %all, %no : i8",
        "%wide = arith.extui %byte : i8 to i32", "%most = arith.constant 100 : i32", "%keep = arith.cmpi sgt, %wide, %most : i32",
        "%none = arith.constant 0xFF800000 : f32", "%r = arith.select %keep, %a, %none : f32"])


def lowest_cases():
    """The lowest float added twice, or powers of it."""
    # Of each query three keys are kept, though neither the first nor the last of all nor its own.
    yield attention("lowest_added_twice_in_no_whole_row", lambda b, q, k: q < k <= q + 3, [
        LOWEST_FLOAT, *BEHIND.format(-3).split("; "), "%s = arith.select %keep, %a, %low : f32",
        "%later = arith.cmpi sgt, %j, %i : index", *ZERO, "%m = arith.select %later, %zero, %low : f32",
        "%r = arith.addf %s, %m : f32"], is_stable=True)
    yield attention("lowest_added_twice", lambda b, q, k: k <= q and is_kept(b, q, k), [
        LOWEST_FLOAT, "%i = linalg.index 3 : index", "%j = linalg.index 2 : index",
        "%e = arith.cmpi sle, %j, %i : index", "%s = arith.select %e, %a, %low : f32",
        "%none = arith.constant 0.5 : f32", "%keep = arith.cmpf ogt, %b, %none : f32", *ZERO,
        "%m = arith.select %keep, %zero, %low : f32", "%r = arith.addf %s, %m : f32"], FLOATS, is_stable=True,
        alone=lambda b, q, k: (k <= q) != is_kept(b, q, k))
    # Where the lowest number is added to itself depends on a choice that drops no key of its own.
    yield attention("lowest_added_twice_or_replaced", lambda b, q, k: k <= q and is_kept(b, q, k), [
        LOWEST_FLOAT, "%i = linalg.index 3 : index", "%j = linalg.index 2 : index", "%n = linalg.index 0 : index",
        "%e = arith.cmpi sle, %j, %i : index", "%s = arith.select %e, %a, %low : f32",
        "%none = arith.constant 0.5 : f32", "%keep = arith.cmpf ogt, %b, %none : f32", *ZERO,
        "%m = arith.select %keep, %zero, %low : f32", "%t = arith.addf %s, %m : f32", "%one = arith.constant 1 : index",
        "%c = arith.cmpi eq, %n, %one : index", "%stays = arith.ori %c, %e : i1", "%r = arith.select %stays, %t, %low : f32"],
        FLOATS, is_attention=False, is_stable=True, alone=lambda b, q, k: (k <= q) != is_kept(b, q, k))
    yield from decoder_cases()
    # The powers of a fully masked row are zero, and so is what divides them.
    yield attention("power_of_ten_thousand", lambda b, q, k: k <= q - 2, BEHIND.format(2).split("; ") + ZERO + [
        "%low = arith.constant -1.0e+04 : f32", "%m = arith.select %keep, %zero, %low : f32", "%r = arith.addf %a, %m : f32"],
        exact=lambda x: x or math.nan)


def masked(to, condition, below, added=None):
    """Lines that fill in, or add, a number of their own where a predicate is false."""
    number = [f"%low_{to} = arith.constant {below} : f32"]
    if not added:
        return number + [f"%{to} = arith.select %{condition}, %a, %low_{to} : f32"]
    return number + [f"%m_{to} = arith.select %{condition}, %zero, %low_{to} : f32", f"%{to} = arith.addf %{added}, %m_{to} : f32"]


def decoder_cases():
    """Masks of later keys, of a window and of padding, whose finite numbers meet. A fully masked row is over the keys with the
    greatest sum of these."""
    lowest, lowest_bf16, lowest_f16 = "-3.40282347e+38", "-3.38953139e+38", "-6.5504e+04"
    conditions = ZERO + [
        "%i = linalg.index 3 : index", "%j = linalg.index 2 : index", "%early = arith.cmpi sle, %j, %i : index",
        "%two = arith.constant 2 : index", "%first = arith.subi %i, %two : index", "%late = arith.cmpi sgt, %j, %first : index",
        "%window = arith.andi %early, %late : i1", "%half = arith.constant 0.5 : f32", "%pad = arith.cmpf ogt, %b, %half : f32",
        "%live = arith.andi %early, %pad : i1"]

    def is_live(b, q, k):
        return k <= q and is_kept(b, q, k)

    def is_near(b, q, k):
        return q - 2 < k <= q

    def decoder(name, lines, alone, keep=is_live, **what):
        return attention(f"decoder_{name}", keep, conditions + lines, FLOATS, is_stable=True, alone=alone, **what)

    # A causal mask fills in a number, and what has both masks is added. The sum of two lowest floats is minus infinity, that
    # with the lowest number of a narrower type need not be; the score is lost in that of bf16, but not in that of f16.
    early = (lambda b, q, k: k <= q)
    yield decoder("f32", masked("x", "early", lowest) + masked("r", "live", lowest, "x"), early)
    yield decoder("bf16", masked("x", "early", lowest) + masked("r", "live", lowest_bf16, "x"), early)
    yield decoder("f16", masked("x", "early", lowest) + masked("r", "live", lowest_f16, "x"), early, is_bare=True)
    # Of a window, keys before it have one mask, as those of padding inside have.
    near_and_live = (lambda b, q, k: is_near(b, q, k) and is_kept(b, q, k))
    yield decoder("window_f32", masked("x", "window", lowest) + masked("r", "live", lowest, "x"),
                  lambda b, q, k: is_near(b, q, k) or is_live(b, q, k), near_and_live)
    yield decoder("window_bf16", masked("x", "window", lowest) + masked("r", "live", lowest_bf16, "x"), is_near, near_and_live)
    yield decoder("window_f16", masked("x", "window", lowest) + masked("r", "live", lowest_f16, "x"), is_near, near_and_live,
                  is_bare=True)
    # Three masks, each of which is added.
    yield decoder("added_three_times", ["%y = arith.addf %a, %zero : f32"] + masked("x", "early", lowest, "y") +
                  masked("w", "late", lowest, "x") + masked("r", "pad", lowest, "w"),
                  lambda b, q, k: (k <= q) + (k > q - 2) + is_kept(b, q, k) == 2, near_and_live)
    # The number of padding is greater than that of later keys, whether these are padding or not.
    yield decoder("replaced", masked("x", "early", lowest) + [
        "%large = arith.constant -1.0e+09 : f32", "%r = arith.select %pad, %x, %large : f32"],
        lambda b, q, k: not is_kept(b, q, k))
    # The same numbers of both: all keys are alike.
    yield decoder("filled", masked("x", "early", lowest) + ["%r = arith.select %pad, %x, %low_x : f32"], lambda b, q, k: True)
    # Nothing is known of either mask of integers, so a row may have no key with one of them alone.
    yield attention("decoder_of_data", lambda b, q, k: k % 5 > 1, ZERO + [
        "%one = arith.constant 1 : i64", "%two = arith.constant 2 : i64", "%r1 = arith.andi %b, %one : i64",
        "%r2 = arith.andi %b, %two : i64", "%c0 = arith.constant 0 : i64", "%early = arith.cmpi ne, %r1, %c0 : i64",
        "%live = arith.cmpi ne, %r2, %c0 : i64", *masked("x", "early", lowest), *masked("r", "live", lowest, "x")],
        ("i64", "k", [3 if k % 5 > 1 else k % 3 for k in range(KEYS)]), is_stable=True, is_attention=False)
    # Slopes that are computed: a function of a constant and of a position adds a typical number.
    yield decoder("slopes", [
        "%n = arith.index_cast %j : index to i32", "%y = arith.sitofp %n : i32 to f32", "%slope = math.powf %half, %y : f32",
        "%s = arith.addf %a, %slope : f32"] + masked("r", "live", lowest, "s"), lambda b, q, k: True, bias=lambda q, k: 0.5 ** k)


def bias_cases():
    """Numbers that may be a mask, and are a bias."""
    # Where its own row has no key, a number stands in place of the bias: the row is the softmax of the scores without it.
    replaced = [*BEHIND.format(2).split("; "), "%x = arith.index_cast %j : index to i32", "%y = arith.sitofp %x : i32 to f32",
                "%low = arith.constant -1.0e+04 : f32", "%n = arith.select %keep, %y, %low : f32", "%r = arith.addf %a, %n : f32"]
    yield attention("bias_replaced", lambda b, q, k: k <= q - 2, replaced, bias=lambda q, k: k, is_bare=True, is_stable=True,
                    is_attention=False)
    # The same where every row has a key: one kernel.
    yield attention("bias_replaced_in_no_whole_row", lambda b, q, k: k <= q + 2, [
        line.replace("2 : index", "-2 : index") if "%c =" in line else line for line in replaced], bias=lambda q, k: k,
        is_stable=True)
    # Numbers that nothing is known of are added to scores, which are taken to be finite all the same.
    yield attention("integers_added", lambda b, q, k: True, [
        "%x = arith.sitofp %b : i64 to f32", "%r = arith.addf %a, %x : f32"], argument=("i64", "k", list(range(KEYS))),
        bias=lambda q, k: k, is_stable=True, is_guarded=True)
    # Whole rows of the lowest number, or of none, among others: where no power is more than zero, a guard decides.
    rows = [[LOWEST] * KEYS, [LOWEST if k % 2 else -INFINITY for k in range(KEYS)], [LOWEST / 2] * KEYS, [-INFINITY] * KEYS,
            [0.5 if k == 3 else -INFINITY for k in range(KEYS)], [0.25 * k for k in range(KEYS)]]
    table = ("f32", "qk", [in_f32(rows[q % len(rows)][k]) for q in range(QUERIES) for k in range(KEYS)])
    for is_guarded in (False, True):
        name = "guarded" if is_guarded else "unguarded"
        yield attention(f"numbers_added_{name}", lambda b, q, k: True, ["%r = arith.addf %a, %b : f32"], argument=table,
                        bias=lambda q, k: rows[q % len(rows)][k], is_stable=True, is_guarded=is_guarded)
        yield attention(f"numbers_added_causal_{name}", lambda b, q, k: k <= q, [
            "%s = arith.addf %a, %b : f32", *BEHIND.format(0).split("; "), "%none = arith.constant 0xFF800000 : f32",
            "%r = arith.select %keep, %s, %none : f32"], argument=table, bias=lambda q, k: rows[q % len(rows)][k],
            is_stable=True, is_guarded=is_guarded)
    # A mask of integers, which need not be 0 or 1: nothing is left of the scores of the second batch.
    ones = [[1] * 6 + [0] * 15, [0] * 21]
    yield attention("one_minus_integers_finfo", lambda b, q, k: ones[b][k] == 1, [
        line.format("-3.40282347e+38") for line in LOW] + [
        "%x = arith.sitofp %b : i64 to f32", "%n = arith.subf %one, %x : f32", "%m = arith.mulf %n, %low : f32",
        "%r = arith.addf %a, %m : f32"], argument=("i64", "bk", sum(ones, [])), is_stable=True, alone=lambda b, q, k: True)


def divisor_cases():
    """Sums that are changed before they divide."""
    yield attention("sum_limited", exact=lambda x: min(x, 30), is_attention=False, divisor=[
        "%most = arith.constant 3.0e+01 : f32", "%more = arith.cmpf ogt, %a, %most : f32",
        "%r = arith.select %more, %most, %a : f32"])
    yield attention("sum_never_zero", divisor=ZERO + [
        "%one = arith.constant 1.0 : f32", "%none = arith.cmpf oeq, %a, %zero : f32",
        "%r = arith.select %none, %one, %a : f32"])

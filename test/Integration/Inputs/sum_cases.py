"""Products of values with sums of softmaxes, with float64 results. Loops are in the order of their letters."""

import math

from group_cases import Array, Function

BATCH, HEADS, QUERIES, KEYS, DEPTH = 2, 3, 9, 21, 8
DIMS = {"b": BATCH, "h": HEADS, "q": QUERIES, "k": KEYS}
ROWS = {letter: DIMS[letter] for letter in "bhq"}
WHOLE = dict(b=BATCH, h=HEADS, q=QUERIES, d=DEPTH)


class Weights:
    """A softmax of products of its own queries and keys, causal or not."""

    def __init__(self, f, causal=False):
        q, self.qs = f.argument("f32", BATCH, HEADS, QUERIES, DEPTH)
        k, self.ks = f.argument("f32", BATCH, HEADS, KEYS, DEPTH)
        self.causal = causal
        s = f.matmul(q, k, "f32", "bhqd", "bhkd", "bhqk")
        if causal:
            s = f.generic([(s, "bhqk")], "bhqk", "f32", [
                "%i = linalg.index 3 : index", "%j = linalg.index 2 : index", "%c = arith.cmpi sle, %j, %i : index",
                "%none = arith.constant 0xFF800000 : f32", "%r = arith.select %c, %a, %none : f32"], dims=DIMS)
        most = f.generic([(s, "bhqk")], "bhq", "f32", ["%r = arith.maximumf %a, %o : f32"], start="0xFF800000", dims=DIMS)
        e = f.generic([(s, "bhqk"), (most, "bhq")], "bhqk", "f32", [
            "%x = arith.subf %a, %b : f32", "%r = math.exp %x : f32"], dims=DIMS)
        t = f.generic([(e, "bhqk")], "bhq", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=DIMS)
        self.value = f.generic([(e, "bhqk"), (t, "bhq")], "bhqk", "f32", ["%r = arith.divf %a, %b : f32"], dims=DIMS)

    def __call__(self, b, h, i):
        powers = [math.exp(sum(self.qs[(b, h, i, c)] * self.ks[(b, h, k, c)] for c in range(DEPTH)))
                  if not self.causal or k <= i else 0 for k in range(KEYS)]
        return [power / sum(powers) for power in powers]


def summed(name, kinds, body, exact, factors=(), kernels=None):
    """`body` makes %r of the weights %a, %b, ... and factors of rows, `exact` of lists of weights and of factors."""
    f = Function(name, kernels)
    weights = [Weights(f, kind == "causal") for kind in kinds]
    rows = [(f.argument("f32", *(DIMS[letter] for letter in subscripts)), subscripts) for subscripts in factors]
    v, vs = f.argument("f32", BATCH, HEADS, KEYS, DEPTH)
    w = f.generic([(some.value, "bhqk") for some in weights] + [(value, subscripts) for (value, _), subscripts in rows],
                  "bhqk", "f32", body, dims=DIMS)

    def result(b, h, i, d):
        place = {"b": b, "h": h, "q": i}
        numbers = [array[tuple(place[letter] for letter in subscripts)] for (_, array), subscripts in rows]
        lists = [some(b, h, i) for some in weights]
        return sum(exact([some[k] for some in lists], numbers, k, i) * vs[(b, h, k, d)] for k in range(KEYS))

    f.give(f.matmul(w, v, "f32", "bhqk", "bhkd", "bhqd"), Array.of((BATCH, HEADS, QUERIES, DEPTH), result))
    return f


def cases():
    # Attentions under one mask share a launch; what adds them up has one of its own.
    yield summed("differential", ("causal", "causal"), [
        "%m = arith.mulf %c, %b : f32", "%r = arith.subf %a, %m : f32"],
        lambda w, n, k, i: w[0] - n[0] * w[1], ("h",), kernels=2)
    yield summed("three_terms", ("plain", "causal", "plain"), [
        "%m = arith.addf %a, %b : f32", "%h = arith.constant 0.5 : f32", "%n = arith.mulf %m, %h : f32",
        "%x = arith.subf %c, %a : f32", "%y = arith.divf %x, %d : f32", "%z = arith.negf %y : f32", "%r = arith.addf %n, %z : f32"],
        lambda w, n, k, i: (w[0] + w[1]) / 2 - (w[2] - w[0]) / n[0], ("bhq",), kernels=3)
    yield summed("scaled", ("causal",), [
        "%l = arith.constant 1.25 : f32", "%m = arith.mulf %a, %l : f32", "%e = math.exp %b : f32", "%r = arith.mulf %m, %e : f32"],
        lambda w, n, k, i: 1.25 * math.exp(n[0]) * w[0], ("bh",), kernels=2)
    # A choice of whole rows is one of each term.
    yield summed("rows_without", ("plain", "plain"), [
        "%i = linalg.index 3 : index", "%c4 = arith.constant 4 : index", "%zero = arith.constant 0.0 : f32",
        "%m = arith.subf %a, %b : f32", "%c = arith.cmpi slt, %i, %c4 : index", "%r = arith.select %c, %m, %zero : f32"],
        lambda w, n, k, i: w[0] - w[1] if i < 4 else 0)
    # Factors of keys, and what is no weight, are computed as they are written.
    yield summed("factors_of_keys", ("plain", "plain"), [
        "%j = linalg.index 2 : index", "%x = arith.index_cast %j : index to i32", "%y = arith.sitofp %x : i32 to f32",
        "%m = arith.mulf %y, %b : f32", "%r = arith.subf %a, %m : f32"], lambda w, n, k, i: w[0] - k * w[1])
    yield summed("constant_added", ("plain",), [
        "%l = arith.constant 0.125 : f32", "%r = arith.addf %a, %l : f32"], lambda w, n, k, i: w[0] + 0.125)
    yield summed("products_of_weights", ("plain", "plain"), [
        "%m = arith.mulf %a, %b : f32", "%r = arith.addf %m, %a : f32"], lambda w, n, k, i: w[0] * w[1] + w[0])

"""Attention of a step of decoding, one query to many keys, and operations on its heads; float64 results.

Dimensions of size one are among those that the projection sums over.
"""

import math

from group_cases import Array, Function, rounded

NARROW = ["%r = arith.truncf %a : f32 to {0}"]


def narrow(f, value, letters, dims, dtype):
    return value if dtype == "f32" else f.generic([(value, letters)], letters, dtype, [NARROW[0].format(dtype)], dims=dims)


def attend(f, q, k, v, dims, dtype, scale):
    """The value of softmax(scale * q k) v, of `dtype`."""
    s = f.matmul(q, k, "f32", "bhqd", "bhkd", "bhqk")
    s = f.generic([(s, "bhqk")], "bhqk", "f32", [f"%c = arith.constant {scale} : f32", "%r = arith.mulf %a, %c : f32"], dims=dims)
    most = f.generic([(s, "bhqk")], "bhq", "f32", ["%r = arith.maximumf %a, %o : f32"], start="0xFF800000", dims=dims)
    e = f.generic([(s, "bhqk"), (most, "bhq")], "bhqk", "f32", ["%m = arith.subf %a, %b : f32", "%r = math.exp %m : f32"], dims=dims)
    t = f.generic([(e, "bhqk")], "bhq", "f32", ["%r = arith.addf %a, %o : f32"], start="0.0", dims=dims)
    w = f.generic([(e, "bhqk"), (t, "bhq")], "bhqk", "f32", ["%r = arith.divf %a, %b : f32"], dims=dims)
    w = narrow(f, w, "bhqk", dims, dtype)
    o = f.matmul(w, v, "f32", "bhqk", "bhkd", "bhqd")
    return narrow(f, o, "bhqd", {letter: dims[letter] for letter in "bhq"} | {"d": f.types[v][0][3]}, dtype)


def exact_attention(qs, ks, vs, scale, dims):
    """The same of arrays, each (batch, heads, positions, features)."""
    depth, features = qs.shape[3], vs.shape[3]

    def element(b, h, q, d):
        scores = [scale * sum(qs[(b, h, q, c)] * ks[(b, h, k, c)] for c in range(depth)) for k in range(dims["k"])]
        powers = [math.exp(score - max(scores)) for score in scores]
        return sum(p * vs[(b, h, k, d)] for k, p in enumerate(powers)) / sum(powers)
    return Array.of((dims["b"], dims["h"], dims["q"], features), element)


def project(f, heads, exact, batch, queries, width, bias, dtype):
    """Concatenated heads times a matrix of (columns, inner), and a bias."""
    _, number, _, features = exact.shape
    inner = number * features
    w, ws = f.argument(dtype, width, inner, values=[
        rounded(f.random.uniform(-1, 1) / math.sqrt(inner), dtype) for _ in range(width * inner)])
    dims = {"b": batch, "h": number, "q": queries, "d": features}
    t = f.generic([(heads, "bhqd")], "bqhd", dtype, [], dims=dims)
    rows = f.reshape(t, "collapse", "[[0, 1], [2, 3]]", batch * queries, inner)
    p = f.matmul(rows, w, "f32", "mk", "nk", "mn")
    bs = None
    if bias:
        b, bs = f.argument("f32", width)
        p = f.generic([(p, "mn"), (b, "n")], "mn", "f32", ["%r = arith.addf %a, %b : f32"],
                      dims={"m": batch * queries, "n": width})

    def element(m, n):
        total = sum(exact[(m // queries, c // features, m % queries, c % features)] * ws[(n, c)] for c in range(inner))
        return total + (bs[(n,)] if bias else 0)
    f.give(p, Array.of((batch * queries, width), element))


def decode(name, batch, heads, depth, keys=37, width=None, queries=1, bias=False, dtype="f32"):
    f = Function(name, 2)
    dims = {"b": batch, "h": heads, "q": queries, "k": keys}
    q, qs = f.argument(dtype, batch, heads, queries, depth)
    k, ks = f.argument(dtype, batch, heads, keys, depth)
    v, vs = f.argument(dtype, batch, heads, keys, depth)
    scale = rounded(1 / math.sqrt(depth), "f32")
    o = attend(f, q, k, v, dims, dtype, scale)
    project(f, o, exact_attention(qs, ks, vs, scale, dims), batch, queries, width or heads * depth, bias, dtype)
    return f


def class_attention(name, batch, heads, depth, tokens=19, bias=True):
    """The first token attends to all, as where a class is read from patches."""
    f = Function(name, None)
    inner = heads * depth
    x, xs = f.argument("f32", batch, tokens, inner)
    first = f.name_value((batch, 1, inner), "f32")
    f.lines.append(f"{first} = tensor.extract_slice {x}[0, 0, 0] [{batch}, 1, {inner}] [1, 1, 1] : "
                   f"{f.type((batch, tokens, inner), 'f32')} to {f.type((batch, 1, inner), 'f32')}")

    def heads_of(value, positions):
        w, ws = f.argument("f32", inner, inner, values=[
            rounded(f.random.uniform(-1, 1) / math.sqrt(inner), "f32") for _ in range(inner * inner)])
        p = f.matmul(value, w, "f32", "bqc", "nc", "bqn")
        h = f.reshape(p, "expand", "[[0], [1], [2, 3]]", batch, positions, heads, depth)
        t = f.generic([(h, "bqhd")], "bhqd", "f32", [], dims={"b": batch, "h": heads, "q": positions, "d": depth})
        return t, Array.of((batch, heads, positions, depth), lambda b, h, q, d: sum(
            xs[(b, q, c)] * ws[(h * depth + d, c)] for c in range(inner)))
    (q, qs), (k, ks), (v, vs) = heads_of(first, 1), heads_of(x, tokens), heads_of(x, tokens)
    dims = {"b": batch, "h": heads, "q": 1, "k": tokens}
    scale = rounded(1 / math.sqrt(depth), "f32")
    o = attend(f, q, k, v, dims, "f32", scale)
    project(f, o, exact_attention(qs, ks, vs, scale, dims), batch, 1, inner, bias, "f32")
    return f


def few_cases():
    """Those that any device has to have kernels for."""
    yield decode("decode_1_4_32", 1, 4, 32, bias=True)
    yield decode("decode_2_16_64", 2, 16, 64, keys=5, width=24)
    yield decode("decode_bf16", 1, 8, 64, keys=5, width=24, bias=True, dtype="bf16")
    yield class_attention("class_1_4_16", 1, 4, 16)


def cases():
    yield from few_cases()
    for batch, heads, depth in ((1, 1, 32), (2, 4, 32), (1, 2, 16), (1, 3, 8), (2, 5, 24), (1, 1, 128)):
        yield decode(f"decode_{batch}_{heads}_{depth}", batch, heads, depth, bias=heads != 3)
    yield decode("decode_two", 1, 4, 32, queries=2, bias=True)
    one = decode("decode_one_key", 1, 4, 32, keys=1, bias=True)
    # A softmax of one weight is one.
    one.kernels = None
    yield one
    yield decode("decode_f16", 2, 4, 32, width=7, dtype="f16")
    yield class_attention("class_2_3_10", 2, 3, 10, bias=False)

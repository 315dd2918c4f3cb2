"""Attention in float64, by definition."""

import numpy


def attend(query, key, value, keep, scale, score=None):
    """Results and LSEs; `keep` is bool [batch, heads, queries, keys], `score` a function of s, b, h, q and k."""
    query, key, value = (tensor.astype("float64") for tensor in (query, key, value))
    group = query.shape[1] // key.shape[1]
    key, value = key.repeat(group, 1), value.repeat(group, 1)
    scores = numpy.einsum("bhqd,bhkd->bhqk", query, key) * scale
    if score:
        scores = score(scores, *numpy.ogrid[tuple(slice(size) for size in scores.shape)])
    scores = numpy.where(keep, scores, -numpy.inf)
    with numpy.errstate(all="ignore"):
        highest = scores.max(-1, keepdims=True)
        highest = numpy.where(numpy.isinf(highest), 0, highest)
        weights = numpy.exp(scores - highest)
        total = weights.sum(-1, keepdims=True)
        out = numpy.einsum("bhqk,bhkd->bhqd", weights / numpy.where(total == 0, 1, total), value)
        return out, (numpy.log(total) + highest)[..., 0]


def draw(seed, batch, heads, key_heads, queries, keys, features, value_features, dtype="float32"):
    """Random query, key and value."""
    random = numpy.random.default_rng(seed)
    shapes = (
        (batch, heads, queries, features),
        (batch, key_heads, keys, features),
        (batch, key_heads, keys, value_features),
    )
    return [random.standard_normal(shape).astype(dtype) for shape in shapes]

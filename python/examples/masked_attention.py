"""Masked attention, from a mask to numbers: runs on numpy arrays, and on torch tensors in the same way."""

import numpy
import stof
from stof.masks import causal, documents, global_tokens, window

random = numpy.random.default_rng(0)
query = random.standard_normal((1, 8, 500, 64), "float32")
key, value = (random.standard_normal((1, 2, 500, 64), "float32") for _ in range(2))

# Longformer: a band and a few tokens that see, and are seen by, everything.
mask = causal() & window(128) | global_tokens(4)
out = stof.attention(query, key, value, mask=mask)
print(mask, out.shape)

# Packed documents. Other numbers of documents, and other lengths, are not compiled anew.
ids = numpy.repeat(numpy.arange(5, dtype="int32"), 100)
packed = causal() & documents(ids)
out = stof.attention(query, key, value, mask=packed)

# By definition.
scores = query @ key.repeat(4, 1).swapaxes(2, 3) / 8
scores = numpy.where(packed.dense(500), scores, -numpy.inf)
weights = numpy.exp(scores - scores.max(-1, keepdims=True))
expected = weights / weights.sum(-1, keepdims=True) @ value.repeat(4, 1)
print("difference below 1e-5:", bool(abs(out - expected).max() < 1e-5))

# What the compiler has proven, for a GPU that need not be here.
print(mask.explain(4096, heads=8, target="sm_90a"))

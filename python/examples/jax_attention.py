"""Masked attention in functions that JAX compiles, maps and repeats."""

import jax
import jax.numpy as jnp
import stof
from stof.masks import captured, causal, documents, window

keys = jax.random.split(jax.random.key(0), 3)
query, key, value = (jax.random.normal(seed, (2, 4, 300, 64)) for seed in keys)


# A mask of arrays is made in the function: it reads them when the program runs.
@jax.jit
def attend(query, key, value, ids):
    return stof.attention(query, key, value, mask=causal() & documents(ids))


def by_definition(query, key, value, kept):
    scores = jnp.where(kept, query @ key.mT / 8, -jnp.inf)
    return jax.nn.softmax(scores) @ value


at = jnp.arange(300)
for size in (100, 75):
    ids = at // size
    kept = (at <= at[:, None]) & (ids == ids[:, None])
    difference = abs(attend(query, key, value, ids) - by_definition(query, key, value, kept)).max()
    print(f"documents of {size}: difference below 1e-5:", bool(difference < 1e-5))


# One layer after the other. What is compiled for the first call serves all.
@jax.jit
def layers(x, count=3):
    return jax.lax.fori_loop(0, count, lambda _, x: x + stof.attention(x, x, x, mask=window(16)), x)


print("layers:", layers(query).shape)

# A predicate indexes an array by `captured`.
is_global = at % 50 == 0
mask = stof.Mask(lambda b, h, q, k: captured(is_global)[k]) | window(8)
print("mapped:", jax.vmap(lambda q: stof.attention(q, key, value, mask=mask))(jnp.stack([query, -query])).shape)

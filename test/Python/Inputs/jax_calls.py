"""Attention and functions of packages on arrays of JAX: as they are, and in functions that JAX transforms. The argument is a
folder."""

import sys

import jax
import jax.numpy as jnp
import numpy
import reference
import stof
from stof._compiler import compile_module
from stof.masks import Mask, captured, causal, documents, window
from stof.scores import alibi

FUNCTIONS = """
func.func @scale(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x4xf32>) {
  %sum = arith.addf %x, %y : tensor<?x8xf32>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  %half = tensor.extract_slice %sum[0, 0] [%rows, 4] [1, 1] : tensor<?x8xf32> to tensor<?x4xf32>
  return %sum, %half : tensor<?x8xf32>, tensor<?x4xf32>
}
func.func @update(%cache: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %row: tensor<1x8xf32>, %at: tensor<i32>) -> tensor<4x8xf32> {
  %number = tensor.extract %at[] : tensor<i32>
  %index = arith.index_cast %number : i32 to index
  %new = tensor.insert_slice %row into %cache[%index, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
  return %new : tensor<4x8xf32>
}
func.func @wide(%x: tensor<4xi32>) -> tensor<4xi64> {
  %y = arith.extsi %x : tensor<4xi32> to tensor<4xi64>
  return %y : tensor<4xi64>
}
"""

arrays = reference.draw(0, 2, 4, 2, 50, 60, 16, 24)
query, key, value = map(jnp.asarray, arrays)
ids = numpy.repeat(numpy.arange(6), 10).astype("int32")
near = causal(5) & window(9)


def compare(what, got, mask, score=None, arrays=arrays):
    """Compares with the definition in float64."""
    keep = mask.dense(50, 60, 2, 4)
    expected, _ = reference.attend(*arrays, keep, 0.25, score)
    error = abs(numpy.asarray(got, "float64") - expected).max()
    print(f"{what}:", "right" if error < 2e-6 and isinstance(got, jax.Array) else error)


def show_attention():
    compare("as it is", stof.attention(query, key, value, mask=near), near)
    compare("in jit", jax.jit(lambda q, k, v: stof.attention(q, k, v, mask=near))(query, key, value), near)

    @jax.jit
    def attend(q, k, v, ids, slopes):
        mask = causal() & documents(ids)
        return stof.attention(q + 0, k, v, mask=mask, score=alibi(slopes), return_lse=True)

    slopes = numpy.array([0.5, 0.25, 0.125, 0.0625], "float32")
    out, lse = attend(query, key, value, ids, slopes)
    biased = lambda s, b, h, q, k: s + slopes[h] * (k - q)  # noqa: E731
    compare("on traced arrays", out, causal() & documents(ids), biased)
    print("log-sum-exp:", lse.shape, lse.dtype)
    other = ids[::-1].copy()
    compare("on others", attend(query, key, value, other, slopes)[0], causal() & documents(other), biased)

    stacked = jnp.stack([query, 2 * query])
    mapped = jax.vmap(lambda q, v: stof.attention(q, key, v, mask=near), (0, None))(stacked, value)
    compare("mapped", mapped[1], near, arrays=(2 * arrays[0], *arrays[1:]))
    narrow = stof.attention(*(array.astype(jnp.bfloat16) for array in (query, key, value)), mask=near)
    print("bfloat16:", narrow.dtype, bool(abs(narrow - stof.attention(query, key, value, mask=near)).max() < 2e-2))
    print("static:", stof.attention(query, key, value, mask=near, dynamic=False).shape)
    print("dense:", documents(jnp.asarray(ids)).dense(60).sum())


def fails(action):
    try:
        action()
    except (stof.ArgumentError, NotImplementedError, jax.errors.JaxRuntimeError) as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print("no error")


def show_package():
    package = stof.load(compile_module(FUNCTIONS, targets=["cpu"]).archive)
    x, y = jnp.arange(16.0).reshape(2, 8), jnp.ones((2, 8))
    total, half = package.scale(x, y)
    print("results:", bool((total == x + y).all()), half.tolist())
    print("in jit:", jax.jit(lambda x: package.scale(x * 2, y)[1] + 1)(x).tolist())

    @jax.jit
    def fill(cache):
        return jax.lax.fori_loop(0, 4, lambda i, cache: package.update(cache, jnp.full((1, 8), i, "float32"), i), cache)

    cache = jnp.zeros((4, 8))
    print("updated:", fill(cache)[:, 0].tolist(), "but not", cache[:, 0].tolist())
    fails(lambda: package.scale(x))
    fails(lambda: package.scale(x, y[:1]))
    fails(lambda: package.scale(x, y[0]))
    fails(lambda: package.scale(x, y.astype("float16")))
    fails(lambda: package.scale(x, [1.0]))
    fails(lambda: package.scale(x, y, threads=1))
    fails(lambda: package.scale.prepare(x, y))
    fails(lambda: package.wide(jnp.arange(4)))
    fails(lambda: package.update(cache, y[:1], jnp.asarray(4)))


def misuse():
    fails(lambda: stof.attention(query, arrays[1], value))
    fails(lambda: stof.attention(query, key[:1], value))
    fails(lambda: stof.attention(query, key, value, mask=documents(ids[:20])))
    fails(lambda: stof.attention(query, key, value, mask=documents(ids.astype("int64"))))
    fails(lambda: stof.attention(query, key, value, mask=lambda b, h, q, k: jnp.asarray(ids)[q] == k))
    fails(lambda: stof.attention(query, key, value, mask=Mask(lambda b, h, q, k: captured(ids)[captured(ids)[k] * 12] < 3)))
    fails(lambda: jax.grad(lambda q: stof.attention(q, key, value).sum())(query))


{"attention": show_attention, "package": show_package, "misuse": misuse}[sys.argv[1]]()

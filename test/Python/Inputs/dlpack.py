"""Attention and functions of packages on tensors of a library that has DLPack's protocol and the array API, and of one that
has the protocol alone. Both are made of numpy."""

import types

import numpy
import stof
from stof import _backends
from stof._compiler import compile_module
from stof.masks import causal, documents

TWICE = """func.func @twice(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = arith.addf %x, %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
func.func @halves(%x: tensor<?x8xf32>) -> tensor<?x8xbf16> {
  %y = arith.truncf %x : tensor<?x8xf32> to tensor<?x8xbf16>
  return %y : tensor<?x8xbf16>
}
"""


class Plain:
    """A tensor with the protocol."""

    def __init__(self, array):
        self.array = array

    shape = property(lambda self: self.array.shape)
    dtype = property(lambda self: self.array.dtype)

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Tensor(Plain):
    """A tensor of a library that makes others."""

    device = "here"

    def __array_namespace__(self):
        return library


def empty(shape, *, dtype, device):
    assert device == "here", device
    # Aligned as numpy does not guarantee.
    raw = numpy.empty(int(numpy.prod(shape)) * numpy.dtype(dtype).itemsize + 16, "int8")
    start = -raw.ctypes.data % 16
    return Tensor(raw[start : len(raw) - 16 + start].view(dtype).reshape(shape))


class Remote(Tensor):
    """A tensor on another device."""

    def __dlpack_device__(self):
        return 10, 1


class Private(Plain):
    def __dlpack__(self, stream=None):
        raise BufferError("it is private")


library = types.ModuleType("library")
library.empty = empty
library.float32, library.float16, library.int8, library.bool_ = numpy.float32, numpy.float16, numpy.int8, numpy.bool_

random = numpy.random.default_rng(0)
arrays = [random.standard_normal((1, 2, 40, 16)).astype("float32") for _ in range(3)]
ids = numpy.repeat(numpy.arange(4, dtype="int32"), 10)
mask = causal() & documents(ids)
expected = stof.attention(*arrays, mask=mask)
package = stof.load(compile_module(TWICE, targets=["cpu"]).archive)
x = arrays[0].reshape(-1, 8)

out, lse = stof.attention(*map(Tensor, arrays), mask=causal() & documents(Tensor(ids)), return_lse=True)
print("attention:", type(out).__name__, type(lse).__name__, numpy.array_equal(out.array, expected))
out = stof.attention(*map(Plain, arrays), mask=causal() & documents(Plain(ids)))
print("attention:", type(out).__name__, numpy.array_equal(out, expected))
print("dense:", documents(Tensor(ids)).dense(40).sum())

result = package.twice(Tensor(x))
print("package:", type(result).__name__, numpy.array_equal(result.array, 2 * x), type(package.twice(Plain(x))).__name__)
prepared = package.twice.prepare(Tensor(x))
print("prepared:", numpy.array_equal(prepared(Tensor(x + 1)).array, 2 * x + 2), prepared(Tensor(x), out=result) is result)
graph = package.twice.graph(Tensor(x))
print("replayed:", numpy.array_equal(graph.replay().array, 2 * x))
print("numpy again:", type(package.twice(x)).__name__)


def fails(action):
    try:
        action()
    except (stof.ArgumentError, stof.DeviceError) as error:
        print(error)
    else:
        print("no error")


fails(lambda: package.twice(Tensor(numpy.asfortranarray(x))))
fails(lambda: package.twice(Tensor(x.astype("float16"))))
fails(lambda: package.twice(Tensor(x.astype("complex64"))))
fails(lambda: package.twice(Remote(x)))
fails(lambda: package.twice(Private(x)))
fails(lambda: package.halves(Tensor(x)))
fails(lambda: package.halves(Plain(x)))
fails(lambda: _backends.choose([Plain(x)]).maker((2, 8), "f32", (2, 0)))
fails(lambda: stof.attention(*map(Tensor, arrays), mask=documents(Tensor(ids.repeat(2)[::2]))))
fails(lambda: stof.attention(Tensor(arrays[0]), *map(Remote, arrays[1:])))
fails(lambda: stof.attention(Tensor(arrays[0]), *arrays[1:]))
fails(lambda: stof.attention(Tensor(arrays[0]), [1.0], Tensor(arrays[2])))

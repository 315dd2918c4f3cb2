"""Calls the tests' package through the stof module; the test's file says what is expected of it."""

import sys

import numpy
import stof

folder = sys.argv[1]
package = stof.load(f"{folder}/pkg")
print(package.main.__doc__)
print(package["main"], "function in dir:", "main" in dir(package))

a = numpy.arange(12, dtype="float32").reshape(3, 4)
b = numpy.full((3, 4), 100, dtype="float32")
result = package.main(a, b)
print("result", result.dtype, result.shape, result.tolist())
print("one thread", numpy.array_equal(result, package.main(a, b, threads=1)))
print("empty", package.main(a[:0], b[:0]).shape)
graph = package.main.graph(a, b)
a += 1
print("replayed", numpy.array_equal(graph.replay(), result + 0.5), graph.replay() is graph.results[0])
a -= 1


def fails(expected, action):
    try:
        action()
    except expected as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print("no failure")


misaligned = numpy.empty(13, "float32")[1:].reshape(3, 4)
if misaligned.ctypes.data % 16 == 0:
    misaligned = numpy.empty(14, "float32")[2:].reshape(3, 4)
fails(stof.PackageError, lambda: stof.load(f"{folder}/none"))
fails(AttributeError, lambda: package.other)
fails(stof.ArgumentError, lambda: package.main(a))
fails(stof.ArgumentError, lambda: package.main(a, b.astype("float16")))
fails(stof.ArgumentError, lambda: package.main(a, b.astype("complex64")))
fails(stof.ArgumentError, lambda: package.main(a, b[:2]))
fails(stof.ArgumentError, lambda: package.main(a, [1, 2]))
fails(stof.ArgumentError, lambda: package.main(a, numpy.asfortranarray(b)))
fails(stof.ArgumentError, lambda: package.main(a, misaligned))
fails(stof.ArgumentError, lambda: package.main.graph(a, misaligned))
fails(stof.DeviceError, lambda: stof.load(f"{folder}/broken").main(a, b))
print("torch imported:", "torch" in sys.modules)

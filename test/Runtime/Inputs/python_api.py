"""Calls the tests' package through the stof module; the test's file says what is expected of it."""

import sys
import threading

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

print("prepared")
prepared = package.main.prepare(a, b)
first, again = prepared(), prepared()
print("on its inputs", numpy.array_equal(first, result), first is not again, prepared.inputs[0] is a)
print("on others", numpy.array_equal(prepared(a + 2, b), result + 1), numpy.array_equal(first, result))
out = numpy.full_like(result, numpy.nan)
print("in place", prepared(out=out) is out, package.main(a, b, out=out) is out, numpy.array_equal(out, result))
always = package.main.prepare(a, b, out=out)
print("always in place", always() is out, always(a + 2, b) is out, numpy.array_equal(out, result + 1))


def unaligned(shape):
    """An array that is not at an address aligned to 16 bytes."""
    memory = numpy.empty(shape[0] * shape[1] + 2, "float32")
    start = 1 if memory.ctypes.data % 16 == 0 else 0
    return memory[start : start + shape[0] * shape[1]].reshape(shape)


fails(stof.ArgumentError, lambda: prepared(a))
fails(stof.ArgumentError, lambda: prepared(a, b.astype("float16")))
fails(stof.ArgumentError, lambda: prepared(a[:2], b[:2]))
fails(stof.ArgumentError, lambda: prepared(a, numpy.asfortranarray(b)))
fails(stof.ArgumentError, lambda: prepared(a, [1, 2]))
fails(stof.ArgumentError, lambda: prepared(a, misaligned))
fails(stof.ArgumentError, lambda: prepared(out=out[:2]))
fails(stof.ArgumentError, lambda: prepared(out=out.astype("float64")))
fails(stof.ArgumentError, lambda: prepared(out=numpy.asfortranarray(out)))
fails(stof.ArgumentError, lambda: prepared(out=[1, 2]))
fails(stof.ArgumentError, lambda: prepared(out=unaligned((3, 4))))
fails(stof.ArgumentError, lambda: package.main(a, b, out=a))
fails(stof.ArgumentError, lambda: package.main(a, b, out=()))
fails(stof.ArgumentError, lambda: package.main.prepare(a))
print("after errors", numpy.array_equal(prepared(), result))


def run_in_threads(call):
    """Whether two threads, each with tensors of its own, get their own results."""
    wrong = []

    def work(number):
        own = a + number
        expected = result + 0.5 * number
        wrong.extend(1 for _ in range(200) if not numpy.array_equal(call(own, b), expected))

    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return not wrong


print("two threads", run_in_threads(package.main), run_in_threads(prepared))
print("torch imported:", "torch" in sys.modules)

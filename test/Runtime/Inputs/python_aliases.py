"""Calls a package whose result lies in place of its second input."""

import sys

import numpy
import stof

main = stof.load(sys.argv[1]).main
print(main.results[0])


def aligned(rows):
    memory = numpy.zeros(rows * 4 + 16, "float32")
    start = -memory.ctypes.data % 64 // 4
    return memory[start : start + rows * 4].reshape(rows, 4)


a, b = aligned(3), aligned(3)
a[...], b[...] = numpy.arange(12).reshape(3, 4), 100
result = main(a, b)
print("itself", result is b, b[0].tolist())
main(a, b)
print("again", b[0].tolist())
graph = main.graph(a, b)
print("replayed", graph.replay() is b, b[0].tolist())
print("empty", main(a[:0], b[:0]).shape)


def fails(action):
    try:
        action()
    except stof.ArgumentError as error:
        print(f"ArgumentError: {error}")


whole = aligned(6)
fails(lambda: main(a, a))
fails(lambda: main(whole[:3], whole[2:5]))
fails(lambda: main.graph(whole[1:4], whole[:3]))
print("beside", main(whole[:3], whole[3:]).base is whole.base)

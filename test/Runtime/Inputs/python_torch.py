"""Calls the tests' package on torch tensors on a CUDA device."""

import ctypes
import pathlib
import sys

import numpy
import stof

sys.path.insert(0, str(pathlib.Path(__file__).parent / "fake_torch"))
import torch

package = stof.load(sys.argv[1])
a = numpy.arange(12, dtype="float32").reshape(3, 4)
b = numpy.full((3, 4), 100, dtype="float32")
x, y = torch.Tensor(a, "cuda:0"), torch.Tensor(b, "cuda:0")
result = package.main(x, y)
print("result", type(result).__name__, result.array.tolist())


def fails(action):
    try:
        action()
    except stof.ArgumentError as error:
        print(f"ArgumentError: {error}")


fails(lambda: package.main(x, torch.Tensor(b, "cpu")))
fails(lambda: package.main(x, b))
fails(lambda: package.main(x, torch.Tensor(b, "cuda:0", requires_grad=True)))

print("graph")
graph = package.main.graph(x, y)
a += 1
print("replayed", graph.replay().array.tolist(), graph.replay() is graph.results[0])
a *= 2
print("replayed", graph.replay().array.tolist())
x.array = a.copy()
fails(graph.replay)
fails(lambda: package.main.graph(x, torch.Tensor(b, "cpu")))
x.array = a


def device_fails(function, action):
    ctypes.CDLL(None).setenv(b"FAKE_CUDA_FAIL", function.encode(), 1)
    try:
        action()
    except stof.DeviceError as error:
        print(f"DeviceError: {error}")


print("prepared")
prepared = package.main.prepare(x, y)
out = torch.Tensor(numpy.empty_like(b), "cuda:0")
for number in range(3):
    print("run", number, prepared(out=out).array.tolist() == graph.replay().array.tolist())
print("other result", prepared().array.tolist() == out.array.tolist())
torch.stream = 0x5EB
print("other stream", prepared(out=out) is out)
torch.is_capturing = True
print("captured", prepared(out=out) is out)
torch.stream, torch.is_capturing = 0x5EA, False
fails(lambda: prepared(x, torch.Tensor(b, "cuda:1")))
fails(lambda: prepared(out=torch.Tensor(numpy.empty_like(b), "cpu")))
fails(lambda: prepared(out=torch.Tensor(numpy.empty_like(b), "cuda:0", requires_grad=True)))

device_fails("cuGraphLaunch", graph.replay)
device_fails("cuGraphInstantiateWithFlags", lambda: package.main.graph(x, y))
device_fails("cuLaunchKernel", lambda: package.main.graph(x, y))

ctypes.CDLL(None).unsetenv(b"FAKE_CUDA_FAIL")
print("once", stof.load(sys.argv[1]).main(x, y).array.tolist())

"""Calls the tests' package with what torch's generated code uses, if it is there and does what it did."""

import contextlib
import pathlib
import sys
import types

import numpy
import stof

sys.path.insert(0, str(pathlib.Path(__file__).parent / "fake_torch"))
import torch

current = 0


def allocate(shape, strides, dtype):
    print("allocate", dtype, shape, strides, "on", current)
    return torch.Tensor(numpy.empty(shape, dtype.removeprefix("torch.")), f"cuda:{current}")


@contextlib.contextmanager
def use_device(device):
    global current
    previous, current = current, device.index
    yield
    current = previous


def find_stream(index):
    print("raw stream of", index)
    return 0x5EA


def run(what, count, allocate):
    """A call in a process with `count` devices, with a fresh torch."""
    print(what)
    guards = types.SimpleNamespace(_empty_strided_cuda=allocate)
    torch._C = types.SimpleNamespace(_cuda_getCurrentRawStream=find_stream, _dynamo=types.SimpleNamespace(guards=guards))
    torch.cuda.device_count, torch.cuda.current_device = lambda: count, lambda: current
    torch.cuda.device = use_device
    stof._backends._torch.cache_clear()
    x, y = (torch.Tensor(numpy.full((3, 4), value, "float32"), "cuda:0") for value in (2, 100))
    print("result", stof.load(sys.argv[1]).main(x, y).array[0].tolist())


run("one device", 1, allocate)
run("the current device of two", 2, allocate)
current = 1
run("the other device of two", 2, allocate)
current = 0
run("another function", 1, lambda shape, strides, dtype: torch.Tensor(numpy.empty(shape, "float64"), "cuda:0"))

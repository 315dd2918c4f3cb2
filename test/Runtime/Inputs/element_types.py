"""Calls a package on bytes, floats of 8 bits and a seed; torch, which has such floats, is a stand-in."""

import pathlib
import sys

import numpy
import stof

sys.path.insert(0, str(pathlib.Path(__file__).parent / "fake_torch"))
import torch

torch.uint8, torch.float8_e4m3fn = "torch.uint8", "torch.float8_e4m3fn"


class Float8(torch.Tensor):
    """Their bytes."""

    def __init__(self, array):
        super().__init__(array, "cpu")
        self.dtype = torch.float8_e4m3fn


def empty_strided(shape, strides, dtype, device):
    if dtype == torch.float8_e4m3fn:
        return Float8(numpy.empty(shape, "uint8"))
    return torch.Tensor(numpy.empty(shape, dtype.removeprefix("torch.")), "cpu")


torch.empty_strided = empty_strided


def aligned(values, dtype):
    """An array at an address that a package takes."""
    values = numpy.array(values, dtype)
    room = numpy.empty(values.nbytes + 64, "uint8")
    begin = -room.ctypes.data % 64
    array = room[begin : begin + values.nbytes].view(dtype).reshape(values.shape)
    array[...] = values
    return array


main = stof.load(sys.argv[1]).main
print(main)
inputs = torch.Tensor(aligned([1, 128, 200, 255], "uint8"), "cpu"), Float8(aligned([56, 64, 196, 48], "uint8"))
results = main(*inputs, torch.Tensor(aligned(41, "int64"), "cpu"))
for tensor, result in zip(main.results, results):
    print(tensor.dtype, result.array.tolist())

"""As much of torch as the stof module touches, over numpy; a CUDA tensor lies where the stand-in driver reads it."""

import dataclasses
import types

import numpy

float64, float32, float16, bfloat16 = "torch.float64", "torch.float32", "torch.float16", "torch.bfloat16"
int64, int32, int16, int8, bool = "torch.int64", "torch.int32", "torch.int16", "torch.int8", "torch.bool"


@dataclasses.dataclass
class Device:
    type: str
    index: int

    def __str__(self):
        return f"{self.type}:{self.index}"


class Tensor:
    def __init__(self, array, device, requires_grad=False):
        kind, _, index = device.partition(":")
        self.device = Device(kind, int(index or 0))
        self.array, self.requires_grad = array, requires_grad
        self.dtype, self.shape = f"torch.{array.dtype}", array.shape

    def data_ptr(self):
        return self.array.ctypes.data

    def is_contiguous(self):
        return self.array.flags.c_contiguous

    def stride(self):
        return tuple(stride // self.array.itemsize for stride in self.array.strides)


def empty_strided(shape, strides, dtype, device):
    print("empty", dtype, tuple(shape), device)
    return Tensor(numpy.empty(shape, dtype.removeprefix("torch.")), str(device))


def is_grad_enabled():
    return True


stream, is_capturing = 0x5EA, False


def current_stream(device):
    print("current stream of", device)
    return types.SimpleNamespace(cuda_stream=stream)


def is_current_stream_capturing():
    return is_capturing


cuda = types.SimpleNamespace(current_stream=current_stream, is_current_stream_capturing=is_current_stream_capturing)

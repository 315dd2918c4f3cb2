"""Tensors of any library with DLPack's protocol, `__dlpack__`. Results are made by that library if it has the array API,
`__array_namespace__`, and otherwise by numpy, whose arrays such libraries take.

DLPack is a description of a tensor in memory, in a capsule that keeps the memory alive."""

import ctypes
import functools

from ._backends import ALIGNMENT, TORCH_DTYPES, choose, find_numpy
from ._errors import ArgumentError

# Numbers of DLPack's header.
_CPU, _CUDA = 1, 2
_DEFAULT_STREAM = 1
_DTYPES = {
    **{(0, bits): f"i{bits}" for bits in (8, 16, 32, 64)},
    **{(2, bits): f"f{bits}" for bits in (16, 32, 64)},
    (1, 8): "i8",
    (4, 16): "bf16",
    (6, 8): "i1",
    (10, 8): "f8E4M3FN",
    (12, 8): "f8E5M2",
}
# The names of dtypes in namespaces: those of torch, and of bool in older ones.
_NAMES = {dtype: (name,) for dtype, name in TORCH_DTYPES.items()} | {"i1": ("bool", "bool_")}


class _Tensor(ctypes.Structure):
    """The start of a DLManagedTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32),
        ("ordinal", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class _Address(int):
    """An address in memory that `capsule` keeps alive."""

    capsule = None


class _Device(tuple):
    """A kind of device of DLPack and a number; `native` is what the library calls it."""

    native = None


class _Exported:
    """A tensor as DLPack describes it."""

    def __init__(self, tensor):
        try:
            on_cuda = tensor.__dlpack_device__()[0] == _CUDA
            self.capsule = tensor.__dlpack__(stream=_DEFAULT_STREAM) if on_cuda else tensor.__dlpack__()
        except BufferError as error:
            raise ArgumentError(f"expects a tensor that its library exports by DLPack, but got: {error}") from error
        self._tensor = _Tensor.from_address(_get_pointer(self.capsule, b"dltensor"))

    @property
    def dtype(self):
        """The dtype in manifests, or None."""
        known = _DTYPES.get((self._tensor.code, self._tensor.bits))
        return known if self._tensor.lanes == 1 else None

    @property
    def device(self):
        return self._tensor.device, self._tensor.ordinal

    @property
    def address(self):
        address = _Address((self._tensor.data or 0) + self._tensor.offset)
        address.capsule = self.capsule
        return address

    def is_contiguous(self):
        """Whether elements are in row-major order without gaps."""
        shape, strides = self._tensor.shape[: self._tensor.rank], self._tensor.strides
        if not strides or 0 in shape:
            return True
        expected = 1
        for size, stride in reversed(list(zip(shape, strides[: len(shape)]))):
            if size != 1 and stride != expected:
                return False
            expected *= size
        return True


class Backend:
    """Tensors of DLPack. `namespace` is that of their library in the array API, or None."""

    # Libraries have no common name for a view with dimensions exchanged.
    swap = None

    def __init__(self, namespace):
        self.name = "DLPack" if namespace is None else namespace.__name__
        self._namespace = namespace

    def takes(self, tensor):
        is_exportable = all(hasattr(tensor, name) for name in ("__dlpack__", "__dlpack_device__", "shape", "dtype"))
        return is_exportable and choose([tensor]) is self

    def device(self, tensor):
        kind, ordinal = tensor.__dlpack_device__()
        device = _Device((int(kind), int(ordinal)))
        device.native = getattr(tensor, "device", None)
        return device

    def device_name(self, device):
        kind, ordinal = device
        return "cpu" if kind == _CPU else f"cuda:{ordinal}" if kind == _CUDA else f"device {ordinal} of kind {kind}"

    def dtype(self, tensor):
        return _Exported(tensor).dtype or str(tensor.dtype)

    def is_contiguous(self, tensor):
        return _Exported(tensor).is_contiguous()

    def wants_gradient(self, tensor):
        return False

    def address(self, tensor):
        return _Exported(tensor).address

    def to_numpy(self, tensor):
        """`tensor` as a numpy array."""
        import numpy

        return numpy.from_dlpack(tensor)

    def pack(self, tensor):
        """`tensor`, which kernels must be able to read as it is."""
        exported = _Exported(tensor)
        if exported.is_contiguous() and exported.address % ALIGNMENT == 0:
            return tensor
        raise ArgumentError(f"expects a captured tensor to be contiguous and aligned to {ALIGNMENT} bytes; copy it first")

    def pointer(self, tensor):
        """A function for the present address of `tensor`."""
        return functools.partial(self.address, tensor)

    def match(self, expected, device, tensors):
        """The addresses of `tensors`, or None unless they are contiguous tensors of the `expected` shapes and dtypes on
        `device`."""
        if len(tensors) != len(expected):
            return None
        addresses = []
        for tensor, (shape, dtype) in zip(tensors, expected):
            if not self.takes(tensor) or tensor.dtype != dtype or tuple(tensor.shape) != shape:
                return None
            exported = _Exported(tensor)
            if exported.device != device or not exported.is_contiguous():
                return None
            addresses.append(exported.address)
        return addresses

    def guard(self, tensors):
        return None

    def find_stream(self, device):
        """A function for the default stream: DLPack does not know that of a library."""
        return int

    def find_capturing(self, device):
        """A function for whether a graph captures the stream, which DLPack does not know."""
        return bool

    def find_dtype(self, dtype):
        if self._namespace is None:
            return find_numpy().find_dtype(dtype)
        found = next((name for name in _NAMES[dtype] if hasattr(self._namespace, name)), None)
        if found is None:
            raise ArgumentError(f"{self.name} has no dtype for a result of {dtype}; pass torch tensors")
        return getattr(self._namespace, found)

    def maker(self, shape, dtype, device):
        """A function that makes tensors of the library, or arrays of numpy."""
        if self._namespace is not None:
            placed = {} if device.native is None else {"device": device.native}
            return functools.partial(self._namespace.empty, shape, dtype=self.find_dtype(dtype), **placed)
        if device[0] == _CPU:
            return find_numpy().maker(shape, dtype, "cpu")
        raise ArgumentError(
            f"expects tensors on {self.device_name(device)} of a library with __array_namespace__, which makes the results"
        )

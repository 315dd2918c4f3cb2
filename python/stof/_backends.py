"""Tensors of numpy, torch and other libraries: their properties, and how to make more of them."""

import functools
import sys

from ._errors import ArgumentError

# The names of manifest dtypes in numpy and torch; numpy has no bf16.
_NUMPY_DTYPES = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "i64": "int64",
    "i32": "int32",
    "i16": "int16",
    "i8": "int8",
    "i1": "bool",
}
TORCH_DTYPES = {**_NUMPY_DTYPES, "bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
# Of addresses that kernels read.
ALIGNMENT = 16
# Integers of a manifest are signless. Results are signed; result.view(torch.uint8) reinterprets them as unsigned.
_UNSIGNED_DTYPES = {"uint8": "i8"}
_ALIGNMENT = 256


class _Numpy:
    """numpy arrays, on the cpu."""

    name = "numpy"

    def __init__(self):
        import numpy

        self._numpy = numpy
        self._array = numpy.ndarray
        self._dtypes = {numpy.dtype(name): dtype for dtype, name in _NUMPY_DTYPES.items()}
        self._dtypes |= {numpy.dtype(name): dtype for name, dtype in _UNSIGNED_DTYPES.items()}

    def takes(self, tensor):
        return isinstance(tensor, self._array)

    def device(self, tensor):
        return "cpu"

    def device_name(self, device):
        return device

    def dtype(self, tensor):
        return self._dtypes.get(tensor.dtype, str(tensor.dtype))

    def is_contiguous(self, tensor):
        return tensor.flags.c_contiguous

    def swap(self, tensor):
        """`tensor` with dimensions 1 and 2 exchanged."""
        return tensor.swapaxes(1, 2)

    def wants_gradient(self, tensor):
        return False

    def address(self, tensor):
        return tensor.ctypes.data

    def to_numpy(self, tensor):
        """`tensor` as a numpy array of a dtype with its values."""
        return tensor

    def pack(self, tensor):
        """`tensor`, or a copy that kernels can read: contiguous and aligned."""
        if self.is_contiguous(tensor) and self.address(tensor) % ALIGNMENT == 0:
            return tensor
        copy = self._empty(tensor.shape, tensor.dtype, tensor.size)
        copy[...] = tensor
        return copy

    def pointer(self, tensor):
        """A function for the present address of `tensor`."""
        return functools.partial(self.address, tensor)

    def match(self, expected, device, tensors):
        """The addresses of `tensors`, or None unless they are contiguous tensors of the `expected` shapes and dtypes on
        `device` that need no gradient."""
        if len(tensors) != len(expected):
            return None
        for tensor, (shape, dtype) in zip(tensors, expected):
            if not isinstance(tensor, self._array) or tensor.dtype != dtype or tensor.shape != shape:
                return None
            if not tensor.flags.c_contiguous:
                return None
        return [tensor.ctypes.data for tensor in tensors]

    def guard(self, tensors):
        return None

    def find_stream(self, device):
        """A function for the current stream of `device`, or 0."""
        return int

    def find_capturing(self, device):
        """A function for whether a graph captures the current stream of `device`."""
        return bool

    def find_dtype(self, dtype):
        name = _NUMPY_DTYPES.get(dtype)
        if name is None:
            raise ArgumentError(f"numpy has no dtype for a result of {dtype}; pass torch tensors")
        return self._numpy.dtype(name)

    def maker(self, shape, dtype, device):
        """A function that makes arrays with the alignment that kernels require, which numpy does not guarantee."""
        count = 1
        for size in shape:
            count *= size
        return functools.partial(self._empty, shape, self.find_dtype(dtype), count)

    def _empty(self, shape, dtype, count):
        raw = self._numpy.empty(count * dtype.itemsize + _ALIGNMENT, "int8")
        offset = -raw.ctypes.data % _ALIGNMENT
        return raw[offset : offset + count * dtype.itemsize].view(dtype).reshape(shape)


class _Torch:
    """torch tensors, on the cpu or a CUDA device."""

    name = "torch"

    def __init__(self, torch):
        self._torch = torch
        self._tensor = torch.Tensor
        self._is_grad_enabled = torch.is_grad_enabled
        # A function of a tensor, without a frame of Python's.
        self.address = torch.Tensor.data_ptr
        # The dtypes depend on the version of torch.
        known = {dtype: getattr(torch, name, None) for dtype, name in TORCH_DTYPES.items()}
        self._names = {dtype: name for dtype, name in known.items() if name is not None}
        self._dtypes = {name: dtype for dtype, name in self._names.items()}
        self._dtypes |= {getattr(torch, name): dtype for name, dtype in _UNSIGNED_DTYPES.items() if hasattr(torch, name)}

    def takes(self, tensor):
        return isinstance(tensor, self._tensor)

    def device(self, tensor):
        return tensor.device

    def device_name(self, device):
        return f"cuda:{device.index}" if device.type == "cuda" else device.type

    def dtype(self, tensor):
        return self._dtypes.get(tensor.dtype, str(tensor.dtype))

    def is_contiguous(self, tensor):
        return tensor.is_contiguous()

    def swap(self, tensor):
        return tensor.transpose(1, 2)

    def wants_gradient(self, tensor):
        return tensor.requires_grad and self._is_grad_enabled()

    def to_numpy(self, tensor):
        """`tensor` as a numpy array of a dtype with its values."""
        tensor = tensor.detach().cpu()
        return (tensor.float() if tensor.dtype == self._torch.bfloat16 else tensor).numpy()

    def pack(self, tensor):
        """`tensor`, or a copy that kernels can read: contiguous and aligned."""
        if tensor.is_contiguous() and tensor.data_ptr() % ALIGNMENT == 0:
            return tensor
        return tensor.detach().clone(memory_format=self._torch.contiguous_format)

    def pointer(self, tensor):
        """A function for the present address of `tensor`."""
        return tensor.data_ptr

    def match(self, expected, device, tensors):
        """The addresses of `tensors`, or None unless they are contiguous tensors of the `expected` shapes and dtypes on
        `device` that need no gradient."""
        if len(tensors) != len(expected):
            return None
        records_gradients = self._is_grad_enabled()
        addresses = []
        try:
            for tensor, (shape, dtype) in zip(tensors, expected):
                # No other objects have the dtypes of torch.
                if tensor.dtype != dtype or tensor.shape != shape or tensor.device != device:
                    return None
                if not tensor.is_contiguous() or (records_gradients and tensor.requires_grad):
                    return None
                addresses.append(tensor.data_ptr())
        except AttributeError:
            return None
        return addresses

    def guard(self, tensors):
        """A function of as many objects: whether they are tensors of the type, dtype, shape, strides and device of
        `tensors`, and need no gradient, under the modes of torch that are now in force. It may refuse tensors that are as
        good. Code that torch compiles calls it first; it takes a fifth of the time of `match`. None if this version of torch
        has no such function."""
        if not tensors:
            return None
        # The function of several tensors refuses any that is there twice.
        is_distinct = len(set(map(id, tensors))) == len(tensors)
        checks = [self._make_check(*group) for group in ([tensors] if is_distinct else zip(tensors))]
        if None in checks:
            return None
        check = checks[0] if is_distinct else lambda *others: len(others) == len(checks) and all(map(_apply, checks, others))
        if not any(tensor.requires_grad for tensor in tensors):
            return check
        # It asks for tensors that require gradients, as these do, but not whether gradients are recorded.
        is_grad_enabled = self._is_grad_enabled
        return lambda *others: not is_grad_enabled() and check(*others)

    def _make_check(self, *tensors):
        guards = getattr(getattr(getattr(self._torch, "_C", None), "_dynamo", None), "guards", None)
        sizes = [list(tensor.shape) for tensor in tensors]
        strides = [list(tensor.stride()) for tensor in tensors]
        try:
            check = guards.TensorGuards(*tensors, dynamic_dims_sizes=sizes, dynamic_dims_strides=strides).check
            return check if check(*tensors) else None
        except (AttributeError, RuntimeError, SystemError, TypeError):
            return None

    def find_stream(self, device):
        """A function for the current stream of `device`, or 0."""
        if device.type != "cuda":
            return int
        # What torch's own generated code calls, thirty times as fast as the public function.
        raw = getattr(getattr(self._torch, "_C", None), "_cuda_getCurrentRawStream", None)
        if raw is not None:
            return functools.partial(raw, device.index)
        return lambda: self._torch.cuda.current_stream(device).cuda_stream

    def find_capturing(self, device):
        """A function for whether a graph captures the current stream of `device`."""
        if device.type != "cuda":
            return bool
        # Without the frame of the public function.
        raw = getattr(getattr(self._torch, "_C", None), "_cuda_isCurrentStreamCapturing", None)
        return raw or self._torch.cuda.is_current_stream_capturing

    def find_dtype(self, dtype):
        return self._names[dtype]

    def maker(self, shape, dtype, device, swaps=False):
        """A function that makes tensors, and returns them with dimensions 1 and 2 exchanged if it `swaps`."""
        dtype = self._names[dtype]
        strides = [1]
        for size in reversed(shape[1:]):
            strides.append(strides[-1] * max(1, size))
        strides = tuple(reversed(strides[: len(shape)]))
        if swaps:
            shape, strides = ((sizes[0], sizes[2], sizes[1], *sizes[3:]) for sizes in (shape, strides))
        # Less than half of the time of torch.empty.
        empty = functools.partial(self._torch.empty_strided, shape, strides, dtype=dtype, device=device)
        allocate = self._find_allocator(device) if device.type == "cuda" else None
        if allocate is None:
            return empty
        fast = functools.partial(allocate, shape, strides, dtype)
        if self._torch.cuda.device_count() == 1:
            return fast
        # The allocator is that of the current device.
        current = self._torch.cuda.current_device
        return lambda: fast() if current() == device.index else empty()

    def _find_allocator(self, device):
        """What torch's own generated code calls instead, a third of the time of torch.empty: a function of shape, strides
        and dtype that allocates on the current device. None if this version of torch has no such function."""
        guards = getattr(getattr(getattr(self._torch, "_C", None), "_dynamo", None), "guards", None)
        allocate = getattr(guards, "_empty_strided_cuda", None)
        if allocate is None:
            return None
        dtype = self._torch.float16
        with self._torch.cuda.device(device):
            made = allocate((2, 3), (3, 1), dtype)
        described = made.shape, made.stride(), made.dtype, made.device, made.requires_grad
        return allocate if described == ((2, 3), (3, 1), dtype, device, False) else None


def _apply(function, argument):
    return function(argument)


class _Jax:
    """Arrays of JAX, in programs of XLA: calls on them are in _jax.py."""

    name = "jax"

    def __init__(self, jax):
        self._array = jax.Array
        self._dtypes = {name: dtype for dtype, name in TORCH_DTYPES.items()} | _UNSIGNED_DTYPES

    def takes(self, tensor):
        return isinstance(tensor, self._array)

    def dtype(self, tensor):
        return self._dtypes.get(str(tensor.dtype), str(tensor.dtype))

    def to_numpy(self, tensor):
        """`tensor` as a numpy array of a dtype with its values."""
        import numpy

        return numpy.asarray(tensor, None if tensor.dtype.kind in "biuf" else "float32")


find_numpy = functools.lru_cache(maxsize=None)(_Numpy)
_jax = functools.lru_cache(maxsize=None)(_Jax)
_torch = functools.lru_cache(maxsize=None)(_Torch)


def is_jax(tensors):
    """Whether one of `tensors` is an array of JAX, or stands for one in a function that JAX traces."""
    array = getattr(sys.modules.get("jax"), "Array", None)
    return array is not None and any(isinstance(tensor, array) for tensor in tensors)


@functools.lru_cache(maxsize=None)
def _dlpack(namespace):
    from ._dlpack import Backend

    return Backend(namespace)


def choose(tensors):
    """The backend of `tensors`."""
    # The caller has imported torch if there are torch tensors.
    if "torch" in sys.modules:
        backend = _torch(sys.modules["torch"])
        if any(map(backend.takes, tensors)):
            return backend
    if is_jax(tensors):
        return _jax(sys.modules["jax"])
    numpy = sys.modules.get("numpy")
    for tensor in tensors:
        if hasattr(tensor, "__dlpack__") and not (numpy and isinstance(tensor, numpy.ndarray)):
            return _dlpack(tensor.__array_namespace__() if hasattr(tensor, "__array_namespace__") else None)
    return find_numpy()

"""Runs compiled packages on existing tensors, without a copy.

    package = stof.load("model.stof")
    output = package.main(query, key, value)

A function takes torch tensors on a CUDA device, and runs on the current stream; or torch tensors on the CPU or numpy
arrays, and runs on the cpu target. torch is not imported unless the caller has done so. `package.main.graph(...)`
captures a call for replays with less host overhead.
"""

import ctypes
import dataclasses
import functools
import json
import sys

from . import _library

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
_TORCH_DTYPES = {**_NUMPY_DTYPES, "bf16": "bfloat16", "f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}
# Integers of a manifest are signless. Results are signed; result.view(torch.uint8) reinterprets them as unsigned.
_UNSIGNED_DTYPES = {"uint8": "i8"}
_WORKSPACE_ALIGNMENT = 256
# The capacity of the cache of calls of a function, which is cleared when full.
_MOST_CALLS = 256


class PackageError(ValueError):
    """A package cannot be opened: it is missing, damaged or of another version."""


class ArgumentError(ValueError):
    """A tensor is not valid for a function: its dtype, shape, device, strides or address."""


class DeviceError(RuntimeError):
    """A device is missing, or failed to load or to run a function."""


class CheckError(ArgumentError):
    """Data violates an assertion of the source, such as an index out of bounds of its table."""


# By the status of stofCallRun.
_RUN_ERRORS = {1: ArgumentError, 2: DeviceError, 3: CheckError}


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor of a signature. Sizes are integers, symbols, or expressions in symbols as in the manifest."""

    name: str
    dtype: str
    shape: tuple
    # For a result, the name of the donated input.
    aliases: str = None

    def __str__(self):
        text = f"{self.name}: {self.dtype} [{', '.join(map(str, self.shape))}]"
        return f"{text}, in place of {self.aliases}" if self.aliases else text


def load(path):
    """Opens the package in folder `path`.

    Raises `PackageError` if its manifest is missing or of another version, or a file is missing or differs in size from
    the manifest.
    """
    return Package(path)


class Package:
    """An opened package. Its functions are its attributes, `package.main`, and its items, `package["main"]`."""

    def __init__(self, path):
        address = _library.call(PackageError, "stofPackageOpen", str(path).encode())
        self._handle = _library.Handle(address, "stofPackageDestroy")
        self.manifest = json.loads(_library.load().stofPackageGetManifest(address))
        self.functions = {entry["name"]: Function(self._handle, entry) for entry in self.manifest["functions"]}

    def __getitem__(self, name):
        return self.functions[name]

    def __getattr__(self, name):
        try:
            return self.__dict__["functions"][name]
        except KeyError:
            raise AttributeError(f"the package has no function '{name}'") from None

    def __dir__(self):
        return [*super().__dir__(), *self.functions]


class Function:
    """A function of a package; call it with one tensor for each of `inputs`, in order."""

    def __init__(self, package, entry):
        self._package = package
        self._programs = {}
        self._calls = {}
        self.name = entry["name"]
        self.inputs = [Tensor(t["name"], t["dtype"], tuple(t["shape"])) for t in entry["inputs"]]
        self.results = [
            Tensor(t["name"], t["dtype"], tuple(t["shape"]), t.get("aliases")) for t in entry["results"]
        ]
        names = [tensor.name for tensor in self.inputs]
        # The index of the donated input of each result.
        self._updated = [names.index(t.aliases) if t.aliases else None for t in self.results]
        self.targets = [target["target"] for target in entry["targets"]]
        self.__doc__ = self._describe()

    def _describe(self):
        lines = [f"{self.name}, compiled for {', '.join(self.targets)}.", "", "Takes:"]
        lines += [f"    {tensor}" for tensor in self.inputs]
        lines += ["Returns:"] + [f"    {tensor}" for tensor in self.results]
        lines += [
            "",
            "Tensors are contiguous, on one device, at addresses aligned to 16 bytes. Raises ArgumentError if a tensor is",
            "not as above, CheckError if data violates an assertion of the source (on a GPU at the next call or",
            "synchronization), and DeviceError if the device has no target here or fails.",
        ]
        return "\n".join(lines)

    def __repr__(self):
        return f"<stof function {self.name}({', '.join(map(str, self.inputs))})>"

    def __call__(self, *tensors, threads=0):
        """Runs the function and returns its result, or a tuple if it has several or none. A result that takes over the
        memory of an input is the same tensor object.

        On a CUDA device the work is queued on torch's current stream, in order with later work there. `threads` is for
        the cpu target; 0 is one per hardware thread.
        """
        call, backend, device = self._prepare(tensors, threads)
        return call.run(backend, device, tensors)

    def graph(self, *tensors, threads=0):
        """Captures a call on `tensors`, which are as for a call, and returns it as a `Graph`; nothing runs yet.

        A call launches kernels one by one, with a few microseconds of host overhead each; a (CUDA) graph is one launch,
        which is faster for repeated calls with the same shapes:

            step = package.main.graph(query, key, value)
            query.copy_(...)
            output = step.replay()

        Raises the exceptions of a call.
        """
        call, backend, device = self._prepare(tensors, threads)
        return Graph(self, call, backend, device, tensors)

    def synchronize(self):
        """Waits for pending calls of this function, and for all other work on their devices.

        Raises CheckError if the data of one violated an assertion of the source, which a GPU detects while running.
        Without this, a later call raises it.
        """
        for program in self._programs.values():
            _library.call(_RUN_ERRORS, "stofProgramSynchronize", program.address)

    def _prepare(self, tensors, threads):
        """The call bound to the shapes of `tensors`, their backend and their device."""
        if len(tensors) != len(self.inputs):
            raise ArgumentError(f"expects {len(self.inputs)} inputs of '{self.name}', but got {len(tensors)}")
        backend = _choose_backend(tensors)
        device = _find_device(backend, self.inputs, tensors)
        key = (device, threads, *((backend.dtype(t), tuple(t.shape)) for t in tensors))
        call = self._calls.get(key)
        if call is None:
            if len(self._calls) == _MOST_CALLS:
                self._calls.clear()
            call = self._calls[key] = self._bind(device, threads, backend, tensors)
        return call, backend, device

    def _bind(self, device, threads, backend, tensors):
        program = self._programs.get((device, threads))
        if program is None:
            address = _library.call(
                DeviceError, "stofProgramLoad", self._package.address, self.name.encode(), device.encode(), threads
            )
            program = self._programs[device, threads] = _library.Handle(address, "stofProgramDestroy")
        return _Call(program, self.results, self._updated, backend, tensors)


class _Call:
    """A function bound to tensors of certain dtypes and shapes."""

    def __init__(self, program, results, updated, backend, tensors):
        self._updated = updated
        shapes = (_library.TensorShape * max(1, len(tensors)))()
        for shape, tensor in zip(shapes, tensors):
            sizes = (ctypes.c_int64 * max(1, len(tensor.shape)))(*tensor.shape)
            shape.dtype, shape.rank, shape.sizes = backend.dtype(tensor).encode(), len(tensor.shape), sizes
        address = _library.call(ArgumentError, "stofCallBind", program.address, len(tensors), shapes)
        self._handle = _library.Handle(address, "stofCallDestroy")
        library = _library.load()
        self._workspace_bytes = library.stofCallGetWorkspaceBytes(address)
        self._results = []
        for index, result in enumerate(results):
            rank = library.stofCallGetResultRank(address, index)
            self._results.append((result.dtype, tuple(library.stofCallGetResultSizes(address, index)[:rank])))

    def allocate(self, backend, device, tensors):
        """Allocates results and workspace, and returns them with all addresses as arguments of the library. A result that
        takes over the memory of an input is that input."""
        results = [
            backend.empty(dtype, shape, device) if updated is None else tensors[updated]
            for (dtype, shape), updated in zip(self._results, self._updated)
        ]
        # One per run, since runs on several streams can overlap; torch and numpy reuse the memory.
        workspace = backend.empty("i8", (self._workspace_bytes + _WORKSPACE_ALIGNMENT,), device)
        base = -(-backend.address(workspace) // _WORKSPACE_ALIGNMENT) * _WORKSPACE_ALIGNMENT
        addresses = [(ctypes.c_void_p * max(1, len(group)))(*map(backend.address, group)) for group in (tensors, results)]
        return results, workspace, (*addresses, base)

    def run(self, backend, device, tensors):
        results, _workspace, addresses = self.allocate(backend, device, tensors)
        _library.call(_RUN_ERRORS, "stofCallRun", self._handle.address, *addresses, backend.stream(device))
        return _unpack(results)

    def capture(self, addresses):
        graph = ctypes.c_void_p()
        _library.call(_RUN_ERRORS, "stofCallCapture", self._handle.address, *addresses, ctypes.byref(graph))
        return _library.Handle(graph.value, "stofGraphDestroy")


class Graph:
    """A call of a function on fixed tensors: `inputs`, and `results`, which every replay overwrites.

    Inputs are updated in place (`tensor.copy_(...)`); results are to be copied if needed after the next replay. The graph
    keeps the tensors and the workspace alive. Replays must not overlap: on several streams the caller orders them.
    """

    def __init__(self, function, call, backend, device, tensors):
        self.inputs = tensors
        self.results, self._workspace, addresses = call.allocate(backend, device, tensors)
        self._call, self._backend, self._device = call, backend, device
        self._names = [tensor.name for tensor in (*function.inputs, *function.results)]
        self._addresses = [backend.address(tensor) for tensor in (*tensors, *self.results)]
        self._handle = call.capture(addresses)

    def replay(self):
        """Runs the function on the current contents of the inputs and returns the results, the same tensors each time.

        On a CUDA device it is queued on torch's current stream. Raises ArgumentError if the memory of a tensor has moved
        since the capture, CheckError as a call does, and DeviceError if the device fails.
        """
        for name, tensor, captured in zip(self._names, (*self.inputs, *self.results), self._addresses):
            if self._backend.address(tensor) != captured:
                raise ArgumentError(f"expects {name} at its address in the capture, but its memory has moved")
        _library.call(_RUN_ERRORS, "stofGraphReplay", self._handle.address, self._backend.stream(self._device))
        return _unpack(self.results)


def _unpack(results):
    return results[0] if len(results) == 1 else tuple(results)


class _Numpy:
    """numpy arrays, on the cpu."""

    def __init__(self):
        import numpy

        self.numpy = numpy
        self.dtypes = {numpy.dtype(name): dtype for dtype, name in _NUMPY_DTYPES.items()}
        self.dtypes |= {numpy.dtype(name): dtype for name, dtype in _UNSIGNED_DTYPES.items()}

    def takes(self, tensor):
        return isinstance(tensor, self.numpy.ndarray)

    def device(self, tensor):
        return "cpu"

    def dtype(self, tensor):
        return self.dtypes.get(tensor.dtype, str(tensor.dtype))

    def is_contiguous(self, tensor):
        return tensor.flags.c_contiguous

    def wants_gradient(self, tensor):
        return False

    def address(self, tensor):
        return tensor.ctypes.data

    def stream(self, device):
        return None

    def empty(self, dtype, shape, device):
        """An array with the alignment that kernels require, which numpy does not guarantee."""
        name = _NUMPY_DTYPES.get(dtype)
        if name is None:
            raise ArgumentError(f"numpy has no dtype for a result of {dtype}; pass torch tensors")
        count = 1
        for size in shape:
            count *= size
        item = self.numpy.dtype(name)
        raw = self.numpy.empty(count * item.itemsize + _WORKSPACE_ALIGNMENT, "int8")
        offset = -raw.ctypes.data % _WORKSPACE_ALIGNMENT
        return raw[offset : offset + count * item.itemsize].view(item).reshape(shape)


class _Torch:
    """torch tensors, on the cpu or a CUDA device."""

    def __init__(self, torch):
        self.torch = torch
        # The dtypes depend on the version of torch.
        known = {dtype: getattr(torch, name, None) for dtype, name in _TORCH_DTYPES.items()}
        self.names = {dtype: name for dtype, name in known.items() if name is not None}
        self.dtypes = {name: dtype for dtype, name in self.names.items()}
        self.dtypes |= {getattr(torch, name): dtype for name, dtype in _UNSIGNED_DTYPES.items() if hasattr(torch, name)}

    def takes(self, tensor):
        return isinstance(tensor, self.torch.Tensor)

    def device(self, tensor):
        return f"cuda:{tensor.device.index}" if tensor.device.type == "cuda" else tensor.device.type

    def dtype(self, tensor):
        return self.dtypes.get(tensor.dtype, str(tensor.dtype))

    def is_contiguous(self, tensor):
        return tensor.is_contiguous()

    def wants_gradient(self, tensor):
        return tensor.requires_grad and self.torch.is_grad_enabled()

    def address(self, tensor):
        return tensor.data_ptr()

    def stream(self, device):
        return None if device == "cpu" else self.torch.cuda.current_stream(device).cuda_stream

    def empty(self, dtype, shape, device):
        return self.torch.empty(shape, dtype=self.names[dtype], device=device)


# Cached, to minimize the overhead of a call.
_numpy = functools.lru_cache(maxsize=None)(_Numpy)
_torch = functools.lru_cache(maxsize=None)(_Torch)


def _choose_backend(tensors):
    # The caller has imported torch if there are torch tensors.
    if "torch" in sys.modules:
        backend = _torch(sys.modules["torch"])
        if any(map(backend.takes, tensors)):
            return backend
    return _numpy()


def _find_device(backend, inputs, tensors):
    """The device that all tensors are on."""
    device = None
    for spec, tensor in zip(inputs, tensors):
        if not backend.takes(tensor):
            kind = type(backend).__name__[1:].lower()
            raise ArgumentError(f"expects {spec.name} to be a {kind} tensor, but got {type(tensor).__name__}")
        if not backend.is_contiguous(tensor):
            raise ArgumentError(f"expects {spec.name} to be contiguous, but it is strided; copy it first")
        if backend.wants_gradient(tensor):
            raise ArgumentError(f"expects {spec.name} to need no gradient, but it does; call under torch.no_grad()")
        if device not in (None, backend.device(tensor)):
            raise ArgumentError(f"expects {spec.name} on {device} like the others, but got {backend.device(tensor)}")
        device = backend.device(tensor)
    return device or "cpu"

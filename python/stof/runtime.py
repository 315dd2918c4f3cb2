"""Runs compiled packages on tensors that already exist, without a copy.

    package = stof.load("model.stof")
    output = package.main(query, key, value)

A function takes torch tensors on a CUDA device, and runs on the current stream; or torch tensors on the CPU or numpy
arrays, and runs on the cpu target. torch is imported only if a tensor of it is given. `package.main.graph(...)` captures
a call, to be replayed with less work for the host.
"""

import ctypes
import dataclasses
import functools
import json
import sys

from . import _library

# How numpy and torch call the dtypes of a manifest; numpy has no bf16.
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
# Integers of a manifest have no sign of their own. Results are signed: result.view(torch.uint8) is the other reading.
_UNSIGNED_DTYPES = {"uint8": "i8"}
_WORKSPACE_ALIGNMENT = 256
# Shapes that a function remembers before it starts afresh.
_MOST_CALLS = 256


class PackageError(ValueError):
    """A package that cannot be opened: missing, damaged or of another version."""


class ArgumentError(ValueError):
    """A tensor that a function does not take: its dtype, its shape, its device or where it lies in memory."""


class DeviceError(RuntimeError):
    """A device that is not there, or that failed to load or to run a function."""


class CheckError(ArgumentError):
    """Data that a function does not take: it breaks what the source asserts, as an index outside of its table does."""


# By what stofCallRun returns.
_RUN_ERRORS = {1: ArgumentError, 2: DeviceError, 3: CheckError}


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor of a signature. Sizes are integers, symbols, or expressions in symbols as the manifest writes them."""

    name: str
    dtype: str
    shape: tuple
    # Of a result: the name of the input whose memory it takes over.
    aliases: str = None

    def __str__(self):
        text = f"{self.name}: {self.dtype} [{', '.join(map(str, self.shape))}]"
        return f"{text}, in place of {self.aliases}" if self.aliases else text


def load(path):
    """Opens the package in folder `path`.

    Raises `PackageError` where its manifest is missing or of another version, or a file of it is missing or has
    another size than the manifest says.
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
        # For each result the input that it takes over.
        self._updated = [names.index(t.aliases) if t.aliases else None for t in self.results]
        self.targets = [target["target"] for target in entry["targets"]]
        self.__doc__ = self._describe()

    def _describe(self):
        lines = [f"{self.name}, compiled for {', '.join(self.targets)}.", "", "Takes:"]
        lines += [f"    {tensor}" for tensor in self.inputs]
        lines += ["Returns:"] + [f"    {tensor}" for tensor in self.results]
        lines += [
            "",
            "Tensors are contiguous, on one device, at addresses aligned to 16 bytes. Raises ArgumentError where a tensor",
            "is not as above, CheckError where data breaks what the source asserts (from a GPU when it is next called, or",
            "synchronized), and DeviceError where the device has no target here or fails.",
        ]
        return "\n".join(lines)

    def __repr__(self):
        return f"<stof function {self.name}({', '.join(map(str, self.inputs))})>"

    def __call__(self, *tensors, threads=0):
        """Runs the function and returns its result, or a tuple where it has several or none. A result that is computed
        in place of an input is that very tensor.

        On a CUDA device the work is queued on torch's current stream, and the results are ready for what follows on
        it. `threads` is for the cpu target; 0 takes one for each hardware thread.
        """
        call, backend, device = self._prepare(tensors, threads)
        return call.run(backend, device, tensors)

    def graph(self, *tensors, threads=0):
        """Captures a call on `tensors`, which are as for a call, and returns it as a `Graph`; nothing runs yet.

        A call launches one kernel after the other, which takes the host a few microseconds each; a graph is one launch
        (a CUDA graph). It pays where the same shapes come again and again:

            step = package.main.graph(query, key, value)
            query.copy_(...)
            output = step.replay()

        Raises what a call raises.
        """
        call, backend, device = self._prepare(tensors, threads)
        return Graph(self, call, backend, device, tensors)

    def synchronize(self):
        """Waits for the calls of this function that are under way, and for all else on their devices.

        Raises CheckError where the data of one broke what the source asserts, which a GPU finds while it runs. The next
        call raises it otherwise, once what went wrong is known.
        """
        for program in self._programs.values():
            _library.call(_RUN_ERRORS, "stofProgramSynchronize", program.address)

    def _prepare(self, tensors, threads):
        """The call that is bound to the shapes of `tensors`, and what they are made of and on."""
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

    def place(self, backend, device, tensors):
        """New results and a new workspace, and the arguments of the library that say where all of them lie. A result that
        takes over an input's memory is that input."""
        results = [
            backend.empty(dtype, shape, device) if updated is None else tensors[updated]
            for (dtype, shape), updated in zip(self._results, self._updated)
        ]
        # Its own for each run, so that runs on several streams do not meet; torch and numpy reuse the memory.
        workspace = backend.empty("i8", (self._workspace_bytes + _WORKSPACE_ALIGNMENT,), device)
        base = -(-backend.address(workspace) // _WORKSPACE_ALIGNMENT) * _WORKSPACE_ALIGNMENT
        addresses = [(ctypes.c_void_p * max(1, len(group)))(*map(backend.address, group)) for group in (tensors, results)]
        return results, workspace, (*addresses, base)

    def run(self, backend, device, tensors):
        results, _workspace, places = self.place(backend, device, tensors)
        _library.call(_RUN_ERRORS, "stofCallRun", self._handle.address, *places, backend.stream(device))
        return _unpack(results)

    def capture(self, places):
        graph = ctypes.c_void_p()
        _library.call(_RUN_ERRORS, "stofCallCapture", self._handle.address, *places, ctypes.byref(graph))
        return _library.Handle(graph.value, "stofGraphDestroy")


class Graph:
    """A call of a function on fixed tensors: `inputs`, and `results`, which it writes again with every replay.

    New values go into the inputs in place (`tensor.copy_(...)`), and results that have to last are copied before the next
    replay. The graph holds the tensors and the workspace; its replays must not overlap, so on several streams the caller
    orders them.
    """

    def __init__(self, function, call, backend, device, tensors):
        self.inputs = tensors
        self.results, self._workspace, places = call.place(backend, device, tensors)
        self._call, self._backend, self._device = call, backend, device
        self._names = [tensor.name for tensor in (*function.inputs, *function.results)]
        self._addresses = [backend.address(tensor) for tensor in (*tensors, *self.results)]
        self._handle = call.capture(places)

    def replay(self):
        """Runs the function on what the inputs hold now and returns the results, the same tensors each time.

        On a CUDA device it is queued on torch's current stream. Raises ArgumentError where the memory of a tensor has
        moved since the capture, CheckError as a call does, and DeviceError where the device fails.
        """
        for name, tensor, captured in zip(self._names, (*self.inputs, *self.results), self._addresses):
            if self._backend.address(tensor) != captured:
                raise ArgumentError(f"expects {name} where it lay when the graph was captured, but its memory has moved")
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
        """Memory aligned as kernels expect; numpy alone promises less."""
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
        # Not every torch has every dtype.
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


# Made once: a call should cost little beside its launches.
_numpy = functools.lru_cache(maxsize=None)(_Numpy)
_torch = functools.lru_cache(maxsize=None)(_Torch)


def _choose_backend(tensors):
    # Whoever passes a torch tensor has imported torch.
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

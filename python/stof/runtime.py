"""Runs compiled packages on existing tensors, without a copy.

    package = stof.load("model.stof")
    output = package.main(query, key, value)

A function takes torch tensors on a CUDA device, and runs on the current stream; or torch tensors on the CPU or numpy
arrays, and runs on the cpu target. It takes arrays of JAX, and tensors of other libraries with `__dlpack__`. None of these is
imported unless the caller has done so.

What a call costs the host, from most to least: `package.main(...)` looks up how it ran on tensors of such dtypes and
shapes before; `package.main.prepare(...)` keeps that, and the workspace; both write results where `out=` says, or
allocate them. `package.main.graph(...)` captures a call on fixed tensors.
"""

import dataclasses
import json

from . import _backends, _library
from ._call import Call, check
from ._errors import RUN_ERRORS, ArgumentError, CheckError, DeviceError, PackageError
from ._workspace import Workspace, Workspaces

__all__ = ["ArgumentError", "CheckError", "DeviceError", "PackageError", "Function", "Graph", "Package", "PreparedCall", "load"]

# The capacity of the cache of calls of a function, which is cleared when full.
_MOST_CALLS = 256
# The largest workspace that a function keeps for its next call, in bytes.
_MOST_WORKSPACE = 4 << 20


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A tensor of a signature. Sizes are integers, symbols, or expressions in symbols as in the manifest."""

    name: str
    dtype: str
    shape: tuple
    # For a result, the name of the donated input.
    aliases: "str | None" = None

    def __str__(self):
        text = f"{self.name}: {self.dtype} [{', '.join(map(str, self.shape))}]"
        return f"{text}, in place of {self.aliases}" if self.aliases else text


def load(package):
    """Opens a package: a folder by its path, or the bytes of a tar archive of it.

        package = stof.load("model.stof")
        package = stof.load(archive)     # from a database, the network, a resource of a program

    Raises `PackageError` if the manifest is missing or of another version, a file is missing or differs in size from the
    manifest, or an archive is damaged.
    """
    return Package(package)


class Package:
    """An opened package. Its functions are its attributes, `package.main`, and its items, `package["main"]`."""

    def __init__(self, package):
        if isinstance(package, (bytes, bytearray, memoryview)):
            # The library reads them where they are; those of others may change.
            archive = bytes(package)
            address = _library.call(PackageError, "stofPackageOpenArchive", archive, len(archive))
        else:
            archive = None
            address = _library.call(PackageError, "stofPackageOpen", str(package).encode())
        self._handle = _library.Handle(address, "stofPackageDestroy", archive)
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
        self._package, self._entry = package, entry
        self._programs = {}
        self._calls = {}
        self._workspaces = {}
        self._recent = None
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

    def __call__(self, *tensors, out=None, threads=0):
        """Runs the function and returns its result, or a tuple if it has several or none. A result that takes over the
        memory of an input is the same tensor object.

        Results are new tensors, or those in `out`: the tensor of the only result, or a sequence of one for each result.
        They are contiguous, of the dtypes and shapes of the results, and share no memory with other tensors of the call.

        On a CUDA device the work is queued on torch's current stream, in order with later work there. Calls of several
        threads and on several streams do not disturb each other. `threads` is for the cpu target; 0 is one per hardware
        thread.

        The first call on tensors of such dtypes and shapes solves for sizes and verifies them, and calls after it compare
        dtype, shape, strides and device of each tensor.
        """
        call = self._recent
        addresses = call.match(tensors) if call is not None and call.threads == threads else None
        if addresses is None:
            self._check_count(tensors)
            if _backends.is_jax(tensors):
                return self._call_jax(tensors, out, threads)
            call, addresses = self.find_call(tensors, threads)
        return call.run(tensors, addresses, out, call.stream())

    def prepare(self, *tensors, out=None, threads=0):
        """Prepares calls on `tensors`, and on others of the same dtypes, shapes and device; nothing runs. Returns a
        `PreparedCall`:

            step = package.main.prepare(query, key, value)
            output = step()                    # on these tensors
            output = step(query, key, other)   # on others

        With `out`, which is as for a call, all runs write and return the same results. Raises the exceptions of a call.
        """
        call, _ = self.find_call(tensors, threads)
        return PreparedCall(call, tensors, out)

    def graph(self, *tensors, threads=0):
        """Captures a call on `tensors`, which are as for a call, and returns it as a `Graph`; nothing runs yet.

            step = package.main.graph(query, key, value)
            query.copy_(...)
            output = step.replay()

        Raises the exceptions of a call.
        """
        call, addresses = self.find_call(tensors, threads)
        return Graph(self, call, tensors, addresses)

    def synchronize(self):
        """Waits for pending calls of this function, and for all other work on their devices.

        Raises CheckError if the data of one violated an assertion of the source, which a GPU detects while running.
        Without this, a later call raises it.
        """
        for program in self._programs.values():
            _library.call(RUN_ERRORS, "stofProgramSynchronize", program.address)

    def _check_count(self, tensors):
        if len(tensors) != len(self.inputs):
            raise ArgumentError(f"expects {len(self.inputs)} inputs of '{self.name}', but got {len(tensors)}")

    def _call_jax(self, tensors, out, threads):
        if out is not None or threads:
            raise ArgumentError("expects neither out nor threads for arrays of JAX, which makes results and has threads")
        from . import _jax

        return _jax.call(self, self._entry, self._package, tensors)

    def find_call(self, tensors, threads=0):
        """The call for `tensors`, and their addresses, for other modules of stof. Raises the exceptions of a call."""
        self._check_count(tensors)
        if _backends.is_jax(tensors):
            raise ArgumentError("expects a call for arrays of JAX, which jax.jit prepares")
        backend = _backends.choose(tensors)
        device = check(backend, self.inputs, tensors)
        device = "cpu" if device is None else device
        name = backend.device_name(device)
        # Dtypes of numpy are also those of other libraries.
        key = (backend, name, threads, *((tensor.dtype, tuple(tensor.shape)) for tensor in tensors))
        call = self._calls.get(key)
        if call is None:
            if len(self._calls) == _MOST_CALLS:
                self._calls.clear()
            program = self._load(name, threads)
            # Memory of one library is not for tensors of another, whose streams and captures it does not know.
            workspaces = self._workspaces.setdefault((backend, name), Workspaces(backend, device, _MOST_WORKSPACE))
            call = Call(program, self, self._updated, backend, device, threads, tensors, workspaces)
            self._calls[key] = call
        self._recent = call
        return call, call.match(tensors)

    def _load(self, device, threads):
        program = self._programs.get((device, threads))
        if program is None:
            address = _library.call(
                DeviceError, "stofProgramLoad", self._package.address, self.name.encode(), device.encode(), threads
            )
            program = self._programs[device, threads] = _library.Handle(address, "stofProgramDestroy")
        return program


class PreparedCall:
    """A call of a function, prepared for tensors of certain dtypes and shapes on one device; `Function.prepare` makes it.

    It keeps `inputs`, the tensors it was prepared for, and the workspace, for the stream of the last run; a run on another
    stream, or at the same time in another thread, has a new one.
    """

    __slots__ = ("inputs", "_call", "_out", "_workspaces")

    def __init__(self, call, tensors, out):
        self.inputs = tensors
        self._call = call
        self._out = out
        if out is not None:
            call.take_results(out)
        self._workspaces = Workspaces(call.backend, call.device)

    def __call__(self, *tensors, out=None):
        """Runs the call on `tensors`, or on `inputs` if none are given, and returns its result, or a tuple if it has
        several or none. Results are new tensors, or those in `out`, or those that were given to `Function.prepare`.

        On a CUDA device it is queued on torch's current stream. Raises ArgumentError if a tensor has another dtype, shape
        or device than the one of `inputs`, or is not contiguous; CheckError and DeviceError as a call does.
        """
        call = self._call
        if not tensors:
            tensors = self.inputs
        addresses = call.match(tensors)
        if addresses is None:
            call.reject(tensors)
        if out is None:
            out = self._out
        return call.run(tensors, addresses, out, call.stream(), self._workspaces)


class Graph:
    """A call of a function on fixed tensors: `inputs`, and `results`, which every replay overwrites.

    Inputs are updated in place (`tensor.copy_(...)`); results are to be copied if needed after the next replay. The graph
    keeps the tensors and the workspace alive. Replays must not overlap: on several streams the caller orders them.
    """

    __slots__ = (
        "inputs",
        "results",
        "_call",
        "_names",
        "_workspace",
        "_pointers",
        "_addresses",
        "_handle",
        "_address",
        "_replay",
        "_stream",
        "_returned",
    )

    def __init__(self, function, call, tensors, addresses):
        self.inputs = tensors
        self.results = call.make_results(tensors)
        self._call = call
        self._workspace = Workspace(call)
        self._names = [tensor.name for tensor in (*function.inputs, *function.results)]
        self._pointers = [call.backend.pointer(tensor) for tensor in (*tensors, *self.results)]
        self._addresses = [pointer() for pointer in self._pointers]
        self._handle = call.capture(addresses, self.results, self._workspace.base)
        self._address, self._replay = self._handle.address, _library.load().stofGraphReplay
        self._stream = call.stream
        self._returned = call.unpack(self.results)

    def replay(self):
        """Runs the function on the current contents of the inputs and returns the results, the same tensors each time.

        On a CUDA device it is queued on torch's current stream. Raises ArgumentError if the memory of a tensor has moved
        since the capture, CheckError as a call does, and DeviceError if the device fails.
        """
        addresses = [pointer() for pointer in self._pointers]
        if addresses != self._addresses:
            moved = [old != new for old, new in zip(self._addresses, addresses)].index(True)
            raise ArgumentError(f"expects {self._names[moved]} at its address in the capture, but its memory has moved")
        status = self._replay(self._address, self._stream(), _library.message.reference)
        if status:
            raise RUN_ERRORS[status](_library.take_message())
        return self._returned

"""A function bound to tensors of certain dtypes and shapes on one device."""

import ctypes
import struct

from . import _library
from ._errors import RUN_ERRORS, ArgumentError
from ._workspace import ALIGNMENT

# How often a signature takes the tensors that it has just compared as those that come next.
_MOST_GUARDS = 8


class Signature:
    """The dtypes, shapes and device of the tensors that a call takes. Called with tensors it returns their addresses, or
    None if there is one that the call cannot read or write where it is."""

    __slots__ = ("expected", "_backend", "_device", "_address", "_guard", "_guards")

    def __init__(self, backend, device, expected):
        self.expected = expected
        self._backend, self._device, self._address = backend, device, backend.address
        self._guard, self._guards = _refuse, 0

    def __call__(self, tensors):
        try:
            is_known = self._guard(*tensors)
        except TypeError:
            # Of the number of tensors.
            is_known = False
        if is_known:
            return list(map(self._address, tensors))
        addresses = self._backend.match(self.expected, self._device, tensors)
        if addresses is not None and self._guards < _MOST_GUARDS:
            self._guards += 1
            self._guard = self._backend.guard(tensors) or _refuse
        return addresses


def _refuse(*tensors):
    return False


class Call:
    """What a run needs in addition to addresses, prepared once. It refers to no tensor, and threads may share it."""

    __slots__ = (
        "backend",
        "device",
        "threads",
        "workspace_bytes",
        "stream",
        "workspaces",
        "allocate_workspace",
        "match",
        "_inputs",
        "_results",
        "_match_results",
        "_makers",
        "_updated",
        "_has_updates",
        "_is_single",
        "_handle",
        "_pointer",
        "_run",
        "_pack",
    )

    def __init__(self, program, function, updated, backend, device, threads, tensors, workspaces):
        self.backend, self.device, self.threads = backend, device, threads
        self._inputs, self._results, self._updated = function.inputs, function.results, updated
        address = _library.call(
            ArgumentError, "stofCallBind", program.address, len(tensors), _describe(backend, tensors)
        )
        self._handle = _library.Handle(address, "stofCallDestroy")
        self._pointer, self._run = ctypes.c_void_p(address), _library.find_runner()
        self.match = Signature(backend, device, [(tuple(tensor.shape), tensor.dtype) for tensor in tensors])
        self._bind_results(address)
        # Inputs, results, workspace and stream.
        self._pack = struct.Struct(f"{len(tensors) + len(self._results) + 2}P").pack
        self.workspace_bytes = _library.load().stofCallGetWorkspaceBytes(address)
        self.workspaces = workspaces
        self.allocate_workspace = backend.maker((self.workspace_bytes + ALIGNMENT,), "i8", device)
        self.stream = backend.find_stream(device)

    def _bind_results(self, address):
        library = _library.load()
        expected, self._makers = [], []
        for index, (result, updated) in enumerate(zip(self._results, self._updated)):
            rank = library.stofCallGetResultRank(address, index)
            shape = tuple(library.stofCallGetResultSizes(address, index)[:rank])
            is_new = updated is None
            self._makers.append(self.backend.maker(shape, result.dtype, self.device) if is_new else None)
            # A result in place of an input has its dtype, which can be unsigned.
            dtype = self.backend.find_dtype(result.dtype) if is_new else self.match.expected[updated][1]
            expected.append((shape, dtype))
        self._match_results = Signature(self.backend, self.device, expected)
        self._is_single = len(self._results) == 1
        self._has_updates = None in self._makers

    def find_makers(self, swapped):
        """Functions that make the results, none of which takes over an input; those whose index is in `swapped` with
        dimensions 1 and 2 exchanged, which tensors of torch can be."""
        return [
            self.backend.maker(shape, result.dtype, self.device, index in swapped)
            for index, (result, (shape, _)) in enumerate(zip(self._results, self._match_results.expected))
        ]

    def make_results(self, tensors):
        """New results; one that takes over the memory of an input is that input."""
        if self._has_updates:
            return [tensors[updated] if make is None else make() for make, updated in zip(self._makers, self._updated)]
        return [make() for make in self._makers]

    def take_results(self, out):
        """The results that the caller provides, and their addresses. `out` is the only result, or a sequence of all."""
        results = [out] if self._is_single else list(out)
        if len(results) != len(self._results):
            raise ArgumentError(f"expects {len(self._results)} results in out, but got {len(results)}")
        addresses = self._match_results(results)
        if addresses is None:
            check(self.backend, self._results, results, self.device)
            self._reject(self._results, self._match_results.expected, results)
        return results, addresses

    def reject(self, tensors):
        """Raises the reason why the call is not for `tensors`."""
        if len(tensors) != len(self._inputs):
            raise ArgumentError(f"expects {len(self._inputs)} inputs, but got {len(tensors)}")
        check(self.backend, self._inputs, tensors, self.device)
        self._reject(self._inputs, self.match.expected, tensors)

    def _reject(self, specs, expected, tensors):
        for spec, (shape, dtype), tensor in zip(specs, expected, tensors):
            if (tuple(tensor.shape), tensor.dtype) != (shape, dtype):
                raise ArgumentError(
                    f"expects {spec.name} of {dtype} {list(shape)}, for which the call is prepared, but got"
                    f" {tensor.dtype} {list(tensor.shape)}"
                )
        raise AssertionError("tensors that are refused differ from what is expected")

    def run(self, tensors, addresses, out, stream, workspaces=None):
        """Runs on `tensors`, whose addresses `match` has returned, and returns the results. Memory for intermediate values
        is that of `workspaces`, by default of those that calls of the function share."""
        if out is None:
            results = self.make_results(tensors)
            written = map(self.backend.address, results)
        else:
            results, written = self.take_results(out)
        self.launch([*addresses, *written], stream, workspaces or self.workspaces)
        return self.unpack(results)

    def launch(self, addresses, stream, workspaces):
        """Runs on the addresses of inputs and results."""
        workspace = workspaces.take(self, stream) if self.workspace_bytes else None
        arguments = self._pack(*addresses, workspace.base if workspace else 0, stream)
        status = self._run(self._pointer, arguments, _library.message.reference)
        if workspace:
            workspaces.put(workspace)
        if status:
            raise RUN_ERRORS[status](_library.take_message())

    def capture(self, addresses, results, base):
        """A captured run on these addresses, as a handle."""
        graph = ctypes.c_void_p()
        groups = addresses, [self.backend.address(result) for result in results]
        arrays = [(ctypes.c_void_p * max(1, len(group)))(*group) for group in groups]
        arguments = self._handle.address, *arrays, base, ctypes.byref(graph)
        _library.call(RUN_ERRORS, "stofCallCapture", *arguments)
        return _library.Handle(graph.value, "stofGraphDestroy")

    def unpack(self, results):
        return results[0] if self._is_single else tuple(results)


def _describe(backend, tensors):
    """The dtypes and shapes of `tensors` as an argument of the library."""
    shapes = (_library.TensorShape * max(1, len(tensors)))()
    for shape, tensor in zip(shapes, tensors):
        sizes = (ctypes.c_int64 * max(1, len(tensor.shape)))(*tensor.shape)
        shape.dtype, shape.rank, shape.sizes = backend.dtype(tensor).encode(), len(tensor.shape), sizes
    return shapes


def check(backend, specs, tensors, device=None):
    """Verifies that all tensors can be read in place and are on one device, `device` if given, and returns it."""
    return check_named(backend, [(spec.name, tensor) for spec, tensor in zip(specs, tensors)], device)


def check_named(backend, named, device=None, in_place=True):
    """The same of pairs of a name in messages and a tensor. Unless `in_place`, they may be strided."""
    for name, tensor in named:
        if not backend.takes(tensor):
            raise ArgumentError(f"expects {name} to be a {backend.name} tensor, but got {type(tensor).__name__}")
        if in_place and not backend.is_contiguous(tensor):
            raise ArgumentError(f"expects {name} to be contiguous, but it is strided; copy it first")
        if backend.wants_gradient(tensor):
            raise ArgumentError(f"expects {name} to need no gradient, but it does; call under torch.no_grad()")
        own = backend.device(tensor)
        if device is not None and own != device:
            expected, got = backend.device_name(device), backend.device_name(own)
            raise ArgumentError(f"expects {name} on {expected} like the others, but got {got}")
        device = own
    return device

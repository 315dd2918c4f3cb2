"""`stof.attention`: attention with a mask and a score, compiled when it is first called."""

from __future__ import annotations

import dataclasses
import functools
import math
import operator
import re
import sys
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from . import _backends, _cache
from ._call import check_named
from ._errors import ArgumentError
from ._module import AttentionShape, write_attention
from ._trace import Capture, check_extents
from .masks import Mask, as_mask
from .scores import Score, as_score

_DTYPES = ("f16", "bf16", "f32")
_NAMES = ("query", "key", "value")
STRIDED = (
    "expects {} to be contiguous as [batch, heads, positions, features] or [batch, positions, heads, features], but it is"
    " strided; copy it first"
)
# The capacity of a table of checked calls, which is cleared when full.
_MOST_CALLS = 256
# How often calls of the same properties are compared with tensors anew, as they differ in more, such as in their class.
_MOST_DIRECT = 8


class _Absent:
    """In place of a mask or a score."""


_absent = _Absent()
# What calls were checked for, by mask, by score, and by the properties of tensors. It keeps no mask alive, and no tensor
# that one captures.
_calls: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
# The last direct call of a mask, a score and options, which `_calls` keeps. Masks and scores are by their numbers, which are
# never those of others.
_recent: weakref.WeakValueDictionary[Any, Direct] = weakref.WeakValueDictionary()


def _find_calls(mask: Mask | None, score: Score | None) -> dict[Any, Checked]:
    of_mask = _calls.setdefault(mask or _absent, weakref.WeakKeyDictionary())
    found: dict[Any, Checked] = of_mask.setdefault(score or _absent, {})
    return found


def attention(
    query: Any,
    key: Any,
    value: Any,
    *,
    mask: Mask | Callable[..., Any] | None = None,
    score: Score | Callable[..., Any] | None = None,
    scale: float | None = None,
    return_lse: bool = False,
    dynamic: bool = True,
) -> Any:
    """Attention of `query` [batch, heads, queries, features] on `key` [batch, key heads, keys, features] and `value`
    [batch, key heads, keys, value features]; returns [batch, heads, queries, value features]. Keys and values of batch 1 are
    those of all batches.

        out = stof.attention(q, k, v, mask=causal() & window(256))

    Tensors are torch tensors on a CUDA device or on the CPU, arrays of numpy or JAX, or others with `__dlpack__`, of float16,
    bfloat16 or float32. Those of torch and numpy may be views of contiguous [batch, positions, heads, features] tensors, such as
    `x.transpose(1, 2)`, which are read where they are; the result is in memory as the query is. Heads are a multiple of key
    heads, which consecutive heads share. On a CUDA device the work is queued on torch's current stream; the host waits for
    nothing. There is no backward pass: tensors that require a gradient are an error.

    `mask` says which keys a query attends to (`stof.masks`), or is a predicate `mask(b, h, q, k)`; by default it is all keys.
    A query without keys yields zeros. `score` maps the scaled product to what softmax takes
    (`stof.scores`), as `score(s, b, h, q, k)`. `scale` is 1 / sqrt(features) by default. Products and softmax are
    computed in float32. With `return_lse` the result is a pair with the log-sum-exp of the scores of each query, float32
    [batch, heads, queries], -inf for a query without keys.

    The first call compiles, in seconds. What is compiled is kept in memory and in the cache folder of the user
    (`$XDG_CACHE_HOME/stof`), for this mask with its numbers, score, scale, dtype, heads and features, and the kind of
    device; batch, queries and keys, and what captured tensors hold, may differ from call to call, and tiles are those for
    4096 queries and keys. A single query, as in a step of decoding, is compiled for its batch, with any number of keys. With
    `dynamic=False` it is for this batch, queries and keys only, and so are its tiles. A mask or score that is a plain function
    is traced at every call, a `Mask` or `Score` once. torch.compile and torch.export see one operator, in which a single query
    is as any number of them unless `dynamic=False`; they require a `Mask` and a `Score`, made before.

    Raises ArgumentError if an argument is not as above: its rank, size, dtype, device, strides, address, or gradient; or
    if a tensor that the mask or score reads is too small; CheckError if they read it out of bounds, on a CUDA device at a
    later call; CompileError and DeviceError if the compiler or the device fails.
    """
    tensors = (query, key, value)
    if "torch" in sys.modules and sys.modules["torch"].compiler.is_compiling():
        from . import _operator

        return _operator.call(tensors, mask, score, scale, return_lse, dynamic)
    options: Any = None
    if (mask is None or isinstance(mask, Mask)) and (score is None or isinstance(score, Score)):
        options = (mask.number if mask else 0, score.number if score else 0, scale, return_lse, dynamic)
        if (direct := _find_recent(options)) and (result := direct.run(*tensors)) is not None:
            return result
    masked = None if mask is None else as_mask(mask)
    scored = None if score is None else as_score(score)
    if _backends.is_jax(tensors):
        from . import _jax

        return _jax.attend(tensors, masked, scored, scale, return_lse, dynamic)
    calls = _find_calls(masked, scored)
    try:
        properties = [
            (tensor.dtype, tensor.shape, _find_strides(tensor), getattr(tensor, "device", None)) for tensor in tensors
        ]
        checked = calls.get((scale, return_lse, dynamic, *properties))
    except (AttributeError, TypeError):
        # The checks say what is wrong with them.
        checked, properties = None, []
    if checked is None:
        checked = Checked(check(tensors, masked, scored, scale, return_lse, dynamic))
        if len(calls) == _MOST_CALLS:
            calls.clear()
        calls[(scale, return_lse, dynamic, *properties)] = checked
    try:
        result = checked.call(*tensors)
    except ArgumentError as error:
        check(tensors, masked, scored, scale, return_lse, dynamic)
        # What else is wrong depends on the sizes or the contents of captured tensors.
        raise type(error)(_name_arguments(str(error))) from None
    if options is not None and (direct := checked.find_direct(tensors)) is not None:
        _recent[options] = direct
    return result


def _find_recent(options: Any) -> Direct | None:
    try:
        return _recent.get(options)
    except TypeError:
        # Of options that cannot be hashed, which the checks refuse.
        return None


def _find_strides(tensor: Any) -> Any:
    """Strides of any unit."""
    stride = getattr(tensor, "stride", None)
    return getattr(tensor, "strides", None) if stride is None else stride()


def _name_arguments(message: str) -> str:
    """A message of a package in the names of `attention`."""
    names = dict(enumerate(_NAMES))
    return re.sub(r"\barg(\d+)\b", lambda at: names.get(int(at[1]), f"captured tensor {int(at[1]) - len(names)}"), message)


@dataclasses.dataclass(frozen=True)
class Request:
    """A call whose arguments have been checked."""

    text: str
    device: str
    captured: tuple[Any, ...]
    backend: Any
    positions_first: tuple[bool, ...]

    def compile(self) -> Callable[..., Any]:
        """The compiled function of query, key and value."""
        function, captured = find_function(self.text, self.device), self.captured
        if any(self.positions_first):
            return functools.partial(call_stored, function, self.backend.swap, self.positions_first, captured)
        if not captured:
            return function
        if self.reads_captured():
            return lambda query, key, value: function(query, key, value, *captured)
        return lambda query, key, value: function(query, key, value, *pack(captured))

    def reads_captured(self) -> bool:
        """Whether captured tensors are read where they are."""
        return all(map(operator.is_, self.captured, pack(self.captured)))


class Checked:
    """What is compiled for a call, and for others on tensors of the same properties; `call` takes query, key and value."""

    __slots__ = ("call", "_request", "_direct", "_made")

    def __init__(self, request: Request) -> None:
        self.call, self._request = request.compile(), request
        self._direct: Direct | None = None
        self._made = 0

    def find_direct(self, tensors: Sequence[Any]) -> Direct | None:
        """The direct call for `tensors`, with which `call` has run."""
        if self._made < _MOST_DIRECT and not (self._direct and self._direct.takes(tensors)):
            self._made += 1
            self._direct = Direct.make(self._request, tensors)
        return self._direct


class Direct:
    """A call on tensors of torch that compares them, by `guard` of the backend, with those of a call before, and then runs:
    what depends on their properties alone holds. They are read where they are, with positions before heads or not."""

    __slots__ = ("_call", "_guard", "_captured", "_makers", "_address", "__weakref__")

    def __init__(self, call: Any, guard: Callable[..., bool], captured: tuple[Any, ...], makers: Any) -> None:
        self._call, self._guard, self._captured, self._makers = call, guard, captured, makers
        self._address = call.backend.address

    @staticmethod
    def make(request: Request, tensors: Sequence[Any]) -> Direct | None:
        """None if other tensors have to be looked at more closely, or copied."""
        guard = request.backend.guard((*tensors, *request.captured))
        if guard is None or not request.reads_captured():
            return None
        stored = _store(request.backend.swap, request.positions_first, tensors)
        call, _ = find_function(request.text, request.device).find_call((*stored, *request.captured))
        makers = call.find_makers([0] if request.positions_first[0] else [])
        return Direct(call, guard, request.captured, makers)

    def takes(self, tensors: Sequence[Any]) -> bool:
        return self._guard(*tensors, *self._captured)

    def run(self, query: Any, key: Any, value: Any) -> Any:
        """The result; None if the tensors are others, or their memory is refused."""
        if self._captured or len(self._makers) > 1:
            return self._run_all((query, key, value, *self._captured))
        # What most calls are: loops over tensors and results would take a quarter of a microsecond more.
        if not self._guard(query, key, value):
            return None
        call, result = self._call, self._makers[0]()
        addresses = query.data_ptr(), key.data_ptr(), value.data_ptr(), result.data_ptr()
        try:
            call.launch(addresses, call.stream(), call.workspaces)
        except ArgumentError:
            return None
        return result

    def _run_all(self, tensors: Sequence[Any]) -> Any:
        """The same with captured tensors, and for more than one result."""
        if not self._guard(*tensors):
            return None
        call, results = self._call, [make() for make in self._makers]
        try:
            call.launch([*map(self._address, (*tensors, *results))], call.stream(), call.workspaces)
        except ArgumentError:
            return None
        return call.unpack(results)


def pack(captured: Sequence[Any]) -> list[Any]:
    """Captured tensors as kernels can read them: those that are strided or not aligned are copied."""
    return [_backends.choose([tensor]).pack(tensor) for tensor in captured]


def call_stored(
    function: Callable[..., Any],
    swap: Callable[[Any], Any],
    positions_first: Sequence[bool],
    captured: Sequence[Any],
    *tensors: Any,
) -> Any:
    """Calls a function of tensors as they are in memory; `swap` exchanges the dimensions of heads and positions."""
    stored = _store(swap, positions_first, tensors)
    result = function(*stored, *pack(captured))
    if not positions_first[0]:
        return result
    return (swap(result[0]), result[1]) if isinstance(result, tuple) else swap(result)


def _store(swap: Callable[[Any], Any], positions_first: Sequence[bool], tensors: Sequence[Any]) -> list[Any]:
    """Tensors with dimensions as in memory."""
    return [swap(tensor) if first else tensor for tensor, first in zip(tensors, positions_first)]


def find_function(text: str, device: str) -> Any:
    """The function of a module that `write_attention` wrote, for "cpu" or "cuda:N"."""
    return _cache.find_package(text, _find_target(device)).attention


def _find_target(device: str) -> str:
    if device == "cpu":
        return "cpu"
    return name_target(*sys.modules["torch"].cuda.get_device_capability(device))


def name_target(major: int, minor: int) -> str:
    """The target for GPUs of a compute capability."""
    # From 9.0 on, the instructions of one architecture only are a variant.
    return f"sm_{major}{minor}{'a' if major >= 9 else ''}"


def check(
    tensors: Sequence[Any],
    mask: Mask | None,
    score: Score | None,
    scale: float | None,
    return_lse: bool,
    dynamic: bool = True,
) -> Request:
    """Raises ArgumentError unless the arguments are as `attention` says."""
    backend = _backends.choose(tensors)
    captures = [*(mask.captures if mask else ()), *(score.captures if score else ())]
    captured = tuple(capture.tensor for capture in captures)
    positions_first = tuple(_check_order(backend, name, tensor) for name, tensor in zip(_NAMES, tensors))
    device = _check_tensors(backend, tensors, captures, positions_first)
    shape = check_shapes(tensors, [backend.dtype(tensor) for tensor in tensors])
    shape = dataclasses.replace(shape, positions_first=positions_first)
    check_sizes(tensors, mask, score)
    shape = fix_sizes(shape, tensors, dynamic)
    text = write(mask, score, shape, check_scale(scale, shape.features), bool(return_lse))
    return Request(text, backend.device_name(device), captured, backend, positions_first)


def fix_sizes(shape: AttentionShape, tensors: Sequence[Any], dynamic: bool) -> AttentionShape:
    """`shape` with those sizes of tensors that are compiled for. Of a single query, as in a step of decoding, these are all
    but the number of keys: the keys are split among as many CTAs as batch and heads leave idle."""
    batch, _, queries, _ = tensors[0].shape
    if not dynamic:
        return dataclasses.replace(shape, batch=batch, queries=queries, keys=tensors[1].shape[2])
    return dataclasses.replace(shape, batch=batch, queries=1) if queries == 1 else shape


def check_sizes(tensors: Sequence[Any], mask: Mask | None, score: Score | None) -> None:
    """Raises ArgumentError if a tensor that the mask or the score reads is too small for these."""
    sizes = (*tensors[0].shape[:3], tensors[1].shape[2])
    if mask:
        mask.check_sizes(*sizes)
    if score:
        check_extents(score.captures, f"score '{score}'", sizes)


def check_scale(scale: float | None, features: int) -> float:
    if scale is None:
        return 1 / math.sqrt(features)
    if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not math.isfinite(scale):
        raise ArgumentError(f"expects a finite number as scale, but got {scale!r}")
    return float(scale)


def _check_order(backend: Any, name: str, tensor: Any) -> bool:
    """Whether positions are before heads in memory."""
    if backend.swap is None or not backend.takes(tensor) or len(tensor.shape) != 4 or backend.is_contiguous(tensor):
        return False
    if not backend.is_contiguous(backend.swap(tensor)):
        raise ArgumentError(STRIDED.format(name))
    return True


def _check_tensors(
    backend: Any, tensors: Sequence[Any], captures: Sequence[Capture], positions_first: Sequence[bool]
) -> Any:
    """Checks what holds for all tensors that kernels read, and returns their device."""
    stored = _store(backend.swap, positions_first, tensors)
    named = list(zip(_NAMES, stored))
    device = check_named(backend, named)
    for name, tensor in named:
        if backend.address(tensor) % _backends.ALIGNMENT:
            raise ArgumentError(f"expects {name} at an address aligned to {_backends.ALIGNMENT} bytes; copy it first")
    check_named(backend, [("a captured tensor", capture.tensor) for capture in captures], device, in_place=False)
    if backend.device_name(device) != "cpu" and not backend.device_name(device).startswith("cuda:"):
        raise ArgumentError(f"expects tensors on the cpu or a CUDA device, but got {backend.device_name(device)}")
    return device


def check_shapes(tensors: Sequence[Any], dtypes: Sequence[str]) -> AttentionShape:
    """Checks shapes and dtypes, which tensors without memory have too."""
    for name, tensor, dtype in zip(_NAMES, tensors, dtypes):
        if len(tensor.shape) != 4:
            raise ArgumentError(f"expects {name} of rank 4 (batch, head, position, feature), but got shape {list(tensor.shape)}")
        if dtype not in _DTYPES:
            raise ArgumentError(f"expects {name} of dtype f16, bf16 or f32, but got {dtype}")
        if dtype != dtypes[0]:
            raise ArgumentError(f"expects {name} of the dtype of query, {dtypes[0]}, but got {dtype}")
        for position, size in enumerate(("batch", "heads", "positions", "features")):
            if tensor.shape[position] == 0:
                raise ArgumentError(f"expects {name} with at least one of {size}, but got shape {list(tensor.shape)}")
    query, key, value = tensors
    # No comparison, which would be a symbol where torch traces batches of any size.
    shares_keys = True if key.shape[0] == value.shape[0] == 1 and query.shape[0] > 1 else False
    for name, tensor in (("key", key), ("value", value)):
        if tensor.shape[0] != query.shape[0] and not shares_keys:
            raise ArgumentError(f"expects {name} of the batch of query, {query.shape[0]}, but got {tensor.shape[0]}")
    if key.shape[3] != query.shape[3]:
        raise ArgumentError(f"expects key with the features of query, {query.shape[3]}, but got {key.shape[3]}")
    if tuple(value.shape[1:3]) != tuple(key.shape[1:3]):
        raise ArgumentError(
            f"expects value with the heads and positions of key, {list(key.shape[1:3])}, but got {list(value.shape[1:3])}"
        )
    if query.shape[1] % key.shape[1]:
        raise ArgumentError(f"expects heads of query in a multiple of those of key, {key.shape[1]}, but got {query.shape[1]}")
    heads, key_heads, features, value_features = query.shape[1], key.shape[1], query.shape[3], value.shape[3]
    return AttentionShape(dtypes[0], heads, key_heads, features, value_features, shares_keys=shares_keys)


def write(mask: Mask | None, score: Score | None, shape: AttentionShape, scale: float, return_lse: bool) -> str:
    """The module of an attention of any batch, queries and keys."""
    definition = mask.definition if mask else None
    return write_attention(shape, definition, score.definition if score else None, scale, return_lse)

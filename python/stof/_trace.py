"""Tracing of Python functions on positions to expressions. FlexAttention's mask_mod and score_mod are such functions:
`mask(b, h, q, k)` and `score(s, b, h, q, k)`. They are called once, with values that record what is computed."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Any

from . import _backends
from ._builders import BUILDERS, REFLECTED, SYNONYMS, cast
from ._errors import ArgumentError
from ._expression import BOOL, FLOAT, INTEGER, Expression, constant, count_from_end

COORDINATES = ("b", "h", "q", "k")

# What an element is computed as, by the dtype of a captured tensor.
_READ_AS = {"i1": BOOL, "i8": INTEGER, "i16": INTEGER, "i32": INTEGER, "i64": INTEGER}
_READ_AS |= {"f16": FLOAT, "bf16": FLOAT, "f32": FLOAT}


@dataclasses.dataclass
class Capture:
    """A tensor that a traced function reads, an argument of compiled code; its sizes are dynamic."""

    tensor: Any
    dtype: str
    is_unsigned: bool
    # Dimensions that a coordinate indexes, as (dimension, position in COORDINATES).
    extents: set[tuple[int, int]] = dataclasses.field(default_factory=set)
    name: str = ""

    @property
    def type(self) -> str:
        return f"tensor<{'?x' * len(self.tensor.shape)}{self.dtype}>"


def check_extents(captures: Sequence[Capture], what: str, sizes: Sequence[int]) -> None:
    """Raises ArgumentError if a tensor has fewer elements where a coordinate indexes it than `sizes` has of batch, heads,
    queries and keys."""
    for capture in captures:
        for dimension, coordinate in sorted(capture.extents):
            size = capture.tensor.shape[dimension]
            if size < sizes[coordinate]:
                raise ArgumentError(
                    f"expects the tensor that {what} indexes by {COORDINATES[coordinate]} to have {sizes[coordinate]} elements in"
                    f" dimension {dimension}, but got shape {list(capture.tensor.shape)}"
                )


@dataclasses.dataclass(frozen=True)
class Trace:
    """What a function computes: an expression in its arguments and in captured tensors."""

    result: Expression
    captures: tuple[Capture, ...]


class _Tracer:
    """The captured tensors of one function. `offset` is the position of coordinate b among its arguments."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.captures: list[Capture] = []

    def capture(self, tensor: Any) -> int:
        for number, capture in enumerate(self.captures):
            if capture.tensor is tensor:
                return number
        dtype = _backends.choose([tensor]).dtype(tensor)
        if dtype not in _READ_AS:
            raise ArgumentError(
                f"expects captured tensors of bool, an integer, or a float of 32 bits or fewer, but got {tensor.dtype}"
            )
        self.captures.append(Capture(tensor, dtype, str(tensor.dtype).endswith("uint8")))
        return len(self.captures) - 1

    def read(self, tensor: Any, indices: Sequence[Expression]) -> Value:
        number = self.capture(tensor)
        capture = self.captures[number]
        for dimension, index in enumerate(indices):
            if index.operation == "argument":
                capture.extents.add((dimension, index.value - self.offset))
        indices = [count_from_end(index, number, dimension) for dimension, index in enumerate(indices)]
        natural = capture.dtype == "i1" or capture.is_unsigned
        return Value(self, Expression("element", _READ_AS[capture.dtype], indices, number, natural))


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, (Value, CapturedTensor))


def _lift(tracer: _Tracer, value: Any) -> Expression:
    """A number, a traced value or a tensor without dimensions as an expression."""
    if isinstance(value, CapturedTensor) and not value._shape:
        value = value._index(tracer, ())
    if isinstance(value, Value):
        if value._tracer is not tracer:
            raise ArgumentError("expects values of one traced function, but got one of another")
        return value._expression
    if isinstance(value, (bool, int, float)):
        return constant(value)
    if _is_tensor(value) and len(value.shape) == 0:
        return tracer.read(value, ())._expression
    if _is_tensor(value) or isinstance(value, CapturedTensor):
        shape = list(value.shape) if _is_tensor(value) else list(value._shape)
        raise ArgumentError(f"expects scalars next to traced values, but got a tensor of shape {shape}; index it")
    raise ArgumentError(f"expects numbers next to traced values, but got {type(value).__name__}")


def _build(name: str, *arguments: Any, **keywords: Any) -> Value:
    """The value of an operation, one of whose arguments is traced."""
    given = (*arguments, *keywords.values())
    tracer = next((value._tracer for value in given if isinstance(value, Value)), None)
    if tracer is None:
        raise ArgumentError(f"expects scalars for '{name}' in masks and scores, but got captured tensors; index them")
    lifted = [_lift(tracer, argument) for argument in arguments]
    if not set(keywords) <= set(inspect.signature(BUILDERS[name]).parameters):
        raise ArgumentError(f"expects '{name}' without {', '.join(keywords)} in masks and scores")
    try:
        named = {key: _lift(tracer, value) for key, value in keywords.items() if value is not None}
        return Value(tracer, BUILDERS[name](*lifted, **named))
    except TypeError:
        raise ArgumentError(f"expects '{name}' of other arguments in masks and scores, but got {len(given)}") from None


# What a keyword of a function with a default says: another function, or nothing.
_VARIANTS = {
    ("truediv", "rounding_mode", "floor"): "floordiv",
    ("truediv", "rounding_mode", None): "truediv",
    ("gelu", "approximate", "none"): "gelu",
    ("gelu", "approximate", "tanh"): "gelu_tanh",
    **{(name, "inplace", False): name for name in ("relu", "silu", "leaky_relu")},
}


def _choose(name: str, keywords: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The function that computes `name` with keywords, and the keywords that are left."""
    for key, value in keywords.items():
        variant = _VARIANTS.get((name, key, value)) if isinstance(value, (str, bool, type(None))) else None
        if variant is not None:
            return variant, {other: keywords[other] for other in keywords if other != key}
    return name, keywords


def _call(function: str, arguments: Sequence[Any], keywords: dict[str, Any]) -> Any:
    """A call of a function or method of torch or numpy with traced arguments."""
    name = function.strip("_")
    if name == "getitem":
        return _capture_item(*arguments)
    if name == "to":
        return arguments[0].to(*arguments[1:], **keywords)
    name = SYNONYMS.get(name, name)
    name, keywords = _choose(name, keywords)
    if name not in BUILDERS and name[:1] == "r" and SYNONYMS.get(name[1:], name[1:]) in REFLECTED:
        name, arguments = SYNONYMS.get(name[1:], name[1:]), tuple(reversed(arguments))
    if name not in BUILDERS:
        raise ArgumentError(f"expects elementwise functions of masks and scores, but got '{function}'")
    return _build(name, *arguments, **keywords)


def _capture_item(tensor: Any, index: Any) -> Any:
    """`tensor[index]` with traced values in `index`."""
    if isinstance(tensor, CapturedTensor):
        return tensor[index]
    items = index if isinstance(index, tuple) else (index,)
    return CapturedTensor(tensor)[items]


class Value:
    """A traced scalar: a coordinate, a score, an element of a captured tensor, or a result of operations on them. It has the
    operators of Python, and methods and functions of torch and numpy that are elementwise."""

    __slots__ = ("_tracer", "_expression")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tracer: _Tracer, expression: Expression) -> None:
        self._tracer = tracer
        self._expression = expression

    def __repr__(self) -> str:
        return f"<traced {self._expression.type}>"

    def __bool__(self) -> bool:
        raise ArgumentError(
            "expects a function without branches on positions, but one is converted to bool (if, and, or, not, min, max, or"
            " a chained comparison); use &, |, ~, torch.where, minimum or maximum"
        )

    def __index__(self) -> int:
        raise ArgumentError("expects a function that is traced, but a position is converted to an integer")

    __int__ = __float__ = __index__

    @property
    def device(self) -> Any:
        """A device of torch, for functions that make values where their arguments are."""
        return sys.modules["torch"].device("cpu") if "torch" in sys.modules else "cpu"

    @property
    def dtype(self) -> Any:
        """The dtype of torch that the value has in FlexAttention."""
        name = {BOOL: "bool", INTEGER: "int32", FLOAT: "float32"}[self._expression.type]
        return getattr(sys.modules["torch"], name) if "torch" in sys.modules else name

    def to(self, dtype: Any) -> Value:
        name = str(dtype).removeprefix("torch.")
        kinds = {"bool": "bool", "float32": "float", "int32": "int", "int64": "int"}
        if name not in kinds:
            raise ArgumentError(f"expects traced values in bool, int32, int64 or float32, but got {name}")
        return _build(kinds[name], self)

    def new_full(self, size: Sequence[int], value: Any, *, dtype: Any = None, device: Any = None) -> Value:
        """A constant of `dtype`, by default that of this value; `size` is (). It is code, which has no device."""
        if tuple(size):
            raise ArgumentError(f"expects traced values without dimensions, but got a size of {list(size)}")
        return Value(self._tracer, _lift(self._tracer, value)).to(self.dtype if dtype is None else dtype)

    def new_ones(self, size: Sequence[int], *, dtype: Any = None, device: Any = None) -> Value:
        return self.new_full(size, 1, dtype=dtype)

    def new_zeros(self, size: Sequence[int], *, dtype: Any = None, device: Any = None) -> Value:
        return self.new_full(size, 0, dtype=dtype)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
        return _call(function.__name__, arguments, keywords or {})

    def __array_ufunc__(self, function: Any, method: str, *arguments: Any, **keywords: Any) -> Any:
        if method != "__call__":
            raise ArgumentError(f"expects elementwise functions of masks and scores, but got '{function.__name__}.{method}'")
        return _call(function.__name__, arguments, keywords)

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        return _call(function.__name__, arguments, keywords)


class CapturedTensor:
    """A tensor that a mask or a score reads: `tensor[q]`, `tensor[b, k]`. Negative indices count from the end, except those
    computed from positions alone, which must be in bounds. torch tensors are captured where they are indexed; arrays of
    numpy and JAX cannot see that and are wrapped by `masks.captured`."""

    __slots__ = ("_tensor", "_tracer", "_indices", "_shape")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, tensor: Any, tracer: _Tracer | None = None, indices: tuple[Expression, ...] = ()) -> None:
        if not _is_tensor(tensor):
            raise ArgumentError(f"expects a tensor to capture, but got {type(tensor).__name__}")
        self._tensor, self._tracer, self._indices = tensor, tracer, indices
        self._shape = tuple(tensor.shape[len(indices) :])

    def __repr__(self) -> str:
        return f"<captured tensor of shape {list(self._shape)}>"

    @property
    def rank(self) -> int:
        """The number of indices that are left."""
        return len(self._shape)

    def __getitem__(self, index: Any) -> Any:
        items = index if isinstance(index, tuple) else (index,)
        tracers = [item._tracer for item in items if isinstance(item, Value)]
        tracer = self._tracer or next(iter(tracers), None)
        if tracer is None:
            given = ", ".join(type(item).__name__ for item in items) or "nothing"
            raise ArgumentError(f"expects a captured tensor to be indexed by a position, but got {given}")
        return self._index(tracer, items)

    __torch_function__ = Value.__torch_function__
    __array_ufunc__ = Value.__array_ufunc__
    __array_function__ = Value.__array_function__

    def _index(self, tracer: _Tracer, items: Sequence[Any]) -> Any:
        if len(items) > len(self._shape):
            raise ArgumentError(f"expects at most {len(self._shape)} indices of a captured tensor, but got {len(items)}")
        indices = [*self._indices]
        for item in items:
            lifted = None if isinstance(item, (slice, type(None), type(...), float)) else _lift(tracer, item)
            if lifted is None or lifted.type != INTEGER:
                kind = describe(lifted) if lifted is not None else type(item).__name__
                raise ArgumentError(f"expects integers as indices of a captured tensor, but got {kind}")
            indices.append(lifted)
        if len(indices) == len(self._tensor.shape):
            return tracer.read(self._tensor, indices)
        return CapturedTensor(self._tensor, tracer, tuple(indices))






def _method(name: str) -> Callable[..., Any]:
    return lambda *arguments, **keywords: _build(name, *arguments, **keywords)


def _reflected(name: str) -> Callable[..., Value]:
    return lambda self, other: _build(name, other, self)


def _add_methods() -> None:
    for name in BUILDERS:
        # Operators of Python, and methods of torch.
        if name in REFLECTED or name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"):
            setattr(Value, f"__{name}__", _method(name))
            setattr(CapturedTensor, f"__{name}__", _method(name))
        if name in REFLECTED:
            setattr(Value, f"__r{name}__", _reflected(name))
        if name not in ("and", "or", "truediv", "where"):
            setattr(Value, name, _method(name))
    for synonym in SYNONYMS:
        setattr(Value, synonym, lambda *arguments, name=synonym, **keywords: _call(name, arguments, keywords))


_add_methods()


def capture_of_rank(name: str, tensor: Any, ranks: Sequence[int]) -> CapturedTensor:
    """`tensor`, for indexing; raises ArgumentError if its rank is not one of `ranks`."""
    if not _is_tensor(tensor):
        raise ArgumentError(f"expects {name} to be a tensor, but got {type(tensor).__name__}")
    found = CapturedTensor(tensor)
    if found.rank not in ranks:
        expected = " or ".join((", ".join(map(str, ranks[:-1])), str(ranks[-1]))) if len(ranks) > 1 else ranks[0]
        raise ArgumentError(f"expects {name} of rank {expected}, but got shape {list(tensor.shape)}")
    return found


def _is_traced(argument: Any) -> bool:
    if isinstance(argument, (tuple, list)):
        return any(map(_is_traced, argument))
    return isinstance(argument, (Value, CapturedTensor))


def _intercept_torch() -> contextlib.AbstractContextManager[Any]:
    """While in scope, torch tensors can be indexed by traced values."""
    if "torch" not in sys.modules:
        return contextlib.nullcontext()
    overrides = sys.modules["torch"].overrides

    class Interception(overrides.TorchFunctionMode):  # type: ignore[misc,name-defined]
        def __torch_function__(self, function: Any, types: Any, arguments: Any = (), keywords: Any = None) -> Any:
            keywords = keywords or {}
            if _is_traced((*arguments, *keywords.values())):
                return _call(function.__name__, arguments, keywords)
            return function(*arguments, **keywords)

    return Interception()


def _run(function: Callable[..., Any], arguments: list[Expression], tracer: _Tracer, what: str) -> Any:
    try:
        with _intercept_torch():
            return function(*(Value(tracer, argument) for argument in arguments))
    except IndexError as error:
        raise ArgumentError(
            f"expects tensors that a {what} can index by positions, but got: {error}; wrap arrays of numpy and JAX by stof.masks.captured"
        ) from error


def trace_mask(function: Callable[..., Any]) -> Trace:
    """Traces `function(b, h, q, k)`, which returns whether key k is unmasked for query q."""
    tracer = _Tracer(0)
    arguments = [Expression("argument", INTEGER, value=number, is_natural=True) for number in range(4)]
    result = _run(function, arguments, tracer, "mask")
    if isinstance(result, bool):
        return Trace(constant(result), ())
    expression = _lift(tracer, result)
    if expression.type != BOOL:
        raise ArgumentError(f"expects a mask that returns a bool, but got {describe(expression)}")
    return Trace(expression, tuple(tracer.captures))


def trace_score(function: Callable[..., Any]) -> Trace:
    """Traces `function(s, b, h, q, k)`, which returns a score instead of s."""
    tracer = _Tracer(1)
    arguments = [Expression("argument", FLOAT, value=0)]
    arguments += [Expression("argument", INTEGER, value=number, is_natural=True) for number in range(1, 5)]
    expression = _lift(tracer, _run(function, arguments, tracer, "score"))
    if expression.type == BOOL:
        raise ArgumentError(f"expects a score that returns a number, but got {describe(expression)}")
    return Trace(cast(expression, FLOAT), tuple(tracer.captures))


def describe(expression: Expression) -> str:
    return {BOOL: "a bool", INTEGER: "an integer", FLOAT: "a float"}[expression.type]

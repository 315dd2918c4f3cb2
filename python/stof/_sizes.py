"""Sizes in a manifest: integers, symbols of the inputs, and expressions in symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._errors import ArgumentError

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda lhs, rhs: lhs + rhs,
    "-": lambda lhs, rhs: lhs - rhs,
    "*": lambda lhs, rhs: lhs * rhs,
    "floordiv": lambda lhs, rhs: lhs // rhs,
    "ceildiv": lambda lhs, rhs: -(-lhs // rhs),
    "mod": lambda lhs, rhs: lhs % rhs,
    "min": min,
    "max": max,
    "==": lambda lhs, rhs: int(lhs == rhs),
    "<=": lambda lhs, rhs: int(lhs <= rhs),
    "and": lambda lhs, rhs: int(bool(lhs and rhs)),
}


def evaluate(size: Any, symbols: Mapping[str, int]) -> int:
    """The value of a size."""
    if isinstance(size, int):
        return size
    if isinstance(size, str):
        return symbols[size]
    operator, lhs, rhs = size
    return _OPERATORS[operator](evaluate(lhs, symbols), evaluate(rhs, symbols))


def solve(function: Mapping[str, Any], shapes: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The shapes of the results of a function of a manifest on inputs of `shapes`; raises ArgumentError if they are none
    of its inputs."""
    inputs = function["inputs"]
    for spec, shape in zip(inputs, shapes):
        if len(shape) != len(spec["shape"]):
            raise ArgumentError(f"expects {spec['name']} of shape {_format(spec['shape'])}, but got {list(shape)}")
    symbols = {symbol["name"]: int(shapes[symbol["input"]][symbol["dim"]]) for symbol in function.get("symbols", ())}
    known = ", ".join(f"{name} = {value}" for name, value in symbols.items())
    for spec, shape in zip(inputs, shapes):
        if [evaluate(size, symbols) for size in spec["shape"]] != list(shape):
            given = f" with {known}" if known else ""
            raise ArgumentError(f"expects {spec['name']} of shape {_format(spec['shape'])}{given}, but got {list(shape)}")
    for check in function.get("checks", ()):
        if not evaluate(check["holds"], symbols):
            raise ArgumentError(f"'{function['name']}' {check['message']}, but got {known}")
    return [tuple(evaluate(size, symbols) for size in result["shape"]) for result in function["results"]]


def _format(shape: Sequence[Any]) -> str:
    return f"[{', '.join(map(str, shape))}]"

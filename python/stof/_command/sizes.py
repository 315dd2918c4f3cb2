"""Sizes of a manifest or a report, which are integers, symbols, or expressions of symbols: printed and evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import CommandError

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
    "==": lambda a, b: int(a == b),
    "<=": lambda a, b: int(a <= b),
    "and": lambda a, b: int(bool(a) and bool(b)),
}
_INFIX = ("+", "-", "*", "==", "<=", "and")


def evaluate(size: Any, symbols: Mapping[str, int]) -> int | None:
    """The value of a size; None if it depends on a symbol that is not in `symbols`."""
    if isinstance(size, int):
        return size
    if isinstance(size, str):
        return symbols.get(size)
    if size[0] == "sum":
        _, name, count, body = size
        terms = evaluate(count, symbols)
        values = [evaluate(body, {**symbols, name: index}) for index in range(terms or 0)]
        return None if terms is None or None in values else sum(value for value in values if value is not None)
    left, right = (evaluate(operand, symbols) for operand in size[1:])
    return None if left is None or right is None else _OPERATORS[size[0]](left, right)


def show(size: Any, symbols: Mapping[str, int] | None = None) -> str:
    """A size as text; its value if that is known."""
    value = evaluate(size, symbols or {})
    if value is not None or not isinstance(size, list):
        return str(size if value is None else value)
    if size[0] == "sum":
        return f"sum({size[1]} < {show(size[2])}: {show(size[3])})"
    left, right = (show(operand, symbols) for operand in size[1:])
    if size[0] not in _INFIX:
        return f"{size[0]}({left}, {right})"
    return f"{_enclose(size[1], left)} {size[0]} {_enclose(size[2], right)}"


def _enclose(operand: Any, text: str) -> str:
    return f"({text})" if isinstance(operand, list) and operand[0] in _INFIX and not text.isdigit() else text


def find_names(tensors: Sequence[Any]) -> list[str]:
    """The symbols in the shapes of tensors, in order."""
    return list(dict.fromkeys(size for tensor in tensors for size in tensor.shape if isinstance(size, str)))


def parse_symbols(texts: Sequence[str], known: Sequence[str]) -> dict[str, int]:
    """The values of "NAME=VALUE", of names that are `known`."""
    symbols = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not value.isdigit():
            raise CommandError(f"expects a size as NAME=VALUE, but got '{text}'")
        if name not in known:
            raise CommandError(f"expects a size of {', '.join(known) or 'a function with dynamic sizes'}, but got '{name}'")
        symbols[name] = int(value)
    return symbols

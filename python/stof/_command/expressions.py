"""Masks on the command line: names of the gallery, expressions in the functions of `stof.masks`, and objects of Python.

    causal() & window(256) | global_tokens(32)
    documents([0, 0, 0, 1, 1])
    longformer
    FILE.py:mask
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

from .. import masks
from .._errors import ArgumentError
from ..bench.gallery import GALLERY, Place, keep
from ..masks import Mask
from . import objects
from .errors import CommandError

# Not functions of numbers and lists alone.
_FUNCTIONS = {name: getattr(masks, name) for name in masks.__all__ if name not in ("Mask", "captured")}


def parse_mask(text: str, length: int, place: Place = keep) -> Mask:
    """The mask that `text` says, for `length` queries; `place` moves arrays to where tensors are."""
    if text in GALLERY:
        return GALLERY[text].make(length, place)
    if objects.is_name(text):
        return masks.as_mask(objects.load(text))
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise CommandError(f"expects a mask such as 'causal() & window(64)', but got '{text}': {error.msg}") from error
    try:
        return _Evaluator(text, length, place).evaluate(tree.body)
    except (ArgumentError, TypeError) as error:
        raise CommandError(f"expects a mask, but '{text}' is none: {error}") from error


class _Evaluator:
    """Evaluates expressions of masks, and nothing else of Python."""

    def __init__(self, text: str, length: int, place: Place) -> None:
        self._text, self._length, self._place = text, length, place
        self._operators: dict[type[ast.AST], Callable[[Mask, Mask], Mask]] = {
            ast.BitAnd: lambda lhs, rhs: lhs & rhs,
            ast.BitOr: lambda lhs, rhs: lhs | rhs,
        }

    def evaluate(self, node: ast.expr) -> Mask:
        if isinstance(node, ast.BinOp) and type(node.op) in self._operators:
            return self._operators[type(node.op)](self.evaluate(node.left), self.evaluate(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
            return ~self.evaluate(node.operand)
        if isinstance(node, ast.Name) and node.id in GALLERY:
            return GALLERY[node.id].make(self._length, self._place)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
            return self._call(node.func.id, node)
        raise CommandError(
            f"expects a mask of {', '.join(_FUNCTIONS)}, with &, | and ~, or of {', '.join(GALLERY)}, but got"
            f" '{ast.get_source_segment(self._text, node) or self._text}'"
        )

    def _call(self, name: str, node: ast.Call) -> Mask:
        function = _FUNCTIONS[name]
        arguments = [self._read(argument) for argument in node.args]
        keywords = {keyword.arg or "": self._read(keyword.value) for keyword in node.keywords}
        signature = inspect.signature(function)
        try:
            signature.bind(*arguments, **keywords)
        except TypeError as error:
            plain = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
            raise CommandError(f"expects {name}{inspect.Signature(plain)}, but {error}") from error
        made: Mask = function(*arguments, **keywords)
        return made

    def _read(self, node: ast.expr) -> Any:
        """A number, a tuple of numbers, or a list as an array."""
        try:
            value = ast.literal_eval(node)
        except ValueError as error:
            text = ast.get_source_segment(self._text, node)
            raise CommandError(f"expects numbers and lists as arguments of masks, but got '{text}'") from error
        return self._place(_make_array(value)) if isinstance(value, list) else value


def _make_array(value: list[Any]) -> Any:
    import numpy

    try:
        array = numpy.array(value)
    except ValueError as error:
        raise CommandError(f"expects lists of equal lengths, but got {value}") from error
    return array if array.dtype == bool else array.astype("int32")

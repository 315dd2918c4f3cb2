"""Masks of stof as functions of torch: FlexAttention's mask_mod, and rows of a boolean mask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from .._expression import BOOL, FLOAT, INTEGER, Expression, order
from .._trace import COORDINATES, Trace
from ..masks import Mask

_OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "floordiv": "//",
    "shl": "<<",
    "shr": ">>",
    "and": "&",
    "or": "|",
    "xor": "^",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
_FUNCTIONS = ("abs", "exp", "exp2", "log", "tanh", "sqrt", "sin", "cos", "floor", "ceil", "pow")
_TYPES = {BOOL: "bool", INTEGER: "int64", FLOAT: "float32"}
# Elements of a boolean mask that are made at a time.
_MOST_POSITIONS = 1 << 26


def write_mask_mod(trace: Trace) -> str:
    """The source of a function that makes a mask_mod from captured tensors."""
    tensors = [f"t{number}" for number in range(len(trace.captures))]
    lines = [f"def make({', '.join(tensors)}):", f"    def mask_mod({', '.join(COORDINATES)}):"]
    names: dict[int, str] = {}
    for node in order(trace.result):
        if node.operation == "argument":
            names[id(node)] = COORDINATES[node.value]
        elif node.operation == "constant":
            names[id(node)] = repr(node.value)
        else:
            operands = [names[id(operand)] for operand in node.operands]
            names[id(node)] = f"v{len(names)}"
            lines.append(f"        {names[id(node)]} = {_print(node, operands)}")
    return "\n".join([*lines, f"        return {names[id(trace.result)]}", "    return mask_mod", ""])


def _print(node: Expression, operands: list[str]) -> str:
    name = node.operation
    if name in _OPERATORS:
        return f"{operands[0]} {_OPERATORS[name]} {operands[1]}"
    if name in _FUNCTIONS:
        return f"torch.{name}({', '.join(operands)})"
    if name == "neg":
        return f"-{operands[0]}"
    if name == "rem":
        # Equal for natural numbers, and what users write.
        natural = all(operand.is_natural for operand in node.operands)
        return f"{operands[0]} % {operands[1]}" if natural else f"torch.fmod({operands[0]}, {operands[1]})"
    if name in ("min", "max"):
        return _print_bound(name, node, operands)
    if name == "select":
        return f"torch.where({', '.join(operands)})"
    if name == "element":
        cast = ".float()" if node.type == FLOAT else ""
        return f"t{node.value}[{', '.join(operands)}]{cast}"
    assert name == "cast", f"no function of torch for '{name}'"
    return f"{operands[0]}.to(torch.{_TYPES[node.type]})"


def _print_bound(name: str, node: Expression, operands: list[str]) -> str:
    """A minimum or maximum, of which torch takes no numbers."""
    for index, operand in enumerate(node.operands):
        if operand.operation == "constant":
            return f"torch.clamp({operands[1 - index]}, {'max' if name == 'min' else 'min'}={operands[index]})"
    return f"torch.{name}imum({', '.join(operands)})"


def make_mask_mod(mask: Mask) -> Callable[..., Any]:
    """FlexAttention's function of the same mask."""
    trace = mask.definition
    assert isinstance(trace, Trace), "a list of blocks is no predicate"
    scope: dict[str, Any] = {"torch": torch}
    exec(write_mask_mod(trace), scope)
    made: Callable[..., Any] = scope["make"](*(capture.tensor for capture in trace.captures))
    return made


def uses(mask: Mask, coordinate: str) -> bool:
    """Whether a mask depends on `coordinate`."""
    assert isinstance(mask.definition, Trace), "a list of blocks is no predicate"
    nodes = order(mask.definition.result)
    return any(node.operation == "argument" and COORDINATES[node.value] == coordinate for node in nodes)


class DenseMask:
    """A mask as tensors of bool [batch, heads, rows, keys]; batch and heads are 1 if it is the same for all."""

    def __init__(self, mask: Mask, batch: int, heads: int, queries: int, keys: int, device: str) -> None:
        self.batch = batch if uses(mask, "b") else 1
        self.heads = heads if uses(mask, "h") else 1
        self.queries, self.keys = queries, keys
        self._device = device
        self._function = make_mask_mod(mask)

    def rows(self, start: int, stop: int) -> torch.Tensor:
        ranges = (0, self.batch), (0, self.heads), (start, stop), (0, self.keys)
        shapes = (-1, 1, 1, 1), (-1, 1, 1), (-1, 1), (-1,)
        at = [torch.arange(*span, device=self._device).view(shape) for span, shape in zip(ranges, shapes)]
        found = self._function(*at)
        shape = self.batch, self.heads, stop - start, self.keys
        return torch.as_tensor(found, device=self._device).to(torch.bool).expand(shape)

    def chunks(self, copies: int = 1) -> Iterator[tuple[int, int, torch.Tensor]]:
        """Rows with their bounds, in chunks of a limited number of positions if each is used for `copies` matrices."""
        count = max(1, _MOST_POSITIONS // (self.keys * max(copies, self.batch * self.heads)))
        for start in range(0, self.queries, count):
            stop = min(start + count, self.queries)
            yield start, stop, self.rows(start, stop)

    def whole(self) -> torch.Tensor:
        return self.rows(0, self.queries).contiguous()

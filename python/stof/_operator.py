"""Attention as an operator of torch, which torch.compile and torch.export keep in their graphs. What it computes is a
string, the module, so that a graph needs nothing of the process that made it."""

from __future__ import annotations

from typing import Any

import torch

from . import _attention
from ._errors import ArgumentError
from ._module import AttentionShape
from .masks import Mask
from .scores import Score

_DTYPES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32"}


def _run(tensors: Any, captured: list[torch.Tensor], module: str, positions_first: list[bool]) -> Any:
    function = _attention.find_function(module, _name(tensors[0]))
    return _attention.call_stored(function, _swap, positions_first, captured, *tensors)


def _swap(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.transpose(1, 2)


@torch.library.custom_op("stof::attention", mutates_args=())
def _attend(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    captured: list[torch.Tensor],
    module: str,
    positions_first: list[bool],
) -> torch.Tensor:
    return _run((query, key, value), captured, module, positions_first)


def _make_result(query: torch.Tensor, value: torch.Tensor, positions_first: list[bool]) -> torch.Tensor:
    batch, heads, queries, _ = query.shape
    if positions_first[0]:
        return _swap(query.new_empty((batch, queries, heads, value.shape[3])))
    return query.new_empty((batch, heads, queries, value.shape[3]))


@_attend.register_fake
def _(query, key, value, captured, module, positions_first):  # type: ignore[no-untyped-def]
    return _make_result(query, value, positions_first)


@torch.library.custom_op("stof::attention_with_lse", mutates_args=())
def _attend_with_lse(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    captured: list[torch.Tensor],
    module: str,
    positions_first: list[bool],
) -> tuple[torch.Tensor, torch.Tensor]:
    return _run((query, key, value), captured, module, positions_first)


@_attend_with_lse.register_fake
def _(query, key, value, captured, module, positions_first):  # type: ignore[no-untyped-def]
    return _make_result(query, value, positions_first), query.new_empty(query.shape[:3], dtype=torch.float32)


def _name(tensor: torch.Tensor) -> str:
    return f"cuda:{tensor.device.index}" if tensor.device.type == "cuda" else tensor.device.type


@torch.compiler.assume_constant_result
def _write(
    mask: int,
    score: int,
    sizes: tuple[int | None, ...],
    dtype: str,
    positions_first: tuple[bool, ...],
    scale: float | None,
    return_lse: bool,
) -> str:
    """The module of an attention, a constant of the graph. Masks and scores are given by number, as torch can see numbers
    and strings as constants, but no other objects."""
    shape = AttentionShape(dtype, *sizes, positions_first=positions_first)  # type: ignore[arg-type, misc]
    scale = _attention.check_scale(scale, shape.features)
    return _attention.write(Mask.registered.get(mask), Score.registered.get(score), shape, scale, return_lse)


def call(tensors: Any, mask: Any, score: Any, scale: float | None, return_lse: bool, dynamic: bool) -> Any:
    """`attention` in a function that torch traces."""
    for kind, given in ((Mask, mask), (Score, score)):
        if given is not None and not isinstance(given, kind):
            raise ArgumentError(f"expects a {kind.__name__} made before torch traces, but got {type(given).__name__}")
    for name, tensor in zip(("query", "key", "value"), tensors):
        if tensor.requires_grad and torch.is_grad_enabled():
            raise ArgumentError(f"expects {name} to need no gradient, but it does; call under torch.no_grad()")
    shape = _attention.check_shapes(tensors, [_DTYPES.get(tensor.dtype, str(tensor.dtype)) for tensor in tensors])
    _attention.check_sizes(tensors, mask, score)
    # Otherwise sizes may be symbols of torch, which are no constants.
    if not dynamic:
        shape = _attention.fix_sizes(shape, tensors, dynamic)
    sizes = shape.heads, shape.key_heads, shape.features, shape.value_features, shape.batch, shape.queries, shape.keys, shape.shares_keys
    numbers = mask.number if mask else 0, score.number if score else 0
    positions_first = tuple(not tensor.is_contiguous() for tensor in tensors)
    for name, tensor, first in zip(("query", "key", "value"), tensors, positions_first):
        if first and not _swap(tensor).is_contiguous():
            raise ArgumentError(_attention.STRIDED.format(name))
    module = _write(*numbers, sizes, shape.dtype, positions_first, scale, return_lse)
    captured = [capture.tensor for capture in (*(mask.captures if mask else ()), *(score.captures if score else ()))]
    operator = torch.ops.stof.attention_with_lse if return_lse else torch.ops.stof.attention
    return operator(*tensors, captured, module, list(positions_first))

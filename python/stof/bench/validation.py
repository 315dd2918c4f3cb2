"""Results against a reference, before anything is timed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

from .case import Attention

# Of the largest relative error of a row (the L2 norm of the difference by that of the row). Products of f32 may be those
# of TF32 on a GPU, as f16 has them.
_TOLERANCES = {"f16": 5e-3, "bf16": 4e-2, "f32": 2e-5}
# Rows that cancel to less than this share of the others are compared with that.
_LEAST_SHARE = 1e-3


def find_tolerance(dtype: str, device: str) -> float:
    return _TOLERANCES["f16" if dtype == "f32" and device != "cpu" else dtype]


def compute_reference(case: Attention) -> torch.Tensor:
    """Attention by definition: in float64 for inputs of f32 and on the CPU, otherwise in float32. Queries without keys
    yield zeros."""
    wide = torch.float64 if case.dtype == "f32" or case.device == "cpu" else torch.float32
    shape = case.shape
    groups = shape.heads // shape.key_heads
    result = torch.empty(case.query.shape, dtype=wide, device=case.device)
    with _exact_products():
        for batch in range(shape.batch):
            key = case.key[batch].to(wide).repeat_interleave(groups, 0)
            value = case.value[batch].to(wide).repeat_interleave(groups, 0)
            for start, stop, rows in case.dense.chunks(shape.heads):
                scores = case.query[batch, :, start:stop].to(wide) @ key.transpose(-1, -2) * case.scale
                kept = rows[batch if case.dense.batch > 1 else 0]
                weights = scores.masked_fill_(~kept, float("-inf")).softmax(-1).nan_to_num_(0.0)
                result[batch, :, start:stop] = weights @ value
    return result


@contextlib.contextmanager
def _exact_products() -> Iterator[None]:
    """No TF32 while in scope."""
    precision = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(precision)


def measure_error(result: torch.Tensor, reference: torch.Tensor) -> float:
    """The largest relative error of a row; infinity if something is not finite."""
    if result.shape != reference.shape:
        return float("inf")
    difference = (result.to(reference.dtype) - reference).norm(dim=-1)
    lengths = reference.norm(dim=-1)
    least = float(lengths.square().mean().sqrt()) * _LEAST_SHARE
    error = float((difference / lengths.clamp(min=max(least, 1e-30))).max())
    return error if error == error else float("inf")

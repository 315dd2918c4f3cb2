"""Attentions to be measured: sizes, a mask, and inputs."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Any

import torch

from .._command.expressions import parse_mask
from .._errors import ArgumentError
from .._trace import Trace
from ..masks import Mask
from .peer import Unavailable
from .structure import Structure, find_structure
from .torch_mask import DenseMask, make_mask_mod

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}
_SEED = 0


@dataclasses.dataclass(frozen=True)
class Shape:
    """The sizes of an attention."""

    batch: int
    heads: int
    key_heads: int
    queries: int
    keys: int
    features: int

    def __str__(self) -> str:
        heads = str(self.heads) if self.heads == self.key_heads else f"{self.heads}({self.key_heads})"
        length = str(self.queries) if self.queries == self.keys else f"{self.queries}({self.keys})"
        return f"{self.batch} x {heads} x {length} x {self.features}"


def check_mask(mask: Mask, shape: Shape) -> None:
    """Raises ArgumentError if `mask` cannot be measured."""
    if not isinstance(mask.definition, Trace):
        raise ArgumentError(f"expects masks by predicates to measure, but got '{mask}'")
    mask.check_sizes(shape.batch, shape.heads, shape.queries, shape.keys)


class Attention:
    """A mask on inputs of a shape, on a device. It has what implementations need, made when it is first used."""

    def __init__(self, mask: str, shape: Shape, dtype: str, device: str) -> None:
        self.name, self.shape, self.dtype, self.device = mask, shape, dtype, device
        self.mask = parse_mask(mask, shape.queries, lambda array: torch.from_numpy(array).to(device))
        self.query, self.key, self.value = self._draw()

    def _draw(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        shape, generator = self.shape, torch.Generator(self.device).manual_seed(_SEED)
        sizes = (shape.heads, shape.queries), (shape.key_heads, shape.keys), (shape.key_heads, shape.keys)

        def draw(heads: int, positions: int) -> torch.Tensor:
            drawn = torch.randn(shape.batch, heads, positions, shape.features, generator=generator, device=self.device)
            return drawn.to(DTYPES[self.dtype])

        query, key, value = (draw(*size) for size in sizes)
        return query, key, value

    def __str__(self) -> str:
        return f"{self.name}, {self.shape}, {self.dtype}"

    @property
    def scale(self) -> float:
        return 1 / math.sqrt(self.shape.features)

    @property
    def is_grouped(self) -> bool:
        return self.shape.heads != self.shape.key_heads

    @functools.cached_property
    def transposed(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Query, key and value as [batch, positions, heads, features]."""
        query, key, value = (tensor.transpose(1, 2).contiguous() for tensor in (self.query, self.key, self.value))
        return query, key, value

    @functools.cached_property
    def dense(self) -> DenseMask:
        shape = self.shape
        return DenseMask(self.mask, shape.batch, shape.heads, shape.queries, shape.keys, self.device)

    @functools.cached_property
    def structure(self) -> Structure:
        return find_structure(self.dense)

    @functools.cached_property
    def dense_tensor(self) -> torch.Tensor:
        """The mask as a tensor of bool."""
        return self.dense.whole()

    def make_block_mask(self, block: int | None) -> Any:
        """FlexAttention's blocks of the mask, None for all keys; `block` is their size, by default its own."""
        from torch.nn.attention.flex_attention import create_block_mask

        if self.structure.is_dense:
            return None
        shape, dense = self.shape, self.dense
        batch, heads = (size if size > 1 else None for size in (dense.batch, dense.heads))
        options: dict[str, Any] = {} if block is None else {"BLOCK_SIZE": block}
        sizes = shape.queries, shape.keys
        return create_block_mask(make_mask_mod(self.mask), batch, heads, *sizes, device=self.device, **options)

    @property
    def density(self) -> float:
        return self.structure.nonzeros / (self.dense.batch * self.dense.heads * self.shape.queries * self.shape.keys)

    @property
    def flops(self) -> float:
        """Operations of the two matmuls on unmasked positions."""
        shape = self.shape
        return 4.0 * shape.batch * shape.heads * shape.queries * shape.keys * shape.features * self.density

    @property
    def bytes(self) -> int:
        """Of query, key, value and result, each once."""
        tensors = self.query, self.key, self.value, self.query
        return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def require(condition: bool, reason: str) -> None:
    """Raises Unavailable with `reason` unless `condition` is true."""
    if not condition:
        raise Unavailable(reason)

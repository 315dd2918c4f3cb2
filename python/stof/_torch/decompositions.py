"""Operations of torch in terms of others that torch-mlir lowers, and lowers precisely."""

import functools
import math
from collections.abc import Callable

import torch
from torch._prims_common import suggest_memory_format
from torch.utils._python_dispatch import _disable_current_modes

from .fourier import get_transforms

_aten = torch.ops.aten


@functools.lru_cache(maxsize=None)
def get_decompositions() -> dict[torch._ops.OpOverload, Callable]:
    """Those of torch-mlir and the ones below. One that returns NotImplemented leaves the operation as it is."""
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    table = dict(get_decomposition_table())
    # Batches that are merged for it would hide the heads of attention if sizes are dynamic.
    for kept in (_aten.matmul.default, _aten.linear.default):
        del table[kept]
    table.update(get_transforms())
    for extremum in (_aten.cummax, _aten.cummin):
        table[extremum.default] = functools.partial(_find_extrema, extremum is _aten.cummax)
    table[_aten.convolution.default] = _convolve
    table[_aten.gelu.default] = _gelu
    table[_aten.abs.default] = _abs
    table[_aten._conj.default] = table[_aten._conj_physical.default] = _conj
    table[_aten.mul.Tensor] = _mul
    table[_aten.add.Tensor] = functools.partial(_add, 1)
    table[_aten.sub.Tensor] = functools.partial(_add, -1)
    table[_aten.histc.default] = _histc
    table[_aten.topk.default] = _topk
    for scatter in (_aten.scatter.src, _aten.scatter.value, _aten.scatter_add.default, _aten.scatter_reduce.two):
        table[scatter] = functools.partial(_scatter, scatter)
    for kind in ("bilinear", "bicubic", "lanczos"):
        # Older versions of torch have no lanczos.
        resize = getattr(_aten, f"_upsample_{kind}2d_aa", None)
        if resize is not None:
            table[resize.default] = functools.partial(_resize, resize.default)
    table[_aten._grouped_mm.default] = _grouped_mm
    # Of transformers, for tensors that torch's own does not take.
    fallback = getattr(getattr(torch.ops, "transformers", None), "grouped_mm_fallback", None)
    if fallback is not None:
        table[fallback.default] = _grouped_mm
    return table


def _find_extrema(is_max: bool, x: torch.Tensor, dim: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Cumulative maxima or minima, and the last place of each."""
    row = x.movedim(dim, -1)[..., None, :]
    places = torch.arange(x.shape[dim], device=x.device)
    is_seen = places <= places[:, None]
    limits = torch.finfo(x.dtype) if x.dtype.is_floating_point else torch.iinfo(x.dtype)
    seen = torch.where(is_seen, row, limits.min if is_max else limits.max)
    values = (seen.amax if is_max else seen.amin)(-1)
    indices = torch.where(is_seen & (row == values[..., None]), places, 0).amax(-1)
    return values.movedim(-1, dim), indices.movedim(-1, dim)


def _convolve(x, weight, bias, stride, padding, dilation, transposed, output_padding, groups) -> torch.Tensor:
    """torch-mlir does not lower a transposed convolution of one input channel per group, and of groups in one dimension: it
    is one of its input with zeros in between."""
    if not transposed or groups == 1:
        return NotImplemented
    pads: list[int] = []
    for dim, (step, before, gap, after) in enumerate(zip(stride, padding, dilation, output_padding), 2):
        x = torch.nn.functional.pad(x.movedim(dim, -1)[..., None], (0, step - 1))
        x = x.flatten(-2)[..., : x.shape[-2] * step - step + 1].movedim(-1, dim)
        reach = gap * (weight.shape[dim] - 1) - before
        pads = [reach, reach + after, *pads]
    x = torch.nn.functional.pad(x, pads)
    # [groups x inputs, outputs, ...] as [groups x outputs, inputs, ...]
    grouped = weight.unflatten(0, (groups, -1)).transpose(1, 2).flatten(0, 1).flip(*range(2, weight.dim()))
    zeros, ones = [0] * len(stride), [1] * len(stride)
    return _aten.convolution.default(x, grouped, bias, ones, zeros, dilation, False, zeros, groups)


def _gelu(x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    """The constants of torch-mlir's approximation have four digits."""
    if approximate != "tanh":
        return NotImplemented
    wide = x.to(torch.float32) if x.dtype in (torch.float16, torch.bfloat16) else x
    inner = math.sqrt(2 / math.pi) * (wide + 0.044715 * (wide * wide * wide))
    return (0.5 * wide * (1 + torch.tanh(inner))).to(x.dtype)


def _abs(x: torch.Tensor) -> torch.Tensor:
    """Of complex numbers."""
    return torch.view_as_real(x).square().sum(-1).sqrt() if x.is_complex() else NotImplemented


def _conj(x: torch.Tensor) -> torch.Tensor:
    real, imaginary = torch.view_as_real(x).unbind(-1)
    return torch.view_as_complex(torch.stack([real, -imaginary], -1))


def _mul(x, factor) -> torch.Tensor:
    """Of complex numbers and a real number. Of others, `x` may be a number."""
    if not isinstance(x, torch.Tensor) or not x.is_complex() or isinstance(factor, (complex, torch.Tensor)):
        return NotImplemented
    return torch.view_as_complex(torch.view_as_real(x) * factor)


def _add(sign: int, x, other, *, alpha=1) -> torch.Tensor:
    """Of complex numbers. Of others, `x` may be a number."""
    if not all(isinstance(term, torch.Tensor) and term.is_complex() for term in (x, other)):
        return NotImplemented
    return torch.view_as_complex(torch.view_as_real(x) + sign * alpha * torch.view_as_real(other))


def _histc(x: torch.Tensor, bins: int = 100, min: float = 0, max: float = 0) -> torch.Tensor:
    """Counts the elements in each of `bins` intervals between `min` and `max`; the last one includes `max`."""
    if min >= max:
        return NotImplemented
    flat = x.reshape(-1)
    position = torch.floor((flat - min) * (bins / (max - min))).to(torch.int64).clamp(max=bins - 1)
    counted = (position[:, None] == torch.arange(bins, device=x.device)) & ((flat >= min) & (flat <= max))[:, None]
    return counted.sum(0).to(x.dtype)


def _scatter(operation: torch._ops.OpOverload, x: torch.Tensor, dim: int, *rest, **options) -> torch.Tensor:
    """torch-mlir does not survive negative dimensions."""
    return NotImplemented if dim >= 0 else operation(x, dim + x.dim(), *rest, **options)


def _topk(x: torch.Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True):
    """Unsorted elements may as well be sorted."""
    return NotImplemented if sorted else _aten.topk.default(x, k, dim, largest, True)


def _resize(
    operation: torch._ops.OpOverload, x: torch.Tensor, size, align_corners: bool, rows_scale=None, columns_scale=None
) -> torch.Tensor:
    """Antialiased resizing is a product with a matrix in each dimension: what becomes of the rows of an identity matrix."""
    if not all(isinstance(number, int) for number in (*x.shape[-2:], *size)):
        return NotImplemented

    def make_matrix(old: int, new: int, scale) -> torch.Tensor:
        with _disable_current_modes():
            rows = torch.eye(old, dtype=torch.float64)[None, :, None]
            return operation(rows, [1, new], align_corners, None, scale)[0, :, 0].to(x.device, x.dtype)

    resized = x @ make_matrix(x.shape[-1], size[1], columns_scale)
    resized = (resized.mT @ make_matrix(x.shape[-2], size[0], rows_scale)).mT
    # Views that follow were traced on the strides of the operation.
    return resized.contiguous(memory_format=suggest_memory_format(x))


def _grouped_mm(x: torch.Tensor, weights: torch.Tensor, offs=None, bias=None, out_dtype=None) -> torch.Tensor:
    """Rows [R, K] times the matrix of their group in [G, K, N]; group g ends before row offs[g]. Each row reads its
    matrix, as few of many experts are in use."""
    if x.dim() != 2 or weights.dim() != 3 or offs is None or bias is not None:
        return NotImplemented
    rows = torch.arange(x.shape[0], device=x.device)
    # Rows behind the last group are undefined.
    group = (offs[None, :] <= rows[:, None]).sum(1).clamp(max=weights.shape[0] - 1)
    product = torch.bmm(x[:, None, :], weights.index_select(0, group))[:, 0]
    return product.to(out_dtype or x.dtype)

"""Discrete Fourier transforms as products with matrices, as torch-mlir has no other way to lower them."""

import functools
import math
from collections.abc import Callable, Sequence

import torch
from torch.utils._python_dispatch import _disable_current_modes

_aten = torch.ops.aten
_NAMES = (
    *("fft_fft", "fft_ifft", "fft_rfft", "fft_irfft", "fft_hfft", "fft_ihfft"),
    *("fft_fft2", "fft_ifft2", "fft_rfft2", "fft_irfft2", "fft_fftn", "fft_ifftn", "fft_rfftn", "fft_irfftn"),
)


def get_transforms() -> dict[torch._ops.OpOverload, Callable]:
    """Decompositions of the transforms of torch.fft, and of torch.stft."""
    table: dict[torch._ops.OpOverload, Callable] = {
        _aten._fft_c2c.default: _transform_complex,
        _aten._fft_r2c.default: _transform_real,
        _aten._fft_c2r.default: _transform_to_real,
    }
    overloads = [getattr(_aten.stft, name) for name in _aten.stft.overloads()]
    for operation in (*(getattr(_aten, name).default for name in _NAMES), *overloads):
        table[operation] = functools.partial(_compose, operation)
    return table


def _compose(operation: torch._ops.OpOverload, *args, **kwargs):
    """The operation as torch composes it of others. Its `decompose` would be that of the table."""
    return operation._op_dk(torch._C.DispatchKey.CompositeImplicitAutograd, *args, **kwargs)


def _transform_complex(x: torch.Tensor, dims: Sequence[int], normalization: int, forward: bool) -> torch.Tensor:
    if not all(isinstance(x.shape[dim], int) for dim in dims):
        return NotImplemented
    real, imaginary = torch.view_as_real(x).unbind(-1)
    for dim in dims:
        cosine, sine = _make_matrices(x.shape[dim], x.shape[dim], real)
        sine = sine if forward else -sine
        real, imaginary = (
            _multiply(real, cosine, dim) + _multiply(imaginary, sine, dim),
            _multiply(imaginary, cosine, dim) - _multiply(real, sine, dim),
        )
    return _join(real, imaginary, _find_scale([x.shape[dim] for dim in dims], normalization))


def _transform_real(x: torch.Tensor, dims: Sequence[int], normalization: int, onesided: bool) -> torch.Tensor:
    if not all(isinstance(x.shape[dim], int) for dim in dims):
        return NotImplemented
    size = x.shape[dims[-1]]
    cosine, sine = _make_matrices(size, size // 2 + 1 if onesided else size, x)
    scale = _find_scale([x.shape[dim] for dim in dims], normalization)
    transformed = _join(_multiply(x, cosine, dims[-1]), -_multiply(x, sine, dims[-1]), scale)
    return _aten._fft_c2c.default(transformed, list(dims[:-1]), 0, True) if dims[:-1] else transformed


def _transform_to_real(x: torch.Tensor, dims: Sequence[int], normalization: int, size: int) -> torch.Tensor:
    if not all(isinstance(number, int) for number in (size, *(x.shape[dim] for dim in dims))):
        return NotImplemented
    if dims[:-1]:
        x = _aten._fft_c2c.default(x, list(dims[:-1]), 0, False)
    dim, count = dims[-1], size // 2 + 1
    real, imaginary = torch.view_as_real(x).unbind(-1)
    cosine, sine = _make_matrices(size, count, real, has_conjugates=True)
    product = _multiply(real, cosine.t(), dim) - _multiply(imaginary, sine.t(), dim)
    return (product * _find_scale([*(x.shape[other] for other in dims[:-1]), size], normalization)).contiguous()


def _join(real: torch.Tensor, imaginary: torch.Tensor, scale: float) -> torch.Tensor:
    return torch.view_as_complex(torch.stack([real, imaginary], -1) * scale)


def _multiply(x: torch.Tensor, matrix: torch.Tensor, dim: int) -> torch.Tensor:
    return (x.transpose(dim, -1) @ matrix).transpose(dim, -1)


def _find_scale(sizes: Sequence[int], normalization: int) -> float:
    """0 is none, 1 by the root of the number of elements, 2 by their number."""
    return math.prod(sizes) ** (-0.5 * normalization)


def _make_matrices(
    size: int, count: int, like: torch.Tensor, has_conjugates: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    """Cosines and sines [size, count] of the angles of `count` frequencies. With `has_conjugates`, a frequency stands for
    its conjugate as well, unless it is its own."""
    # Constants, computed in float64.
    with _disable_current_modes():
        turns = torch.outer(torch.arange(size), torch.arange(count)) % size
        angles = turns.to(torch.float64) * (2 * math.pi / size)
        weights = torch.ones(count, dtype=torch.float64)
        if has_conjugates:
            weights[1 : (size + 1) // 2] = 2
        cosines, sines = ((weights * part).to(like.device, like.dtype) for part in (angles.cos(), angles.sin()))
        return cosines, sines

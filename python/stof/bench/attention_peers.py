"""Implementations of attention: stof, the backends of torch's SDPA, FlexAttention, and FlashAttention 2 to 4."""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Callable
from typing import Any

import torch

from .. import _attention
from .case import Attention, require
from .peer import Peer, Prepared, Unavailable

_AUTOTUNE = "max-autotune-no-cudagraphs"
_FA3 = "flash_attn_interface"


def _prepare_stof(case: Attention, dynamic: bool = False) -> Prepared:
    inputs = case.query, case.key, case.value
    # What was compiled is found by the shapes of each call.
    return Prepared(lambda: _attention.attention(*inputs, mask=case.mask, dynamic=dynamic))


def _prepare_sdpa(case: Attention, backend: str) -> Prepared:
    from torch.nn.attention import SDPBackend, sdpa_kernel

    structure = case.structure
    masked = not structure.is_dense and not structure.is_causal
    options: dict[str, Any] = {"is_causal": structure.is_causal, "enable_gqa": case.is_grouped}
    require(not masked or backend != "FLASH_ATTENTION" or case.device == "cpu", "takes no mask but causal on a GPU")
    if masked:
        options["attn_mask"] = case.dense_tensor
    inputs, kind = (case.query, case.key, case.value), getattr(SDPBackend, backend)

    def run() -> torch.Tensor:
        with sdpa_kernel(kind):
            return torch.nn.functional.scaled_dot_product_attention(*inputs, **options)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            run()
        except RuntimeError as error:
            reasons = [str(warning.message).split(" (Triggered internally")[0] for warning in said]
            raise Unavailable("; ".join([str(error).partition(". ")[0], *reasons])) from error
    return Prepared(run)


def _prepare_flex(case: Attention, block: int | None = None, mode: str | None = None, compiled: bool = True) -> Prepared:
    from torch.nn.attention.flex_attention import flex_attention

    block_mask = case.make_block_mask(block)
    function: Any = _compile(flex_attention, mode) if compiled else flex_attention
    inputs = case.query, case.key, case.value

    def run() -> Any:
        return function(*inputs, block_mask=block_mask, enable_gqa=case.is_grouped)

    with warnings.catch_warnings():
        # That it is not compiled is its name.
        warnings.simplefilter("ignore")
        run()
    return Prepared(run)


@functools.lru_cache(maxsize=None)
def _compile(function: Callable[..., Any], mode: str | None) -> Callable[..., Any]:
    """One for all cases, which are static: others are compiled anew."""
    return torch.compile(function, mode=mode, dynamic=False)


def _prepare_flash(case: Attention, name: str) -> Prepared:
    """FlashAttention: all keys, causal, a band, and packed documents."""
    require(case.device != "cpu", "expects a GPU")
    require(case.dtype != "f32", "expects f16 or bf16")
    try:
        library = importlib.import_module(name)
    except ImportError as error:
        raise Unavailable(f"{name} is not installed ({error})") from error
    structure, shape = case.structure, case.shape
    inputs = case.transposed
    # Its last query is at the last key, that of stof's masks at its own number.
    shift = shape.keys - shape.queries
    options: dict[str, Any] = {}
    if structure.is_causal and shift == 0:
        options = {"causal": True}
    elif structure.documents is not None:
        return _prepare_documents(case, library)
    elif not structure.is_dense:
        before, after = structure.band or (shape.queries - 1, 0)
        require(structure.band is not None or structure.is_causal, "takes no such mask")
        require(before + shift >= 0 and after - shift >= 0, "takes no such window")
        options = {"window_size": (before + shift, after - shift), "causal": after == shift}
    elif shape.queries == 1 and name == _FA3:
        # Others share the keys of a query among CTAs by themselves.
        return Prepared(lambda: library.flash_attn_with_kvcache(*inputs, num_splits=0), _take_transposed)
    return Prepared(lambda: library.flash_attn_func(*inputs, **options), _take_transposed)


def _prepare_documents(case: Attention, library: Any) -> Prepared:
    shape, structure = case.shape, case.structure
    lengths = (structure.documents or ()) * shape.batch
    ends = torch.tensor([0, *lengths], device=case.device).cumsum(0).to(torch.int32)
    packed = [tensor.flatten(0, 1) for tensor in case.transposed]
    options = {
        "cu_seqlens_q": ends,
        "cu_seqlens_k": ends,
        "max_seqlen_q": max(lengths),
        "max_seqlen_k": max(lengths),
        "causal": structure.are_documents_causal,
    }

    def finish(result: Any) -> torch.Tensor:
        rows = result[0] if isinstance(result, (tuple, list)) else result
        return _take_transposed(rows.view(shape.batch, shape.queries, shape.heads, -1))

    return Prepared(lambda: library.flash_attn_varlen_func(*packed, **options), finish)


def _take_transposed(result: Any) -> torch.Tensor:
    tensor: torch.Tensor = result[0] if isinstance(result, (tuple, list)) else result
    return tensor.transpose(1, 2)


def find_peers(device: str) -> list[Peer[Attention]]:
    """All implementations that are for `device`, stof first."""
    part = functools.partial
    peers = [
        Peer("stof", "stof.attention, compiled for this shape", _prepare_stof),
        Peer("stof-dynamic", "stof.attention, compiled for all lengths", part(_prepare_stof, dynamic=True)),
        Peer("sdpa-cudnn", "torch SDPA, cuDNN", part(_prepare_sdpa, backend="CUDNN_ATTENTION")),
        Peer("sdpa-flash", "torch SDPA, flash", part(_prepare_sdpa, backend="FLASH_ATTENTION")),
        Peer("sdpa-efficient", "torch SDPA, memory-efficient", part(_prepare_sdpa, backend="EFFICIENT_ATTENTION")),
        Peer("sdpa-math", "torch SDPA, matmuls and softmax", part(_prepare_sdpa, backend="MATH"), device != "cpu"),
        Peer("flex", "FlexAttention, torch.compile", _prepare_flex, device == "cpu"),
        Peer("flex-64", "the same, with blocks of 64", part(_prepare_flex, block=64), device == "cpu"),
        Peer("flex-autotune", f"FlexAttention, {_AUTOTUNE}", part(_prepare_flex, mode=_AUTOTUNE), True),
        Peer("flex-64-autotune", "the same, with blocks of 64", part(_prepare_flex, block=64, mode=_AUTOTUNE), True),
        Peer("flex-eager", "FlexAttention, not compiled", part(_prepare_flex, compiled=False), device != "cpu"),
        Peer("fa2", "FlashAttention 2", part(_prepare_flash, name="flash_attn")),
        Peer("fa3", "FlashAttention 3", part(_prepare_flash, name=_FA3)),
        Peer("fa4", "FlashAttention 4", part(_prepare_flash, name="flash_attn.cute.interface")),
    ]
    return peers

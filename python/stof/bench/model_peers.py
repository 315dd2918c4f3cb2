"""Implementations of whole models: stof, torch as it is, and modes of torch.compile."""

from __future__ import annotations

import argparse
import copy
import functools
from typing import Any

import torch

from .. import _backends
from .._command import models
from .._torch.module import compile as compile_module
from .._torch.tree import TorchTree
from .peer import Peer, Prepared, Unavailable

_AUTOTUNE = "max-autotune-no-cudagraphs"
_FLEX = "flex_attention"
# Of the largest error of a result by its largest value, in terms of the error of torch as it is, and at least.
_TIMES_EAGER = 4.0
_LEAST = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 2e-5}
_LEAST_ON_GPU = 2e-3


class ModelCase:
    """A model with inputs on a device."""

    def __init__(self, name: str, options: argparse.Namespace, device: str) -> None:
        self.name, self.device, self.options = name, device, options
        self.model = models.load(name, options, device)
        self.module = self.model.module
        self._call = _bind(self.model)

    def __str__(self) -> str:
        shapes = [list(tensor.shape) for tensor in self.inputs]
        return f"{self.name}, inputs {', '.join(map(str, shapes))}, {self.dtype}"

    @property
    def inputs(self) -> list[torch.Tensor]:
        leaves, _ = TorchTree().flatten(self._call)
        return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]

    @property
    def dtype(self) -> str:
        """Of the first parameter, or input if there is none."""
        tensor = next(iter(self.module.parameters()), None)
        return str(_backends.choose(self.inputs).dtype(self.inputs[0] if tensor is None else tensor))

    def run(self, module: Any) -> Any:
        """A call of `module`, which takes what the model does."""
        args, kwargs = self._call
        return module(*args, **kwargs)

    def compute_reference(self) -> list[torch.Tensor]:
        """The results of the model in float64 for f32, and otherwise in float32."""
        wide = torch.float64 if self.dtype == "f32" else torch.float32
        module = copy.deepcopy(self.module).to(wide)
        args, kwargs = (models.move(value, self.device, wide) for value in self._call)
        return flatten(module(*args, **kwargs))

    def find_tolerance(self, error_of_eager: float) -> float:
        least = _LEAST.get(self.dtype, 0.0)
        if self.dtype == "f32" and self.device != "cpu":
            least = _LEAST_ON_GPU
        return max(least, _TIMES_EAGER * error_of_eager)


def _bind(model: models.Model) -> tuple[tuple[Any, ...], dict[str, Any]]:
    inputs, keywords = model.example.inputs, dict(model.example.keywords)
    if isinstance(inputs, torch.Tensor):
        return (inputs,), keywords
    return ((), {**inputs, **keywords}) if isinstance(inputs, dict) else (tuple(inputs), keywords)


def flatten(returned: Any) -> list[torch.Tensor]:
    """The tensors of floats in what a module returns."""
    leaves, _ = TorchTree().flatten(returned)
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.is_floating_point()]


def measure_error(results: list[torch.Tensor], reference: list[torch.Tensor]) -> float:
    """The largest difference of a result by its largest value; infinity if something is not finite."""
    if [result.shape for result in results] != [result.shape for result in reference]:
        return float("inf")
    errors = [0.0]
    for result, expected in zip(results, reference):
        scale = float(expected.abs().max()) or 1.0
        errors.append(float((result.to(expected.dtype) - expected).abs().max()) / scale)
    return max(error if error == error else float("inf") for error in errors)


def _prepare_eager(case: ModelCase) -> Prepared:
    return Prepared(lambda: case.run(case.module), flatten)


def _prepare_compiled(case: ModelCase, attention: str | None = None, **options: Any) -> Prepared:
    module = case.module
    if attention is not None:
        module = copy.deepcopy(module)
        setter: Any = getattr(module, "set_attn_implementation", None)
        if setter is None:
            raise Unavailable("the model has no choice of attentions")
        setter(attention)
    compiled = torch.compile(module, dynamic=False, **options)
    case.run(compiled)
    return Prepared(lambda: case.run(compiled), flatten)


def _prepare_stof(case: ModelCase) -> Prepared:
    example = case.model.example
    compiled = compile_module(
        example.module, example.inputs, example.dynamic, keywords=example.keywords, constants=example.constants
    )
    return Prepared(lambda: case.run(compiled), flatten)


def find_peers(device: str) -> list[Peer[ModelCase]]:
    """All implementations, stof first."""
    part = functools.partial
    partial: dict[str, Any] = {"backend": "stof", "options": {"partial": True}}
    return [
        Peer("stof", "stof.compile", _prepare_stof),
        Peer("stof-partial", "torch.compile, backend stof, partial", part(_prepare_compiled, **partial), True),
        Peer("eager", "torch as it is", _prepare_eager),
        Peer("compile", "torch.compile", _prepare_compiled),
        Peer("compile-flex", "torch.compile with FlexAttention", part(_prepare_compiled, attention=_FLEX), device == "cpu"),
        Peer("compile-autotune", f"torch.compile, {_AUTOTUNE}", part(_prepare_compiled, mode=_AUTOTUNE), True),
    ]

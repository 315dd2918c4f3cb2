"""Rows of attentions and of models."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence

import torch

from . import model_peers, validation
from .case import Attention, Shape
from .model_peers import ModelCase
from .peer import Peer
from .runner import Row, Settings, measure


def measure_attention(
    mask: str, shape: Shape, dtype: str, peers: Sequence[Peer[Attention]], settings: Settings
) -> Row:
    with torch.inference_mode():
        case = Attention(mask, shape, dtype, settings.device.name)
        settings.progress.step(str(case))
        reference = validation.compute_reference(case)
        tolerance = validation.find_tolerance(dtype, settings.device.name)

        def judge(peer: Peer[Attention], result: torch.Tensor) -> tuple[float, float]:
            return validation.measure_error(result, reference), tolerance

        outcomes, clocks = measure(case, peers, settings, judge)
        facts = {
            "label": f"{mask}\n{shape.keys}",
            "mask": mask,
            "expression": str(case.mask),
            **dataclasses.asdict(shape),
            "dtype": dtype,
            "density": case.density,
            "flops": case.flops,
            "bytes": case.bytes,
        }
        title = f"{case}: {case.density:.2%} unmasked"
    return Row("attention", title, facts, tolerance, outcomes, clocks)


def measure_model(
    name: str, options: argparse.Namespace, peers: Sequence[Peer[ModelCase]], settings: Settings
) -> Row:
    settings.progress.step(name)
    with torch.no_grad():
        case = ModelCase(name, options, settings.device.name)
        settings.progress.detail("reference")
        reference = case.compute_reference()
        eager = model_peers.measure_error(model_peers.flatten(case.run(case.module)), reference)
        tolerance = case.find_tolerance(eager)

        def judge(peer: Peer[ModelCase], result: list[torch.Tensor]) -> tuple[float, float]:
            return model_peers.measure_error(result, reference), tolerance

        outcomes, clocks = measure(case, peers, settings, judge)
        parameters = sum(parameter.numel() for parameter in case.module.parameters())
        facts = {
            "label": name,
            "model": name,
            "dtype": case.dtype,
            "inputs": [list(tensor.shape) for tensor in case.inputs],
            "parameters": parameters,
        }
    title = f"{case}: {parameters / 1e6:.1f} M parameters, error of eager {eager:.1e}"
    return Row("model", title, facts, tolerance, outcomes, clocks)

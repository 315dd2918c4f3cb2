"""`python -m stof export`: a model of torch as MLIR."""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
from typing import TYPE_CHECKING, Any

from . import arrays, models
from .errors import CommandError, require
from .progress import Progress

if TYPE_CHECKING:
    import torch

    from .._torch.package import LoweredModule
    from .._torch.trace import Trace

SUMMARY = "exports a model of torch to MLIR"
DESCRIPTION = f"""{models.DESCRIPTION} Parameters and buffers are arguments of the function, after the inputs: --data writes
all of them, and the results of torch, as arrays for `run`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="the model")
    parser.add_argument("-o", "--output", metavar="FILE.mlir", required=True, help="where to write the module")
    parser.add_argument("--data", metavar="FILE.npz", help="where to write arg0, arg1, ..., result0, ... of the example")
    models.add_arguments(parser)


@dataclasses.dataclass(frozen=True)
class Exported:
    """A model as MLIR."""

    name: str
    trace: Trace
    lowered: LoweredModule

    def write(self) -> str:
        """The text of the module, with the names of its arguments."""
        lines = [f"// {self.name}, by stof export. Arguments:"]
        lines += [f"//   arg{n}: {name}" for n, name in enumerate(self.trace.graph.arguments)]
        return "\n".join([*lines, self.lowered.text])


def export(model: models.Model, progress: Progress) -> Exported:
    """Raises ExportError if torch cannot trace the model, or torch-mlir cannot lower it."""
    require("torch_mlir", "exporting models", "torch-mlir ml_dtypes")
    from .._torch.package import LoweredModule

    progress.step(f"tracing {type(model.module).__name__}")
    trace = model.example.trace("main")
    progress.step("lowering to linalg")
    return Exported(model.name, trace, LoweredModule.write([trace.graph]))


def run(arguments: argparse.Namespace) -> int:
    if models.is_mlir(arguments.model):
        raise CommandError(f"expects a model of torch, but {arguments.model} is MLIR")
    with Progress() as progress:
        progress.step(f"making {arguments.model}")
        model = models.load(arguments.model, arguments)
        exported = export(model, progress)
        text = exported.write()
        pathlib.Path(arguments.output).write_text(text)
        if arguments.data:
            progress.step("computing the results of torch")
            _write_data(model, exported, arguments.data)
    count = len(exported.trace.weights)
    print(f"{arguments.output}: {len(exported.trace.inputs)} inputs and {count} weights, {len(text)} bytes")
    return 0


def _write_data(model: models.Model, exported: Exported, path: str) -> None:
    from .._torch.module import get_tensors

    trace = exported.trace
    # The module may change its buffers.
    found = {f"arg{n}": _to_array(tensor).copy() for n, tensor in enumerate(get_tensors(trace))}
    found |= {f"result{n}": _to_array(result) for n, result in _compute_results(model, trace).items()}
    arrays.write(path, found)


def _compute_results(model: models.Model, trace: Trace) -> dict[int, torch.Tensor]:
    """The results of the function by their number, of the module as it is."""
    import torch

    from .._torch.module import get_tensors
    from .._torch.tree import TorchTree

    example = trace.arguments.example
    with torch.no_grad():
        leaves, _ = TorchTree().flatten(model.module(*example.args, **example.kwargs))
    found = {source.index: leaf for source, leaf in zip(trace.results.sources, leaves) if source.kind == "result"}
    tensors = get_tensors(trace)
    return found | {result: tensors[argument] for argument, result in trace.graph.donated.items()}


def _to_array(tensor: torch.Tensor) -> Any:
    """As the function takes it: complex numbers as pairs, and what numpy lacks in f32."""
    import torch

    tensor = tensor.detach()
    return arrays.to_numpy(torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor)

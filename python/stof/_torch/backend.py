"""The backend of torch.compile: `torch.compile(model, backend="stof")`.

A graph that torch.compile captured, of operations and parameters, is reduced to ATen without mutations by torch's
AOTAutograd, and compiled for inference.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import fx
from torch._dynamo.backends.common import aot_autograd
from torch.nn.attention import SDPBackend, sdpa_kernel

from . import graph as graphs
from .compiled_graph import CompiledGraph
from .decompositions import get_decompositions
from .errors import ExportError
from .regions import RegionReport, compile_regions


@dataclasses.dataclass(frozen=True)
class Options:
    """Options of the backend: `torch.compile(model, backend="stof", options={"partial": True})`.

    With `partial`, what stof cannot compile is left to `rest`, "inductor" or "eager"; without it, it is an error. `targets`
    are as for stof.compile. `report` is called with a `RegionReport` of each graph.
    """

    partial: bool = False
    rest: str = "inductor"
    targets: Sequence[str] | None = None
    report: Callable[[RegionReport], None] | None = None

    @staticmethod
    def read(options: Mapping[str, Any] | None) -> "Options":
        names = [field.name for field in dataclasses.fields(Options)]
        for name in options or {}:
            if name not in names:
                raise ValueError(f"expects options of the backend among {', '.join(names)}, but got {name}")
        read = Options(**(options or {}))
        if read.rest not in ("inductor", "eager"):
            raise ValueError(f"expects the rest for 'inductor' or 'eager', but got {read.rest!r}")
        return read


def stof(
    module: fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Callable:
    """Compiles a graph of torch.compile.

    Raises ExportError and CompileError, which torch.compile wraps, for what cannot be compiled, and ValueError for options
    that are not those of `Options`. There are no modes.
    """
    if mode is not None:
        raise ValueError(f"expects no mode for the backend stof, but got {mode!r}")
    read = Options.read(options)

    def compile_inference(graph: fx.GraphModule, inputs: Sequence[Any]) -> Callable:
        if read.partial:
            function, report = compile_regions(graph, read.targets, read.rest)
        else:
            operations = [graphs.describe(node) for node in graph.graph.nodes if node.op == "call_function"]
            function = CompiledGraph(graph, read.targets)
            report = RegionReport("nothing", [(operations, function.report)])
        if read.report is not None:
            read.report(report)
        return function

    # Other implementations of attention are no operations of ATen, or have results of other strides.
    with sdpa_kernel(SDPBackend.MATH):
        return aot_autograd(
            fw_compiler=_refuse_training,
            inference_compiler=compile_inference,
            decompositions=get_decompositions(),
            keep_inference_input_mutations=not read.partial,
        )(module, example_inputs)


def _refuse_training(module: fx.GraphModule, inputs: Sequence[Any]) -> Callable:
    raise ExportError("expects inference, but got inputs or parameters that need gradients; call under torch.no_grad()")

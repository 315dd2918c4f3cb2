"""Graphs compiled to a package, and what their functions take."""

import dataclasses
import pathlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from .. import runtime
from .._compiler import CompileResult, compile_module
from .._errors import ArgumentError, CompileError, Diagnostic
from . import graph as graphs
from .errors import ExportError
from .graph import Graph, Origin
from .lowering import find_nodes, lower
from .report import Report
from .uniform import merge_equal

_ALIGNMENT = 16
_LARGEST_SEED = 1 << 62
_ARGUMENT = re.compile(r"\barg(\d+)\b")


def find_targets(tensors: Iterable[torch.Tensor]) -> list[str]:
    """The target of the one device that all `tensors` are on."""
    devices = {tensor.device for tensor in tensors}
    if len(devices) != 1:
        raise ExportError(f"expects inputs and weights on one device, but got {', '.join(map(str, devices)) or 'none'}")
    device = devices.pop()
    if device.type == "cpu":
        return ["cpu"]
    if device.type != "cuda" or torch.version.cuda is None:
        raise ExportError(f"expects tensors on the CPU or an NVIDIA GPU, but got {device}")
    major, minor = torch.cuda.get_device_capability(device)
    # From Hopper on, what is specific to an architecture has targets of its own.
    return [f"sm_{major}{minor}{'a' if major >= 9 else ''}"]


@dataclasses.dataclass(frozen=True)
class LoweredModule:
    """Functions as MLIR. `numbers` has the arguments and the results of each that are complex in its graph, `origins` what
    is known of locations."""

    text: str
    numbers: Mapping[str, tuple[set[int], set[int]]]
    origins: Mapping[tuple[str, int, int], Origin]

    @staticmethod
    def write(functions: Sequence[Graph]) -> "LoweredModule":
        """Lowers functions, whose graphs it changes. Raises ExportError if torch-mlir cannot, or if results are on another
        device than arguments."""
        for graph in functions:
            graphs.check_devices(graph.module)
        numbers = {graph.name: graphs.make_real(graph.module) for graph in functions}
        for graph in functions:
            graphs.merge_views(graph.module)
            merge_equal(graph.module)
        text = lower(functions)
        nodes = find_nodes(functions)
        origins = {place: origin for place, node in nodes.items() if (origin := graphs.find_origin(node))}
        return LoweredModule(text, numbers, origins)

    def compile(self, folder: str | pathlib.Path | None, targets: Sequence[str], **options: Any) -> CompileResult:
        """Writes a package, to memory without a folder. Raises CompileError with the operations that locations are of; `options` are those of
        `compile_module`."""
        try:
            return compile_module(self.text, folder, targets=list(targets), allow_unregistered_dialects=True, **options)
        except CompileError as error:
            raise CompileError(tuple(_explain(said, self.origins) for said in error.diagnostics)) from None

    def find_reports(self, result: CompileResult) -> dict[str, Report]:
        """By the name of the function."""
        modules = {f"{file}:{line}:{column}": origin.module for (file, line, column), origin in self.origins.items()}
        return {entry["name"]: Report(entry, modules) for entry in result.report["functions"]}


class CompiledPackage:
    """A package in `folder`, or in memory, opened; `functions` are by name."""

    def __init__(self, functions: Sequence[Graph], targets: Sequence[str], folder: str | pathlib.Path | None = None) -> None:
        """Raises ExportError if torch-mlir cannot lower a function, and CompileError if stof cannot compile it, with where
        the operation is from."""
        lowered = LoweredModule.write(functions)
        result = lowered.compile(folder, targets)
        self.folder, self.archive = result.folder, result.archive
        package = runtime.load(self.archive if folder is None else self.folder)
        reports = lowered.find_reports(result)
        self.functions = {
            graph.name: CompiledFunction(package[graph.name], graph, *lowered.numbers[graph.name], reports[graph.name])
            for graph in functions
        }


class CompiledFunction:
    """A function of a package on torch tensors, which may be strided or complex. `function` is that of the runtime,
    `results` has those of its results that are ones of the graph. Random numbers are others than torch's own; their seeds
    are from torch's generator."""

    def __init__(
        self,
        function: runtime.Function,
        graph: Graph,
        complex_arguments: set[int],
        complex_results: set[int],
        report: Report,
    ) -> None:
        self.function, self.report = function, report
        self.names = graph.arguments
        self.donated = set(graph.donated)
        # The seed of torch-mlir's random numbers is a last input and a last result.
        self._seeds = len(function.inputs) - len(graph.arguments)
        self.results = function.results[: len(function.results) - self._seeds]
        self._complex_arguments, self._complex_results = complex_arguments, complex_results

    def __call__(self, tensors: Sequence[torch.Tensor], first_weight: int | None = None) -> Sequence[torch.Tensor]:
        """Runs on the current stream, and returns all results. Tensors from `first_weight` on are read as they are, by
        default none.

        Raises ArgumentError, CheckError and DeviceError as runtime.Function, with the names of arguments.
        """
        count = len(tensors) if first_weight is None else first_weight
        taken = [self._take(index, tensor) for index, tensor in enumerate(tensors[:count])]
        weights = tensors[count:]
        if self._complex_arguments:
            weights = [torch.view_as_real(tensor) if tensor.is_complex() else tensor for tensor in weights]
        seeds = self._draw_seeds(tensors) if self._seeds else ()
        try:
            # Weights may be parameters that need gradients in training.
            with torch.no_grad():
                results = self.function(*taken, *weights, *seeds)
        except ArgumentError as error:
            raise type(error)(_ARGUMENT.sub(self._name_argument, str(error))) from None
        found = (results,) if len(self.function.results) == 1 else results[: len(self.results)]
        if not self._complex_results:
            return found
        return [torch.view_as_complex(t) if i in self._complex_results else t for i, t in enumerate(found)]

    def _draw_seeds(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        device = tensors[0].device if tensors else None
        return [torch.randint(_LARGEST_SEED, (), device=device) for _ in range(self._seeds)]

    def _take(self, index: int, tensor: torch.Tensor) -> torch.Tensor:
        """`tensor`, or a copy if the function cannot read it where it is."""
        if tensor.requires_grad and torch.is_grad_enabled():
            raise ArgumentError(
                f"expects {self.names[index]} to need no gradient, as compiled modules are for inference, but it does; call"
                " under torch.no_grad()"
            )
        if tensor.is_complex():
            tensor = torch.view_as_real(tensor.resolve_conj())
        if tensor.is_contiguous() and tensor.data_ptr() % _ALIGNMENT == 0:
            return tensor
        if index in self.donated:
            raise ArgumentError(
                f"expects {self.names[index]}, which is updated in place, to be contiguous and aligned to {_ALIGNMENT}"
                " bytes, but it is not"
            )
        return tensor.detach().clone(memory_format=torch.contiguous_format)

    def _name_argument(self, match: re.Match) -> str:
        index = int(match.group(1))
        return self.names[index] if index < len(self.names) else match.group(0)


def _explain(said: Diagnostic, origins: Mapping[tuple[str, int, int], Origin]) -> Diagnostic:
    """A diagnostic with the operation that its location is of."""
    origin = origins.get((said.file, said.line, said.column))
    if origin is None:
        return said
    return Diagnostic(said.severity, said.file, said.line, said.column, f"{said.message} [{origin}]")

"""Graphs that stof compiles in part: regions of operations that it can compile, and the rest."""

import copy
import dataclasses
import functools
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import torch
from torch import fx
from torch.fx.passes.infra.partitioner import CapabilityBasedPartitioner
from torch.fx.passes.operator_support import OperatorSupportBase

from .._errors import CompileError
from . import graph as graphs
from .compiled_graph import CompiledGraph
from .errors import ExportError
from .lowering import lower
from .report import Report
from .support import find_unsupported


@dataclasses.dataclass
class RegionReport:
    """What became of a graph. `regions` has for each function that stof compiled its operations and the report of the
    compiler; `rest` the operations that are left to `compiler`, with where they are from and the reason."""

    compiler: str
    regions: list[tuple[list[str], Report | None]] = dataclasses.field(default_factory=list)
    rest: list[tuple[str, str]] = dataclasses.field(default_factory=list)

    def __str__(self) -> str:
        operations = sum(len(names) for names, _ in self.regions)
        lines = [f"{operations} operations in {len(self.regions)} regions of stof, {len(self.rest)} left to {self.compiler}"]
        return "\n".join(lines + [f"  {operation} ({reason})" for operation, reason in self.rest])


class _Support(OperatorSupportBase):
    """The operations of a partition."""

    def __init__(self, is_member: Callable[[fx.Node], bool]) -> None:
        self._is_member = is_member

    def is_node_supported(self, submodules: Any, node: fx.Node) -> bool:
        return node.op == "call_function" and self._is_member(node)


def compile_regions(
    module: fx.GraphModule, targets: Sequence[str] | None, rest: str
) -> tuple[Callable, RegionReport]:
    """Compiles what stof can, and leaves the rest to `rest`: "inductor", or "eager" to run it as it is. Returns the
    function of the graph.

    Operations that torch-mlir cannot lower are found one by one; a region that stof cannot compile loses the operations
    that its errors are about, or all if they are about none.
    """
    graphs.erase_checks(module)
    graphs.erase_empty(module)
    places = {place: node.name for node, place in graphs.locate(module.graph).items()}
    nodes = {node.name: node for node in module.graph.nodes}
    reasons = find_unsupported(module.graph.nodes, lambda single: lower([single], isolates=False))
    unsupported = {node.name: reason for node, reason in reasons.items()}
    compiled: dict[tuple[str, ...], CompiledGraph] = {}
    while True:
        split = _split(module, unsupported, "stof_")
        failures: dict[str, str] = {}
        for region in _get_regions(split, "stof_").values():
            key = _name(region)
            if key in compiled:
                continue
            try:
                compiled[key] = CompiledGraph(_copy(region), targets)
            except (ExportError, CompileError) as error:
                found = _find_reasons(error, places)
                # An error about no operation of the region is about all.
                inside = {name: found[name] for name in key if name in found}
                failures |= inside or {name: str(error) for name in key}
        if not failures:
            break
        unsupported |= failures
    report = RegionReport(rest)
    for name, region in _get_regions(split, "stof_").items():
        graph = compiled[_name(region)]
        report.regions.append(([graphs.describe(nodes[node]) for node in _name(region)], graph.report))
        setattr(split, name, _Call(graph))
    left = [node for node in split.graph.nodes if _is_operation(node)]
    report.rest = [(graphs.describe(node), unsupported.get(node.name, _ALONE)) for node in left]
    return (_compile_rest(split) if rest == "inductor" else split), report


# Why an operation that stof could compile is in no region.
_ALONE = "it moves data, and no region needs it"
_MOVES = frozenset(
    getattr(torch.ops.aten, name)
    for name in ("view", "permute", "transpose", "t", "expand", "slice", "select", "squeeze", "unsqueeze", "alias", "clone")
)


def _is_operation(node: fx.Node) -> bool:
    """Whether the node computes tensors, rather than sizes or one of several results."""
    is_size = isinstance(graphs.get_value(node), (int, float, bool, torch.SymInt, torch.SymFloat, torch.SymBool))
    return node.op == "call_function" and node.target is not operator.getitem and not is_size


def _copy(module: fx.GraphModule) -> fx.GraphModule:
    """The same graph once more, on the same tensors and submodules."""
    return fx.GraphModule(module, copy.deepcopy(module.graph))


def _split(module: fx.GraphModule, unsupported: Collection[str], prefix: str) -> fx.GraphModule:
    """A copy of `module` with regions of operations as submodules, named by `prefix` and a number."""

    def is_member(node: fx.Node) -> bool:
        if node.target is operator.getitem:
            return is_member(node.all_input_nodes[0])
        return _is_operation(node) and node.name not in unsupported

    copied = _copy(module)
    partitioner = CapabilityBasedPartitioner(copied, _Support(is_member), allows_single_node_partition=True)
    partitions = [partition for partition in partitioner.propose_partitions() if not all(map(_moves, partition.nodes))]
    return partitioner.fuse_partitions(partitions, prefix=prefix)


def _moves(node: fx.Node) -> bool:
    return node.target is operator.getitem or getattr(node.target, "overloadpacket", None) in _MOVES


def _get_regions(split: fx.GraphModule, prefix: str) -> dict[str, fx.GraphModule]:
    return {
        name: region
        for name, region in split.named_children()
        if name.startswith(prefix) and isinstance(region, fx.GraphModule)
    }


def _name(region: fx.GraphModule) -> tuple[str, ...]:
    """The names of the operations of a region, which are those in the whole graph."""
    return tuple(node.name for node in region.graph.nodes if _is_operation(node))


def _find_reasons(error: ExportError | CompileError, places: Mapping[tuple[str, int, int], str]) -> dict[str, str]:
    """The operations that an error is about, by name."""
    if isinstance(error, ExportError):
        return {node.name: reason for node, reason in error.reasons.items()}
    located = ((places.get((said.file, said.line, said.column)), said) for said in error.diagnostics)
    return {name: said.message for name, said in located if name and said.severity == "error"}


class _Call(torch.nn.Module):
    """A compiled region in the place of its operations."""

    def __init__(self, function: Callable) -> None:
        super().__init__()
        self._function = function

    def forward(self, *arguments: Any) -> Any:
        return self._function(*arguments)


def _compile_rest(split: fx.GraphModule) -> fx.GraphModule:
    """Compiles operations that are in no region by Inductor."""
    from torch._inductor.compile_fx import compile_fx_inner

    whole = _split(split, (), "rest_")
    for name, region in _get_regions(whole, "rest_").items():
        returned = graphs.get_returned(region.graph)
        is_single = isinstance(returned, fx.Node)
        if is_single:
            graphs.get_output(region.graph).args = ((returned,),)
            region.recompile()
        inner = compile_fx_inner(region, [graphs.get_value(node) for node in graphs.get_placeholders(region.graph)])
        setattr(whole, name, _Call(functools.partial(_run_inner, inner, is_single)))
    return whole


def _run_inner(inner: Callable, is_single: bool, *arguments: Any) -> Any:
    results = inner(list(arguments))
    return results[0] if is_single else results

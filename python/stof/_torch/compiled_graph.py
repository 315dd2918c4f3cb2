"""Graphs of AOTAutograd as functions of a package."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import torch
from torch import fx

from . import graph as graphs
from .errors import ExportError
from .graph import Graph
from .package import CompiledPackage, find_targets

_copy = torch.ops.aten.copy_.default


@dataclasses.dataclass(frozen=True)
class _Output:
    """A result of the graph: result `index` of the function, transposed by `order`; or argument `index`; or `value`, which
    may be an expression in the sizes that are arguments."""

    kind: str
    index: int = 0
    order: tuple[int, ...] | None = None
    value: Any = None


class CompiledGraph:
    """A graph of ATen operations, compiled; call it with the arguments of the graph, in order."""

    def __init__(self, module: fx.GraphModule, targets: Sequence[str] | None = None) -> None:
        """Raises ExportError and CompileError if torch-mlir or stof cannot compile it."""
        graphs.erase_checks(module)
        graphs.erase_empty(module)
        placeholders = graphs.get_placeholders(module.graph)
        self._sizes = _find_sizes(placeholders)
        _replace_sizes(module)
        donated_nodes = self._take_outputs(module, placeholders)
        used = [node for node in placeholders if node.users or node in donated_nodes]
        self._arguments = [placeholders.index(node) for node in used]
        donated = {used.index(node): result for node, result in donated_nodes.items()}
        for node in placeholders:
            if node not in used:
                module.graph.erase_node(node)
        self._function = self.report = None
        if self._results:
            if targets is None:
                targets = find_targets(graphs.get_value(node) for node in used)
            package = CompiledPackage([Graph("main", module, [node.name for node in used], donated)], targets)
            self._function = package.functions["main"]
            self.report = self._function.report

    def _take_outputs(self, module: fx.GraphModule, placeholders: list[fx.Node]) -> dict[fx.Node, int]:
        """Splits the outputs of the graph, and returns the results that take over arguments."""
        self._results: list[fx.Node] = []
        donated = {}
        for node in list(module.graph.nodes):
            if node.target is _copy and node.args[0].op == "placeholder":
                argument, value = node.args[:2]
                donated[argument] = self._add(value)
                node.replace_all_uses_with(value)
                module.graph.erase_node(node)
        output = graphs.get_output(module.graph)
        # The part of a larger graph returns a single value as it is.
        returned = graphs.get_returned(module.graph)
        self._is_single = isinstance(returned, fx.Node)
        values = (returned,) if self._is_single else returned
        self._outputs = [self._find_output(module, value, placeholders) for value in values]
        output.args = (tuple(self._results),)
        module.graph.eliminate_dead_code()
        module.graph.lint()
        return donated

    def _add(self, node: fx.Node) -> int:
        if node not in self._results:
            self._results.append(node)
        return self._results.index(node)

    def _find_output(self, module: fx.GraphModule, value: Any, placeholders: list[fx.Node]) -> _Output:
        if not isinstance(value, fx.Node):
            return _Output("value", value=value)
        if value.op == "placeholder":
            return _Output("argument", placeholders.index(value))
        if value.op == "get_attr":
            return _Output("value", value=getattr(module, str(value.target)))
        known = graphs.get_value(value)
        if isinstance(known, torch.SymInt):
            return _Output("size", value=known.node.expr)
        if not isinstance(known, torch.Tensor):
            raise ExportError(f"expects results that are tensors or sizes, but got {graphs.describe(value)}")
        order = _find_order(known)
        if order is None:
            return _Output("result", self._add(value))
        # What follows the graph relies on the strides that were traced.
        with module.graph.inserting_before(graphs.get_output(module.graph)):
            stored = module.graph.call_function(torch.ops.aten.permute.default, (value, list(order)))
        stored.meta = {"val": known.permute(order), "stack_trace": value.meta.get("stack_trace")}
        inverse = tuple(sorted(range(len(order)), key=order.__getitem__))
        return _Output("result", self._add(stored), inverse)

    def __call__(self, *arguments: Any) -> Any:
        results: Sequence[torch.Tensor] = ()
        if self._function:
            results = self._function([arguments[index] for index in self._arguments])
        found = [self._find(output, results, arguments) for output in self._outputs]
        return found[0] if self._is_single else found

    def _find(self, output: _Output, results: Sequence[torch.Tensor], arguments: Sequence[Any]) -> Any:
        if output.kind == "result":
            result = results[output.index]
            return result if output.order is None else result.permute(output.order)
        if output.kind == "argument":
            return arguments[output.index]
        if output.kind == "size":
            sizes = {
                symbol: arguments[index] if dim is None else arguments[index].shape[dim]
                for symbol, (index, dim) in self._sizes.items()
            }
            return int(output.value.subs(sizes))
        return output.value


def _find_order(tensor: torch.Tensor) -> tuple[int, ...] | None:
    """The dimensions of a dense tensor from the outermost in memory to the innermost; None if it is contiguous, or not
    dense."""
    if tensor.is_contiguous():
        return None
    strides = tensor.stride()
    order = tuple(sorted(range(tensor.dim()), key=lambda dim: -int(strides[dim])))
    return order if tensor.permute(order).is_contiguous() else None


def _find_sizes(placeholders: list[fx.Node]) -> dict[object, tuple[int, int | None]]:
    """The argument that each size is, or the argument and dimension that it is the size of."""
    sizes: dict[object, tuple[int, int | None]] = {}
    for symbol, (node, dim) in graphs.find_sizes(placeholders).items():
        sizes[symbol] = placeholders.index(node), dim
    for index, node in enumerate(placeholders):
        value = graphs.get_value(node)
        if isinstance(value, torch.SymInt):
            sizes[value.node.expr] = index, None
    return sizes


def _replace_sizes(module: fx.GraphModule) -> None:
    """Replaces arguments that are symbolic sizes by those sizes of the tensors."""
    graph = module.graph
    placeholders = graphs.get_placeholders(graph)
    sizes = graphs.find_sizes(placeholders)
    first = next(node for node in graph.nodes if node.op != "placeholder")
    for node in placeholders:
        value = graphs.get_value(node)
        if isinstance(value, torch.Tensor) or not node.users:
            continue
        if not isinstance(value, torch.SymInt) or value.node.expr not in sizes:
            raise ExportError(f"expects arguments that are tensors or sizes of them, but got {node.name} of {value}")
        tensor, dim = sizes[value.node.expr]
        with graph.inserting_before(first):
            size = graph.call_function(torch.ops.aten.sym_size.int, (tensor, dim))
        size.meta = {"val": value}
        node.replace_all_uses_with(size)

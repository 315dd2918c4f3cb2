"""Which nodes of a graph torch-mlir can lower, each on its own."""

from collections.abc import Callable, Iterable
from operator import getitem as _getitem

from torch import fx

from . import graph as graphs
from .errors import ExportError
from .graph import Graph


def isolate(node: fx.Node) -> Graph:
    """A graph of this node alone; what it takes are arguments."""
    graph = fx.Graph()
    copies: dict[fx.Node, fx.Node] = {}

    def copy(other: fx.Node) -> fx.Node:
        if other not in copies:
            copies[other] = graph.placeholder(other.name)
            copies[other].meta = {"val": graphs.get_value(other)}
        return copies[other]

    for operand in node.all_input_nodes:
        copy(operand)
    single = graph.node_copy(node, copy)
    value = graphs.get_value(node)
    results: tuple[fx.Node, ...] = (single,)
    if isinstance(value, (tuple, list)):
        results = tuple(graph.call_function(_getitem, (single, index)) for index in range(len(value)))
        for result, part in zip(results, value):
            result.meta = {"val": part}
        # An optional result is None.
        results = tuple(result for result, part in zip(results, value) if part is not None)
    graph.output(results)
    return Graph("main", fx.GraphModule({}, graph), [other.name for other in copies], {})


def find_unsupported(nodes: Iterable[fx.Node], lower: Callable[[Graph], object]) -> dict[fx.Node, str]:
    """The operations that torch-mlir cannot lower, with the reasons of `lower`. Equal
    operations on equal types are tried once."""
    reasons: dict[str, str | None] = {}
    found = {}
    for node in nodes:
        if node.op != "call_function" or node.target is _getitem:
            continue
        key = _describe(node)
        if key not in reasons:
            reasons[key] = None
            try:
                lower(isolate(node))
            except ExportError as error:
                reasons[key] = next(iter(error.reasons.values()), str(error))
        if (reason := reasons[key]) is not None:
            found[node] = reason
    return found


def _describe(node: fx.Node) -> str:
    """A node with the types of what it takes."""

    def show(value: object) -> str:
        if isinstance(value, fx.Node):
            known = graphs.get_value(value)
            return f"{getattr(known, 'dtype', type(known).__name__)}{list(getattr(known, 'shape', ()))}"
        if isinstance(value, (tuple, list)):
            return f"[{', '.join(map(show, value))}]"
        return repr(value)

    return f"{node.target}({', '.join(map(show, node.args))}, {sorted((k, show(v)) for k, v in node.kwargs.items())})"

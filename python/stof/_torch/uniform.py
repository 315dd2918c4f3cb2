"""Constants whose elements are all equal, as the one number that they are.

A decoder that takes packed sequences derives from positions the sequence of each, and compares them in its mask. Without
packed sequences that is 0 for all positions, which a mask in closed form may not look up.
"""

from typing import Any

import torch
from torch import fx
from torch.utils import _pytree
from torch.utils._python_dispatch import _disable_current_modes

from . import graph as graphs

_aten = torch.ops.aten
_FULL = _aten.full.default
_RANGES = {_aten.arange.default, _aten.arange.start, _aten.arange.start_step}
_FACTORIES = {_FULL, _aten.zeros.default, _aten.ones.default, *_RANGES}
# Larger constants are known only if they are made from equal elements.
_MOST_ELEMENTS = 1 << 20


def merge_equal(module: fx.GraphModule) -> None:
    """Replaces constants of equal elements by torch.full. What is computed from arguments, weights and tensors that the
    module has is not looked at."""
    # A trace may be under way.
    with _disable_current_modes():
        equal = _find_equal(module.graph)
    for node, number in equal.items():
        if node.target is not _FULL:
            _fill(module.graph, node, number)
    module.graph.eliminate_dead_code()


def _find_equal(graph: fx.Graph) -> dict[fx.Node, int | float | bool]:
    """The constants of equal elements, with the number that these are."""
    known: dict[fx.Node, torch.Tensor] = {}
    equal: dict[fx.Node, torch.Tensor] = {}
    for node in graph.nodes:
        if not _is_function_of_constants(node):
            continue
        value = graphs.get_value(node)
        if value.numel() <= _MOST_ELEMENTS and all(source in known for source in node.all_input_nodes):
            found = _compute(node, known)
            if found is not None and (found.shape, found.dtype) == (value.shape, value.dtype):
                known[node] = found
                if found.numel() and bool((found == found.reshape(-1)[0]).all()):
                    equal[node] = found.reshape(-1)[0]
        elif torch.Tag.pointwise in node.target.tags and all(source in equal for source in node.all_input_nodes):
            found = _compute(node, equal)
            if found is not None and found.dim() == 0 and found.dtype == value.dtype:
                equal[node] = found
    return {node: element.item() for node, element in equal.items()}


def _is_function_of_constants(node: fx.Node) -> bool:
    value = graphs.get_value(node)
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload) or not isinstance(value, torch.Tensor):
        return False
    if node.target._schema.is_mutable or torch.Tag.nondeterministic_seeded in node.target.tags:
        return False
    is_static = all(isinstance(size, int) for size in value.shape)
    return is_static and not value.is_complex() and (node.target in _FACTORIES or bool(node.all_input_nodes))


def _compute(node: fx.Node, values: dict[fx.Node, torch.Tensor]) -> torch.Tensor | None:
    """The result of an operation on `values`, on the CPU; None if it cannot be computed."""
    args, kwargs = fx.node.map_arg((node.args, node.kwargs), lambda source: values[source])
    args, kwargs = _pytree.tree_map_only(torch.device, lambda device: torch.device("cpu"), (args, kwargs))
    try:
        found: Any = node.target(*args, **kwargs)
    except (RuntimeError, TypeError, NotImplementedError, IndexError):
        return None
    return found if isinstance(found, torch.Tensor) else None


def _fill(graph: fx.Graph, node: fx.Node, number: int | float | bool) -> None:
    value = graphs.get_value(node)
    with graph.inserting_before(node):
        filled = graph.call_function(_FULL, (list(value.shape), number), {"dtype": value.dtype, "device": value.device})
    filled.meta = dict(node.meta)
    node.replace_all_uses_with(filled)
    graph.erase_node(node)

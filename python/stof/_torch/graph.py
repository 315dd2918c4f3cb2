"""Graphs of ATen operations as functions that take and return tensors only."""

import dataclasses
import pathlib
import re
from collections.abc import Iterable
from typing import Any

import torch
from torch import fx
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols, statically_known_true
from torch.utils import _pytree

from .errors import ExportError

_PLACE = "stof_place"
TORCH = str(pathlib.Path(torch.__file__).parent)
_FRAME = re.compile(r'File "([^"]+)", line (\d+), in \S+(?:\n\s*(\S.*))?')


@dataclasses.dataclass
class Graph:
    """A function of a package before it is lowered.

    Each placeholder of `module` is an argument, of the name in `arguments`; what it returns is a tuple of tensors, the
    results. `donated` has the result, by index, that takes over the memory of an argument. Tensors that are attributes
    of `module` are constants of the code.
    """

    name: str
    module: fx.GraphModule
    arguments: list[str]
    donated: dict[int, int]


@dataclasses.dataclass(frozen=True)
class Origin:
    """Where a node is traced from: the line of Python, outside of torch where there is one, with its `code`; the
    operation; and the submodule by its qualified name, if known."""

    file: str
    line: int
    code: str
    operation: str
    module: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}"
        inside = f" in {self.module}" if self.module else ""
        return f"{self.operation} at {place}{inside}" + (f": {self.code}" if self.code else "")


def find_origin(node: fx.Node) -> Origin | None:
    """None if the trace did not keep it."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    if not frames:
        return None
    own = [frame for frame in frames if not frame[0].startswith(TORCH)] or frames
    file, line, code = own[-1]
    stack = list((node.meta.get("nn_module_stack") or {}).values())
    return Origin(file, int(line), code.strip(), str(node.target), _shorten(stack[-1][0]) if stack else "")


def _shorten(path: str) -> str:
    """The qualified name of a submodule, without the access to the module in code that torch.compile traced."""
    inside = re.sub(r"^L\['\w+'\]", "", path)
    return re.sub(r"\['?(\w+)'?\]", r".\1", inside).replace("._modules", "").strip(".")


def describe(node: fx.Node) -> str:
    """The operation of a node and where it is from, for errors."""
    return str(find_origin(node) or node.target)


def depends_on_values(value: Any) -> bool:
    """Whether sizes or numbers depend on the values of tensors."""
    return any(bool(free_unbacked_symbols(part)) for part in (value if isinstance(value, (tuple, list)) else (value,)))


def selects_by_mask(node: fx.Node) -> bool:
    """Whether a node takes the elements for which a mask holds. Their number depends on the mask, also where the trace knows
    it from what is done with them."""
    if node.target is not torch.ops.aten.index.Tensor:
        return False
    masks = [index.meta.get("val") for index in node.args[1] if isinstance(index, fx.Node)]
    return any(isinstance(mask, torch.Tensor) and mask.dtype == torch.bool for mask in masks)


def locate(graph: fx.Graph) -> dict[fx.Node, tuple[str, int, int]]:
    """The location of each node that has an origin: file, line and, since traces have no columns, its number among the
    nodes of this line, from 1. So equal submodules have locations of their own. Nodes keep them when the graph changes."""
    places = {node: node.meta[_PLACE] for node in graph.nodes if _PLACE in node.meta}
    counts: dict[tuple[str, int], int] = {}
    for file, line, column in places.values():
        counts[file, line] = max(column, counts.get((file, line), 0))
    for node in graph.nodes:
        origin = find_origin(node)
        if origin and node not in places:
            place = origin.file, origin.line
            counts[place] = counts.get(place, 0) + 1
            places[node] = node.meta[_PLACE] = (*place, counts[place])
    return places


def get_placeholders(graph: fx.Graph) -> list[fx.Node]:
    return [node for node in graph.nodes if node.op == "placeholder"]


def get_output(graph: fx.Graph) -> fx.Node:
    return next(node for node in reversed(graph.nodes) if node.op == "output")


def get_returned(graph: fx.Graph) -> Any:
    """What the graph returns: nodes, and what is no tensor, in a tuple; or a single node."""
    return get_output(graph).args[0]


def get_value(node: fx.Node) -> Any:
    """What the trace knows of the value of a node: a fake tensor, a number, possibly symbolic, or a tuple of them."""
    return node.meta.get("val")


def changes(node: fx.Node, operand: fx.Node) -> bool:
    """Whether an operation writes to `operand`."""
    schema = getattr(node.target, "_schema", None)
    if schema is None:
        return False
    given = dict(zip((argument.name for argument in schema.arguments), node.args)) | node.kwargs
    return any(
        argument.alias_info is not None and argument.alias_info.is_write and given.get(argument.name) is operand
        for argument in schema.arguments
    )


def make_constant(module: fx.GraphModule, placeholder: fx.Node, value: torch.Tensor) -> None:
    """Replaces an argument by a constant."""
    name = f"_stof_constant_{placeholder.name}"
    module.register_buffer(name, value, persistent=False)
    with module.graph.inserting_before(placeholder):
        constant = module.graph.get_attr(name)
    constant.meta = dict(placeholder.meta)
    placeholder.replace_all_uses_with(constant)
    module.graph.erase_node(placeholder)


def find_sizes(placeholders: Iterable[fx.Node]) -> dict[object, tuple[fx.Node, int]]:
    """For each symbolic size that is one of an argument, by its expression, the argument and the dimension."""
    found: dict[object, tuple[fx.Node, int]] = {}
    for node in placeholders:
        value = get_value(node)
        if isinstance(value, torch.Tensor):
            for dim, size in enumerate(value.shape):
                if isinstance(size, torch.SymInt):
                    found.setdefault(size.node.expr, (node, dim))
    return found


def erase_checks(module: fx.GraphModule) -> None:
    """Erases assertions that hold for what was traced, such as those on dtypes and devices, and those on values of tensors,
    which kernels do not make, with what computes them."""
    for node in list(module.graph.nodes):
        is_unknown = node.target in _CHECKS and _holds_or_depends_on_values(node.args[0])
        if is_unknown or node.target is torch.ops.aten._assert_tensor_metadata.default:
            module.graph.erase_node(node)
    module.graph.eliminate_dead_code(_has_effects)


def _has_effects(node: fx.Node) -> bool:
    # What begins and ends a torch.vmap has no result, until it is decomposed.
    return node.is_impure() or getattr(node.target, "__module__", None) == "torch._functorch.predispatch"


_CHECKS = (
    torch.ops.aten._assert_scalar.default,
    torch.ops.aten._assert_async.msg,
    torch.ops.aten._assert_async.default,
    torch.ops.aten.sym_constrain_range.default,
    torch.ops.aten.sym_constrain_range_for_size.default,
)


def _holds_or_depends_on_values(operand: Any) -> bool:
    value = get_value(operand) if isinstance(operand, fx.Node) else operand
    return isinstance(value, torch.Tensor) or depends_on_values(value) or statically_known_true(value)


def erase_empty(module: fx.GraphModule) -> None:
    """Erases tensors without elements from concatenations, and what computes others: torch-mlir does not survive views of
    them."""
    for node in list(module.graph.nodes):
        if node.target is torch.ops.aten.cat.default and not _is_empty(node):
            node.update_arg(0, [operand for operand in node.args[0] if not _is_empty(operand)])
        elif node.op == "call_function" and _is_empty(node) and any(map(_is_empty, node.all_input_nodes)):
            value = get_value(node)
            with module.graph.inserting_before(node):
                options = {"dtype": value.dtype, "device": value.device}
                empty = module.graph.call_function(torch.ops.aten.full.default, (list(value.shape), 0), options)
            empty.meta = {"val": value, "stack_trace": node.meta.get("stack_trace")}
            node.replace_all_uses_with(empty)
    module.graph.eliminate_dead_code()


def _is_empty(node: fx.Node) -> bool:
    value = get_value(node)
    return isinstance(value, torch.Tensor) and any(isinstance(size, int) and size == 0 for size in value.shape)


def check_devices(module: fx.GraphModule) -> None:
    """Raises ExportError if a result is on another device than the arguments, where no function leaves it."""
    devices = {get_value(node).device for node in get_placeholders(module.graph)}
    for node in get_returned(module.graph):
        device = get_value(node).device
        if devices and device not in devices:
            reason = f"its result is on {device}, but arguments on {', '.join(map(str, devices))}"
            expected = "expects results on the device of the arguments"
            raise ExportError(f"{expected}, but got {describe(node)} ({reason})", {node: reason})


def erase_devices(module: fx.GraphModule) -> None:
    """Replaces devices by the CPU, as torch-mlir refuses others in some operations, and moves between devices by what they
    move. Where a function runs is not in its code."""
    for part in module.modules():
        if not isinstance(part, fx.GraphModule):
            continue
        for node in list(part.graph.nodes):
            if node.target is torch.ops.prims.device_put.default:
                node.replace_all_uses_with(node.args[0])
                part.graph.erase_node(node)
            elif node.op == "call_function":
                given = node.args, node.kwargs
                node.args, node.kwargs = _pytree.tree_map_only(torch.device, lambda device: _CPU, given)


_CPU = torch.device("cpu")


def merge_views(module: fx.GraphModule) -> None:
    """Replaces views of views by views of the first tensor, those of its own sizes by itself, and those that merge several
    dynamic sizes by what says so. torch-mlir loses such sizes where they are merged and split again."""
    for node in list(module.graph.nodes):
        if node.target not in _VIEWS:
            continue
        source = node.args[0]
        while source.target in _VIEWS:
            source = source.args[0]
        if _get_sizes(source) == _get_sizes(node):
            node.replace_all_uses_with(source)
            module.graph.erase_node(node)
        elif (dims := _find_merged(source, node)) is not None:
            node.target, node.args, node.kwargs = torch.ops.aten.flatten.using_ints, (source, *dims), {}
        elif source is not node.args[0]:
            node.update_arg(0, source)
    module.graph.eliminate_dead_code()


_VIEWS = (torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default, torch.ops.aten.reshape.default)


def _get_sizes(node: fx.Node) -> list[object]:
    """Sizes, or their expressions."""
    return [size.node.expr if isinstance(size, torch.SymInt) else size for size in get_value(node).shape]


def _find_merged(source: fx.Node, view: fx.Node) -> tuple[int, int] | None:
    """The first and the last dimension of `source` that the view merges, if these are all that differ, and two or more of
    them are dynamic."""
    sizes, merged = _get_sizes(source), _get_sizes(view)
    count = len(sizes) - len(merged)
    for first in range(len(merged)):
        last = first + count
        if sizes[:first] == merged[:first] and sizes[last + 1 :] == merged[first + 1 :]:
            dynamic = [size for size in sizes[first : last + 1] if not isinstance(size, int)]
            return (first, last) if len(dynamic) > 1 else None
    return None


def make_real(module: fx.GraphModule) -> tuple[set[int], set[int]]:
    """Makes complex arguments and results real, with the real and the imaginary part as last dimension, which is how they
    are in memory. Returns the arguments and the results that were complex."""
    graph = module.graph
    output = get_output(graph)
    body = next(node for node in graph.nodes if node.op != "placeholder")
    arguments, returned = set(), set()
    for index, node in enumerate(get_placeholders(graph)):
        value = get_value(node)
        if not value.is_complex():
            continue
        arguments.add(index)
        users = list(node.users)
        with graph.inserting_before(body):
            numbers = graph.call_function(torch.ops.aten.view_as_complex.default, (node,))
        for user in users:
            user.replace_input_with(node, numbers)
        numbers.meta, node.meta = dict(node.meta), {"val": torch.view_as_real(value)}
    results = list(get_returned(graph))
    for index, node in enumerate(results):
        if get_value(node).is_complex():
            returned.add(index)
            with graph.inserting_before(output):
                results[index] = graph.call_function(torch.ops.aten.view_as_real.default, (node,))
            results[index].meta = {"val": torch.view_as_real(get_value(node)), "stack_trace": node.meta.get("stack_trace")}
    output.args = (tuple(results),)
    return arguments, returned

"""Graphs as linalg on tensors, by torch-mlir, in the generic form that needs none of its dialects to be read."""

import contextlib
import re
from collections.abc import Iterator, Sequence

import torch
from torch import fx
from torch.utils._python_dispatch import _disable_current_modes

from . import graph as graphs
from .errors import ADVICE, ExportError
from .graph import Graph
from .support import find_unsupported

_PIPELINE = (
    "builtin.module(func.func(torch-match-quantized-custom-ops),"
    "torchdynamo-export-to-torch-backend-pipeline{backend-legal-ops=aten.flatten.using_ints extra-library=},"
    "torch-backend-to-linalg-on-tensors-backend-pipeline{allow-non-finites=true})"
)
_EXPECTS = "expects operations that torch-mlir can lower to linalg, but got"
_VALUES = f"its size or value depends on values of tensors, for which there are no kernels. {ADVICE}"
_LOCATION = re.compile(r'"([^"]+)":(\d+):(\d+)')


def lower(functions: Sequence[Graph], *, isolates: bool = True) -> str:
    """The module of these functions, whose graphs it changes, as text. Locations are as in `graph.locate`. If an error has
    no location, and `isolates`, operations are lowered one by one to find it.

    Raises ExportError with the operations that torch-mlir cannot import or lower, and where they are from.
    """
    from torch_mlir import ir
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.passmanager import PassManager

    _refuse_selections(functions)
    context = ir.Context()
    torch_dialect.register_dialect(context)
    for function in functions:
        graphs.erase_devices(function.module)
    importer = _make_importer(context, functions)
    # Constants are tensors of the importer, not of a trace that may be under way.
    with _disable_current_modes():
        for function in functions:
            _import(importer, function)
    with _reported(functions, isolates), context:
        PassManager.parse(_PIPELINE).run(importer.module.operation)
    for function in functions:
        _donate(importer.module, function)
    return importer.module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


def _refuse_selections(functions: Sequence[Graph]) -> None:
    """Raises for what a mask selects, in a number that the trace has taken from what is done with it: torch-mlir gives such
    results two sizes, and on some of them its passes do not end."""
    nodes = [
        node
        for function in functions
        for node in function.module.graph.nodes
        if graphs.selects_by_mask(node) and not graphs.depends_on_values(graphs.get_value(node))
    ]
    if nodes:
        raise _make_error([(node, _VALUES) for node in nodes])


def _make_importer(context, functions: Sequence[Graph]):
    from torch_mlir import ir
    from torch_mlir.extras import fx_importer

    places = {node: place for function in functions for node, place in graphs.locate(function.module.graph).items()}

    class NodeImporter(fx_importer.GraphNodeImporter):
        """Names the node that it cannot import."""

        def bind_node_value(self, node, value, *rest):
            super().bind_node_value(node, value, *rest)
            # By which torch-mlir's own importer asks for constants, and makes them anew if it finds none.
            if node.op == "get_attr":
                self._v[(node.target, 0)] = value

        def _import_torch_op_overload(self, loc, node, *rest):
            with _naming(node):
                super()._import_torch_op_overload(loc, node, *rest)

        def _import_hop(self, loc, node, *rest):
            with _naming(node):
                super()._import_hop(loc, node, *rest)

        def _import_symbolic_torch_op(self, loc, node, *rest):
            with _naming(node):
                super()._import_symbolic_torch_op(loc, node, *rest)

    class Locations(fx_importer.ContextCache):
        def get_node_location(self, node):
            if node not in places:
                return None
            file, line, column = places[node]
            return ir.Location.file(file, line, column, context=context)

    importer = fx_importer.FxImporter(context=context, hooks=_make_hooks(), graph_node_importer_cls=NodeImporter)
    importer._cc = Locations(context, py_attr_tracker=importer._py_attr_tracker)
    return importer


def _make_hooks():
    from torch_mlir import ir
    from torch_mlir.extras import fx_importer

    class Hooks(fx_importer.FxImporterHooks):
        """Makes constants from tensors in one copy. torch-mlir's own importer goes through lists of numbers, and knows
        tensors by addresses that can be those of others before."""

        def resolve_literal(self, gni, literal, info):
            if not isinstance(literal, torch.Tensor) or literal.numel() < 2:
                return None
            tensor = literal.detach().cpu().contiguous()
            asm = fx_importer.TORCH_DTYPE_TO_MLIR_TYPE_ASM[tensor.dtype]
            shape = "x".join(map(str, tensor.shape))
            kind = ir.Type.parse(f"tensor<{shape}x{asm}>")
            data = tensor.reshape(-1).view(torch.uint8).numpy()
            elements = ir.DenseResourceElementsAttr.get_from_buffer(data, "constant", kind, alignment=tensor.element_size())
            result = ir.Type.parse(f"!torch.vtensor<{list(tensor.shape)},{asm}>")
            return ir.Operation.create("torch.vtensor.literal", results=[result], attributes={"value": elements}).result

    return Hooks()


@contextlib.contextmanager
def _naming(node: fx.Node) -> Iterator[None]:
    try:
        yield
    except ExportError:
        raise
    except Exception as error:
        reason = _explain(node, str(error))
        raise ExportError(
            f"expects operations that torch-mlir can import, but got {graphs.describe(node)} ({reason})", {node: reason}
        ) from error


def _explain(node: fx.Node | None, reason: str) -> str:
    """The reason, or that of which it is a consequence."""
    if node is None or not graphs.depends_on_values(graphs.get_value(node)):
        return reason
    return _VALUES


def _import(importer, function: Graph) -> None:
    """Adds a function to the importer's module."""
    try:
        importer.import_stateless_graph(function.module.graph, func_name=function.name)
    except ExportError:
        raise
    except Exception as error:
        raise ExportError(f"expects a graph that torch-mlir can import, but got {function.name} ({error})") from error


@contextlib.contextmanager
def _reported(functions: Sequence[Graph], isolates: bool) -> Iterator[None]:
    """Raises the diagnostics of a pass that fails, with where their operations are from."""
    from torch_mlir import ir

    try:
        yield
    except ir.MLIRError as error:
        nodes = find_nodes(functions)
        # Without the text of the operation, which repeats its types.
        located = [(_find_node(said, nodes), said.message.partition(": %")[0]) for said in error.error_diagnostics]
        found = [(node, _explain(node, reason)) for node, reason in located]
        if isolates and any(node is None for node, _ in found):
            found = [item for function in functions for item in _isolate(function).items()] or found
        raise _make_error(found) from None


def _make_error(reasons: Sequence[tuple[fx.Node | None, str]]) -> ExportError:
    """The error of nodes, or of the graph where one is None, each with why it cannot be lowered."""
    lines = [f"{graphs.describe(node) if node else 'the graph'} ({text})" for node, text in reasons]
    return ExportError(f"{_EXPECTS}\n" + "\n".join(dict.fromkeys(lines)), {node: text for node, text in reasons if node})


def _isolate(function: Graph) -> dict[fx.Node, str]:
    return find_unsupported(function.module.graph.nodes, lambda single: lower([single], isolates=False))


def find_nodes(functions: Sequence[Graph]) -> dict[tuple[str, int, int], fx.Node]:
    """The nodes by location."""
    return {place: node for function in functions for node, place in graphs.locate(function.module.graph).items()}


def _find_node(diagnostic, nodes: dict[tuple[str, int, int], fx.Node]) -> fx.Node | None:
    match = _LOCATION.search(str(diagnostic.location))
    return nodes.get((match.group(1), int(match.group(2)), int(match.group(3)))) if match else None


def _donate(module, function: Graph) -> None:
    """Marks arguments whose memory a result takes over."""
    from torch_mlir import ir

    if not function.donated:
        return
    operation = next(op for op in module.body.operations if op.attributes["sym_name"].value == function.name)
    with module.context:
        index = ir.IntegerType.get_signless(32)
        attributes = [ir.DictAttr.get({})] * len(function.arguments)
        for argument, result in function.donated.items():
            attributes[argument] = ir.DictAttr.get({"tf.aliasing_output": ir.IntegerAttr.get(index, result)})
        operation.arg_attrs = attributes

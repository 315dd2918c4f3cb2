"""Modules as graphs, by torch.export: parameters and buffers become arguments."""

import contextlib
import dataclasses
import fnmatch
import functools
import pathlib
import re
import traceback
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import torch
from torch import fx
from torch.export.graph_signature import (
    ConstantArgument,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    SymIntArgument,
    TensorArgument,
)
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.nn.attention import SDPBackend, sdpa_kernel

from . import graph as graphs
from .decompositions import get_decompositions
from .errors import ADVICE, ExportError
from .folding import fold
from .graph import Graph
from .structure import Arguments, Results, Source
from .tree import TorchTree, register_caches

_STATE = {InputKind.PARAMETER, InputKind.BUFFER, InputKind.CONSTANT_TENSOR}
_MUTATIONS = {OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION, OutputKind.PARAMETER_MUTATION}
# Of a tensor that is a constant of the code unless the caller decides.
_LARGEST_CONSTANT = 1 << 22
_HERE = str(pathlib.Path(__file__).parent)
_RANGE = re.compile(r"(\w+) = Dim\('\w+'(?:, min=(?P<min>\d+))?(?:, max=(?P<max>\d+))?\)")


@dataclasses.dataclass(frozen=True)
class Weight:
    """A parameter or buffer, by name: the item `key` of `owner`, where a module keeps what is current."""

    name: str
    owner: Mapping[str, Any]
    key: str

    @property
    def tensor(self) -> torch.Tensor:
        return self.owner[self.key]


@dataclasses.dataclass(frozen=True)
class Bound:
    """A condition of the trace on size `dim` of leaf `leaf`: it is `expression` of sizes named before, in
    [lower, upper]."""

    leaf: int
    dim: int
    expression: Any
    lower: Any
    upper: Any


@dataclasses.dataclass
class Trace:
    """A traced module. The arguments of `graph` are tensors of the call, `inputs` by the index of their leaf, followed by
    `weights`. `constants` are tensors of the module that are part of the code."""

    graph: Graph
    arguments: Arguments
    results: Results
    inputs: list[int]
    weights: list[Weight]
    constants: list[Weight]
    bounds: list[Bound]


def trace(
    module: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    *,
    dynamic: Mapping[str, Any] | Sequence[Any] | None = None,
    constants: Sequence[str] = (),
    name: str = "main",
) -> Trace:
    """Traces `module` on an example.

    `dynamic` has for each argument its dynamic dimensions, as torch.export takes them, or by names: sizes of one name are
    equal, in the range that the module allows. Tensors of the module, and arguments, that match a
    pattern in `constants` become part of the code, and so do buffers of integers and flags, since masks and positions
    are often made from them.

    Raises ExportError if torch cannot trace the module, or if it takes or returns something else than tensors and
    constants.
    """
    register_caches(module)
    arguments = Arguments(module.forward, args, kwargs, TorchTree(), constants)
    exporter = _Exporter(module, arguments, dynamic, constants)
    program = exporter.export()
    return _Lifting(module, arguments, program, constants, name, exporter.read).lift()


class _Exporter:
    """Exports a module. `read` has the names of buffers whose values the trace depends on."""

    def __init__(
        self, module: torch.nn.Module, arguments: Arguments, dynamic: Any, constants: Sequence[str]
    ) -> None:
        self._module, self._arguments, self._dynamic, self._patterns = module, arguments, dynamic, constants
        self.read: list[str] = []

    def export(self) -> torch.export.ExportedProgram:
        try:
            # Other implementations have results of other strides, on which views in the trace would depend.
            with torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
                program = self._trace_folding() if self._arguments.has_fixed else self._trace_as_is()
                _bind_captured(program)
                return program.run_decompositions(get_decompositions())
        except ExportError:
            raise
        except Exception as error:
            # Without torch's advice on how to debug an export.
            reason = str(error).strip().partition("\n\n")[0]
            if isinstance(error, GuardOnDataDependentSymNode):
                reason += f" {ADVICE}"
            raise ExportError(
                f"expects a module that torch.export can trace, but got {type(self._module).__name__}{_find_line(error)}:"
                f" {reason}"
            ) from error

    def _trace_as_is(self) -> torch.export.ExportedProgram:
        """The trace, unless it depends on values and these are found to be those of constants."""
        try:
            program, error = self._trace(), None
            graphs.erase_checks(program.graph_module)
            if not any(graphs.depends_on_values(graphs.get_value(node)) for node in program.graph.nodes):
                return program
        except GuardOnDataDependentSymNode as refused:
            error = refused
        with contextlib.suppress(Exception):
            return self._trace_folding()
        if error is not None:
            raise error
        return program

    def _trace_folding(self) -> torch.export.ExportedProgram:
        forward, arguments = self._module.forward, self._arguments

        @functools.wraps(forward)
        def run(*args: Any, **kwargs: Any) -> Any:
            bound = arguments.complete(args, kwargs)
            return forward(*bound.args, **bound.kwargs)

        with fold(self._module, run, self._keeps) as self.read:
            return self._trace()

    def _keeps(self, name: str, buffer: torch.Tensor) -> bool:
        return _is_constant_buffer(name, buffer, self._patterns)

    def _trace(self) -> torch.export.ExportedProgram:
        try:
            return self._trace_sizes({})
        except torch._dynamo.exc.UserError as error:
            ranges = _find_ranges(str(error), self._dynamic)
            if not ranges:
                raise
            return self._trace_sizes(ranges)

    def _trace_sizes(self, ranges: Mapping[str, Any]) -> torch.export.ExportedProgram:
        example, sizes = self._arguments.example, _complete(self._dynamic, self._arguments, ranges)
        return torch.export.export(self._module, example.args, example.kwargs, dynamic_shapes=sizes, strict=False)


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _is_small(tensor: torch.Tensor) -> bool:
    return tensor.numel() * tensor.element_size() <= _LARGEST_CONSTANT


def _is_constant_buffer(name: str, tensor: torch.Tensor, patterns: Sequence[str]) -> bool:
    is_number = tensor.is_floating_point() or tensor.is_complex()
    return _matches(name, patterns) or (not is_number and _is_small(tensor))


def _find_ranges(message: str, dynamic: Any) -> dict[str, Any]:
    """The ranges of sizes that torch suggests, if it suggests nothing else, and all are of sizes given by name alone."""
    names = {
        size
        for entry in (dynamic.values() if isinstance(dynamic, Mapping) else ())
        for size in (entry.values() if isinstance(entry, Mapping) else ())
        if isinstance(size, str)
    }
    ranges = {}
    fixes = message.partition("Suggested fixes:\n")[2].partition("\n\n")[0]
    for line in fixes.splitlines():
        match = _RANGE.fullmatch(line.strip())
        if match is None or match.group(1) not in names:
            return {}
        limits = {key: int(match.group(key)) for key in ("min", "max") if match.group(key)}
        ranges[match.group(1)] = torch.export.Dim(match.group(1), **limits)
    return ranges


def _bind_captured(program: torch.export.ExportedProgram) -> None:
    """Makes buffers of the tensors that the trace captured as constants although the module changes them, such as those
    of a cache, which is an object that it refers to. Where the module registers the same memory, they are that buffer.
    """
    placeholders = {node.name: node for node in graphs.get_placeholders(program.graph)}
    specs = program.graph_signature.input_specs

    def get_view(spec: InputSpec) -> tuple:
        tensor = program.state_dict.get(spec.target, program.constants.get(spec.target))
        return tensor.data_ptr(), tensor.shape, tensor.stride(), tensor.dtype

    buffers = {get_view(spec): spec for spec in specs if spec.kind == InputKind.BUFFER}
    for spec in [spec for spec in specs if spec.kind == InputKind.CONSTANT_TENSOR]:
        node = placeholders[spec.arg.name]
        buffer = buffers.get(get_view(spec))
        if buffer is not None and buffer.arg.name != spec.arg.name:
            node.replace_all_uses_with(placeholders[buffer.arg.name])
            program.graph.erase_node(node)
            specs.remove(spec)
        elif any(graphs.changes(user, node) for user in node.users):
            spec.kind, spec.persistent = InputKind.BUFFER, False
            buffers[get_view(spec)] = spec


def _complete(dynamic: Any, arguments: Arguments, ranges: Mapping[str, Any]) -> Any:
    """`dynamic` with an entry for each argument, as torch.export expects it. Names stand for dimensions, those in `ranges`
    or others of any size."""
    if not isinstance(dynamic, Mapping):
        return dynamic
    names = [parameter.name for parameter in arguments.parameters]
    unknown = [name for name in dynamic if name not in names]
    if unknown:
        raise ExportError(f"expects dynamic sizes of {', '.join(names)}, but got {unknown[0]}")
    dims = dict(ranges)

    def make(size: Any) -> Any:
        return dims.setdefault(size, torch.export.Dim(size)) if isinstance(size, str) else size

    return {
        name: {dim: make(size) for dim, size in dynamic[name].items()}
        if isinstance(dynamic.get(name), Mapping) and all(isinstance(dim, int) for dim in dynamic[name])
        else dynamic.get(name)
        for name in names
    }


def _find_line(error: BaseException) -> str:
    """The last line outside of torch that was running."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith((graphs.TORCH, _HERE, "<"))]
    return f" at {own[-1].filename}:{own[-1].lineno}: {own[-1].line}" if own else ""


def find_weight(module: torch.nn.Module, name: str) -> Weight | None:
    """The parameter or buffer of this qualified name, or None."""
    parent, _, key = name.rpartition(".")
    try:
        submodule = module.get_submodule(parent)
    except AttributeError:
        return None
    owners = [owner for owner in (submodule._parameters, submodule._buffers) if key in owner]
    return Weight(name, owners[0], key) if owners else None


class _Lifting:
    """Turns an exported program into a trace."""

    def __init__(
        self,
        module: torch.nn.Module,
        arguments: Arguments,
        program: torch.export.ExportedProgram,
        constants: Sequence[str],
        name: str,
        read: Sequence[str],
    ) -> None:
        self._module, self._arguments, self._program, self._name = module, arguments, program, name
        self._patterns = constants
        self._graph_module: fx.GraphModule = program.graph_module
        signature = program.graph_signature
        self._inputs: list[InputSpec] = signature.input_specs
        self._outputs: list[OutputSpec] = signature.output_specs
        self._nodes: dict[str, fx.Node] = {node.name: node for node in graphs.get_placeholders(self._graph_module.graph)}
        self._mutated = {spec.target for spec in self._outputs if spec.kind in _MUTATIONS}
        # The leaf or the weight of a placeholder.
        self._leaves: dict[fx.Node, int] = {}
        self._weights: dict[fx.Node, Weight] = {}
        self._constants = [weight for weight in (find_weight(module, name) for name in read) if weight]
        # What the function returns, and by placeholder what takes over its memory.
        self._returned: list[fx.Node] = []
        self._donated: dict[fx.Node, int] = {}

    def lift(self) -> Trace:
        user = [spec for spec in self._inputs if spec.kind == InputKind.USER_INPUT]
        if len(user) != len(self._arguments.names):
            raise AssertionError("torch.export flattens arguments in another order than the call")
        for leaf, spec in enumerate(user):
            self._take_input(leaf, spec)
        bounds = self._find_bounds()
        for spec in self._inputs:
            if spec.kind in _STATE:
                self._take_state(spec)
            elif spec.kind != InputKind.USER_INPUT:
                raise ExportError(f"expects tensors as state of the module, but got {spec.arg.name} ({spec.kind.name})")
        graphs.erase_checks(self._graph_module)
        graphs.erase_empty(self._graph_module)
        sources = self._take_outputs()
        arguments = self._order([source for source in sources if isinstance(source, fx.Node)])
        names = [self._name_argument(node) for node in arguments]
        donated = {arguments.index(node): result for node, result in self._donated.items()}
        weights = [node for node in arguments if node in self._weights]
        results = Results(
            [self._resolve(source, weights) for source in sources], self._program.call_spec.out_spec, TorchTree()
        )
        inputs = [self._leaves[node] for node in arguments if node in self._leaves]
        return Trace(
            Graph(self._name, self._graph_module, names, donated),
            self._arguments,
            results,
            inputs,
            [self._weights[node] for node in weights],
            self._constants,
            bounds,
        )

    def _name_argument(self, node: fx.Node) -> str:
        return self._arguments.names[self._leaves[node]] if node in self._leaves else self._weights[node].name

    def _take_input(self, leaf: int, spec: InputSpec) -> None:
        node = self._nodes[spec.arg.name]
        if isinstance(spec.arg, TensorArgument):
            self._leaves[node] = leaf
        elif isinstance(spec.arg, ConstantArgument):
            self._graph_module.graph.erase_node(node)
        else:
            raise ExportError(f"expects tensors with dynamic sizes, but got the number {self._arguments.names[leaf]}")

    def _take_state(self, spec: InputSpec) -> None:
        node, name = self._nodes[spec.arg.name], str(spec.target)
        weight = find_weight(self._module, name) or Weight(name, self._program.constants, name)
        if node.users and self._is_constant(spec, weight.tensor):
            self._constants.append(weight)
            graphs.make_constant(self._graph_module, node, weight.tensor.detach())
        elif node.users and not weight.tensor.is_contiguous():
            raise ExportError(f"expects {weight.name} to be contiguous, but it is strided")
        else:
            self._weights[node] = weight

    def _is_constant(self, spec: InputSpec, tensor: torch.Tensor) -> bool:
        name = str(spec.target)
        if name in self._mutated:
            return False
        if spec.kind == InputKind.BUFFER:
            return _is_constant_buffer(name, tensor, self._patterns)
        return _matches(name, self._patterns) or (spec.kind == InputKind.CONSTANT_TENSOR and _is_small(tensor))

    def _take_outputs(self) -> list[Source | fx.Node]:
        """What leaves of the module's results are: sources, or weights."""
        by_target = {spec.target: spec.arg.name for spec in self._inputs if spec.kind in _STATE}
        sources: list[Source | fx.Node] = []
        for spec, value in zip(self._outputs, graphs.get_returned(self._graph_module.graph)):
            if spec.kind in _MUTATIONS:
                argument = self._nodes[by_target.get(spec.target, str(spec.target))]
                if value is not argument:
                    self._donated[argument] = self._return(value)
            elif spec.kind == OutputKind.USER_OUTPUT:
                sources.append(self._find_source(value))
            else:
                raise ExportError(f"expects results of inference, but got {spec.kind.name}")
        graphs.get_output(self._graph_module.graph).args = (tuple(self._returned),)
        return sources

    def _return(self, node: fx.Node) -> int:
        """The index of the result that is `node`."""
        if node not in self._returned:
            self._returned.append(node)
        return self._returned.index(node)

    def _find_source(self, value: Any) -> Source | fx.Node:
        if not isinstance(value, fx.Node):
            return Source("value", value=value)
        if value in self._leaves:
            return Source("argument", self._leaves[value])
        if value in self._weights:
            return value
        if value.op == "get_attr":
            return Source("value", value=getattr(self._graph_module, str(value.target)))
        known = graphs.get_value(value)
        if isinstance(known, torch.Tensor):
            return Source("result", self._return(value))
        sizes = graphs.find_sizes(self._leaves)
        if isinstance(known, torch.SymInt) and known.node.expr in sizes:
            node, dim = sizes[known.node.expr]
            return Source("size", self._leaves[node], dim)
        raise ExportError(f"expects results that are tensors or sizes of arguments, but got {graphs.describe(value)}")

    def _resolve(self, source: Source | fx.Node, weights: list[fx.Node]) -> Source:
        return source if isinstance(source, Source) else Source("weight", weights.index(source))

    def _order(self, returned: Collection[fx.Node]) -> list[fx.Node]:
        """Moves arguments in use to the front, inputs before weights, erases others, and returns them."""
        graph = self._graph_module.graph
        graph.eliminate_dead_code()
        used = [
            node
            for node in (*self._leaves, *self._weights)
            if node.users or node in self._donated or node in returned
        ]
        body = next(node for node in graph.nodes if node.op != "placeholder")
        for node in used:
            body.prepend(node)
        for node in graphs.get_placeholders(graph):
            if node not in used:
                graph.erase_node(node)
        graph.lint()
        return used

    def _find_bounds(self) -> list[Bound]:
        ranges = self._program.range_constraints
        bounds = []
        for node, leaf in self._leaves.items():
            for dim, size in enumerate(graphs.get_value(node).shape):
                expression = size.node.expr if isinstance(size, torch.SymInt) else size
                limits = ranges.get(expression)
                bounds.append(Bound(leaf, dim, expression, limits and limits.lower, limits and limits.upper))
        return bounds

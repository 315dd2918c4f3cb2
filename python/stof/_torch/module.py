"""Compiled modules: a function of a package with the weights of a torch module."""

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from .._errors import ArgumentError
from .errors import ExportError
from .package import CompiledPackage, find_targets
from .trace import Bound, Trace, Weight, trace



@dataclasses.dataclass(frozen=True)
class Example:
    """A module and what a call of it takes.

    `inputs` are positional arguments in a tuple or list, keyword arguments in a dict, or the tensor that is the only one;
    `keywords` are more arguments by keyword. `dynamic` has the dynamic sizes of each argument by its name, as torch.export
    takes them: `{"x": {0: "batch", 1: torch.export.Dim("length", max=512)}}`. Buffers and parameters that match a pattern
    in `constants`, such as `"*.mask"`, are constants of the code, which then can be more specific. So are arguments, by
    their names: what is compiled is for the values that they have in the example, on which the module may branch.
    """

    module: torch.nn.Module
    inputs: Any
    dynamic: Mapping[str, Any] | Sequence[Any] | None = None
    keywords: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    constants: Sequence[str] = ()

    def trace(self, name: str) -> Trace:
        if self.module.training:
            raise ExportError("expects a module for inference, but got one in training mode; call its eval() first")
        args: Any = self.inputs
        kwargs: dict[str, Any] = dict(self.keywords)
        if isinstance(args, torch.Tensor):
            args = (args,)
        elif isinstance(args, Mapping):
            args, kwargs = (), {**args, **kwargs}
        return trace(self.module, args, kwargs, dynamic=self.dynamic, constants=self.constants, name=name)


def compile(
    module: torch.nn.Module,
    example_inputs: Any,
    dynamic: Mapping[str, Any] | Sequence[Any] | None = None,
    targets: Sequence[str] | None = None,
    *,
    keywords: Mapping[str, Any] | None = None,
    constants: Sequence[str] = (),
    folder: str | pathlib.Path | None = None,
) -> "CompiledModule":
    """Compiles the forward of `module` for inference, on an example of its inputs.

        bert = stof.compile(model.eval(), {"input_ids": ids, "attention_mask": mask})
        hidden = bert(input_ids=ids, attention_mask=mask).last_hidden_state

    `example_inputs`, `dynamic`, `keywords` and `constants` are as in `Example`. `targets` are those of stof-compile, such
    as "sm_90a"; by default that of the device of the example. The package is written to `folder`, which must not exist
    unless it is a package; by default it is in memory.

    Raises ExportError if torch or torch-mlir cannot trace or lower the module, and CompileError if stof cannot compile
    it, at the line of Python where that is known.
    """
    example = Example(module, example_inputs, dynamic, keywords or {}, constants)
    return compile_functions({"main": example}, targets, folder=folder)["main"]


def compile_functions(
    examples: Mapping[str, Example],
    targets: Sequence[str] | None = None,
    *,
    folder: str | pathlib.Path | None = None,
) -> "dict[str, CompiledModule]":
    """Compiles several functions to one package, for example one for a prompt and one for the tokens after it.

    The tensors of their modules are shared where the modules share them: a cache in a buffer of one module is updated in
    place by both. `targets` and `folder` are as for `compile`, and so are errors.
    """
    traces = {name: example.trace(name) for name, example in examples.items()}
    if targets is None:
        targets = find_targets(tensor for traced in traces.values() for tensor in get_tensors(traced))
    package = CompiledPackage([traced.graph for traced in traces.values()], targets, folder)
    return {name: CompiledModule(type(examples[name].module).__name__, traced, package) for name, traced in traces.items()}


def get_tensors(traced: Trace) -> list[torch.Tensor]:
    """The arguments of a trace: inputs, then weights."""
    leaves = traced.arguments.leaves
    return [leaves[leaf] for leaf in traced.inputs] + [weight.tensor for weight in traced.weights]


class CompiledModule:
    """A compiled module for inference; call it as the module.

    A call takes the tensors of the module's own call, positional or by keyword, and returns the module's own structure of
    results; other arguments, such as flags, are those of the example and can be omitted. It runs on the device of the
    inputs, on torch's current stream. Inputs that are strided or not aligned to 16 bytes are copied first.

    Weights are read where the module has them at each call: changes of a weight, in place or by `module.to`, are seen.
    Buffers that the module changes are updated in place. What is a constant of the code must not change.

    Attributes: `function`, the function of the package, which takes inputs and weights; `report`, the attentions that
    were found; `folder`, where the package is, or else `archive`, its bytes: `stof.load` takes either.
    """

    def __init__(self, name: str, traced: Trace, package: CompiledPackage) -> None:
        graph = traced.graph
        self.name = name
        self._run = package.functions[graph.name]
        self.function, self.report = self._run.function, self._run.report
        self.folder, self.archive = package.folder, package.archive
        self._arguments, self._results, self._inputs = traced.arguments, traced.results, traced.inputs
        self._weights = [(weight.owner, weight.key) for weight in traced.weights]
        self._constants = [_Constant(weight) for weight in traced.constants]
        self._sizes = _Sizes(traced.arguments.names, traced.bounds)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the module.

        Raises ArgumentError if arguments differ from the example in more than tensors of the same dtypes and sizes, if an
        input needs a gradient, or if a constant of the code has changed; CheckError and DeviceError as runtime.Function.
        """
        leaves = self._arguments.bind(args, kwargs)
        for constant in self._constants:
            constant.check()
        self._sizes.check(leaves)
        inputs = [leaves[leaf] for leaf in self._inputs]
        weights = [owner[key] for owner, key in self._weights]
        return self._results.build(self._run(inputs + weights, len(inputs)), leaves, weights)

    def __repr__(self) -> str:
        def show(tensors, names) -> str:
            return ", ".join(f"{name}: {t.dtype} [{', '.join(map(str, t.shape))}]" for name, t in zip(names, tensors))

        size = sum(tensor.numel() * tensor.element_size() for tensor in (owner[key] for owner, key in self._weights))
        # Results that take over the memory of an argument are none of the module's.
        results = [result for result in self._run.results if result.aliases is None]
        return (
            f"<stof module {self.name}({show(self.function.inputs[: len(self._inputs)], self._run.names)}) ->"
            f" ({show(results, [result.name for result in results])}) for {', '.join(self.function.targets)};"
            f" {len(self._weights)} weights of {size / 1e6:.1f} MB, {len(self.report.attentions)} attentions>"
        )


class _Constant:
    """A tensor of the module whose values are in the code."""

    def __init__(self, weight: Weight) -> None:
        self._weight, self._tensor = weight, weight.tensor
        if self._tensor.is_inference():
            raise ExportError(f"expects {weight.name}, a constant of the code, made outside of torch.inference_mode")
        self._version = self._tensor._version

    def check(self) -> None:
        tensor = self._weight.owner.get(self._weight.key)
        # A module on another device has other tensors of the same values.
        if tensor is not self._tensor and tensor is not None and torch.equal(tensor.cpu(), self._tensor.cpu()):
            self._tensor, self._version = tensor, tensor._version
        if tensor is not self._tensor or tensor._version != self._version:
            raise ArgumentError(
                f"expects the values that {self._weight.name} had when the module was compiled, but they have changed"
            )


class _Sizes:
    """The conditions of the trace on sizes of inputs."""

    # The capacity of the set of shapes that are known to be valid, which is cleared when full.
    _MOST_SHAPES = 256

    def __init__(self, names: list[str], bounds: list[Bound]) -> None:
        self._names = names
        # Static sizes are in the signature of the function.
        self._bounds = [bound for bound in bounds if not isinstance(bound.expression, int)]
        # Sizes are known before expressions of them.
        self._bounds.sort(key=lambda bound: not bound.expression.is_Symbol)
        self._leaves = sorted({bound.leaf for bound in self._bounds})
        self._valid: set[tuple] = set()

    def check(self, leaves: Sequence[Any]) -> None:
        """Raises ArgumentError if the sizes of `leaves` contradict the trace."""
        if not self._bounds:
            return
        shapes = tuple(leaves[leaf].shape for leaf in self._leaves)
        if shapes in self._valid:
            return
        known: dict[Any, int] = {}
        for bound in self._bounds:
            shape = leaves[bound.leaf].shape
            # The rank is that of the signature, which the function checks.
            if bound.dim < len(shape):
                self._check_size(bound, shape[bound.dim], known)
        if len(self._valid) == self._MOST_SHAPES:
            self._valid.clear()
        self._valid.add(shapes)

    def _check_size(self, bound: Bound, size: int, known: dict[Any, int]) -> None:
        what = f"expects dimension {bound.dim} of {self._names[bound.leaf]}"
        expected = bound.expression.subs(known)
        if expected.is_Symbol:
            known[bound.expression] = size
        elif expected.is_Integer and int(expected) != size:
            raise ArgumentError(f"{what} to be {int(expected)}, but got {size}")
        if bound.lower is not None and not bound.lower <= size <= bound.upper:
            raise ArgumentError(f"{what} in [{bound.lower}, {bound.upper}], as traced, but got {size}")

"""Arguments and results with structure as lists of tensors.

A compiled function takes and returns tensors; a module takes positional and keyword arguments, nested in tuples, lists,
dicts and other nodes of pytrees, some of which are numbers or None.
"""

import dataclasses
import fnmatch
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from .._errors import ArgumentError


class Fixed(Protocol):
    """A tensor of the example, of which the values are compiled."""

    value: Any

    def accepts(self, tensor: Any) -> bool:
        """Whether a call may have this value in its place."""


class Tree(Protocol):
    """How values are nested; torch.utils._pytree of torch tensors."""

    def flatten(self, value: Any) -> tuple[list[Any], Any]:
        """The leaves of `value`, and its structure, which is comparable."""

    def name_leaves(self, value: Any) -> list[str]:
        """The access to each leaf of `value`, such as `[0]['key']`; empty if `value` is a leaf."""

    def unflatten(self, leaves: Sequence[Any], structure: Any) -> Any:
        """The value of this structure."""

    def is_tensor(self, leaf: Any) -> bool: ...

    def fix(self, leaf: Any) -> Fixed:
        """A tensor as it is now."""


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of a module's forward to which the example has an argument. `leaves` are those of the example;
    `is_tensor` says which are tensors that may differ, and `fixed` has the other tensors."""

    name: str
    structure: Any
    names: tuple[str, ...]
    leaves: tuple[Any, ...]
    is_tensor: tuple[bool, ...]
    fixed: Mapping[int, Fixed]


class Arguments:
    """What a call of `forward` takes: arguments as in an example, of which tensors may differ from call to call. Others,
    such as flags, are part of what was compiled: a call may omit them, but not change them. So are tensors whose names
    match a pattern in `constants`.

    `example` has None in the place of these."""

    def __init__(
        self,
        forward: Callable,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        tree: Tree,
        constants: Sequence[str] = (),
    ) -> None:
        """Raises TypeError if `forward` does not take the example's arguments."""
        self._tree, self._constants = tree, constants
        self._signature = inspect.signature(forward)
        self.example = self._signature.bind(*args, **kwargs)
        self.parameters = [self._describe(name, value) for name, value in self.example.arguments.items()]
        self._by_name = {parameter.name: parameter for parameter in self.parameters}
        # Positional calls with a tensor for each parameter need no lookup.
        plain = all(parameter.names == (parameter.name,) and all(parameter.is_tensor) for parameter in self.parameters)
        self._flat_count = len(self.parameters) if plain and not self.example.kwargs else None
        self._replace(self.example, lambda fixed: None)

    def _describe(self, name: str, value: Any) -> Parameter:
        leaves, structure = self._tree.flatten(value)
        names = tuple(name + access for access in self._tree.name_leaves(value))
        is_tensor = list(map(self._tree.is_tensor, leaves))
        fixed = {}
        for index, leaf in enumerate(leaves):
            if is_tensor[index] and any(fnmatch.fnmatchcase(names[index], pattern) for pattern in self._constants):
                fixed[index], is_tensor[index] = self._tree.fix(leaf), False
        return Parameter(name, structure, names, tuple(leaves), tuple(is_tensor), fixed)

    def _replace(self, bound: inspect.BoundArguments, find: Callable[[Fixed], Any]) -> None:
        for parameter in self.parameters:
            if parameter.fixed:
                leaves, _ = self._tree.flatten(bound.arguments[parameter.name])
                for index, fixed in parameter.fixed.items():
                    leaves[index] = find(fixed)
                bound.arguments[parameter.name] = self._tree.unflatten(leaves, parameter.structure)

    @property
    def has_fixed(self) -> bool:
        return any(parameter.fixed for parameter in self.parameters)

    def complete(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> inspect.BoundArguments:
        """A call like `example`, with the values of tensors that are compiled in the place of None."""
        bound = self._signature.bind(*args, **kwargs)
        self._replace(bound, lambda fixed: fixed.value)
        return bound

    @property
    def names(self) -> list[str]:
        """The names of all leaves, tensors or not."""
        return [name for parameter in self.parameters for name in parameter.names]

    @property
    def leaves(self) -> list[Any]:
        """The leaves of the example, in the order of `names`."""
        return [leaf for parameter in self.parameters for leaf in parameter.leaves]

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """The leaves of a call, in the order of `names`.

        Raises ArgumentError if they are not those of the example except for tensors.
        """
        if not kwargs and len(args) == self._flat_count and all(map(self._tree.is_tensor, args)):
            return list(args)
        try:
            given = self._signature.bind_partial(*args, **kwargs).arguments
        except TypeError as error:
            raise ArgumentError(f"expects arguments of the compiled module, but {error}") from None
        for name, value in given.items():
            if name not in self._by_name:
                self._check_default(name, value)
        return [leaf for parameter in self.parameters for leaf in self._find_leaves(parameter, given)]

    def _check_default(self, name: str, value: Any) -> None:
        default = self._signature.parameters[name].default
        if not _is_same(value, default):
            raise ArgumentError(f"expects no {name}, which the module was compiled without, but got {_show(value)}")

    def _find_leaves(self, parameter: Parameter, given: Mapping[str, Any]) -> Sequence[Any]:
        if parameter.name not in given:
            if any(parameter.is_tensor):
                raise ArgumentError(f"expects {parameter.name}, but got no such argument")
            return parameter.leaves
        leaves, structure = self._tree.flatten(given[parameter.name])
        if structure != parameter.structure:
            raise ArgumentError(
                f"expects {parameter.name} of structure {parameter.structure}, as compiled, but got {structure}"
            )
        each = zip(parameter.names, leaves, parameter.leaves, parameter.is_tensor)
        for index, (name, leaf, example, is_tensor) in enumerate(each):
            if is_tensor and not self._tree.is_tensor(leaf):
                raise ArgumentError(f"expects {name} to be a tensor, but got {_show(leaf)}")
            if index in parameter.fixed:
                if not parameter.fixed[index].accepts(leaf):
                    raise ArgumentError(f"expects {name} to have the values of the example, as compiled, but got others")
            elif not is_tensor and not _is_same(leaf, example):
                raise ArgumentError(f"expects {name} to be {_show(example)}, as compiled, but got {_show(leaf)}")
        return leaves


def _is_same(value: Any, other: Any) -> bool:
    """Whether two values that are no tensors are equal. True is not 1."""
    return value is other or (type(value) is type(other) and not hasattr(value, "shape") and value == other)


def _show(value: Any) -> str:
    return type(value).__name__ if hasattr(value, "shape") else repr(value)


@dataclasses.dataclass(frozen=True)
class Source:
    """Where a leaf of the results comes from: the results of the function (`index`), the leaves of the arguments
    (`index`), the weights (`index`), the size `dim` of a leaf of the arguments, or `value` itself."""

    kind: str
    index: int = 0
    dim: int = 0
    value: Any = None

    def find(self, results: Sequence[Any], leaves: Sequence[Any], weights: Sequence[Any]) -> Any:
        match self.kind:
            case "result":
                return results[self.index]
            case "argument":
                return leaves[self.index]
            case "weight":
                return weights[self.index]
            case "size":
                return leaves[self.index].shape[self.dim]
        return self.value


class Results:
    """What a call returns: the structure of the module's own results."""

    def __init__(self, sources: Sequence[Source], structure: Any, tree: Tree) -> None:
        self.sources = list(sources)
        self.structure = structure
        self._tree = tree

    def build(self, results: Sequence[Any], leaves: Sequence[Any], weights: Sequence[Any]) -> Any:
        """The value to return, of the results of the function, the leaves of the arguments and the weights."""
        found = [source.find(results, leaves, weights) for source in self.sources]
        return self._tree.unflatten(found, self.structure)

"""Computes what depends on constants alone while a module is traced, so that Python can branch on it.

Sizes of patches that an argument has, or strides in the buffers of a convolution, then are numbers, where torch.export
would not know them.
"""

import contextlib
import functools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree
from torch.utils._python_dispatch import _disable_current_modes

from .graph import depends_on_values

_CHANGES = re.compile(r".*[^_]_|__i(add|sub|mul|div|truediv|floordiv|mod|pow|matmul|and|or|xor|lshift|rshift)__|__(set\w*|delete)__")
_FACTORIES = {torch.tensor, torch.arange, torch.zeros, torch.ones, torch.full, torch.linspace, torch.eye}
_TAKES_SIZES = re.compile(r"repeat|tile|view|reshape|expand|narrow|split|unflatten|pad|arange|full|zeros|ones|empty")
_DRAWS = re.compile(r"rand|bernoulli|multinomial|poisson|normal|dropout")


class FoldingError(Exception):
    """A constant is changed, so that its value is none of the code."""


class Folding(TorchFunctionMode):
    """A mode in which functions of constants are computed alongside the trace. Constants are tensors that are not those of
    the trace, and what is made from numbers.

    Python gets the values of what is computed so. The trace keeps its operations, so that masks are known as such, unless
    their sizes depend on values. `read` has the constants that functions have read, by their identity.
    """

    def __init__(self) -> None:
        super().__init__()
        self.read: dict[int, torch.Tensor] = {}
        # The values of tensors of the trace, by their identity, with what they are of.
        self._values: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        # The memory of results, which may be changed, as the module makes it anew at each call.
        self._made: dict[int, torch.UntypedStorage] = {}
        # The memory of values into which something unknown was written.
        self._unknown: set[int] = set()

    def __torch_function__(self, function: Callable, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "")
        if _TAKES_SIZES.match(name):
            args = (*args[:1], *_pytree.tree_map_only(torch.Tensor, self._find_size, args[1:]))
            kwargs = _pytree.tree_map_only(torch.Tensor, self._find_size, kwargs)
        elif name in ("__getitem__", "__setitem__"):
            args = (args[0], self._find_places(args[1]), *args[2:])
        leaves = _pytree.tree_leaves((args, kwargs))
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        changed = kwargs.get("out", tensors[0] if tensors and _CHANGES.fullmatch(name) else None)
        values = [self._find_value(tensor) for tensor in tensors]
        is_known = all(value is not None for value in values) if tensors else function in _FACTORIES
        if _DRAWS.search(name) or any(isinstance(leaf, torch.SymInt) for leaf in leaves) or _is_in_vmap():
            is_known = False
        self._check_change(changed, is_known)
        if not is_known:
            return function(*args, **kwargs)
        given = _pytree.tree_map_only(torch.Tensor, self._find_value, (args, kwargs))
        with _disable_current_modes():
            known = function(*given[0], **given[1])
        self._keep_made(known, [value for value in values if value is not None])
        if all(map(_is_constant, tensors)) and (tensors or function is torch.tensor):
            return known
        return self._trace(function, args, kwargs, known)

    def _find_value(self, tensor: torch.Tensor) -> torch.Tensor | None:
        if _is_constant(tensor):
            self.read[id(tensor)] = tensor
            return tensor
        value = self._values.get(id(tensor), (tensor, None))[1]
        return None if value is None or _get_memory(value) in self._unknown else value

    def _find_size(self, tensor: torch.Tensor) -> torch.Tensor | int:
        """A known number, where it may be a size."""
        value = self._find_value(tensor) if tensor.dim() == 0 and not tensor.is_floating_point() else None
        if value is None:
            return tensor
        with _disable_current_modes():
            return int(value)

    def _find_places(self, index: Any) -> Any:
        """An index with the positions that known masks keep, of which there is a known number."""
        parts: list[Any] = []
        for part in index if isinstance(index, tuple) else (index,):
            is_mask = isinstance(part, torch.Tensor) and part.dtype == torch.bool and part.dim() > 0
            value = self._find_value(part) if is_mask else None
            if value is None:
                parts.append(part)
                continue
            with _disable_current_modes():
                parts += value.nonzero(as_tuple=True)
        return tuple(parts) if isinstance(index, tuple) or len(parts) > 1 else parts[0]

    def _check_change(self, changed: Any, is_known: bool) -> None:
        if not isinstance(changed, torch.Tensor):
            return
        if _is_constant(changed) and not (is_known and _get_memory(changed) in self._made):
            raise FoldingError
        value = self._find_value(changed)
        if value is not None and not is_known:
            self._unknown.add(_get_memory(value))

    def _keep_made(self, known: Any, values: Sequence[torch.Tensor]) -> None:
        given = {_get_memory(value) for value in values}
        for tensor in _pytree.tree_leaves(known):
            if isinstance(tensor, torch.Tensor) and _get_memory(tensor) not in given:
                self._made[_get_memory(tensor)] = tensor.untyped_storage()

    def _trace(self, function: Callable, args: Any, kwargs: Any, known: Any) -> Any:
        """What the function returns in the trace, if that are tensors of known sizes; else `known`."""
        try:
            traced = function(*args, **kwargs)
        except (GuardOnDataDependentSymNode, DynamicOutputShapeException, DataDependentOutputException):
            return known
        pairs = list(zip(_pytree.tree_leaves(traced), _pytree.tree_leaves(known)))
        if not all(isinstance(one, torch.Tensor) and not depends_on_values(one) for one, _ in pairs):
            return known
        self._values.update((id(one), (one, value)) for one, value in pairs)
        return traced


def _is_constant(tensor: torch.Tensor) -> bool:
    return type(tensor) is torch.Tensor and not torch._is_functional_tensor(tensor)


def _is_in_vmap() -> bool:
    """Whether tensors stand for one of many."""
    return torch._C._functorch.maybe_current_level() is not None


def _get_memory(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage()._cdata


@contextlib.contextmanager
def fold(module: torch.nn.Module, forward: Callable, keeps: Callable[[str, torch.Tensor], bool]) -> Iterator[list[str]]:
    """Lets a trace of `module` run `forward` in its place, and compute what depends on constants: on tensors that it
    does not register, and on buffers for which `keeps` is true of name and value. Afterwards, the list has the names of the
    buffers that were read."""
    buffers = [
        (owner, key, f"{path}.{key}".lstrip("."), tensor)
        for path, owner in module.named_modules()
        for key, tensor in owner._buffers.items()
        if tensor is not None and keeps(f"{path}.{key}".lstrip("."), tensor)
    ]
    read: list[str] = []
    folding, attributes = Folding(), vars(module).copy()

    @functools.wraps(forward)
    def run(*args: Any, **kwargs: Any) -> Any:
        with folding:
            return forward(*args, **kwargs)

    # As torch.export makes tensors of the trace from what is registered.
    orders = {owner: list(owner._buffers) for owner, *_ in buffers}
    for owner, key, _, tensor in buffers:
        del owner._buffers[key]
        vars(owner)[key] = tensor
    vars(module)["forward"] = run
    try:
        yield read
    finally:
        vars(module).pop("forward")
        if "forward" in attributes:
            vars(module)["forward"] = attributes["forward"]
        for owner, key, name, tensor in buffers:
            owner._buffers[key] = vars(owner).pop(key)
            if id(tensor) in folding.read:
                read.append(name)
        for owner, order in orders.items():
            for key in order:
                owner._buffers[key] = owner._buffers.pop(key)

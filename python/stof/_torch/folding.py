"""Computes what depends on constants alone while a module is traced, so that Python can branch on it.

Sizes of patches that an argument has, or strides in the buffers of a convolution, then are numbers, where torch.export
would not know them.
"""

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree
from torch.utils._python_dispatch import _disable_current_modes

_CHANGES = re.compile(r".*[^_]_|__i(add|sub|mul|div|truediv|floordiv|mod|pow|matmul|and|or|xor|lshift|rshift)__|__(set\w*|delete)__")
_DRAWS = re.compile(r"rand|bernoulli|multinomial|poisson|normal|dropout")


class FoldingError(Exception):
    """A constant is changed, so that its value is none of the code."""


class Folding(TorchFunctionMode):
    """A mode in which functions of constants are computed. Constants are tensors that are not those of the trace, and
    literals.

    `read` has those that functions have read, by their identity.
    """

    def __init__(self) -> None:
        super().__init__()
        self.read: dict[int, torch.Tensor] = {}
        # The memory of results, which may be changed, as the module makes it anew at each call.
        self._made: dict[int, torch.UntypedStorage] = {}

    def __torch_function__(self, function: Callable, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        leaves = _pytree.tree_leaves((args, kwargs))
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        constants = [tensor for tensor in tensors if _is_constant(tensor)]
        name = getattr(function, "__name__", "")
        changed = kwargs.get("out", tensors[0] if tensors and _CHANGES.fullmatch(name) else None)
        is_whole = len(constants) == len(tensors) if tensors else function is torch.tensor
        if isinstance(changed, torch.Tensor) and _is_constant(changed) and not (is_whole and self._has_made(changed)):
            raise FoldingError(name)
        if not is_whole or _DRAWS.search(name) or any(isinstance(leaf, torch.SymInt) for leaf in leaves):
            return function(*args, **kwargs)
        self.read.update((id(tensor), tensor) for tensor in constants)
        with _disable_current_modes():
            result = function(*args, **kwargs)
        given = {_get_memory(tensor) for tensor in constants}
        for tensor in _pytree.tree_leaves(result):
            if isinstance(tensor, torch.Tensor) and _get_memory(tensor) not in given:
                self._made[_get_memory(tensor)] = tensor.untyped_storage()
        return result

    def _has_made(self, tensor: torch.Tensor) -> bool:
        return _get_memory(tensor) in self._made


def _is_constant(tensor: torch.Tensor) -> bool:
    return type(tensor) is torch.Tensor and not torch._is_functional_tensor(tensor)


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
    folding, read, attributes = Folding(), [], vars(module).copy()

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

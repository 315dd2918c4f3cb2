"""The structure of values of torch."""

from collections.abc import Sequence
from typing import Any

import torch
from torch.utils import _pytree


class TorchTree:
    """Pytrees of torch, in which other packages register classes of their own, such as outputs of models."""

    def flatten(self, value: Any) -> tuple[list[Any], Any]:
        return _pytree.tree_flatten(value)

    def name_leaves(self, value: Any) -> list[str]:
        return [_pytree.keystr(path) for path, _ in _pytree.tree_flatten_with_path(value)[0]]

    def unflatten(self, leaves: Sequence[Any], structure: Any) -> Any:
        return _pytree.tree_unflatten(leaves, structure)

    def is_tensor(self, leaf: Any) -> bool:
        return isinstance(leaf, torch.Tensor)

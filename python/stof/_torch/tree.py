"""The structure of values of torch."""

import sys
from collections.abc import Sequence
from typing import Any

import torch
from torch.utils import _pytree


class FixedTensor:
    """A tensor of an example, of which the values are compiled."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.value = tensor.detach().clone()
        self._given, self._version = tensor, self._get_version(tensor)

    @staticmethod
    def _get_version(tensor: torch.Tensor) -> int | None:
        return None if tensor.is_inference() else tensor._version

    def accepts(self, tensor: Any) -> bool:
        if tensor is self._given and self._version is not None and tensor._version == self._version:
            return True
        if not isinstance(tensor, torch.Tensor) or (tensor.dtype, tensor.shape) != (self.value.dtype, self.value.shape):
            return False
        return torch.equal(tensor.to(self.value.device), self.value)


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

    def fix(self, leaf: torch.Tensor) -> FixedTensor:
        return FixedTensor(leaf)


def register_caches(module: torch.nn.Module) -> None:
    """Makes pytrees of the caches of transformers, which models return unless they are told not to."""
    transformers = sys.modules.get("transformers")
    if transformers is None:
        return
    try:
        from transformers.exporters.exporter_dynamo import register_cache_pytrees_for_model
    except ImportError:
        return
    for model in module.modules():
        if isinstance(model, transformers.PreTrainedModel):
            return register_cache_pytrees_for_model(model)

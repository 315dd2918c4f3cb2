"""What the compiler found in a function: report.json of lib/Pipelines/report.schema.json as objects."""

import dataclasses
from collections.abc import Mapping
from typing import Any


@dataclasses.dataclass(frozen=True)
class Attention:
    """An attention of a model. `location` is the line of Python and the number of the operation in this line, `module` the
    submodule by its qualified name, if known; `source` says whether it was raised from linalg or an operation of the
    exporter; `mask` is the origin of its mask: none, a closed predicate, a captured tensor, an argument or a block list;
    `kernels` compute it, by target."""

    location: str
    module: str
    source: str
    mask: str
    kernels: tuple[str, ...]

    def __str__(self) -> str:
        inside = f" in {self.module}" if self.module else ""
        mask = self.mask or "not compiled"
        return f"{self.location}{inside}: {self.source}, mask: {mask}, {len(self.kernels)} kernels"


@dataclasses.dataclass(frozen=True)
class Missed:
    """An optimization that was not applied to the operation `operation`, with the name of the remark and the reason."""

    location: str
    operation: str
    remark: str
    reason: str

    def __str__(self) -> str:
        return f"{self.location}: {self.operation}: {self.reason} ({self.remark})"


class Report:
    """Attentions of a function, softmaxes that are computed as in the source, and other missed optimizations. `kernels`
    is the number of kernels by target; `json` has all of it, and more."""

    def __init__(self, function: Mapping[str, Any], modules: Mapping[str, str] | None = None) -> None:
        """`modules` has the submodules of locations."""
        self.json = function
        self.attentions = [self._find_attention(entry, modules or {}) for entry in function["attentions"]]
        self.softmaxes = [self._miss(entry) for entry in function["softmaxes"]]
        self.missed = [self._miss(entry) for entry in function["missed"]]
        self.kernels: dict[str, int] = {}
        for kernel in function["kernels"]:
            self.kernels[kernel["target"]] = self.kernels.get(kernel["target"], 0) + 1

    def _find_attention(self, entry: Mapping[str, Any], modules: Mapping[str, str]) -> Attention:
        kernels = tuple(f"{kernel['target']}: {kernel['name']}" for kernel in entry["kernels"])
        return Attention(entry["loc"], modules.get(entry["loc"], ""), entry["source"], entry["mask"], kernels)

    def _miss(self, entry: Mapping[str, str]) -> Missed:
        return Missed(entry["loc"], entry["op"], entry["remark"], entry["reason"])

    def __str__(self) -> str:
        lines = [f"{len(self.attentions)} attentions"] + [f"  {attention}" for attention in self.attentions]
        if self.softmaxes:
            lines += [f"{len(self.softmaxes)} softmaxes computed as in the source"]
            lines += [f"  {missed}" for missed in self.softmaxes]
        lines += [f"{count} kernels for {target}" for target, count in self.kernels.items()]
        return "\n".join(lines)

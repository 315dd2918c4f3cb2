"""What the compiler proves about a mask, as a value that prints."""

from __future__ import annotations

import dataclasses
import pathlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from ._compiler import compile_module
from ._errors import ArgumentError
from ._module import AttentionShape, write_attention

STORAGES = {
    "closed-form": "in closed form: functions of the row tile",
    "tables": "in tables, made by the compiler",
    "run-time": "in tables, which a kernel makes on the device when it runs",
    "page-table": "of pages, in the order of their table",
}


# The set of positions in the text of a remark, up to the next field.
_SET = re.compile(r"\bSet=(.*?)(, Code=.*|, [A-Z]\w+=.*|)$")


def find_proven_set(notes: Sequence[Mapping[str, str]]) -> str:
    """The positions that a mask is proven to be within, by the remarks of an attention in a report; empty if there is no
    mask."""
    for note in notes:
        found = _SET.search(note["text"]) if note["remark"] == "PlannedLayout" else None
        if found and found[2].startswith(", Code="):
            return "nothing, as tensors decide" if found[1] == "all" else f"{found[1]}; tensors decide the rest"
        if found:
            return found[1]
    return ""


@dataclasses.dataclass(frozen=True)
class Explanation:
    """How a mask is compiled into an attention on given sizes. Counts are those of one head, None if they depend on
    tensors that the mask reads."""

    mask: str
    queries: int
    keys: int
    target: str
    # "closed-form", "tables", "run-time", "page-table", or "none" if the kernel visits all keys.
    storage: str
    row_tile: int
    col_tile: int
    full: int | None
    partial: int | None
    empty: int | None
    # Unmasked positions.
    nonzeros: int | None
    # The predicted time of the kernels, of a device by name; an upper bound if `is_upper_bound`.
    microseconds: float | None
    device: str
    is_upper_bound: bool
    # The positions that the mask is proven to be within, such as "k <= q and q - k <= 64".
    proven: str = ""

    @property
    def density(self) -> float | None:
        """The share of unmasked positions."""
        return None if self.nonzeros is None else self.nonzeros / (self.queries * self.keys)

    @property
    def visited(self) -> float | None:
        """The share of tiles that the kernel visits."""
        if self.full is None or self.partial is None or self.empty is None:
            return None
        return (self.full + self.partial) / (self.full + self.partial + self.empty)

    def __str__(self) -> str:
        lines = [f"{self.mask} on {self.queries} queries and {self.keys} keys, for {self.target}"]
        if self.storage == "none":
            lines.append("  no tiles are left out: every query attends to every key")
        else:
            lines.append(f"  tiles of {self.row_tile} x {self.col_tile} {STORAGES[self.storage]}")
        if self.proven:
            lines.append(f"  proven     {self.proven}")
        if self.density is not None:
            lines.append(f"  unmasked   {self.density:8.2%}  {self.nonzeros} positions")
        if self.visited is not None:
            counts = f"{self.full} full, {self.partial} partial, {self.empty} empty"
            lines.append(f"  visited    {self.visited:8.2%}  {counts} tiles")
        if self.microseconds is not None:
            bound = "at most " if self.is_upper_bound else ""
            lines.append(f"  predicted  {bound}{self.microseconds:.1f} us on {self.device}")
        return "\n".join(lines)


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def explain(mask: Any, shape: AttentionShape, target: str) -> Explanation:
    """Compiles an attention of `shape` with `mask` for a GPU, and reads the report."""
    text = write_attention(shape, mask.definition, None, 1.0, False)
    with tempfile.TemporaryDirectory(prefix="stof-") as folder:
        report = compile_module(text, pathlib.Path(folder) / "package", targets=[target]).report
    kernels = [kernel for function in report["functions"] for kernel in function["kernels"]]
    attentions = [kernel for kernel in kernels if kernel["kind"] == "attention"]
    if not attentions:
        raise ArgumentError(f"expects a target with kernels, such as sm_90a, but got '{target}'")
    # Of several, those that reset a counter or combine parts have no layout.
    attention = next((kernel for kernel in attentions if "layout" in kernel), attentions[0])
    layout = attention.get("layout", {})
    notes = [note for function in report["functions"] for found in function["attentions"] for note in found["notes"]]
    times = [kernel["predicted_us"] for kernel in kernels]
    return Explanation(
        mask=str(mask),
        queries=shape.queries or 0,
        keys=shape.keys or 0,
        target=target,
        storage=layout.get("storage", "none"),
        row_tile=layout.get("row_tile", 0),
        col_tile=layout.get("col_tile", 0),
        full=_count(layout.get("full")),
        partial=_count(layout.get("partial")),
        empty=_count(layout.get("empty")),
        nonzeros=_count(layout.get("nonzeros")),
        microseconds=None if None in times else sum(times),
        device=attention.get("predicted_for", ""),
        is_upper_bound=any(kernel.get("predicted_at_most", False) for kernel in kernels),
        proven=find_proven_set(notes),
    )

"""MLIR of masks and attentions, as text."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ._expression import print_expression
from ._trace import COORDINATES, Capture, Trace


def _print_size(size: int | None) -> str:
    return "?" if size is None else str(size)


def print_mask_type(queries: int | None, keys: int | None) -> str:
    """`!stof.mask`; a length of None is dynamic."""
    return f"!stof.mask<{_print_size(queries)}x{_print_size(keys)}>"


@dataclasses.dataclass(frozen=True)
class BlockList:
    """A mask given by the list of key blocks of each query block: `stof.block_mask`."""

    row_ptr: Capture
    col_idx: Capture
    block: tuple[int, int]
    # The number of keys of each list, of which it is the page table; None for whole blocks.
    lengths: Capture | None = None

    @property
    def captures(self) -> tuple[Capture, ...]:
        return self.row_ptr, self.col_idx, *([self.lengths] if self.lengths else [])


def name_captures(captures: Sequence[Capture], start: int = 0) -> list[Capture]:
    """Copies with names for the arguments of a function."""
    return [dataclasses.replace(capture, name=f"%captured{start + n}") for n, capture in enumerate(captures)]


def _print_captures(captures: Sequence[Capture]) -> str:
    if not captures:
        return ""
    names, types = [capture.name for capture in captures], [capture.type for capture in captures]
    return f" captures({', '.join(names)} : {', '.join(types)})"


def _print_region(trace: Trace, captures: Sequence[Capture], arguments: Sequence[tuple[str, str]]) -> list[str]:
    inner = [dataclasses.replace(capture, name=f"%t{number}") for number, capture in enumerate(captures)]
    declared = [*arguments, *((capture.name, capture.type) for capture in inner)]
    lines, result = print_expression(trace.result, [name for name, _ in arguments], inner)
    head = f"^bb0({', '.join(f'{name}: {type}' for name, type in declared)}):"
    yielded = "f32" if len(arguments) > len(COORDINATES) else "i1"
    return [head, *(f"  {line}" for line in lines), f"  stof.yield {result} : {yielded}"]


def print_mask(mask: Trace | BlockList, captures: Sequence[Capture], type: str) -> list[str]:
    """The operation that defines `%mask`; `captures` are those of the mask, named."""
    if isinstance(mask, BlockList):
        rows, columns, *lengths = captures
        types = f"{rows.type}, {columns.type}"
        keys = "".join(f"lengths({capture.name} : {capture.type}) " for capture in lengths)
        block = f"block({mask.block[0]}, {mask.block[1]})"
        return [f"%mask = stof.block_mask {rows.name}, {columns.name} {keys}{block} : {types} -> {type}"]
    region = _print_region(mask, captures, [(f"%{name}", "index") for name in COORDINATES])
    return [f"%mask = stof.mask{_print_captures(captures)} {{", *region, f"}} : {type}"]


def write_mask(mask: Trace | BlockList, queries: int | None, keys: int | None) -> str:
    """A module with a function from captured tensors to the mask."""
    captures, type = name_captures(mask.captures), print_mask_type(queries, keys)
    arguments = ", ".join(f"{capture.name}: {capture.type}" for capture in captures)
    lines = [*print_mask(mask, captures, type), f"return %mask : {type}"]
    return "\n".join([f"func.func @mask({arguments}) -> {type} {{", *(f"  {line}" for line in lines), "}", ""])


@dataclasses.dataclass(frozen=True)
class AttentionShape:
    """The element type and the sizes of an attention; None is dynamic. `positions_first` says which of query, key and value
    are [batch, positions, heads, features] in memory, rather than [batch, heads, positions, features]; results are as the
    query."""

    dtype: str
    heads: int
    key_heads: int
    features: int
    value_features: int
    batch: int | None = None
    queries: int | None = None
    keys: int | None = None
    # Whether all batches have the same keys and values.
    shares_keys: bool = False
    positions_first: tuple[bool, ...] = (False, False, False)

    def tensor(self, heads: int, positions: int | None, features: int, batch: int | None = None) -> str:
        sizes = batch or self.batch, heads, positions, features
        return f"tensor<{'x'.join(map(_print_size, sizes))}x{self.dtype}>"

    @property
    def stored_types(self) -> tuple[str, str, str, str]:
        """The types of query, key, value and result as they are in memory."""
        shared = 1 if self.shares_keys else self.batch
        sizes = (
            (self.batch, self.heads, self.queries, self.features),
            (shared, self.key_heads, self.keys, self.features),
            (shared, self.key_heads, self.keys, self.value_features),
            (self.batch, self.heads, self.queries, self.value_features),
        )
        order = (*self.positions_first, self.positions_first[0])
        return tuple(
            f"tensor<{'x'.join(map(_print_size, (batch, positions, heads, features) if first else (batch, heads, positions, features)))}x{self.dtype}>"
            for first, (batch, heads, positions, features) in zip(order, sizes)
        )  # type: ignore[return-value]

    @property
    def types(self) -> tuple[str, str, str, str, str]:
        """The types of query, key, value, result and LSE."""
        lse = f"tensor<{_print_size(self.batch)}x{self.heads}x{_print_size(self.queries)}xf32>"
        batch = 1 if self.shares_keys else None
        return (
            self.tensor(self.heads, self.queries, self.features),
            self.tensor(self.key_heads, self.keys, self.features, batch),
            self.tensor(self.key_heads, self.keys, self.value_features, batch),
            self.tensor(self.heads, self.queries, self.value_features),
            lse,
        )


_SWAPPED = "permutation = [0, 2, 1, 3]"


def _print_sizes(name: str, batch: int | None, positions: int | None, dim: int, type: str) -> tuple[list[str], str]:
    """The lines that read the dynamic ones of these sizes of an argument, with positions in dimension `dim`, and their
    names."""
    lines, names = [], []
    for what, at, size in (("batch", 0, batch), ("positions", dim, positions)):
        if size is None:
            lines.append(f"%{name}_{what}_dim = arith.constant {at} : index")
            lines.append(f"%{name}_{what} = tensor.dim %{name}, %{name}_{what}_dim : {type}")
            names.append(f"%{name}_{what}")
    return lines, ", ".join(names)


def _print_heads_first(shape: AttentionShape) -> tuple[list[str], list[str], str]:
    """The lines that transpose arguments with positions first, the names of what attention takes, and the dynamic sizes of
    its result. What is transposed is read where it is."""
    lines, names, all_sizes = [], [], []
    arguments = zip(("query", "key", "value"), shape.positions_first, shape.stored_types, shape.types)
    for name, first, stored, type in arguments:
        positions = shape.queries if name == "query" else shape.keys
        batch = 1 if shape.shares_keys and name != "query" else shape.batch
        read, sizes = _print_sizes(name, batch, positions, 1 if first else 2, stored)
        if first or name == "query":
            lines += read
        if first:
            lines.append(f"%{name}_init = tensor.empty({sizes}) : {type}")
            lines.append(
                f"%{name}_heads = linalg.transpose ins(%{name} : {stored}) outs(%{name}_init : {type}) {_SWAPPED}"
            )
        names.append(f"%{name}_heads" if first else f"%{name}")
        all_sizes.append(sizes)
    return lines, names, all_sizes[0]


def write_attention(
    shape: AttentionShape,
    mask: Trace | BlockList | None,
    score: Trace | None,
    scale: float,
    return_lse: bool,
) -> str:
    """A module with `attention(query, key, value, tensors captured by the mask, then by the score)`, which takes and
    returns tensors as they are in memory."""
    query, key, value, out, lse = shape.types
    of_mask = name_captures(mask.captures if mask else ())
    of_score = name_captures(score.captures if score else (), len(of_mask))
    arguments = [*zip(("%query", "%key", "%value"), shape.stored_types)]
    arguments += [(capture.name, capture.type) for capture in (*of_mask, *of_score)]
    lines, taken, sizes = _print_heads_first(shape)
    lines.append(f"%init = tensor.empty({sizes}) : {out}")
    results, inits = [out], f"%init : {out}"
    if return_lse:
        lines.append(f"%init_lse = tensor.empty({sizes}) : {lse}")
        results, inits = [out, lse], f"{inits}, lse %init_lse : {lse}"
    masked = ""
    if mask:
        type = print_mask_type(shape.queries, shape.keys)
        lines += print_mask(mask, of_mask, type)
        masked = f" mask(%mask : {type})"
    region = [""]
    if score:
        coordinates = [("%s", "f32"), *((f"%{name}", "index") for name in COORDINATES)]
        region = [" score {", *_print_region(score, of_score, coordinates), "}"]
    types, names = ", ".join(results), "%out" + (":2" if return_lse else "")
    lines.append(f"{names} = stof.attention ins({', '.join(taken)} : {query}, {key}, {value}){masked}{_print_captures(of_score)}")
    lines.append(f"    outs({inits}) scale {scale:.9e}{region[0]}")
    lines += region[1:]
    lines[-1] += f" -> {types}"
    returned = ["%out#0", "%out#1"] if return_lse else ["%out"]
    if shape.positions_first[0]:
        results[0] = shape.stored_types[3]
        lines.append(f"%stored = tensor.empty({sizes}) : {results[0]}")
        lines.append(f"%returned = linalg.transpose ins({returned[0]} : {out}) outs(%stored : {results[0]}) {_SWAPPED}")
        returned[0] = "%returned"
    types = ", ".join(results)
    lines.append(f"return {', '.join(returned)} : {types}")
    declared = ", ".join(f"{name}: {type}" for name, type in arguments)
    head = f"func.func @attention({declared}) -> ({types}) {{"
    return "\n".join([head, *(f"  {line}" for line in lines), "}", ""])

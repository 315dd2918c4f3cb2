"""Masks of attention as values.

    from stof.masks import causal, documents, global_tokens, window

    mask = causal() & window(256) | global_tokens(32)
    mask = causal() & documents(ids)
    mask = Mask(lambda b, h, q, k: (q - k).abs() % 3 == 0)

A mask says which keys a query attends to. It is a predicate `mask(b, h, q, k)` on batch, query head, query and key, as
FlexAttention's mask_mod, combined by `&`, `|` and `~`. Numbers in a mask are compiled into it; tensors are read when it
runs, so a mask of other document numbers is not compiled anew. A query that attends to no key yields zeros.
"""

from __future__ import annotations

import itertools
import math
import numbers
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from . import _backends, _explain, _module, _show
from ._errors import ArgumentError
from ._expression import evaluate
from ._trace import Capture, CapturedTensor, Trace, capture_of_rank, check_extents, trace_mask

__all__ = [
    "Mask",
    "block_list",
    "blocked",
    "blocks",
    "captured",
    "causal",
    "dilated",
    "documents",
    "full",
    "global_tokens",
    "padding",
    "prefix",
    "strided",
    "window",
]

# Where | and & stand in a combination, for its parentheses.
_OR, _AND, _NOT, _CALL = range(4)


class Mask:
    """A mask given by `predicate(b, h, q, k)`: whether query q attends to key k.

    The predicate is traced when the mask is made. It takes coordinates that record operations on them, and
    returns a bool of that kind: operators, the elementwise functions of torch and numpy, and reads of captured tensors
    such as `ids[b, q]`. torch tensors are captured as they are, numpy arrays by `captured(array)`. Python's control flow
    on coordinates is an error.
    """

    # By number, from 1 on, those that exist.
    registered: weakref.WeakValueDictionary[int, Mask] = weakref.WeakValueDictionary()
    _numbers = itertools.count(1)

    def __init__(self, predicate: Callable[..., Any], name: str | None = None, level: int = _CALL) -> None:
        if not callable(predicate):
            raise ArgumentError(f"expects a predicate on b, h, q and k, but got {type(predicate).__name__}")
        self._predicate = predicate
        self._name = str(name or getattr(predicate, "__name__", type(predicate).__name__))
        self._level = level
        self.definition = self._define()
        self.number = next(self._numbers)
        self.registered[self.number] = self

    def _define(self) -> Trace | _module.BlockList:
        """What the mask is compiled from."""
        return trace_mask(self._predicate)

    def __repr__(self) -> str:
        return self._name

    def __call__(self, b: Any, h: Any, q: Any, k: Any) -> Any:
        """The predicate at traced coordinates, for predicates that call others."""
        return self._predicate(b, h, q, k)

    def __and__(self, other: Mask | Callable[..., Any]) -> Mask:
        return _combine("&", _AND, self, other)

    def __rand__(self, other: Callable[..., Any]) -> Mask:
        return _combine("&", _AND, as_mask(other), self)

    def __or__(self, other: Mask | Callable[..., Any]) -> Mask:
        return _combine("|", _OR, self, other)

    def __ror__(self, other: Callable[..., Any]) -> Mask:
        return _combine("|", _OR, as_mask(other), self)

    def __invert__(self) -> Mask:
        return Mask(lambda *at: _negate(self(*at)), f"~{self._parenthesize(_NOT)}", _NOT)

    def _parenthesize(self, level: int) -> str:
        return self._name if self._level >= level else f"({self._name})"

    @property
    def captures(self) -> tuple[Capture, ...]:
        """The tensors that the mask reads."""
        return self.definition.captures

    def mlir(self, queries: int | None = None, keys: int | None = None) -> str:
        """A module with a function from captured tensors to the mask. A length of None is dynamic."""
        return _module.write_mask(self.definition, queries, keys)

    def check_sizes(self, batch: int, heads: int, queries: int, keys: int) -> None:
        """Raises ArgumentError if a captured tensor is too small for an attention of these sizes."""
        check_extents(self.captures, f"mask '{self}'", (batch, heads, queries, keys))

    def dense(self, queries: int, keys: int | None = None, batch: int = 1, heads: int = 1) -> Any:
        """The mask as a numpy array of bool [batch, heads, queries, keys], for tests. `keys` is `queries` by default."""
        keys = queries if keys is None else keys
        self.check_sizes(batch, heads, queries, keys)
        return self._evaluate(*_grid((batch, heads, queries, keys)))

    def _evaluate(self, *coordinates: Any) -> Any:
        import numpy

        assert isinstance(self.definition, Trace), "a block list evaluates itself"
        captures = [_backends.choose([capture.tensor]).to_numpy(capture.tensor) for capture in self.captures]
        try:
            found = evaluate(self.definition.result, coordinates, captures)
        except IndexError as error:
            raise ArgumentError(f"expects positions of mask '{self}' in bounds of its tensors, but got: {error}") from error
        return numpy.array(numpy.broadcast_to(found, numpy.broadcast_shapes(*(at.shape for at in coordinates))))

    def explain(
        self,
        queries: int,
        keys: int | None = None,
        *,
        heads: int = 1,
        features: int = 64,
        dtype: str = "f16",
        target: str = "sm_90a",
    ) -> _explain.Explanation:
        """What the compiler proves about the mask in an attention of one batch on these sizes, and predicts for it; it
        prints as a text. Nothing runs, and no GPU is required."""
        keys = queries if keys is None else keys
        self.check_sizes(1, heads, queries, keys)
        shape = _module.AttentionShape(dtype, heads, heads, features, features, batch=1, queries=queries, keys=keys)
        return _explain.explain(self, shape, target)

    def show(self, queries: int, keys: int | None = None, *, tile: tuple[int, int] = (64, 64), head: int = 0, axes: Any = None) -> Any:
        """Draws the full, partial and empty tiles of one head, and returns the axes of matplotlib. Raises ImportError if
        it is not installed."""
        shape = queries, queries if keys is None else keys
        return _show.draw_tiles(self.dense(*shape, heads=head + 1)[0, head], tile, str(self), axes)


def _grid(sizes: Sequence[int]) -> list[Any]:
    import numpy

    return list(numpy.ogrid[tuple(slice(size) for size in sizes)])


def as_mask(mask: Any) -> Mask:
    """A mask from a mask or a predicate."""
    if isinstance(mask, Mask):
        return mask
    # A BlockMask can have fewer blocks than its predicate says.
    advice = "; pass its mask_mod, or blocks(...) of its blocks" if hasattr(mask, "mask_mod") else ""
    advice = "; blocks(tensor, (1, 1)) is the mask of a tensor of bool" if hasattr(mask, "shape") and not advice else advice
    if advice or not callable(mask):
        raise ArgumentError(f"expects a mask or a predicate on b, h, q and k, but got {type(mask).__name__}{advice}")
    return Mask(mask)


def _join(sign: str, lhs: Any, rhs: Any) -> Any:
    """`lhs & rhs` or `lhs | rhs` of results of predicates, which may be constant."""
    for constant, other in ((lhs, rhs), (rhs, lhs)):
        if isinstance(constant, bool):
            return other if constant == (sign == "&") else constant
    return lhs & rhs if sign == "&" else lhs | rhs


def _negate(result: Any) -> Any:
    return not result if isinstance(result, bool) else ~result


def _combine(sign: str, level: int, lhs: Mask, rhs: Any) -> Mask:
    rhs = as_mask(rhs)
    for side in (lhs, rhs):
        if isinstance(side, _BlockListMask):
            raise ArgumentError(f"expects masks by predicates for '{sign}', but got '{side}'; blocks(table, block) is one")

    def predicate(*at: Any) -> Any:
        return _join(sign, lhs(*at), rhs(*at))

    # Both operators are associative.
    return Mask(predicate, f"{lhs._parenthesize(level)} {sign} {rhs._parenthesize(level)}", level)






def _require(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
        raise ArgumentError(f"expects an integer of at least {least} as {name}, but got {value!r}")
    return int(value)


def _limit(name: str, value: Any) -> Callable[[Any], Any]:
    """A number for all batches, or the element of each in a tensor [batch], as a function of b."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool):
        limit = _require(name, value, 0)
        return lambda b: limit
    if isinstance(value, (bool, float, str)):
        raise ArgumentError(f"expects {name} to be an integer or a tensor, but got {value!r}")
    tensor = capture_of_rank(name, value, (1,))
    return lambda b: tensor[b]


def _spell(value: Any) -> str:
    return str(value) if isinstance(value, numbers.Integral) else "..."


def captured(tensor: Any) -> CapturedTensor:
    """A tensor or an array that predicates index: `captured(array)[b, q]`."""
    return CapturedTensor(tensor)


def full() -> Mask:
    """All keys."""
    return Mask(lambda b, h, q, k: True, "full()")


def causal(offset: int = 0) -> Mask:
    """Keys up to the position of the query plus `offset`. With queries at the end of the keys, `offset` is the number of
    keys before the first query."""
    if isinstance(offset, bool) or not isinstance(offset, numbers.Integral):
        raise ArgumentError(f"expects an integer as offset, but got {offset!r}")
    return Mask(lambda b, h, q, k: k <= (q + offset if offset else q), f"causal({offset or ''})")


def window(left: int, right: int | None = None) -> Mask:
    """Keys from `left` before to `right` after the position of the query; `right` is `left` by default."""
    before = _require("left", left, 0)
    after = before if right is None else _require("right", right, 0)
    name = f"window({before})" if right is None else f"window({before}, {after})"
    return Mask(lambda b, h, q, k: (q - k <= before) & (k - q <= after), name)


def global_tokens(count: int) -> Mask:
    """The first `count` keys for all queries, and all keys for the first `count` queries."""
    _require("count", count, 1)
    return Mask(lambda b, h, q, k: (q < count) | (k < count), f"global_tokens({count})")


def prefix(length: Any) -> Mask:
    """The first `length` keys, an integer or a tensor [batch]; a prefix language model is `causal() | prefix(n)`."""
    limit = _limit("length", length)
    return Mask(lambda b, h, q, k: k < limit(b), f"prefix({_spell(length)})")


def padding(lengths: Any) -> Mask:
    """The keys of each batch before its length; `lengths` is a tensor [batch], or an integer for all."""
    limit = _limit("lengths", lengths)
    return Mask(lambda b, h, q, k: k < limit(b), f"padding({_spell(lengths)})")


def dilated(dilation: int, left: int | None = None, right: int | None = None) -> Mask:
    """Keys whose distance to the query is a multiple of `dilation`: at most `left` multiples before and `right` after it.
    Without `left` these are all; `right` is `left` by default."""
    _require("dilation", dilation, 1)
    if left is None:
        if right is not None:
            raise ArgumentError(f"expects left with right, but got right = {right!r} alone")
        return Mask(lambda b, h, q, k: (q - k) % dilation == 0, f"dilated({dilation})")
    near = window(_require("left", left, 0) * dilation, (left if right is None else _require("right", right, 0)) * dilation)
    name = f"dilated({dilation}, {left})" if right is None else f"dilated({dilation}, {left}, {right})"
    return Mask(lambda b, h, q, k: near(b, h, q, k) & ((q - k) % dilation == 0), name)


def strided(stride: int, offset: int = 0) -> Mask:
    """Every `stride`-th key, from `offset` on modulo `stride`."""
    _require("stride", stride, 1)
    residue = _require("offset", offset, 0) % stride
    return Mask(lambda b, h, q, k: k % stride == residue, f"strided({stride}{f', {offset}' if offset else ''})")


def blocked(size: int) -> Mask:
    """Keys in the block of the query, of `size` positions."""
    _require("size", size, 1)
    return Mask(lambda b, h, q, k: q // size == k // size, f"blocked({size})")


def documents(ids: Any, key_ids: Any = None) -> Mask:
    """Keys in the document of the query. `ids` has the document numbers of positions, as integers [positions] or [batch,
    positions]; `key_ids` those of keys if they differ from those of queries."""
    of_queries = capture_of_rank("ids", ids, (1, 2))
    of_keys = of_queries if key_ids is None else capture_of_rank("key_ids", key_ids, (1, 2))

    def at(tensor: CapturedTensor, b: Any, position: Any) -> Any:
        return tensor[position] if tensor.rank == 1 else tensor[b, position]

    return Mask(lambda b, h, q, k: at(of_queries, b, q) == at(of_keys, b, k), "documents(...)")


def blocks(table: Any, block: tuple[int, int]) -> Mask:
    """Blocks of `block` = (queries, keys) positions that are true in `table`, a tensor of bool [query blocks, key blocks],
    or [heads, ...] or [batch, heads, ...]. With blocks of (1, 1), `table` has an element for each position."""
    rows, columns = _require("query block", block[0], 1), _require("key block", block[1], 1)
    tensor = capture_of_rank("table", table, (2, 3, 4))

    def predicate(b: Any, h: Any, q: Any, k: Any) -> Any:
        at = (b, h, q // rows, k // columns)
        return tensor[at[-tensor.rank :]]

    return Mask(predicate, f"blocks(..., ({rows}, {columns}))")


class _BlockListMask(Mask):
    """A mask that is no predicate, but an operation of its own."""

    def __init__(self, blocks: _module.BlockList) -> None:
        self._blocks = blocks
        super().__init__(self._refuse, f"block_list(..., {blocks.block})")

    def _refuse(self, *at: Any) -> Any:
        raise ArgumentError(f"expects masks by predicates in a predicate, but got '{self}'; blocks(table, block) is one")

    def _define(self) -> _module.BlockList:
        return self._blocks

    def __invert__(self) -> Mask:
        raise ArgumentError(f"expects a mask by a predicate for '~', but got '{self}'; blocks(table, block) is one")

    def check_sizes(self, batch: int, heads: int, queries: int, keys: int) -> None:
        expected = math.ceil(queries / self._blocks.block[0]) + 1
        *batches, got = self._blocks.row_ptr.tensor.shape
        if got != expected:
            raise ArgumentError(f"expects row_ptr of {expected} elements for {queries} queries, but got {got}")
        if batches not in ([], [batch]):
            raise ArgumentError(f"expects row_ptr of batch {batch}, but got {batches[0]}")

    def _evaluate(self, *coordinates: Any) -> Any:
        import numpy

        rows, columns = self._blocks.block
        shape = numpy.broadcast_shapes(*(at.shape for at in coordinates))
        row_ptr, col_idx, *lengths = (_backends.choose([c.tensor]).to_numpy(c.tensor) for c in self._blocks.captures)
        row_ptr = numpy.atleast_2d(row_ptr)
        found = numpy.zeros((len(row_ptr), 1, -(-shape[2] // rows), -(-shape[3] // columns), columns), bool)
        for batch, row in numpy.ndindex(len(row_ptr), found.shape[2]):
            listed = col_idx[row_ptr[batch, row] : row_ptr[batch, row + 1]]
            keys = numpy.atleast_2d(lengths[0])[batch, row] if lengths else len(listed) * columns
            for first, block in zip(range(0, keys, columns), listed):
                if block < found.shape[3]:
                    found[batch, 0, row, block, : keys - first] = True
        dense = found.reshape(*found.shape[:3], -1).repeat(rows, 2)[..., : shape[2], : shape[3]]
        return numpy.array(numpy.broadcast_to(dense, shape))


def block_list(row_ptr: Any, col_idx: Any, block: tuple[int, int], lengths: Any = None) -> Mask:
    """Key blocks listed for each query block: `col_idx[row_ptr[i]] .. col_idx[row_ptr[i + 1]]` for query block i, in blocks
    of `block` = (queries, keys) positions, for all batches and heads; or, if `row_ptr` is of rank 2, by `row_ptr[b, i]` of
    each batch. All are tensors of int32. It is the storage of a selection on the device, and combines with no other mask.

    With `lengths` [query blocks], or [batch, query blocks], a list is the page table of a sequence: its blocks follow one
    another, each of them once, and only the first `lengths[i]` of their keys count. A batch of queries then shares the cache:
    keys and values of batch 1, whose positions are those of all pages."""
    sides = _require("query block", block[0], 1), _require("key block", block[1], 1)
    rank = len(row_ptr.shape) if len(getattr(row_ptr, "shape", ())) == 2 else 1
    found = []
    for name, tensor, expected in (("row_ptr", row_ptr, rank), ("col_idx", col_idx, 1), ("lengths", lengths, rank)):
        if tensor is None and name == "lengths":
            continue
        captured(tensor)
        dtype = _backends.choose([tensor]).dtype(tensor)
        if dtype != "i32" or len(tensor.shape) != expected:
            raise ArgumentError(f"expects {name} of dtype i32 and rank {expected}, but got {dtype} of rank {len(tensor.shape)}")
        found.append(Capture(tensor, dtype, False))
    if lengths is not None and (*lengths.shape[:-1], lengths.shape[-1] + 1) != tuple(row_ptr.shape):
        raise ArgumentError(f"expects a length for each query block of row_ptr {list(row_ptr.shape)}, but got {list(lengths.shape)}")
    return _BlockListMask(_module.BlockList(found[0], found[1], sides, *found[2:]))

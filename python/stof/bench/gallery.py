"""Masks by name, as functions of the number of queries."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from ..masks import Mask, blocks, causal, dilated, documents, full, global_tokens, prefix, strided, window

# Moves an array to where tensors are.
Place = Callable[[Any], Any]

_SEED = 0
_BLOCK = 64
_SHARE_OF_RANDOM_BLOCKS = 0.1
_LEAST = 8
_SINKS = 4


def keep(array: Any) -> Any:
    """Leaves arrays where they are."""
    return array


@dataclasses.dataclass(frozen=True)
class Entry:
    """A mask of the gallery. `make` takes the number of queries, and what moves arrays to tensors."""

    description: str
    make: Callable[[int, Place], Mask]


def _root(length: int) -> int:
    return max(math.isqrt(length), _LEAST)


def _near(length: int) -> int:
    return max(length // 8, _LEAST)


def _make_longformer(length: int) -> Mask:
    return window(_root(length)) | global_tokens(_root(length))


def _make_bigbird(length: int, place: Place) -> Mask:
    import numpy

    count = -(-length // _BLOCK)
    table = numpy.random.default_rng(_SEED).random((count, count)) < _SHARE_OF_RANDOM_BLOCKS
    return _make_longformer(length) | blocks(place(table), (_BLOCK, _BLOCK))


def _make_document(length: int, place: Place) -> Mask:
    return causal() & documents(place(draw_documents(length)))


def draw_documents(length: int) -> Any:
    """Document numbers of positions; documents have between a 16th and a 4th of all positions."""
    import numpy

    random = numpy.random.default_rng(_SEED)
    sizes: list[int] = []
    while sum(sizes) < length:
        sizes.append(int(random.integers(length // 16 + 1, length // 4 + 2)))
    return numpy.repeat(numpy.arange(len(sizes), dtype="int32"), sizes)[:length].copy()


def _make_strided(length: int) -> Mask:
    root = _root(length)
    return causal() & (window(root - 1, 0) | strided(root, root - 1))


def _make_sliding(length: int) -> Mask:
    return causal() & window(_near(length), 0)


# n is the length, r its square root.
GALLERY = {
    "dense": Entry("all keys", lambda length, place: full()),
    "causal": Entry("keys up to the query", lambda length, place: causal()),
    "window": Entry("r keys to each side", lambda length, place: window(_root(length))),
    "sliding": Entry("n / 8 keys up to the query", lambda length, place: _make_sliding(length)),
    "sinks": Entry(
        "n / 8 keys up to the query, and the first 4",
        lambda length, place: causal() & (window(_near(length), 0) | prefix(_SINKS)),
    ),
    "dilated": Entry("every second of 2 r keys to each side", lambda length, place: dilated(2, _root(length))),
    "strided": Entry("r keys up to the query, and every r-th", lambda length, place: _make_strided(length)),
    "longformer": Entry("r keys to each side, and r global tokens", lambda length, place: _make_longformer(length)),
    "bigbird": Entry("the same, and a tenth of blocks of 64 at random", _make_bigbird),
    "document": Entry("causal in packed documents of different lengths", _make_document),
    "prefix": Entry("causal, and the first n / 4 keys", lambda length, place: causal() | prefix(length // 4)),
}

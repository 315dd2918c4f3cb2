"""Scores of attention as values: what becomes of the product of a query and a key before softmax.

    from stof.scores import Score, alibi, soft_cap

    score = soft_cap(30.0)
    score = Score(lambda s, b, h, q, k: s + table[h, q - k + 512])

A score is a function `score(s, b, h, q, k)` on the scaled product, batch, query head, query and key, as FlexAttention's
score_mod. It is computed in float32. Numbers in it are compiled; tensors are read when it runs.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

from ._errors import ArgumentError
from ._trace import Capture, capture_of_rank, trace_score

__all__ = ["Score", "alibi", "bias", "soft_cap"]


class Score:
    """A score given by `function(s, b, h, q, k)`, which is traced as the predicate of a mask is."""

    # By number, from 1 on, those that exist.
    registered: weakref.WeakValueDictionary[int, Score] = weakref.WeakValueDictionary()
    _numbers = itertools.count(1)

    def __init__(self, function: Callable[..., Any], name: str | None = None) -> None:
        if not callable(function):
            raise ArgumentError(f"expects a function of s, b, h, q and k, but got {type(function).__name__}")
        self._function = function
        self._name = str(name or getattr(function, "__name__", type(function).__name__))
        self.definition = trace_score(function)
        self.number = next(self._numbers)
        self.registered[self.number] = self

    def __repr__(self) -> str:
        return self._name

    def __call__(self, s: Any, b: Any, h: Any, q: Any, k: Any) -> Any:
        """The score at traced coordinates, for functions that call others."""
        return self._function(s, b, h, q, k)

    def then(self, other: Score | Callable[..., Any]) -> Score:
        """The score `other` of this score."""
        after = as_score(other)
        return Score(lambda s, *at: after(self(s, *at), *at), f"{self}.then({after})")

    @property
    def captures(self) -> tuple[Capture, ...]:
        """The tensors that the score reads."""
        return self.definition.captures


def as_score(score: Any) -> Score:
    return score if isinstance(score, Score) else Score(score)


def soft_cap(cap: float) -> Score:
    """`cap * tanh(s / cap)`, which is within -cap and cap."""
    if isinstance(cap, bool) or not isinstance(cap, (int, float)) or cap <= 0:
        raise ArgumentError(f"expects a positive number as cap, but got {cap!r}")
    return Score(lambda s, b, h, q, k: (s / cap).tanh() * cap, f"soft_cap({cap})")


def alibi(slopes: Any) -> Score:
    """`s + slopes[h] * (k - q)`; `slopes` is a tensor [heads]."""
    of_head = capture_of_rank("slopes", slopes, (1,))
    return Score(lambda s, b, h, q, k: s + of_head[h] * (k - q), "alibi(...)")


def bias(table: Any) -> Score:
    """`s + table[..., q, k]`; `table` is a tensor [queries, keys], or [heads, ...] or [batch, heads, ...]."""
    tensor = capture_of_rank("table", table, (2, 3, 4))
    return Score(lambda s, *at: s + tensor[at[-tensor.rank :]], "bias(...)")

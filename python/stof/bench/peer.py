"""What is measured: implementations by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Generic, TypeVar

Case = TypeVar("Case")


class Unavailable(Exception):
    """An implementation is not installed, or does not compute a case, for the reason in the message."""


@dataclasses.dataclass(frozen=True)
class Prepared:
    """A run of an implementation on fixed inputs. `finish` turns what it returns into the form of the reference, and is not
    measured."""

    run: Callable[[], Any]
    finish: Callable[[Any], Any] = lambda result: result


@dataclasses.dataclass(frozen=True)
class Peer(Generic[Case]):
    """An implementation. `prepare` compiles what is to be compiled, and raises Unavailable. One that takes long to prepare
    is measured on demand only."""

    name: str
    description: str
    prepare: Callable[[Case], Prepared]
    is_slow: bool = False

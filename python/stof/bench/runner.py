"""The measurement of a case: prepare, compare with the reference, then time what is right."""

from __future__ import annotations

import dataclasses
import gc
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import torch

from .._command.errors import describe_first_line
from .._command.progress import Progress
from .device import Device, read_clocks
from .peer import Peer, Prepared, Unavailable
from .timing import Timing, race

Case = TypeVar("Case")

# Shapes are static, so that each is a compilation; torch runs FlexAttention without it beyond its own limit, in silence.
_MOST_RECOMPILATIONS = 10000


@dataclasses.dataclass
class Outcome:
    """What became of an implementation: "timed", "wrong", "unavailable" or "failed", for a reason. `seconds` were spent in
    preparing it."""

    peer: str
    status: str
    reason: str = ""
    error: float | None = None
    seconds: float = 0.0
    timing: Timing | None = None


@dataclasses.dataclass
class Row:
    """The outcomes of a case, the clocks before and after they were timed, under the load of the first, and what the case is,
    for a reader and as values."""

    kind: str
    title: str
    facts: dict[str, Any]
    tolerance: float
    outcomes: list[Outcome]
    clocks: list[dict[str, str]]

    def find(self, peer: str) -> Timing | None:
        return next((outcome.timing for outcome in self.outcomes if outcome.peer == peer), None)


@dataclasses.dataclass(frozen=True)
class Settings:
    """How to measure: `rounds` samples of each implementation, in turn."""

    device: Device
    rounds: int
    progress: Progress


def measure(
    case: Case,
    peers: Sequence[Peer[Case]],
    settings: Settings,
    judge: Callable[[Peer[Case], Any], tuple[float, float]],
) -> tuple[list[Outcome], list[dict[str, str]]]:
    """The outcomes of `peers`, and clocks. `judge` compares a finished result with the reference: the error, and the
    largest one that is right."""
    torch._dynamo.config.recompile_limit = _MOST_RECOMPILATIONS
    outcomes, prepared = [], {}
    for peer in peers:
        settings.progress.detail(peer.name)
        outcome, ready = _prepare(case, peer, settings.device, judge)
        outcomes.append(outcome)
        if ready is not None:
            prepared[peer.name] = ready.run
    settings.progress.detail("times")
    clocks = [read_clocks(settings.device, run) for run in list(prepared.values())[:1]]
    times = race(prepared, settings.device.name, settings.rounds)
    clocks += [read_clocks(settings.device, run) for run in list(prepared.values())[:1]]
    for outcome in outcomes:
        timing = times.get(outcome.peer)
        if isinstance(timing, str):
            outcome.status, outcome.reason = "failed", timing
        elif timing is not None:
            outcome.timing = timing
    prepared.clear()
    torch._dynamo.reset()
    gc.collect()
    if settings.device.is_gpu:
        torch.cuda.empty_cache()
    return outcomes, [read for read in clocks if read]


def _prepare(
    case: Case, peer: Peer[Case], device: Device, judge: Callable[[Peer[Case], Any], tuple[float, float]]
) -> tuple[Outcome, Prepared | None]:
    start = time.monotonic()
    try:
        ready = peer.prepare(case)
        result = ready.finish(ready.run())
        if device.is_gpu:
            torch.cuda.synchronize()
    except Unavailable as error:
        return Outcome(peer.name, "unavailable", str(error)), None
    except Exception as error:
        # An implementation that fails must not end those that do not.
        return Outcome(peer.name, "failed", describe_first_line(error)), None
    seconds = time.monotonic() - start
    off, tolerance = judge(peer, result)
    if not off <= tolerance:
        return Outcome(peer.name, "wrong", f"error {off:.2g}, expected at most {tolerance:.2g}", off, seconds), None
    return Outcome(peer.name, "timed", "", off, seconds), ready

"""Times of runs, in turn, so that a drift of clocks hits all alike."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import torch

from .._command.errors import describe_first_line

# A sample is of as many runs as take this long, but not of more than that.
_SAMPLE_SECONDS = 2e-3
_MOST_RUNS = 100
_WARM_RUNS = 3
_SAMPLES_IN_A_ROW = 2


@dataclasses.dataclass(frozen=True)
class Timing:
    """Microseconds of a run: the median of samples, and the quartiles. `method` is "graph" for replays of a CUDA graph,
    "events" for launches where none could be captured, "clock" on the CPU."""

    median: float
    low: float
    high: float
    samples: int
    method: str


class _Sampler:
    """Measures one run several times at once."""

    def __init__(self, run: Callable[[], Any], device: str) -> None:
        self.method = "clock"
        self.samples: list[float] = []
        for _ in range(_WARM_RUNS):
            run()
        self._repeat = self._run = run
        self._count = 1
        self._is_cuda = device != "cpu"
        once = self._measure()
        self._count = max(1, min(_MOST_RUNS, int(_SAMPLE_SECONDS / max(once * 1e-6, 1e-9))))
        self._repeat = self._run_all
        if self._is_cuda:
            self._capture()

    def _run_all(self) -> None:
        for _ in range(self._count):
            self._run()

    def _capture(self) -> None:
        self.method = "events"
        graph = torch.cuda.CUDAGraph()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        try:
            # What is allocated at the first run on a stream is not part of the graph.
            with torch.cuda.stream(stream):
                self._run()
            torch.cuda.current_stream().wait_stream(stream)
            torch.cuda.synchronize()
            with torch.cuda.graph(graph):
                self._run_all()
        except RuntimeError:
            # It is also the error of the next call.
            with contextlib.suppress(RuntimeError):
                torch.cuda.synchronize()
            return
        self.method, self._repeat = "graph", graph.replay

    def _measure(self) -> float:
        """Microseconds of a run."""
        if not self._is_cuda:
            start = time.perf_counter()
            self._repeat()
            return (time.perf_counter() - start) / self._count * 1e6
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        first.record()
        self._repeat()
        last.record()
        last.synchronize()
        elapsed: float = first.elapsed_time(last)
        return elapsed / self._count * 1e3

    def sample(self) -> None:
        # The caches are those of this run, not of the one before it.
        self._repeat()
        self.samples += [self._measure() for _ in range(_SAMPLES_IN_A_ROW)]

    def summarize(self) -> Timing:
        low, median, high = statistics.quantiles(self.samples, n=4)
        return Timing(median, low, high, len(self.samples), self.method)


def race(runs: Mapping[str, Callable[[], Any]], device: str, rounds: int) -> dict[str, Timing | str]:
    """Times of runs by name; each round takes them in a new random order. The text of an error in place of a time."""
    found: dict[str, Timing | str] = {}
    samplers: dict[str, _Sampler] = {}
    for name, run in runs.items():
        try:
            samplers[name] = _Sampler(run, device)
        except Exception as error:
            found[name] = describe_first_line(error)
    order = list(samplers.items())
    for _ in range(rounds):
        random.shuffle(order)
        for _, sampler in order:
            sampler.sample()
    return found | {name: sampler.summarize() for name, sampler in samplers.items()}

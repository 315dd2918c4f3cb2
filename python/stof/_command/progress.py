"""What a command is doing, on standard error: a line that is redrawn with rich where that is a terminal, and otherwise
one line for each step."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

# Steps that take less need no time in the plain text.
_SHORT_SECONDS = 1.0


class Progress:
    """The steps of a command, of which there are `total` if that is known:

    with Progress() as progress:
        progress.step("tracing BertModel")
        ...
        progress.step("compiling for sm_90a")
    """

    def __init__(self, total: int | None = None) -> None:
        self._total = total
        self._bar = _make_bar(total) if sys.stderr.isatty() else None
        self._task: Any = None
        self._text = ""
        self._start = 0.0

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task("", total=self._total)
        return self

    def step(self, text: str) -> None:
        """Begins a step, which ends the one before it."""
        if self._bar is not None:
            self._bar.update(self._task, description=text, advance=1 if self._text else 0)
        else:
            self._finish()
            print(f"{text} ...", file=sys.stderr, flush=True)
        self._text, self._start = text, time.monotonic()

    def detail(self, text: str) -> None:
        """What the step is at, where it can be overwritten."""
        if self._bar is not None:
            self._bar.update(self._task, description=f"{self._text}: {text}")

    def _finish(self) -> None:
        seconds = time.monotonic() - self._start
        if self._text and seconds > _SHORT_SECONDS:
            print(f"  {seconds:.1f} s", file=sys.stderr, flush=True)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif kind is None:
            self._finish()


def _make_bar(total: int | None) -> Any:
    """None if rich is not installed."""
    try:
        from rich import console, progress
    except ImportError:
        return None
    counted = [progress.BarColumn(bar_width=20), progress.MofNCompleteColumn()] if total is not None else []
    columns = [progress.SpinnerColumn(), *counted, progress.TimeElapsedColumn(), progress.TextColumn("{task.description}")]
    return progress.Progress(*columns, console=console.Console(stderr=True), transient=True)

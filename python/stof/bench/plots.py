"""Pictures of a report, by matplotlib: times, ratios, and rates under the roofs of the device."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from typing import Any

from .device import Roofs
from .report import STOF, Report, find_rates, find_ratio
from .runner import Row

_SUFFIX = ".png"
_DPI = 120
_WIDTH_OF_CASE = 1.1
_MARKERS = "osD^v<>pXP*h"


def draw(report: Report, folder: pathlib.Path) -> list[pathlib.Path]:
    """Draws what there is, and returns the files."""
    import matplotlib

    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row for row in report.rows if any(outcome.timing for outcome in row.outcomes)]
    drawn = []
    if rows:
        for name, is_ratio in (("time", False), ("ratio", True)):
            drawn.append(_draw_bars(report, rows, folder / f"{name}{_SUFFIX}", is_ratio))
    for dtype, roofs in report.roofs.items():
        attentions = [row for row in rows if "flops" in row.facts and row.facts["dtype"] == dtype]
        if attentions and roofs.tflops and roofs.gigabytes:
            drawn.append(_draw_roofline(report, attentions, dtype, roofs, folder / f"roofline-{dtype}{_SUFFIX}"))
    return drawn


def _find_names(rows: Sequence[Row]) -> list[str]:
    """The implementations that were timed somewhere, in order."""
    return list(dict.fromkeys(outcome.peer for row in rows for outcome in row.outcomes if outcome.timing))


def _draw_bars(report: Report, rows: Sequence[Row], path: pathlib.Path, is_ratio: bool) -> pathlib.Path:
    """A group of bars for each case: times in microseconds, or ratios to that of stof."""
    from matplotlib import pyplot

    names = _find_names(rows)
    figure, axes = pyplot.subplots(figsize=(max(6.0, _WIDTH_OF_CASE * len(rows) + 3), 4.5))
    width = 0.8 / len(names)
    for index, name in enumerate(names):
        values = [_find_value(row, name, is_ratio) for row in rows]
        places = [place + (index - (len(names) - 1) / 2) * width for place in range(len(rows))]
        shown = [(place, value) for place, value in zip(places, values) if value is not None]
        if shown:
            axes.bar([place for place, _ in shown], [value for _, value in shown], width, label=name)
    axes.set_yscale("log")
    if is_ratio:
        axes.axhline(1.0, color="black", linewidth=0.8)
    axes.set_ylabel(f"time by that of {STOF}" if is_ratio else "microseconds")
    axes.set_xticks(range(len(rows)), [row.facts["label"] for row in rows], rotation=30, ha="right", fontsize=8)
    axes.set_title(report.device.model, fontsize=9)
    axes.legend(fontsize=8)
    return _save(figure, path)


def _find_value(row: Row, name: str, is_ratio: bool) -> float | None:
    for outcome in row.outcomes:
        if outcome.peer == name and outcome.timing:
            return find_ratio(row, outcome) if is_ratio else outcome.timing.median
    return None


def _draw_roofline(report: Report, rows: Sequence[Row], dtype: str, roofs: Roofs, path: pathlib.Path) -> pathlib.Path:
    """Rates on unmasked positions over operations per byte of inputs and results."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 5))
    intensities = [row.facts["flops"] / row.facts["bytes"] for row in rows]
    ridge = roofs.tflops * 1e3 / roofs.gigabytes
    low, high = min([*intensities, ridge]) / 2, max([*intensities, ridge]) * 2
    axes.plot([low, ridge, high], [low * roofs.gigabytes / 1e3, roofs.tflops, roofs.tflops], color="black", label="device")
    for index, name in enumerate(_find_names(rows)):
        rates = [(x, _find_rate(row, name)) for x, row in zip(intensities, rows)]
        shown = [(x, rate) for x, rate in rates if rate is not None]
        if shown:
            marker = _MARKERS[index % len(_MARKERS)]
            axes.scatter([x for x, _ in shown], [rate for _, rate in shown], marker=marker, s=28, label=name)
    axes.set(xscale="log", yscale="log", xlabel="FLOP per byte", ylabel="TFLOP/s")
    axes.set_title(f"{report.device.model}, {dtype}", fontsize=9)
    axes.legend(fontsize=8)
    return _save(figure, path)


def _find_rate(row: Row, name: str) -> float | None:
    return next((find_rates(row, outcome)[0] for outcome in row.outcomes if outcome.peer == name), None)


def _save(figure: Any, path: pathlib.Path) -> pathlib.Path:
    from matplotlib import pyplot

    figure.savefig(path, dpi=_DPI, bbox_inches="tight")
    pyplot.close(figure)
    return path

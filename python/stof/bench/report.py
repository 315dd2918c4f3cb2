"""What was measured, as text and as JSON."""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
import statistics
from typing import Any

from .._command.show import format_rows
from .device import Device, Roofs
from .runner import Outcome, Row

STOF = "stof"
VERSION = 1
_HEADER = ("", "time", "quartiles", "ratio", "rate", "memory", "error", "prepared")
# Of the columns of a table.
_LEGEND = (
    "time: median of a run; quartiles of samples; ratio: time by that of stof",
    "rate: of the matmuls on unmasked positions; memory: inputs and results, each once",
    "error: the largest of a row, relative to the row; of models, the largest by the largest value",
    "prepared: tables of a mask and compilation, which are not part of the time",
)


@dataclasses.dataclass
class Report:
    """The rows of a run. `roofs` are those of each dtype that takes part."""

    device: Device
    versions: dict[str, str]
    roofs: dict[str, Roofs] = dataclasses.field(default_factory=dict)
    rows: list[Row] = dataclasses.field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Times are in microseconds, of a run; `ratio` is the time by that of stof."""
        return {
            "version": VERSION,
            "device": dataclasses.asdict(self.device),
            "versions": self.versions,
            "roofs": {dtype: dataclasses.asdict(roofs) for dtype, roofs in self.roofs.items()},
            "rows": [_convert(row) for row in self.rows],
        }

    def write(self, path: pathlib.Path) -> None:
        aside = path.with_name(path.name + ".writing")
        aside.write_text(json.dumps(self.to_json(), indent=1))
        aside.replace(path)


def _convert(row: Row) -> dict[str, Any]:
    converted = dataclasses.asdict(row)
    for outcome, entry in zip(row.outcomes, converted["outcomes"]):
        entry["ratio"] = find_ratio(row, outcome)
        # JSON has no infinity.
        entry["error"] = entry["error"] if outcome.error is not None and math.isfinite(outcome.error) else None
        entry["tflops"], entry["gigabytes"] = find_rates(row, outcome)
    return converted


def find_ratio(row: Row, outcome: Outcome) -> float | None:
    """The time of an implementation by that of stof."""
    own = row.find(STOF)
    return outcome.timing.median / own.median if outcome.timing and own else None


def find_rates(row: Row, outcome: Outcome) -> tuple[float | None, float | None]:
    """TFLOP/s on unmasked positions, and GB/s of inputs and results."""
    if outcome.timing is None or "flops" not in row.facts:
        return None, None
    micros = outcome.timing.median
    return row.facts["flops"] / micros / 1e6, row.facts["bytes"] / micros / 1e3


def describe_run(report: Report) -> str:
    """What a reader must know before the rows."""
    versions = ", ".join(f"{name} {version}" for name, version in report.versions.items())
    lines = [f"device: {report.device}", f"versions: {versions}"]
    for dtype, roofs in report.roofs.items():
        rates = f"{show_flops(roofs.tflops)} in a matmul, {roofs.gigabytes:.1f} GB/s in a copy"
        lines.append(f"measured here, {dtype}: {rates}")
    lines += _LEGEND
    return "\n".join(lines)


def describe_row(row: Row, roofs: Roofs | None) -> str:
    """A table of a case."""
    lines = ["", row.title]
    table: list[tuple[str, ...]] = [_HEADER]
    for outcome in row.outcomes:
        if outcome.timing is not None:
            table.append(_describe_timed(row, outcome))
    if len(table) > 1:
        # Without the columns that have nothing for this kind of case.
        columns = [column for column in zip(*table) if set(column[1:]) != {"-"}]
        lines += format_rows(list(zip(*columns)), "  ")
    lines += _describe_others(row)
    methods = {outcome.timing.method for outcome in row.outcomes if outcome.timing}
    if "events" in methods:
        names = [o.peer for o in row.outcomes if o.timing and o.timing.method == "events"]
        lines.append(f"  timed by launches, as they cannot be captured in a CUDA graph: {', '.join(names)}")
    if roofs is not None and roofs.tflops and roofs.gigabytes and "flops" in row.facts:
        least = max(row.facts["flops"] / roofs.tflops / 1e6, row.facts["bytes"] / roofs.gigabytes / 1e3)
        lines.append(f"  at least {show_time(least)} at the measured rates of the device")
    if row.clocks:
        lines.append(f"  clocks: {' to '.join(_describe_clocks(clocks) for clocks in row.clocks)}")
    return "\n".join(lines)


def _describe_others(row: Row) -> list[str]:
    """Those that were not timed, by their reason."""
    reasons: dict[str, list[str]] = {}
    for outcome in row.outcomes:
        if outcome.timing is None:
            reasons.setdefault(f"{outcome.status}: {outcome.reason}", []).append(outcome.peer)
    return [f"  {', '.join(names)} {reason}" for reason, names in reasons.items()]


def _describe_timed(row: Row, outcome: Outcome) -> tuple[str, ...]:
    timing, ratio = outcome.timing, find_ratio(row, outcome)
    assert timing is not None, "the outcome is timed"
    tflops, gigabytes = find_rates(row, outcome)
    return (
        outcome.peer,
        show_time(timing.median),
        f"{show_time(timing.low)} to {show_time(timing.high)}",
        "-" if ratio is None else f"{ratio:.2f}",
        "-" if tflops is None else show_flops(tflops),
        "-" if gigabytes is None else f"{gigabytes:.1f} GB/s",
        f"{outcome.error:.1e}",
        f"{outcome.seconds:.1f} s",
    )


def _describe_clocks(clocks: dict[str, str]) -> str:
    return f"SM {clocks.get('clocks.sm', '?')} MHz at {clocks.get('power.draw', '?')} W"


def show_time(micros: float) -> str:
    return f"{micros / 1e3:.2f} ms" if micros >= 1e4 else f"{micros:.4g} us"


def show_flops(tflops: float) -> str:
    return f"{tflops:.1f} TFLOP/s" if tflops >= 1 else f"{tflops * 1e3:.1f} GFLOP/s"


def describe_summary(report: Report) -> str:
    """The geometric mean of the ratios of each implementation, and of the fastest other one in each case."""
    ratios: dict[str, list[float]] = {}
    best = []
    for row in report.rows:
        others = []
        for outcome in row.outcomes:
            ratio = find_ratio(row, outcome)
            if ratio is not None and not outcome.peer.startswith(STOF):
                ratios.setdefault(outcome.peer, []).append(ratio)
                others.append(ratio)
        best += [min(others)] if others else []
    if not best:
        return "\nnothing to compare: stof and another implementation were timed in no case"
    rows = [("time by that of stof", "mean", "least", "most", "cases")]
    for name, found in [*ratios.items(), ("fastest of each case", best)]:
        mean = statistics.geometric_mean(found)
        rows.append((name, f"{mean:.2f}", f"{min(found):.2f}", f"{max(found):.2f}", str(len(found))))
    return "\n".join(["", *format_rows(rows, "")])

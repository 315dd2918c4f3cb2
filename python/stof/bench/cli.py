"""The options of `python -m stof.bench`, which is `python -m stof bench`."""

from __future__ import annotations

import argparse
import dataclasses
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._command import models
from .._command.errors import CommandError, describe_first_line, require
from .._command.progress import Progress
from .gallery import GALLERY

if TYPE_CHECKING:
    from .case import Attention, Shape
    from .device import Device
    from .model_peers import ModelCase
    from .peer import Peer
    from .report import Report

SUMMARY = "measures attention and models with other implementations, results compared first"
DESCRIPTION = """Measures stof and every other implementation that is installed in one run: attention of masks, of names
that --list shows or expressions as for `show`, and with --models whole models as for `export`. Results are compared with
a reference in float64 or float32; what is wrong is not timed. Implementations take turns: on a GPU as replays of CUDA
graphs, with caches that are warm. Without a GPU, all of it is on the CPU."""

_ATTENTION_ON_GPU = {"lengths": [1024, 4096], "batch": 8, "heads": 12, "dtype": "f16"}
_ATTENTION_ON_CPU = {"lengths": [512], "batch": 1, "heads": 4, "dtype": "f32"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--masks", nargs="+", metavar="MASK", help="masks (default: all that --list shows)")
    add("--lengths", nargs="+", type=int, metavar="N", help="queries and keys (default: 1024 4096; on the CPU 512)")
    add("--queries", type=int, metavar="N", help="queries, if they are not as many as keys: 1 is decoding")
    add("--heads", type=int, metavar="N", help="heads (default: 12; on the CPU 4)")
    add("--key-heads", type=int, metavar="N", help="heads of keys and values (default: as many)")
    add("--head-dim", type=int, metavar="N", default=64, help="features of a head (default: 64)")
    add("--models", nargs="+", metavar="MODEL", default=[], help="models; without --masks, no attention is measured")
    add("--peers", nargs="+", metavar="NAME", help="the implementations (default: those that prepare in seconds)")
    add("--rounds", type=int, metavar="N", default=10, help="samples of each implementation, in pairs (default: 10)")
    add("--device", metavar="DEVICE", help="cpu or cuda:N (default: cuda:0 if there is one, else cpu)")
    add("--json", metavar="FILE", help="where to write everything, anew after each case")
    add("--plots", metavar="FOLDER", help="where to draw times, ratios and rates, with matplotlib")
    add("--list", action="store_true", help="print masks and implementations, and measure nothing")
    models.add_arguments(parser.add_argument_group("models of torch (--dtype and --batch are also those of attention)"))


def run(arguments: argparse.Namespace) -> int:
    require("torch", "measurements", "torch")
    require("numpy", "measurements", "numpy")
    if arguments.plots:
        require("matplotlib", "plots", "matplotlib")
    _check_numbers(arguments)
    from .device import find_device, find_versions, measure_roofs
    from .report import Report, describe_run, describe_summary

    device = find_device(arguments.device)
    if arguments.list:
        print(_list_all(device))
        return 0
    plan = _make_plan(arguments, device)
    report = Report(device, find_versions())
    for dtype in {dtype for _, _, dtype in plan.attentions}:
        report.roofs[dtype] = measure_roofs(device, dtype)
    print(describe_run(report), flush=True)
    _measure_all(arguments, plan, report)
    print(describe_summary(report))
    if arguments.plots:
        from .plots import draw

        for path in draw(report, pathlib.Path(arguments.plots)):
            print(f"drawn in {path}")
    return 0


def _check_numbers(arguments: argparse.Namespace) -> None:
    for name in ("queries", "heads", "key_heads", "head_dim", "rounds", "batch"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            raise CommandError(f"expects --{name.replace('_', '-')} of at least 1, but got {value}")
    for length in arguments.lengths or ():
        if length < 1:
            raise CommandError(f"expects --lengths of at least 1, but got {length}")


def _choose(kinds: Sequence[Sequence[Peer[Any]]], names: Sequence[str] | None) -> list[list[Peer[Any]]]:
    """The implementations of these names, of each kind of cases."""
    known = dict.fromkeys(peer.name for peers in kinds for peer in peers)
    for name in names or ():
        if name not in known:
            raise CommandError(f"expects implementations among {', '.join(known)}, but got '{name}'")
    return [[peer for peer in peers if (peer.name in names if names else not peer.is_slow)] for peers in kinds]


def _list_all(device: Device) -> str:
    from . import attention_peers, model_peers

    lines = ["masks, of n keys, r the square root of n:"]
    lines += [f"  {name:<18}{entry.description}" for name, entry in GALLERY.items()]
    for what, peers in (("attention", attention_peers.find_peers(device.name)), ("models", model_peers.find_peers(device.name))):
        lines.append(f"implementations of {what}:")
        lines += [f"  {peer.name:<18}{peer.description}{' (on demand)' if peer.is_slow else ''}" for peer in peers]
    return "\n".join(lines)


@dataclasses.dataclass(frozen=True)
class _Plan:
    """What is to be measured: attentions by mask, shape and dtype, and models; and the implementations of each."""

    attentions: list[tuple[str, Shape, str]]
    models: list[str]
    attention_peers: list[Peer[Attention]]
    model_peers: list[Peer[ModelCase]]


def _make_plan(arguments: argparse.Namespace, device: Device) -> _Plan:
    """Raises CommandError for what cannot be measured, before anything is."""
    from .._command.expressions import parse_mask
    from . import attention_peers, model_peers
    from .case import check_mask

    attentions = _list_attentions(arguments, device)
    for mask, shape, _ in attentions:
        check_mask(parse_mask(mask, shape.queries), shape)
    kinds = attention_peers.find_peers(device.name), model_peers.find_peers(device.name)
    return _Plan(attentions, arguments.models, *_choose(kinds, arguments.peers))


def _measure_all(arguments: argparse.Namespace, plan: _Plan, report: Report) -> None:
    import torch

    from .measure import measure_attention, measure_model
    from .report import describe_row
    from .runner import Row, Settings

    def add(row: Row) -> None:
        report.rows.append(row)
        print(describe_row(row, report.roofs.get(row.facts["dtype"])), flush=True)
        if arguments.json:
            report.write(pathlib.Path(arguments.json))

    with Progress(len(plan.attentions) + len(plan.models)) as progress:
        settings = Settings(report.device, arguments.rounds, progress)
        try:
            for mask, shape, dtype in plan.attentions:
                add(measure_attention(mask, shape, dtype, plan.attention_peers, settings))
            for name in plan.models:
                add(measure_model(name, arguments, plan.model_peers, settings))
        except torch.OutOfMemoryError as error:
            raise CommandError(f"expects cases and their references to fit the device, but: {error}") from error
        except torch.AcceleratorError as error:
            advice = "an implementation has left the device in an error; --peers chooses others"
            raise CommandError(f"{describe_first_line(error)}: {advice}") from error


def _list_attentions(arguments: argparse.Namespace, device: Device) -> list[tuple[str, Shape, str]]:
    from .case import Shape

    if arguments.models and not arguments.masks:
        return []
    defaults = _ATTENTION_ON_GPU if device.is_gpu else _ATTENTION_ON_CPU
    options: dict[str, Any] = {name: getattr(arguments, name) or value for name, value in defaults.items()}
    heads, key_heads = options["heads"], arguments.key_heads or options["heads"]
    if heads % key_heads:
        raise CommandError(f"expects --heads in a multiple of --key-heads, but got {heads} and {key_heads}")
    shapes = [
        Shape(options["batch"], heads, key_heads, arguments.queries or length, length, arguments.head_dim)
        for length in options["lengths"]
    ]
    return [(mask, shape, options["dtype"]) for shape in shapes for mask in arguments.masks or GALLERY]

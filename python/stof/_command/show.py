"""`python -m stof show`: what is known of a mask or of a package."""

from __future__ import annotations

import argparse
import json
import pathlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._explain import STORAGES, find_proven_set
from .._show import EMPTY, FULL, PARTIAL, classify_tiles
from ..runtime import load
from . import sizes
from .compile import REPORT
from .errors import CommandError, require
from .expressions import parse_mask
from .progress import Progress
from .run import choose_function

if TYPE_CHECKING:
    from ..masks import Mask
    from ..runtime import Function

SUMMARY = "shows the tiles of a mask and what is proven of it, or the kernels of a package"
DESCRIPTION = """Of a mask: what the compiler proves, and the tiles as text, or as a picture with --picture. A mask is an
expression in the functions of stof.masks, such as 'causal() & window(256) | global_tokens(32)', a name such as longformer
(`python -m stof bench --list` lists them), or MODULE:OBJECT or FILE.py:OBJECT, a Mask or a predicate. Of a package: its
functions and their kernels, with registers and proofs if it was written by `python -m stof compile`."""

# Tiles and positions that are drawn.
_MOST_TILES, _MOST_POSITIONS = 64, 1 << 28
_SIGNS = {EMPTY: ".", PARTIAL: "+", FULL: "#"}
_MOST_INPUTS = 8
_LONGEST = 60
_HEADER = ("kernel", "grid", "CTA", "cluster", "shared", "registers", "spills", "predicted us")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("subject", metavar="MASK|PKG", help="a mask, or the folder of a package")
    mask = parser.add_argument_group("of a mask")
    mask.add_argument("--length", type=int, metavar="N", default=1024, help="queries, and keys (default: 1024)")
    mask.add_argument("--keys", type=int, metavar="N", help="keys, if they are not as many")
    mask.add_argument("--heads", type=int, metavar="N", default=1, help="heads (default: 1)")
    mask.add_argument("--features", type=int, metavar="N", default=64, help="features of a head (default: 64)")
    mask.add_argument("--dtype", choices=("f16", "bf16", "f32"), default="f16", help="of queries and keys (default: f16)")
    mask.add_argument("--target", metavar="TARGET", default="sm_90a", help="the GPU (default: sm_90a)")
    mask.add_argument("--tile", metavar="ROWSxCOLUMNS", default="64x64", help="tiles to draw (default: 64x64)")
    mask.add_argument("--picture", metavar="FILE", help="where to draw them, as .png, .svg or .pdf, with matplotlib")
    package = parser.add_argument_group("of a package")
    package.add_argument("--function", metavar="NAME", help="the only function to show")
    package.add_argument("--size", metavar="NAME=N", nargs="+", default=[], help="dynamic sizes, for grids and counts")


def run(arguments: argparse.Namespace) -> int:
    if pathlib.Path(arguments.subject).is_dir():
        _show_package(arguments)
    else:
        _show_mask(arguments)
    return 0


def _show_mask(arguments: argparse.Namespace) -> None:
    require("numpy", "masks", "numpy")
    rows, sign, columns = arguments.tile.partition("x")
    if not sign or not rows.isdigit() or not columns.isdigit() or 0 in (int(rows), int(columns)):
        raise CommandError(f"expects a tile such as 64x64, but got '{arguments.tile}'")
    if arguments.picture:
        require("matplotlib", "pictures", "matplotlib")
    queries, keys = arguments.length, arguments.keys or arguments.length
    for name, least in (("length", queries), ("keys", keys), ("heads", arguments.heads), ("features", arguments.features)):
        if least < 1:
            raise CommandError(f"expects --{name} of at least 1, but got {least}")
    mask = parse_mask(arguments.subject, queries)
    with Progress() as progress:
        progress.step(f"compiling {mask} for {arguments.target}")
        shape = {"heads": arguments.heads, "features": arguments.features, "dtype": arguments.dtype}
        explanation = mask.explain(queries, keys, target=arguments.target, **shape)
    print(explanation)
    tile = int(rows), int(columns)
    if queries * keys > _MOST_POSITIONS:
        print(f"  not drawn: more than {_MOST_POSITIONS} positions")
    elif arguments.picture:
        _draw(mask, queries, keys, tile, arguments.picture)
        print(f"  drawn in {arguments.picture}")
    else:
        print("\n".join(f"  {line}" for line in _draw_text(mask, queries, keys, tile)))


def _draw(mask: Mask, queries: int, keys: int, tile: tuple[int, int], path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    try:
        mask.show(queries, keys, tile=tile).figure.savefig(path, bbox_inches="tight")
    except ValueError as error:
        raise CommandError(f"expects a kind of picture that matplotlib writes, but got {path}: {error}") from error


def _draw_text(mask: Mask, queries: int, keys: int, tile: tuple[int, int]) -> list[str]:
    """The tiles of head 0, in multiples of `tile` for which there is room."""
    dense = mask.dense(queries, keys)[0, 0]
    factor = max(1, -(-queries // (tile[0] * _MOST_TILES)), -(-keys // (tile[1] * _MOST_TILES)))
    drawn = tile[0] * factor, tile[1] * factor
    tiles = classify_tiles(dense, drawn)
    lines = ["".join(_SIGNS[kind] for kind in row) for row in tiles.tolist()]
    return [f"tiles of {drawn[0]} x {drawn[1]}: # full, + partial, . empty", *lines]


def _show_package(arguments: argparse.Namespace) -> None:
    package = load(arguments.subject)
    path = pathlib.Path(arguments.subject, REPORT)
    report = json.loads(path.read_text()) if path.is_file() else None
    reports = {entry["name"]: entry for entry in report["functions"]} if report else {}
    size = sum(entry["bytes"] for entry in package.manifest["files"])
    print(f"{arguments.subject}: by {package.manifest['producer']}, {size} bytes")
    if report is None:
        print("no registers and proofs: it has no report.json, which `python -m stof compile` writes")
    names = [choose_function(package, arguments.function).name] if arguments.function else list(package.functions)
    known = sizes.find_names([tensor for name in names for tensor in package[name].inputs])
    symbols = sizes.parse_symbols(arguments.size, known)
    for entry in package.manifest["functions"]:
        if entry["name"] in names:
            _show_function(package[entry["name"]], entry, reports.get(entry["name"]), symbols)


def _show_function(function: Function, entry: Any, report: Any, symbols: Mapping[str, int]) -> None:
    inputs = [str(tensor) for tensor in function.inputs[:_MOST_INPUTS]]
    if len(function.inputs) > _MOST_INPUTS:
        inputs.append(f"and {len(function.inputs) - _MOST_INPUTS} more")
    print(f"\n{function.name}({', '.join(inputs)}) -> {', '.join(map(str, function.results))}")
    kernels = {(kernel["target"], kernel["name"]): kernel for kernel in report["kernels"]} if report else {}
    for target in entry["targets"]:
        launched = [step for step in target["steps"] if "kernel" in step]
        native = [kernel for (name, _), kernel in kernels.items() if name == target["target"]]
        count = f"{len(launched)} kernels" if launched else "native code" + (f" of {len(native)} kernels" if native else "")
        checks = f", {len(target['assertions'])} assertions" if target.get("assertions") else ""
        print(f"  {target['target']}: {count}, workspace {sizes.show(target['workspace'], symbols)} bytes{checks}")
        rows = [_describe(step, kernels.get((target["target"], step["kernel"]), {}), symbols) for step in launched]
        if rows:
            print("\n".join(format_rows([_HEADER, *rows], "    ")))
    for attention in report["attentions"] if report else ():
        _show_attention(attention, kernels, symbols)


def _describe(step: Any, kernel: Any, symbols: Mapping[str, int]) -> tuple[str, ...]:
    """A step as a row of the table."""

    def show(dims: Sequence[Any]) -> str:
        while len(dims) > 1 and dims[-1] == 1:
            dims = dims[:-1]
        texts = [sizes.show(dim, symbols) for dim in dims]
        return " x ".join(f"({text})" if " " in text and len(texts) > 1 else text for text in texts)

    # The same kernel can be launched as several steps.
    facts = [str(kernel.get(name, "-")) for name in ("registers", "spills", "predicted_us")]
    shared = sizes.show(step.get("shared_bytes", 0), symbols)
    return (step["kernel"], show(step["grid"]), show(step["block"]), show(step.get("cluster", [1])), shared, *facts)


def _show_attention(attention: Any, kernels: Mapping[tuple[str, str], Any], symbols: Mapping[str, int]) -> None:
    print(f"  attention at {attention['loc']}: {attention['source']}, mask: {attention['mask'] or 'not compiled'}")
    proven = find_proven_set(attention["notes"])
    if proven:
        print(f"    proven: {proven}")
    for entry in attention["kernels"]:
        layout = kernels.get((entry["target"], entry["name"]), {}).get("layout")
        if layout:
            counts = [(name, _count(layout.get(name), symbols)) for name in ("full", "partial", "empty")]
            text = ", ".join(f"{count} {name}" for name, count in counts)
            storage = re.sub(r":.*", "", STORAGES[layout["storage"]])
            print(f"    {entry['target']} {entry['name']}: tiles of {layout['row_tile']} x {layout['col_tile']} {storage}: {text}")


def _count(size: Any, symbols: Mapping[str, int]) -> str:
    if size is None:
        return "unknown"
    text = sizes.show(size, symbols)
    return text if len(text) <= _LONGEST else "(by --size)"


def format_rows(rows: Sequence[Sequence[str]], indent: str) -> list[str]:
    """The lines of a table, the first column to the left and others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        lines.append(indent + "  ".join(cells).rstrip())
    return lines

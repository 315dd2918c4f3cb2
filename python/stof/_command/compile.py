"""`python -m stof compile`: a model to a package."""

from __future__ import annotations

import argparse
import json
import pathlib
import time
from typing import Any

from .._compiler import CompileResult, compile_module
from .._torch.report import Report
from ..runtime import load
from . import models
from .errors import fit_screen
from .export import export
from .progress import Progress

REPORT = "report.json"
# Those of stof-compile.
_TARGETS = "sm_90a,sm_80,cpu"
SUMMARY = "compiles MLIR or a model of torch to a package"
DESCRIPTION = f"""Compiles all public functions of a module to a package: a folder with a manifest, PTX and native code, and
report.json, which `show` prints. MODEL is a file in .mlir or .mlirbc, or a model as for `export`: {models.DESCRIPTION}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("model", metavar="MODEL", help="the module or model")
    add("-o", "--output", metavar="PKG", required=True, help="the folder to write")
    add("--target", metavar="TARGET,...", default=_TARGETS, help=f"GPUs, and cpu (default: {_TARGETS})")
    add("--function", metavar="NAME", help="the only function to compile (default: all public ones)")
    add("--no-assertions", action="store_true", help="omit the checks of indices that depend on data")
    add("--check-bounds", action="store_true", help="check the bounds of memory accesses in kernels")
    add("--allow-unregistered-dialect", action="store_true", help="accept operations of unknown dialects")
    add("--jobs", type=int, metavar="N", default=0, help="the maximum number of threads (default: one per hardware thread)")
    models.add_arguments(parser.add_argument_group("models of torch"))


def run(arguments: argparse.Namespace) -> int:
    start = time.monotonic()
    with Progress() as progress:
        compiled, reports = _compile(arguments, progress)
        path = pathlib.Path(arguments.output, REPORT)
        path.write_text(json.dumps(compiled.report, indent=1))
    for diagnostic in compiled.diagnostics:
        print(fit_screen(str(diagnostic)))
    size = sum(file.stat().st_size for file in pathlib.Path(arguments.output).iterdir())
    print(f"{arguments.output}: {size / 1e6:.2f} MB in {time.monotonic() - start:.1f} s")
    for name, function in load(arguments.output).functions.items():
        print(f"{name}: {len(function.inputs)} inputs -> {', '.join(map(str, function.results))}")
        print("\n".join(f"  {line}" for line in str(reports[name]).splitlines()))
    return 0


def _compile(arguments: argparse.Namespace, progress: Progress) -> tuple[CompileResult, dict[str, Report]]:
    targets = [target for target in arguments.target.split(",") if target]
    options: dict[str, Any] = {
        "function": arguments.function,
        "assertions": not arguments.no_assertions,
        "check_bounds": arguments.check_bounds,
        "threads": arguments.jobs,
    }
    step = f"compiling for {', '.join(targets)}"
    if models.is_mlir(arguments.model):
        source = pathlib.Path(arguments.model).read_bytes()
        progress.step(step)
        allow = arguments.allow_unregistered_dialect
        options |= {"name": arguments.model, "allow_unregistered_dialects": allow}
        result = compile_module(source, arguments.output, targets=targets, **options)
        return result, {entry["name"]: Report(entry) for entry in result.report["functions"]}
    progress.step(f"making {arguments.model}")
    lowered = export(models.load(arguments.model, arguments), progress).lowered
    progress.step(step)
    result = lowered.compile(arguments.output, targets, **options)
    return result, lowered.find_reports(result)

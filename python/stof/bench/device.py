"""The device of a run: its name, its clocks, and the most that it computes and moves, measured."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from typing import Any

import torch

from .. import _compiler
from .._command.errors import CommandError
from .case import DTYPES
from .timing import Timing, race

# Sides of the matmul, and elements of the copy, that are measured.
_SIDES = {"cpu": 1024, "cuda": 8192}
_ELEMENTS = {"cpu": 1 << 24, "cuda": 1 << 28}
_ROUNDS = 5
_CLOCKS = ("clocks.sm", "clocks.mem", "temperature.gpu", "power.draw", "clocks_event_reasons.active")
_SECONDS = 10
# A share of the processors.
_MUCH_LOAD = 0.5


@dataclasses.dataclass(frozen=True)
class Device:
    """A device as tensors of torch name it, "cpu" or "cuda:N", with its name; `note` is what a reader must know."""

    name: str
    model: str
    note: str

    @property
    def is_gpu(self) -> bool:
        return self.name != "cpu"

    def __str__(self) -> str:
        return f"{self.model} ({self.name}), {self.note}"


@dataclasses.dataclass(frozen=True)
class Roofs:
    """The most that the device does, measured in this run: a matmul and a copy of torch."""

    tflops: float
    gigabytes: float


def find_device(name: str | None) -> Device:
    """The device of this name, by default the first GPU, or the CPU if there is none."""
    has_gpu = torch.cuda.is_available()
    if name is None:
        name = "cuda:0" if has_gpu else "cpu"
    name = "cuda:0" if name == "cuda" else name
    if name == "cpu":
        note = f"{torch.get_num_threads()} threads" + _describe_load() + ("" if has_gpu else "; there is no GPU here")
        return Device(name, _find_processor(), note)
    match = re.fullmatch(r"cuda:(\d+)", name)
    if match is None:
        raise CommandError(f"expects cpu or cuda:N as device, but got '{name}'")
    if int(match[1]) >= torch.cuda.device_count():
        raise CommandError(f"expects a device that is here, but got '{name}', and torch sees {torch.cuda.device_count()} GPUs")
    torch.cuda.set_device(int(match[1]))
    properties = torch.cuda.get_device_properties(int(match[1]))
    return Device(name, properties.name, f"{properties.multi_processor_count} SMs, CUDA {torch.version.cuda}")


def _describe_load() -> str:
    """What others take of the CPU, if that is much."""
    load, processors = os.getloadavg()[0], os.cpu_count() or 1
    return f", loaded by others ({load:.1f} of {processors})" if load > _MUCH_LOAD * processors else ""


def _find_processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def find_versions() -> dict[str, str]:
    """The versions of Python and of packages that may take part."""
    versions = {"stof": _compiler.get_version(), "python": platform.python_version()}
    for package in ("torch", "triton", "torch-mlir", "transformers", "flash-attn", "flash-attn-3", "flash-attn-4"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    if torch.version.cuda:
        versions["cuda"] = torch.version.cuda
        versions["cudnn"] = str(torch.backends.cudnn.version()) if torch.backends.cudnn.is_available() else "none"
    return versions


def read_clocks(device: Device, run: Callable[[], Any]) -> dict[str, str]:
    """The clocks in MHz, the temperature, the power and the reasons of throttling while `run` is repeated; empty on a CPU,
    or without nvidia-smi."""
    program = shutil.which("nvidia-smi")
    if not device.is_gpu or program is None:
        return {}
    properties: Any = torch.cuda.get_device_properties(device.name)
    # Numbers of torch are those of visible devices.
    which = f"GPU-{properties.uuid}" if hasattr(properties, "uuid") else device.name.partition(":")[2]
    command = [program, f"--query-gpu={','.join(_CLOCKS)}", "--format=csv,noheader,nounits", "-i", which]
    end = time.monotonic() + _SECONDS
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while process.poll() is None and time.monotonic() < end:
            run()
            torch.cuda.synchronize()
        process.kill()
        answer = process.stdout.read() if process.stdout else ""
    values = [value.strip() for value in answer.strip().split(",")]
    return dict(zip(_CLOCKS, values)) if len(values) == len(_CLOCKS) else {}


def measure_roofs(device: Device, dtype: str) -> Roofs:
    """A large matmul and a large copy, as torch has them; of f32 on a GPU in TF32, as kernels of attention multiply it."""
    kind = "cuda" if device.is_gpu else "cpu"
    side = _SIDES[kind]
    left, right = (torch.randn(side, side, device=device.name).to(DTYPES[dtype]) for _ in range(2))
    product = torch.empty_like(left)
    source = torch.zeros(_ELEMENTS[kind], device=device.name)
    copy = torch.empty_like(source)
    runs = {"matmul": lambda: torch.matmul(left, right, out=product), "copy": lambda: copy.copy_(source)}
    precision = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if device.is_gpu else precision)
    try:
        times = race(runs, device.name, _ROUNDS)
    finally:
        torch.set_float32_matmul_precision(precision)
    micros = {name: found.median for name, found in times.items() if isinstance(found, Timing)}
    moved = 2 * source.numel() * source.element_size()
    return Roofs(
        2 * side**3 / micros["matmul"] / 1e6 if "matmul" in micros else 0.0,
        moved / micros["copy"] / 1e3 if "copy" in micros else 0.0,
    )

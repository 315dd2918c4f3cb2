"""Implementations that are right, wrong, and none, in one measurement."""

import json
import math
import pathlib
import sys

import torch
from stof._command.progress import Progress
from stof.bench import report, validation
from stof.bench.attention_peers import find_peers
from stof.bench.case import Attention, Shape
from stof.bench.device import Roofs, find_device
from stof.bench.peer import Peer, Prepared, Unavailable
from stof.bench.runner import Row, Settings, measure

case = Attention("causal() & window(5)", Shape(1, 2, 1, 24, 24, 8), "f32", "cpu")
reference = validation.compute_reference(case)
calls = []


def make(name, result=None, error=None):
    def prepare(case):
        if error is not None:
            raise error
        return Prepared(lambda: calls.append(name) or result)

    return Peer(name, "", prepare)


def fail_later(case):
    runs = []

    def run():
        runs.append(1)
        if len(runs) > 1:
            raise RuntimeError("no second run")
        return reference

    return Prepared(run)


almost = reference.float()
one_row = almost.clone()
one_row[0, 1, 3] *= 1.01
peers = [
    make("stof", almost),
    make("other", almost.clone()),
    make("wrong", -almost),
    make("one row", one_row),
    make("nan", torch.full_like(almost, math.nan)),
    make("shape", almost[:, :1]),
    make("absent", error=Unavailable("is not installed")),
    make("error", error=KeyError("key\nand more")),
    Peer("later", "", fail_later),
]
device = find_device("cpu")
with Progress() as progress:
    tolerance = validation.find_tolerance("f32", "cpu")
    judge = lambda peer, result: (validation.measure_error(result, reference), tolerance)
    outcomes, clocks = measure(case, peers, Settings(device, 3, progress), judge)
facts = {"label": "x", "dtype": "f32", "flops": case.flops, "bytes": case.bytes}
row = Row("attention", "title", facts, tolerance, outcomes, clocks)
print(report.describe_row(row, Roofs(1.0, 10.0)))
print("wrong ones are not run again:", {name: calls.count(name) for name in ("wrong", "nan")})
timed = [outcome.timing for outcome in outcomes if outcome.timing]
print([timing.method for timing in timed], [timing.samples for timing in timed], clocks)
assert all(timing.low <= timing.median <= timing.high for timing in timed)
whole = report.Report(device, {"torch": "0"}, {"f32": Roofs(1.0, 10.0)}, [row])
print(report.describe_summary(whole))
path = pathlib.Path(sys.argv[1])
whole.write(path)
read = json.loads(path.read_text(), parse_constant=lambda name: sys.exit(f"{name} in JSON"))
print(read["version"], read["rows"][0]["outcomes"][0]["ratio"], read["rows"][0]["outcomes"][4]["error"])

# FlashAttention's own masks, without it.
sys.modules["flash_attn"] = None
for mask in ("causal", "window(2)"):
    for dtype, place in (("f16", "cpu"), ("f32", "cpu")):
        peer = next(peer for peer in find_peers("cuda:0") if peer.name == "fa2")
        case = Attention(mask, Shape(1, 2, 2, 24, 24, 8), dtype, "cpu")
        case.device = "cuda:0"
        try:
            peer.prepare(case)
        except Unavailable as error:
            print(f"{mask} {dtype}: {error}")

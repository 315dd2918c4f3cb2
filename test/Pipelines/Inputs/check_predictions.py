"""Predicted times of attention against times that were measured on an H200.

Compiles one module of many functions, in the tiles of CostModel/AttentionTile.cpp, and reads `predicted_us` and
`layout` of the report. A prediction is 0.7 to 1.4 times the measurement, and grows with the tiles that a mask
touches.
"""

import json
import pathlib
import subprocess
import sys

compiler, folder = sys.argv[1], pathlib.Path(sys.argv[2])

# |q - k| <= WIDTH
BAND = """
    %w = arith.constant {} : index
    %d0 = arith.subi %q, %k : index
    %d1 = arith.subi %k, %q : index
    %d = arith.maxsi %d0, %d1 : index
    %near = arith.cmpi sle, %d, %w : index"""
DENSE = None
CAUSAL = """
    %keep = arith.cmpi sge, %q, %k : index"""
WINDOW = BAND + """
    %keep = arith.andi %near, %near : i1"""
LONGFORMER = BAND + """
    %rows = arith.cmpi slt, %q, %w : index
    %columns = arith.cmpi slt, %k, %w : index
    %global = arith.ori %rows, %columns : i1
    %keep = arith.ori %near, %global : i1"""
STRIDED = """
    %root = arith.constant {0} : index
    %last = arith.subi %root, %one : index
    %causal = arith.cmpi sge, %q, %k : index
    %d = arith.subi %q, %k : index
    %local = arith.cmpi slt, %d, %root : index
    %rest = arith.remsi %k, %root : index
    %column = arith.cmpi eq, %rest, %last : index
    %seen = arith.ori %local, %column : i1
    %keep = arith.andi %causal, %seen : i1"""

TARGETS = ["sm_80", "sm_90a"]
# Tiles: queries, keys, warps, and whether queries are in registers.
USUAL, PAIRS, BIG, LOW, NARROW = (64, 64, 4), (64, 64, 2), (128, 64, 4, True), (32, 64, 2), (128, 32, 4)
# Name, batch, heads, length, features, mask, tile, microseconds of code for sm_80 and sm_90a by graph replays on an H200.
MEASURED = [
    ("dense", 16, 12, 4096, 64, DENSE, BIG, 2361, 2437),
    ("causal", 16, 12, 4096, 64, CAUSAL, PAIRS, 1328, 1335),
    ("window", 16, 12, 4096, 64, WINDOW.format(64), USUAL, 178.6, 138.8),
    ("longformer", 16, 12, 4096, 64, LONGFORMER.format(64), USUAL, 257.4, 204.5),
    ("strided", 16, 12, 4096, 64, STRIDED.format(64), USUAL, 199.3, 159.2),
    ("middle", 8, 12, 512, 64, DENSE, BIG, 24.21, 24.78),
    ("small", 1, 12, 128, 64, DENSE, LOW, 2.837, 2.593),
    ("long", 1, 32, 8192, 128, DENSE, NARROW, 3139, 2464),
    ("long_causal", 1, 32, 8192, 128, CAUSAL, USUAL, 1735, 1179),
]
# Windows of growing width, keys of growing number.
GROWING = [[(f"window_{width}", 1, 12, 4096, 64, WINDOW.format(width), USUAL) for width in (16, 128, 512, 1024, 4096)],
           [(f"length_{length}", 2, 12, length, 64, CAUSAL, USUAL) for length in (128, 256, 1024, 4096, 16384)]]


def function(name, batch, heads, length, features, mask, tile):
    tensor = f"tensor<{batch}x{heads}x{length}x{features}xf16>"
    kind = f"!stof.mask<{length}x{length}>"
    queries, keys, warps, *held = tile
    shape = f"queries = {queries}, keys = {keys}, warps = {warps}" + (", holds_queries = true" if held else "")
    text = f"func.func @{name}(%x: {tensor}, %y: {tensor}, %z: {tensor}) -> {tensor} {{\n"
    if mask:
        text += f"""  %m = stof.mask {{
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %one = arith.constant 1 : index{mask}
    stof.yield %keep : i1
  }} : {kind}
"""
    return text + f"""  %e = tensor.empty() : {tensor}
  %o = stof.attention ins(%x, %y, %z : {tensor}, {tensor}, {tensor}) {f'mask(%m : {kind})' if mask else ''}
      tile <{shape}> outs(%e : {tensor}) scale 0.125 -> {tensor}
  return %o : {tensor}
}}
"""


cases = [case[:7] for case in MEASURED] + [case for cases in GROWING for case in cases]
model = folder / "model.mlir"
model.write_text("".join(function(*case) for case in cases))


def predict(target):
    """The kernel of each function for `target`, as the report describes it."""
    report = folder / f"{target}.json"
    subprocess.run([compiler, model, "-o", folder / target, f"--target={target}", f"--report={report}"], check=True)
    return {f["name"]: f["kernels"][0] for f in json.loads(report.read_text())["functions"]}


bad = 0
for number, target in enumerate(TARGETS):
    kernels = predict(target)
    for name, *_, measured in [(*case[:7], case[7 + number]) for case in MEASURED]:
        ratio = kernels[name]["predicted_us"] / measured
        print(f"{name} for {target}: predicted {kernels[name]['predicted_us']:.1f} us, {ratio:.2f} of what was measured")
        bad += not 0.7 < ratio < 1.4
    for cases in GROWING:
        times = [kernels[case[0]]["predicted_us"] for case in cases]
        tiles = [kernels[case[0]]["layout"]["full"] + kernels[case[0]]["layout"]["partial"] for case in cases]
        print(f"tiles {tiles}: {[round(time, 1) for time in times]} us")
        bad += sorted(tiles) != tiles or any(a >= b for a, b in zip(times, times[1:]))
print(f"{len(TARGETS) * (len(MEASURED) + len(GROWING))} checked, {bad} failed")
sys.exit(bad != 0)

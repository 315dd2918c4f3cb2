"""How the cost model ranks schedules, against times that were measured (schedules.csv).

    check_ranks.py STOF_OPT

For each cell: Spearman's rank correlation of predicted and measured times, and the measured time of the schedule
that is predicted to be the fastest, as a multiple of the shortest.
"""

import collections
import csv
import pathlib
import re
import subprocess
import sys

# By kind: the least rank correlation, and the most that the choice may cost.
FLOORS = {"attention": (0.85, 1.08), "matmul": (0.9, 1.1), "softmax": (0.6, 1.1)}
BAND = """%c = arith.constant {} : index
    %d0 = arith.subi %i, %j : index
    %d1 = arith.subi %j, %i : index
    %d = arith.maxsi %d0, %d1 : index
    %keep = arith.cmpi sle, %d, %c : index"""
MASKS = {
    "causal": "%keep = arith.cmpi sle, %j, %i : index",
    "sliding": "%d = arith.subi %i, %j : index\n %w = arith.constant 1024 : index\n %keep = arith.cmpi ult, %d, %w : index",
    "window": "%d = arith.subi %i, %j : index\n %w = arith.constant 256 : index\n %keep = arith.cmpi ult, %d, %w : index",
    "narrow": "%d = arith.subi %i, %j : index\n %w = arith.constant 32 : index\n %keep = arith.cmpi ult, %d, %w : index",
    "band22": BAND.format(22),
    "band64": BAND.format(64),
}
LINE = re.compile(r"^[* ] +([0-9.]+) .*? \[?(#stof\..*)$", re.M)


def attention(mask, batch, heads, length, features):
    tensor = f"tensor<{batch}x{heads}x{length}x{features}xf16>"
    kind = f"!stof.mask<{length}x{length}>"
    text = f"""  %m = stof.mask {{
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    {MASKS[mask]}
    stof.yield %keep : i1
  }} : {kind}
""" if mask in MASKS else ""
    return f"""func.func @main(%q: {tensor}, %k: {tensor}, %v: {tensor}) -> {tensor} {{
{text}  %e = tensor.empty() : {tensor}
  %o = stof.attention ins(%q, %k, %v : {tensor}, {tensor}, {tensor}) {f"mask(%m : {kind})" if text else ""} outs(%e : {tensor}) -> {tensor}
  return %o : {tensor}
}}"""


def matmul(rows, columns, depth):
    left, right, out = f"tensor<{rows}x{depth}xf16>", f"tensor<{depth}x{columns}xf16>", f"tensor<{rows}x{columns}xf16>"
    return f"""func.func @main(%a: {left}, %b: {right}) -> {out} {{
  %e = tensor.empty() : {out}
  %z = arith.constant 0.0 : f16
  %f = linalg.fill ins(%z : f16) outs(%e : {out}) -> {out}
  %o = linalg.matmul ins(%a, %b : {left}, {right}) outs(%f : {out}) -> {out}
  return %o : {out}
}}"""


def softmax(rows, columns):
    tensor = f"tensor<{rows}x{columns}xf16>"
    return f"""func.func @main(%a: {tensor}) -> {tensor} {{
  %e = tensor.empty() : {tensor}
  %o = linalg.softmax dimension(1) ins(%a : {tensor}) outs(%e : {tensor}) -> {tensor}
  return %o : {tensor}
}}"""


def predict(stof_opt, text):
    """The predicted time of each schedule of the kernel, which is written as in schedules.csv."""
    def run(*arguments, module):
        return subprocess.run([stof_opt, *arguments], input=module, capture_output=True, check=True, text=True).stdout
    planned = run("--stof-plan=chip=sm_90a", module=text)
    listed = run("--stof-list-schedules=chip=sm_90a", "-o", "/dev/null", module=planned)
    return {" ".join(re.findall(r"= (\w+)", schedule)): float(time) for time, schedule in LINE.findall(listed)}


def rank(values):
    """Ranks, of equal values their mean."""
    return [sum(other < value for other in values) + sum(other == value for other in values) / 2 for value in values]


def correlate(first, second):
    means = sum(first) / len(first), sum(second) / len(second)
    first, second = [value - means[0] for value in first], [value - means[1] for value in second]
    product = sum(a * b for a, b in zip(first, second))
    return product / (sum(a * a for a in first) * sum(b * b for b in second)) ** 0.5


def main():
    cells = collections.defaultdict(dict)
    with open(pathlib.Path(__file__).parent / "schedules.csv", encoding="ascii", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            cells[row["cell"]][row["schedule"]] = float(row["us"])
    bad = 0
    for cell, measured in cells.items():
        kind, *sizes = cell.split()
        text = {"attention": attention, "matmul": matmul, "softmax": softmax}[kind](
            *(int(size) if size.isdigit() else size for size in sizes))
        predicted = predict(sys.argv[1], text)
        both = [schedule for schedule in measured if schedule in predicted]
        correlation = correlate(rank([predicted[s] for s in both]), rank([measured[s] for s in both]))
        cost = measured[min(both, key=predicted.get)] / min(measured.values())
        print(f"{cell}: {len(both)} of {len(measured)} schedules, rank correlation {correlation:.2f}, choice {cost:.2f}")
        least, most = FLOORS[kind]
        bad += len(both) < len(measured) or correlation < least or cost > most
    print(f"{len(cells)} cells, {bad} out of bounds")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()

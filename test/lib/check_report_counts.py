"""Evaluates the counts in a report of stof-compile, and compares them with the grid of each mask.

    check_report_counts.py REPORT NAME=PREDICATE...

A predicate is Python in q, k and the symbols s0 and s1, which are the lengths of query and key; of one symbol, s0 is both.
"""

import json
import sys

from layout_text import evaluate


def counts(rows, keys, row_tile, col_tile):
    """What the census of a grid is."""
    found = {"full": 0, "partial": 0, "empty": 0, "nonzeros": sum(map(sum, rows))}
    for first in range(0, len(rows), row_tile):
        for start in range(0, keys, col_tile):
            pairs = [keep for row in rows[first : first + row_tile] for keep in row[start : start + col_tile]]
            found["full" if all(pairs) else "partial" if any(pairs) else "empty"] += 1
    return found


path, *masks = sys.argv[1:]
with open(path) as file:
    functions = {function["name"]: function for function in json.load(file)["functions"]}
for mask in masks:
    name, predicate = mask.split("=", 1)
    for kernel in functions[name]["kernels"]:
        layout = kernel["layout"]
        for s0, s1 in [(1, 1), (63, 64), (64, 64), (65, 130), (129, 200), (200, 129), (257, 70)]:
            s1 = s1 if "s1" in predicate else s0
            rows = eval(f"[[{predicate} for k in range(s1)] for q in range(s0)]", {"s0": s0, "s1": s1})
            for count, value in counts(rows, s1, layout["row_tile"], layout["col_tile"]).items():
                got = evaluate(layout[count], {"s0": s0, "s1": s1})
                if got != value:
                    sys.exit(f"{name} on {kernel['target']}: {count} is {got} for {s0} x {s1}, but expects {value}")

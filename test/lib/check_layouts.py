"""Compares the layouts of random masks with their grids, tile by tile and pair by pair.

    check_layouts.py STOF_OPT FOLDER [--count=N] [--seed=N] [--slow=SECONDS]

Of a layout in closed form, each tile must be visited exactly if the mask keeps a pair of it, and be partial exactly
if it drops one; where a part of the mask stayed code, more may be visited or partial. The counts of the remark and
the picture of stof-print-mask must be those of the grid. A mask without a closed form is counted.
"""

import argparse
import os
import random
import re
import resource
import subprocess
import sys
import time

import random_masks

SECONDS, BYTES = 20, 4 << 30
TILES = [8, 12, 16, 24, 32, 48, 64]


class Interval:
    """A `#stof.interval`; `ends` of a position are Python expressions in d0, d1, d2, s0, ..."""

    def __init__(self, text):
        self.ends = {}
        for name in ("from", "to", "where"):
            found = re.search(rf"\b{name} = affine_map<\([^)]*\)(?:\[[^\]]*\])? -> \((.*?)\)>", text)
            results = found.group(1).replace("floordiv", "//").replace("mod", "%") if found else ""
            self.ends[name] = compile(f"({results},)" if results else "()", name, "eval")

    def tiles(self, names, key_tiles):
        begin, end, guard = (eval(self.ends[name], {}, names) for name in ("from", "to", "where"))
        if min(guard, default=0) < 0:
            return range(0)
        return range(max((0, *begin)), min((key_tiles, *end)))


class Layout:
    """What stof-plan-layout wrote for one attention."""

    def __init__(self, function):
        text = re.search(r" layout <(.*?)> (?:from\((.*?) :|outs)", function)
        self.found = bool(text)
        if not text:
            return
        rest, _, symbols = text.group(1).partition(", symbols = [")
        rest, _, partial = rest.partition(", partial = [")
        _, _, visited = rest.partition(", visited = [")
        self.visited, self.partial = ([Interval(one) for one in part.split("#stof.interval")[1:]] for part in (visited, partial))
        self.symbols = re.findall(r"-> \((.*?)\)>", symbols)
        self.operands = text.group(2).split(", ") if text.group(2) else []
        self.lines = function.split("\n")

    def value(self, operand, mask, position):
        """The value of an operand of the layout, for (batch, head)."""
        line = next((line.strip() for line in self.lines if line.strip().startswith(f"{operand} = ")), None)
        if line is None:
            number = int(re.fullmatch(r"%arg(\d+)", operand).group(1))
            values = list(mask.captures.values())[number][2]
            return values[eval(position) if position else 0]
        of = lambda pattern: re.search(rf"= {pattern}", line)
        if found := of(r"arith\.constant (-?\d+)"):
            return int(found.group(1))
        if of(r"arith\.constant true"):
            return 1
        if found := of(r"tensor\.dim (%\w+), "):
            argument = int(re.fullmatch(r"%arg(\d+)", found.group(1)).group(1)) - len(mask.captures)
            return (mask.queries, mask.keys, mask.keys)[argument]
        if found := of(r"arith\.(?:index_cast|extsi|trunci) (%\w+) :"):
            return self.value(found.group(1), mask, position)
        if found := of(r"arith\.(addi|subi|muli|maxsi|minsi) (%\w+), (%\w+)"):
            lhs, rhs = (self.value(name, mask, position) for name in found.groups()[1:])
            return {"addi": lhs + rhs, "subi": lhs - rhs, "muli": lhs * rhs, "maxsi": max(lhs, rhs), "minsi": min(lhs, rhs)}[found.group(1)]
        raise ValueError(f"cannot evaluate {line}")

    def tiles(self, mask, batch, head, rows, columns):
        """Sets of visited and of partial tiles."""
        names = {"d1": batch, "d2": head}
        for number, (operand, position) in enumerate(zip(self.operands, self.symbols)):
            position = position.replace("d0", str(batch)).replace("d1", str(head))
            names[f"s{number}"] = self.value(operand, mask, position)
        result = []
        for intervals in (self.visited, self.partial):
            result.append({(row, tile) for row in range(rows) for interval in intervals
                           for tile in interval.tiles(dict(names, d0=row), columns)})
        return result


def true_tiles(grid, queries, keys, rows, columns, shape):
    """Tiles with a pair that is kept, and with one that is dropped; keys beyond the last are dropped."""
    kept, dropped = set(), set()
    for q, row in enumerate(grid):
        for j in range(columns):
            part = row[j * shape[1] : (j + 1) * shape[1]]
            if any(part):
                kept.add((q // shape[0], j))
            if len(part) < shape[1] or not all(part):
                dropped.add((q // shape[0], j))
    return kept, dropped


def complaint(mask, layout, remark, shape):
    """What is wrong with the layout, if anything."""
    rows, columns = -(-mask.queries // shape[0]), -(-mask.keys // shape[1])
    exact = "Code=" not in remark
    for batch in range(mask.batch):
        for head in range(mask.heads):
            grid = mask.grid(batch, head)
            kept, dropped = true_tiles(grid, mask.queries, mask.keys, rows, columns, shape)
            visited, partial = layout.tiles(mask, batch, head, rows, columns)
            where = f"for batch {batch} and head {head}"
            if kept - visited:
                return f"does not visit {sorted(kept - visited)[:4]} {where}"
            if visited & dropped - partial:
                return f"takes for full {sorted(visited & dropped - partial)[:4]} {where}"
            if not exact:
                continue
            if visited - kept:
                return f"visits {sorted(visited - kept)[:4]} for nothing {where}"
            if visited & partial - dropped:
                return f"takes for partial {sorted(visited & partial - dropped)[:4]} {where}"
            counts = {
                "Full": len(kept - dropped), "Partial": len(kept & dropped),
                "Empty": rows * columns - len(kept), "Nonzeros": sum(map(sum, grid)),
            }
            for name, count in counts.items():
                said = re.search(rf"\b{name}=(-?\d+)", remark)
                if said and int(said.group(1)) != count:
                    return f"counts {name} as {said.group(1)}, but it is {count}"
    return None


def limit():
    """Planning that takes longer, or more memory, than it could ever save is a failure."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def check(tool, folder, seed, masks, shape, tally):
    """Complaints about `masks`, planned in tiles of `shape`."""
    path = f"{folder}/masks.mlir"
    functions = [mask.function(f"mask_{number}") for number, mask in masks]
    with open(path, "w") as file:
        file.write("".join(functions))
    tiles = f"row-tile={shape[0]} col-tile={shape[1]}"
    command = [tool, path, "--mlir-print-local-scope", "--remarks-filter=stof.*", f"--stof-plan-layout={tiles}"]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    tally["seconds"] += time.monotonic() - begin
    if done.returncode:
        if len(masks) > 1:
            for one in masks:
                yield from check(tool, folder, seed, [one], shape, tally)
        else:
            yield f"mask {masks[0][0]} of seed {seed}, in tiles of {shape}: ends with {done.returncode}: {done.stderr[-2000:]}\n{functions[0]}"
        return
    remarks = dict(re.findall(r":(\d+):\d+: remark: (\[.*)", done.stderr))
    planned = re.split(r"\n  func\.func ", done.stdout)[1:]
    line = 0
    for (number, mask), function, text in zip(masks, planned, functions):
        at = line + [" = stof.attention" in one for one in text.split("\n")].index(True) + 1
        line += text.count("\n")
        remark, layout = remarks[str(at)], Layout(function)
        tally["Missed" if not layout.found else "code" if "Code=" in remark else "closed"] += 1
        tally["nonzeros"] += "Nonzeros=" in remark
        why = complaint(mask, layout, remark, shape) if layout.found else None
        if why:
            yield f"mask {number} of seed {seed}, in tiles of {shape}: {why}\n{mask.keep.python} of {mask.queries} x {mask.keys}, {mask.captures}\n{text}{remark}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=20)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    masks = list(enumerate(random_masks.masks(arguments.seed, arguments.count)))
    chance = random.Random(arguments.seed)
    tally = dict.fromkeys(("closed", "code", "Missed", "nonzeros", "seconds"), 0)
    failures = 0
    for first in range(0, len(masks), arguments.batch):
        shape = (chance.choice(TILES), chance.choice(TILES))
        for failure in check(arguments.tool, arguments.folder, arguments.seed, masks[first : first + arguments.batch], shape, tally):
            failures += 1
            print(failure, flush=True)
    print(
        f"{len(masks)} masks: {tally['closed']} planned in closed form, {tally['nonzeros']} of them counted, {tally['code']} with a part "
        f"left to code, {tally['Missed']} missed, {failures} wrong, {tally['seconds']:.1f} s of planning"
    )
    sys.exit(bool(failures) or not masks)


if __name__ == "__main__":
    main()

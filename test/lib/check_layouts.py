"""Compares the layouts of random masks with their grids, pair by pair.

    check_layouts.py STOF_OPT FOLDER [--count=N] [--seed=N] [--batch=N]

Every pair that a mask keeps must lie in a tile that is visited, and no tile that drops a pair may pass for full. Layouts
that visit a tile for nothing, or ask the mask without need, are counted as loose. The census, the set in the remark and
the picture of stof-print-mask must be those of the grid; counts of dynamic lengths, which are expressions, are evaluated at several.
A mask without a layout is counted as missed. What is listed at run time is not looked into.
"""

import copy
import random
import re
import resource
import subprocess
import time

import random_masks
from layout_text import Layout

SECONDS, BYTES = 20, 4 << 30
OTHER_LENGTHS = 3
TILES = [8, 12, 16, 24, 32, 48, 64]


class Census:
    """What a layout visits, counted on the grid."""

    def __init__(self):
        self.full = self.partial = self.empty = self.longest = self.nonzeros = self.loose = 0


def parts(rows, tile):
    """What each query keeps of the keys of a tile that exist."""
    return [[row[key] for key in tile.keys if key < len(row)] for row in rows]


def compare_tile(mask, rows, tile, census):
    """What is wrong with a tile of `rows`, if anything; counts it."""
    pairs = [row[key] for row in rows for key in tile.keys if key < mask.keys]
    whole = tile.keys[-1] < mask.keys
    if not tile.partial and not (whole and all(pairs)):
        return f"takes for full {tile.keys}"
    if tile.bitmap and [line[: len(row)] for row, line in zip(parts(rows, tile), tile.bitmap)] != parts(rows, tile):
        return f"has a wrong bitmap of {tile.keys}"
    census.loose += not any(pairs) or (tile.partial and whole and all(pairs) and not tile.lattice)
    census.full += all(pairs) and not tile.lattice
    census.partial += not all(pairs) or tile.lattice
    return None


def compare(mask, layout, batch, head, census):
    """What is wrong with the layout for one batch and head, if anything; counts on the way."""
    grid = mask.grid(batch, head)
    met = sorted(query for row in range(layout.count(mask)) for query in layout.queries(mask, row))
    if met != list(range(mask.queries)):
        return f"computes queries {met}"
    for number, tiles in enumerate(layout.rows(mask, batch, head)):
        rows = [grid[query] for query in layout.queries(mask, number)]
        where = f"for row tile {number}, batch {batch} and head {head}"
        reached = {key for tile in tiles for key in tile.keys}
        lost = [key for row in rows for key, keep in enumerate(row) if keep and key not in reached]
        if lost:
            return f"does not reach keys {lost[:4]} {where}"
        census.longest = max(census.longest, len(tiles))
        for tile in tiles:
            wrong = compare_tile(mask, rows, tile, census)
            if wrong:
                return f"{wrong} {where}"
        census.empty += layout.columns(mask, {}, number) - sum(not tile.lattice for tile in tiles)
    census.nonzeros += sum(map(sum, grid))
    return None


def complaint(mask, layout, remark, tally):
    """What is wrong with the layout, if anything."""
    whole, first = Census(), Census()
    # The census is one mask's, or the sum over those that have tables of their own.
    batches, heads = layout.ranges_shape[:2] if layout.storage == "tables" else (1, 1)
    for batch in range(mask.batch):
        for head in range(mask.heads):
            counted = batch < batches and head < heads
            why = compare(mask, layout, batch, head, first if counted else whole)
            if why:
                return why
    # What is left to code is not counted as full.
    exact = "Code=" not in remark or layout.storage == "tables"
    for name, count in layout.counts(mask).items():
        found = getattr(first, name)
        # The longest rows of several lattices may be different ones.
        differs = count < found if name == "longest" and layout.lattices else count != found
        if differs and (exact or name not in ("full", "partial")):
            return f"counts {name} as {count}, but it is {found}"
    tally["loose"] += whole.loose + first.loose > 0
    tally["expressions"] += any(isinstance(count, list) for count in layout.census.values())
    return None


def other_lengths(mask, chance):
    """Dynamic masks of other lengths under the same layout."""
    for _ in range(OTHER_LENGTHS if mask.dynamic else 0):
        other = copy.copy(mask)
        other.queries, other.keys = chance.randint(1, 97), chance.randint(1, 97)
        yield other


def wrong_set(mask, remark, tally):
    """What is wrong with the remark's text of the set, as far as it names all of its symbols and disjuncts."""
    found = re.search(r'\bSet=(?:"(.*?)"|(\w+))', remark)
    text = (found.group(1) or found.group(2)) if found and "Code=" not in remark else "c0"
    if re.search(r"\b[cn]\d|\bmore$", text):
        return None
    tally["sets"] += 1
    python = re.sub(r"(\d) (?=[a-zA-Z(])(?!(?:and|or|mod)\b)", r"\1 * ", text).replace(" = ", " == ")
    python = python.replace("floor(", "(").replace(" / ", " // ").replace(" mod ", " % ")
    names = {"all": True, "none": False, "Sq": mask.queries, "Sk": mask.keys}
    for names["b"] in range(mask.batch):
        for names["h"] in range(mask.heads):
            rows = eval(f"[[bool({python}) for k in range(Sk)] for q in range(Sq)]", dict(names))
            if rows != mask.grid(names["b"], names["h"]):
                return f"is not the set {text}"
    return None


def wrong_picture(mask, lines, shape, tally):
    """What is wrong with the picture of the first batch and head, if there is one."""
    if not lines:
        return None
    tally["pictures"] += 1
    grid, (queries, keys) = mask.grid(0, 0), shape
    for number, line in enumerate(lines):
        rows = grid[number * queries : (number + 1) * queries]
        for column, drawn in enumerate(line):
            pairs = [keep for row in rows for keep in row[column * keys : (column + 1) * keys]]
            if drawn != ("#" if all(pairs) else "+" if any(pairs) else "."):
                return f"is drawn as {drawn} in tile ({number}, {column})"
    sizes = -(-mask.queries // queries), -(-mask.keys // keys)
    return None if (len(lines), len(lines[0])) == sizes else f"is drawn in {len(lines)} lines of {len(lines[0])}"


def limit():
    """Planning that takes longer, or more memory, than it could ever save is a failure."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))


def kind(layout, remark):
    if not layout.found:
        return "missed"
    if layout.storage != "closed_form":
        return "listed" if layout.storage == "tables" else "run time"
    if "Code=" in remark:
        return "code"
    return "rows" if layout.row_stride > 1 else "lattices" if layout.lattices else "closed"


def check(tool, folder, seed, masks, shape, tally):
    """Complaints about `masks`, planned in tiles of `shape`."""
    path = f"{folder}/masks.mlir"
    functions = [mask.function(f"mask_{number}") for number, mask in masks]
    with open(path, "w") as file:
        file.write("".join(functions))
    tiles = f"row-tile={shape[0]} col-tile={shape[1]}"
    command = [tool, path, "--mlir-print-local-scope", "--mlir-print-elementsattrs-with-hex-if-larger=-1"]
    command += ["--remarks-filter=stof.*", f"--stof-plan-layout={tiles}"]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    tally["seconds"] += time.monotonic() - begin
    if done.returncode:
        if len(masks) > 1:
            for one in masks:
                yield from check(tool, folder, seed, [one], shape, tally)
        else:
            number, mask = masks[0]
            yield f"mask {number} of seed {seed}, in tiles of {shape}: ends with {done.returncode}: {done.stderr[-2000:]}\n{mask}\n{functions[0]}"
        return
    command = [tool, path, f"--stof-print-mask={tiles} width=1000", "-o", "/dev/null"]
    drawn = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    pictures = [picture.split("\n  ")[1:] for picture in drawn.rstrip("\n").split("\nmasks.mlir:")]
    remarks = dict(re.findall(r":(\d+):\d+: remark: (\[.*)", done.stderr))
    planned = re.split(r"\n  func\.func ", done.stdout)[1:]
    line = 0
    for (number, mask), function, picture, text in zip(masks, planned, pictures, functions):
        at = line + [" = stof.attention" in one for one in text.split("\n")].index(True) + 1
        line += text.count("\n")
        layout = Layout(function)
        tally[kind(layout, remarks[str(at)])] += 1
        why = complaint(mask, layout, remarks[str(at)], tally) if layout.is_known else None
        for other in other_lengths(mask, random.Random(f"{seed}.{number}")) if layout.is_known and not mask.constants else ():
            why = why or complaint(other, layout, remarks[str(at)], tally)
        why = why or wrong_set(mask, remarks[str(at)], tally) or wrong_picture(mask, picture, shape, tally)
        if why:
            yield f"mask {number} of seed {seed}, in tiles of {shape}: {why}\n{mask}\n{text}{remarks[str(at)]}"


def main():
    kinds = ("closed", "lattices", "rows", "code", "listed", "run time", "missed", "loose", "expressions", "sets", "pictures", "seconds")
    tally, campaign = dict.fromkeys(kinds, 0), random_masks.Campaign(100, 20)
    chance = random.Random(campaign.seed)

    def check_batch(masks):
        shape = (chance.choice(TILES), chance.choice(TILES))
        return check(campaign.tool, campaign.folder, campaign.seed, masks, shape, tally)

    def summary():
        return (
            f"{tally['closed']} in closed form, {tally['lattices']} with lattices, {tally['rows']} with rows apart, "
            f"{tally['code']} with a part left to code, {tally['listed']} listed, {tally['run time']} listed at run time, "
            f"{tally['missed']} missed; {tally['loose']} loose, {tally['expressions']} counted as expressions, {tally['sets']} sets and {tally['pictures']} pictures read, "
            f"{tally['seconds']:.1f} s of planning"
        )

    campaign.run(random_masks.masks(campaign.seed, campaign.count), check_batch, summary)


if __name__ == "__main__":
    main()

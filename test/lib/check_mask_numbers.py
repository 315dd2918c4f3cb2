"""Compiles attentions under random masks for the CPU and compares which keys each query attends to.

    check_mask_numbers.py BIN FOLDER [--count=N] [--seed=N] [--batch=N] [--check-bounds]

All scores are 0 and the values are the unit vectors: a row of the output is 1/n at its n keys and 0 elsewhere, or 0 if
it has none. Keys and values of tiles that no row visits are NaN. Tiles and the order of row tiles are random too, and
whether their keys are cut into parts.
"""

import math
import random
import re
import subprocess

from layout_text import Layout
import random_masks
import safetensors_io

FEATURES = 4


def visited_keys(mask, layout):
    """(batch, head, key) that some row tile reads; nothing where that is not known."""
    if not layout.is_known:
        return None
    return {
        (batch, head, key) for batch in range(mask.batch) for head in range(mask.heads)
        for row in layout.rows(mask, batch, head) for tile in row for key in tile.keys
    }


def write(mask, inputs, golden, visited):
    """Writes what the attention takes and what it must give; returns how many keys are poisoned."""
    batch, heads, queries, keys = mask.batch, mask.heads, mask.queries, mask.keys
    tensors, key, value, out = [], [], [], []
    for kind, element, values in mask.captures.values():
        tensors.append((element, [len(values)] if "x" in kind else [], values))
    poisoned = 0
    for b in range(batch):
        for h in range(heads):
            for k in range(keys):
                read = visited is None or (b, h, k) in visited
                poisoned += not read
                key += [0.0 if read else math.nan] * FEATURES
                value += [float(k == d) if read else math.nan for d in range(keys)]
            for row in mask.grid(b, h):
                out += [keep / max(sum(row), 1) for keep in row]
    tensors.append(("f32", [batch, heads, queries, FEATURES], [0.0] * (batch * heads * queries * FEATURES)))
    tensors.append(("f32", [batch, heads, keys, FEATURES], key))
    tensors.append(("f32", [batch, heads, keys, keys], value))
    safetensors_io.write(inputs, {f"arg{number}": tensor for number, tensor in enumerate(tensors)})
    safetensors_io.write(golden, {"result0": ("f64", [batch, heads, queries, keys], out)})
    return poisoned


def schedule(number):
    """A schedule, always the same for one number."""
    choice = random.Random(f"schedule {number}")
    ahead, splits = choice.choice([0, 1, 2, 100]), choice.choice([1, 2, 3, 7])
    if not ahead:
        splits = 1
    return f"schedule <reversed = {choice.choice(['true', 'false'])}, ahead = {ahead}, splits = {splits}>"


def check(tools, folder, flags, masks, tally):
    """Complaints about `masks`, compiled into one package."""
    path, package, inputs, golden = (f"{folder}/{name}" for name in ("masks.mlir", "package", "in", "out"))
    rows, columns = random.Random(f"tiles {masks[0][0]}").choice([(0, 0), (16, 16), (32, 16), (64, 32), (16, 64)])
    functions = [mask.function(f"mask_{number}", FEATURES, mask.keys, "f32") for number, mask in masks]
    with open(path, "w") as file:
        file.write("".join(functions))
    option = f"--stof-plan-layout=row-tile={rows} col-tile={columns}"
    command = [f"{tools}/stof-opt", path, option, "--mlir-print-local-scope"]
    command.append("--mlir-print-elementsattrs-with-hex-if-larger=-1")
    planned = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    head, *rest = re.sub(" schedule <[^>]*>", "", planned).split("\n  func.func ")
    rest = [text.replace(" outs(", f" {schedule(number)} outs(") for (number, _), text in zip(masks, rest)]
    with open(path, "w") as file:
        file.write("\n  func.func ".join([head, *rest]))
    command = [f"{tools}/stof-compile", path, "-o", package, "--target=cpu", "-O0", "--keep-plans", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        yield f"{' '.join(command)}: {done.stderr[-2000:]}"
        return
    for (number, mask), plan, text in zip(masks, planned.split("\n  func.func ")[1:], functions):
        layout = Layout(plan)
        tally["poisoned"] += write(mask, inputs, golden, visited_keys(mask, layout))
        tally["planned"] += layout.is_known
        command = [f"{tools}/stof-run", package, f"--function=mask_{number}", "--device=cpu", f"--inputs={inputs}"]
        done = subprocess.run(command + [f"--compare={golden}", "--tolerance=1e-6"], capture_output=True, text=True)
        if done.returncode:
            yield f"mask {number}: {done.stdout}{done.stderr}\n{mask}\n{rows} x {columns}, {schedule(number)}\n{text}"


def main():
    tally = dict.fromkeys(("planned", "poisoned"), 0)
    campaign = random_masks.Campaign(16, 8, "--check-bounds")
    campaign.run(
        random_masks.masks(f"numbers {campaign.seed}", campaign.count, entry=True),
        lambda batch: check(campaign.tool, campaign.folder, campaign.flags, batch, tally),
        lambda: f"{tally['planned']} with a layout known at compile time, {tally['poisoned']} keys that nothing reads",
    )


if __name__ == "__main__":
    main()

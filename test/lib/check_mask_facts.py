"""Compares what is proven of random masks with their grids, pair by pair.

    check_mask_facts.py STOF_OPT FOLDER [--count=N] [--seed=N] [--batch=N]

Two masks that capture nothing have one digest if, and only if, they keep the same pairs of the same lengths; lengths
are short, so that many do. A mask of which every row is proven to hold a key has no empty row; of one that is known,
that is always proven.
"""

import os
import re
import subprocess

import random_masks

LONGEST = [3, 5, 9, 40]


def alike(values):
    """One of them, if they are all alike."""
    return values[:1] if all(value == values[0] for value in values) else values


def check(tool, folder, masks, tally):
    """Complaints about `masks`; digests go into tally."""
    path = f"{folder}/masks.mlir"
    functions = [mask.function(f"mask_{number}") for number, mask in masks]
    with open(path, "w") as file:
        for function in functions:
            # Only what an empty row is asked for is proven not to be there.
            head, tail = function.rsplit(" -> tensor", 1)
            file.write(f"{head} empty_rows(nan) -> tensor{tail}")
    done = subprocess.run([tool, path, "--stof-plan-layout=digest", "--remarks-filter=stof.*", "-o", os.devnull],
                          capture_output=True, text=True)
    if done.returncode:
        yield f"ends with {done.returncode}: {done.stderr[-2000:]}"
        return
    remarks = {}
    for line, remark in re.findall(r":(\d+):\d+: remark: (\[.*)", done.stderr):
        remarks.setdefault(int(line), []).append(remark)
    line = 0
    for (number, mask), text in zip(masks, functions):
        at = line + [" = stof.attention" in one for one in text.split("\n")].index(True) + 1
        line += text.count("\n")
        said = "\n".join(remarks[at])
        grids = alike([alike([mask.grid(batch, head) for head in range(mask.heads)]) for batch in range(mask.batch)])
        empty = any(not any(row) for of_batch in grids for grid in of_batch for row in grid)
        proven = "[Passed] RowsProven" in said
        # Arithmetic that may wrap is left to code.
        evaluated = "Code=" not in said or "Storage=tables" in said
        known = evaluated and not mask.captures and not mask.dynamic
        tally["proven"] += proven
        if proven and empty:
            yield f"mask {number}: proves that no row is empty, but one is\n{text}"
        if known and not proven and not empty:
            yield f"mask {number}: does not prove that no row is empty\n{text}"
        digest = re.search(r" Digest=(\w+)", said)
        if not known or not digest:
            continue
        keeps = repr((mask.queries, mask.keys, grids))
        tally["repeated"] += keeps in tally["digests"]
        if tally["digests"].setdefault(keeps, digest[1]) != digest[1]:
            yield f"mask {number}: has another digest than an equal one\n{text}"
        if tally["sets"].setdefault(digest[1], keeps) != keeps:
            yield f"mask {number}: has the digest of another\n{text}"


def main():
    tally = {"proven": 0, "repeated": 0, "digests": {}, "sets": {}}
    campaign = random_masks.Campaign(100, 50)
    masks = []
    for longest in LONGEST:
        masks += random_masks.masks(campaign.seed, campaign.count // len(LONGEST), longest=longest)
    campaign.run(
        masks,
        lambda batch: check(campaign.tool, campaign.folder, batch, tally),
        lambda: f"{tally['proven']} without an empty row, {len(tally['sets'])} digests, {tally['repeated']} met again",
    )


if __name__ == "__main__":
    main()

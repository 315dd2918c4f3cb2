"""Kernels that check their accesses, simulated: tables that name what is there pass, others are trapped.

Usage: check_bounds.py PTXDIR

PTXDIR holds what emit_ptx.py makes of tables.mlir, which has 64 queries and 128 keys of 16 features.
"""

import glob
import json
import os
import sys

import numpy as np

import ptx_simulator


def run(module, facts, begin, end, entries):
    """The output of the kernel for these tables, or None if it is trapped."""
    random = np.random.default_rng(1)
    memory = ptx_simulator.Memory()
    tensors = [random.standard_normal(rows * 16).astype(np.float16) for rows in (64, 128, 128)]
    tensors += [np.array([begin, end, end], np.int64), np.array(entries, np.int64), np.zeros(64 * 16, np.float16)]
    tensors = [tensor.view(np.uint8) for tensor in tensors]
    (name, fact), = facts.items()
    try:
        ptx_simulator.launch(module[name], memory, (1, 1, 1), fact["threads"], fact["shared_bytes"],
                             [memory.add(tensor) for tensor in tensors])
    except RuntimeError as error:
        if str(error) != "trap":
            raise
        return None
    return tensors[-1].view(np.float16).astype(np.float64)


def main():
    path, = glob.glob(os.path.join(sys.argv[1], "*.ptx"))
    with open(path, encoding="ascii") as file:
        module = ptx_simulator.load_module(file.read())
    with open(path[:-len("ptx")] + "json", encoding="ascii") as file:
        facts = json.load(file)
    inside = run(module, facts, 0, 1, [1, 0, 0])
    assert inside is not None and np.isfinite(inside).all()
    # Keys that do not exist are not read, and this mask drops them.
    for tile in (9, (1 << 25) - 1):
        beyond = run(module, facts, 0, 2, [1, 2 * tile + 1, 0])
        assert beyond is not None and (beyond == inside).all(), tile
    for begin, end in ((0, 5), (-1, 1), (7, 8), (1 << 40, (1 << 40) + 1)):
        assert run(module, facts, begin, end, [1, 3, 0]) is None, (begin, end)
    print("all as expected")


if __name__ == "__main__":
    main()

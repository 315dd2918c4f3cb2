"""Simulates the kernels of a directory of PTX with their warps in random orders, which must make no difference.

    simulate_turns.py PTXDIR [--only=TEXT] [--seeds=N]
"""

import argparse
import glob
import json
import os

import kernel_cases
import ptx_simulator
import run_kernels


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--only", default="")
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    modules = {}
    for path in glob.glob(os.path.join(options.directory, "*.ptx")):
        with open(path, encoding="ascii") as text, open(path[:-len("ptx")] + "json", encoding="ascii") as facts:
            modules[os.path.basename(path).split(".")[0]] = (ptx_simulator.load_module(text.read()), json.load(facts))
    cases = [case for case in kernel_cases.all_cases() if case.module in modules and options.only in case.kernel]
    assert cases
    for seed in range(options.seeds):
        for case in cases:
            worst = max(run_kernels.run(run_kernels.Simulator(seed), modules, case))
            assert worst <= case.tolerance, (seed, case.kernel, worst)
    print(f"{len(cases)} as expected")


if __name__ == "__main__":
    main()

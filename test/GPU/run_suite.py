"""All GPU checks in one call, for a machine that has a GPU and torch but neither LLVM nor lit.

    run_suite.py BIN [--target=sm_80] [--full]

BIN holds stof-compile and stof-run, as the preset `portable` builds them. Runs the models of the suite and compares
them with float64, the small cases of Integration, indices outside of their tables, then attention over masks, sizes,
types and lengths (a sample of them without --full), and for sm_90a attention and contractions over tiles. A check that
fails is named; the last line counts, and the exit status is 1 if any failed.
"""

import argparse
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "..", "Inputs", "models")
CASES = os.path.join(HERE, "..", "Integration", "Inputs", "run_cases.py")
ASSERTIONS = os.path.join(HERE, "..", "Integration", "Inputs", "check_assertions.py")


def run_model(path, options, folder):
    """The output of a run that failed, or None."""
    package = os.path.join(folder, os.path.basename(path))
    steps = [[os.path.join(options.bin, "stof-compile"), path + ".mlir", "-o", package, f"--target={options.target}"],
             [os.path.join(options.bin, "stof-run"), package, f"--inputs={path}.inputs.safetensors", "--device=cuda:0",
              f"--compare={path}.results.safetensors", "--tolerance=" + ("5e-3" if path.endswith("f16") else "1e-5")]]
    for step in steps:
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            return done.stdout
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--target", default="sm_80")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    failed = passed = 0
    with tempfile.TemporaryDirectory() as folder:
        for results in sorted(glob.glob(os.path.join(MODELS, "*.results.safetensors"))):
            path = results[:-len(".results.safetensors")]
            problem = run_model(path, options, folder)
            failed, passed = failed + bool(problem), passed + (not problem)
            if problem:
                print(f"FAILED {os.path.basename(path)}:\n{problem}")
        if passed == 0:
            sys.exit(f"no model of {MODELS} has run")
        tools = {**os.environ, "PATH": options.bin + os.pathsep + os.environ["PATH"]}
        for kind in ("attention", "raised", "groups", "slices", "contractions", "scatters", "imports"):
            cases = [sys.executable, CASES, os.path.join(folder, kind), options.target, kind]
            small = subprocess.run(cases, env=tools, check=False).returncode != 0
            failed, passed = failed + small, passed + (not small)
        broken = subprocess.run([sys.executable, ASSERTIONS, os.path.join(folder, "assertions"), options.target, "cuda:0"],
                                env=tools, check=False).returncode != 0
        failed, passed = failed + broken, passed + (not broken)
    grid = [sys.executable, os.path.join(HERE, "attention_grid.py"), f"--target={options.target}",
            f"--compiler={os.path.join(options.bin, 'stof-compile')}"]
    if not options.full:
        grid += ["--masks=dense,dilated,strided,longformer,bigbird,document", "--sizes=24,64,128", "--types=f16,bf16,f32"]
    attention = subprocess.run(grid, check=False).returncode != 0
    failed, passed = failed + attention, passed + (not attention)
    if options.target == "sm_90a":
        # After the tiles that are chosen, all ways in which warps can share the work.
        grid = grid[:4] + ["--masks=dense,causal,dilated,longformer,bigbird,document", "--sizes=64,128", "--types=f16",
                           "--tiles=alone,one,two,two-overlaps,one-persistent,two-persistent,three-persistent,"
                           "one-persistent-claimed,two-persistent-claimed,three-persistent-claimed,held,held-twice"]
        tiles = subprocess.run(grid, check=False).returncode != 0
        failed, passed = failed + tiles, passed + (not tiles)
        contractions = subprocess.run([sys.executable, os.path.join(HERE, "contraction_grid.py"), *grid[2:4]],
                                      check=False).returncode != 0
        failed, passed = failed + contractions, passed + (not contractions)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

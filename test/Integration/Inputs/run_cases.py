"""Compiles and runs cases, on a GPU unless the target is a CPU, and compares with their exact results.

    run_cases.py FOLDER TARGET attention            every case of attention_cases.py
    run_cases.py FOLDER TARGET masks PLUGIN         every case of mask_plugin_cases.py, whose masks the plugin defines
    run_cases.py FOLDER TARGET groups               every function of group_cases.py, branch_cases.py and place_cases.py
    run_cases.py FOLDER TARGET slices               every function of slice_cases.py and insert_cases.py
    run_cases.py FOLDER TARGET contractions         every function of contraction_cases.py, prologue_cases.py and back_to_back_cases.py
    run_cases.py FOLDER TARGET split-k FACTOR...    half of the same, slices and decode, each matmul with split-K by a factor
    run_cases.py FOLDER TARGET functions            every function of math_cases.py
    run_cases.py FOLDER TARGET decode               every function of decode_cases.py
    run_cases.py FOLDER TARGET few-decode           a few of them
    run_cases.py FOLDER TARGET raised               every function of raised_cases.py and sum_cases.py
    run_cases.py FOLDER TARGET imports              every model of import_cases.py
    run_cases.py FOLDER TARGET scatters             every function of scatter_cases.py
    run_cases.py FOLDER TARGET models MODELS        every model of a folder with golden numbers next to it

Several targets, separated by commas, are for devices that may be elsewhere: what is compiled for them is not run. The
kernels of a GPU on the CPU are small and take LLVM long: a share of the cases, drawn by the commit, has them optimised.
"""

import functools
import itertools
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib"))

import attention_cases
import back_to_back_cases
import branch_cases
import contraction_cases
import decode_cases
import group_cases
import import_cases
import insert_cases
import mask_plugin_cases
import math_cases
import place_cases
import prologue_cases
import raised_cases
import safetensors_io
import scatter_cases
import shares
import slice_cases
import sum_cases

TOLERANCE = {"f32": 1e-5, "f16": 5e-3, "bf16": 2e-2}
# Adding -10000 to an f32 leaves 1e-3 of a score.
EXCEPTIONS = {"tiny_leftpad_mul1e4_f32": 2e-3}


def write_once(folder, case, write):
    """The paths of a case's model, inputs and exact results; one run writes them for all targets of `folder`."""
    model, inputs, golden = (f"{folder}/{case.name}.{ending}" for ending in ("mlir", "in", "out"))
    if not os.path.exists(golden):
        write(model, inputs, golden)
    return model, inputs, golden


def attention(folder, target, cases):
    """(name, model, inputs, golden, tolerance) of each case, written into `folder`."""
    for case in cases:
        if target != "cpu-reference" and not case.kernels:
            continue
        yield case.name, *write_once(folder, case, functools.partial(attention_cases.write, case)), TOLERANCE[case.dtype]


def functions(folder, target, cases):
    """The same of each function, and how many kernels it takes."""
    for case in cases:
        dtype = next((dtype for dtype, _, _ in case.arguments if dtype in TOLERANCE), None)
        yield case.name, *write_once(folder, case, case.write), TOLERANCE.get(dtype, 0), case.kernels if target == "cpu" else None


def imports(folder, target, cases):
    """The same of each model that has its tolerance."""
    for case in cases:
        yield case.name, *write_once(folder, case, case.write), case.tolerance, case.kernels if target == "cpu" else None


def plan_split_k(factor):
    """The option for stof-opt that forms groups for a processor, with split-K of each matmul by `factor`."""
    done = subprocess.run(["stof-opt", "--stof-plan", "--dump-pass-pipeline", "-o", os.devnull], input="module {}",
                          check=True, capture_output=True, text=True)
    pipeline = done.stderr[done.stderr.index("builtin.module("):].replace("factor=0", f"factor={factor}")
    return "--pass-pipeline=" + "".join(line.strip() for line in pipeline.splitlines())


def split_k(folder, factors, cases):
    """Half of the cases, planned with split-K by one of the factors, as the commit draws them."""
    plans = [plan_split_k(factor) for factor in factors]
    for name, model, *numbers, _ in cases:
        if not shares.is_drawn(f"split-K of {name}", 2):
            continue
        planned = f"{folder}/{name}.split_k.mlir"
        subprocess.run(["stof-opt", plans[shares.rank(name) % len(plans)], model, "-o", planned], check=True)
        yield name, planned, *numbers


def models(folder, source):
    """The same of each model of `source`; golden files hold inputs and results."""
    for name in sorted(os.listdir(source)):
        name, ending = os.path.splitext(name)
        golden = next(
            (path for path in (f"{source}/{name}.safetensors", f"{source}/golden/{name}.safetensors")
             if os.path.exists(path)), None,
        )
        if ending != ".mlir" or not golden:
            continue
        inputs = {key: value for key, value in safetensors_io.read(golden).items() if key.startswith("arg")}
        safetensors_io.write(f"{folder}/{name}.in", inputs)
        tolerance = EXCEPTIONS.get(name, TOLERANCE[name.rsplit("_", 1)[1]])
        yield name, f"{source}/{name}.mlir", f"{folder}/{name}.in", golden, tolerance


def choose_level(target, name):
    """The options of stof-compile for how much LLVM does."""
    return ["-O0"] if target == "cpu-reference" or target == "cpu" and not shares.is_drawn(name, 8) else []


def check(folder, target, options, name, model, inputs, golden, tolerance, kernels=None):
    """What went wrong, if anything; `options` are more of stof-compile."""
    package = f"{folder}/{name}.{target}"
    device, report = "cpu" if target.startswith("cpu") else "cuda:0", f"{package}.json"
    commands = [
        ["stof-compile", model, "--allow-unregistered-dialect", "--keep-plans", "-o", package, f"--target={target}", f"--report={report}", *choose_level(target, name), *options],
        ["stof-run", package, f"--device={device}", f"--inputs={inputs}", f"--compare={golden}", f"--tolerance={tolerance}"],
    ]
    for command in commands[: 1 if "," in target else 2]:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return f"{name} on {target}: {command[0]}: {done.stdout}{done.stderr}"
    with open(report, encoding="utf-8") as file:
        taken = sum(len(function["kernels"]) for function in json.load(file)["functions"])
    if kernels not in (None, taken):
        return f"{name} on {target}: expects {kernels} kernels, but got {taken}"
    return None


def main(folder, target, kind, *source):
    os.makedirs(folder, exist_ok=True)

    def contractions():
        return itertools.chain(contraction_cases.cases(), prologue_cases.cases(), back_to_back_cases.cases())

    kinds = {
        "attention": lambda *where: attention(*where, attention_cases.cases()),
        "masks": lambda *where: attention(*where, mask_plugin_cases.cases()),
        "groups": lambda *where: functions(*where, itertools.chain(group_cases.cases(), branch_cases.cases(), place_cases.cases())),
        "slices": lambda *where: functions(*where, itertools.chain(slice_cases.cases(), insert_cases.cases())),
        "raised": lambda *where: functions(*where, itertools.chain(raised_cases.cases(), sum_cases.cases())),
        "decode": lambda *where: functions(*where, decode_cases.cases()),
        "few-decode": lambda *where: functions(*where, decode_cases.few_cases()),
        "functions": lambda *where: functions(*where, math_cases.cases()),
        "imports": lambda *where: imports(*where, import_cases.cases()),
        "scatters": lambda *where: functions(*where, scatter_cases.cases()),
        "contractions": lambda *where: functions(*where, contractions()),
        # A scheme is of the operations that there are without split-K, and groups do not say where sizes come from.
        "split-k": lambda *where: split_k(folder, source, functions(*where, (
            case for case in itertools.chain(contractions(), slice_cases.cases(), decode_cases.cases()) if not case.scheme and not case.dynamic))),
        "models": lambda folder, _: models(folder, *source),
    }
    options = [f"--load-dialect-plugin={source[0]}"] if kind == "masks" else []
    cases = list(kinds[kind](folder, target))
    if len({name for name, *_ in cases}) < len(cases):
        sys.exit("expects cases of different names")
    failures = [failure for case in cases if (failure := check(folder, target, options, *case))]
    print(*failures, f"{len(cases) - len(failures)} of {len(cases)} cases agree", sep="\n")
    sys.exit(bool(failures) or not cases)


if __name__ == "__main__":
    main(*sys.argv[1:])

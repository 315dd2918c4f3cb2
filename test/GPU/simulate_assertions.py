"""Packages whose indices may lie outside of their tables, simulated: the kernels read nothing that is not there, store the
number of the assertion in the status word, and compute the right numbers of indices that are inside.

    simulate_assertions.py BIN FOLDER
"""

import json
import os
import subprocess
import sys

import numpy as np

import ptx_simulator

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "..", "Integration", "Inputs")
sys.path.insert(0, INPUTS)

import check_assertions

TARGET = "sm_80"
OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "mod": lambda a, b: a % b,
    "min": min,
    "max": max,
}


def evaluate(expression, symbols):
    if isinstance(expression, list):
        name, *operands = expression
        return OPERATORS[name](*(evaluate(operand, symbols) for operand in operands))
    return symbols.get(expression, expression)


class Package:
    def __init__(self, path):
        with open(os.path.join(path, "manifest.json"), encoding="utf-8") as file:
            self.function, = json.load(file)["functions"]
        self.target, = self.function["targets"]
        modules = {step["module"] for step in self.target["steps"]}
        self.kernels = {}
        for module in modules:
            with open(os.path.join(path, module), encoding="ascii") as file:
                self.kernels |= ptx_simulator.load_module(file.read())

    def run(self, inputs):
        """The first result, and what the status word says."""
        symbols = {s["name"]: inputs[s["input"]].shape[s["dim"]] for s in self.function["symbols"]}
        result, = self.function["results"]
        shape = [evaluate(size, symbols) for size in result["shape"]]
        buffers = {f"arg{number}": value.reshape(-1).view(np.uint8).copy() for number, value in enumerate(inputs)}
        buffers["result0"] = np.full(4 * int(np.prod(shape)), 0xFF, np.uint8)
        buffers["workspace"] = np.full(max(1, evaluate(self.target["workspace"], symbols)), 0xFF, np.uint8)
        buffers["status"] = np.zeros(4, np.uint8)
        memory = ptx_simulator.Memory()
        places = {name: memory.add(buffer) for name, buffer in buffers.items()}

        def read(parameter):
            if "value" in parameter:
                return evaluate(parameter["value"], symbols)
            return places[parameter["buffer"]] + evaluate(parameter.get("offset", 0), symbols)

        for step in self.target["steps"]:
            ptx_simulator.launch(self.kernels[step["kernel"]], memory, [evaluate(size, symbols) for size in step["grid"]],
                                 step["block"][0], evaluate(step["shared_bytes"], symbols),
                                 [read(parameter) for parameter in step["parameters"]])
        status, = buffers["status"].view(np.int32)
        said = self.target["assertions"][status - 1]["message"] if status else None
        return buffers["result0"].view(np.float32).reshape(shape), said


def check(binaries, folder, model, count, size, beyond, before):
    name = model.__name__
    path = os.path.join(folder, name)
    subprocess.run([os.path.join(binaries, "stof-compile"), os.path.join(INPUTS, name + ".mlir"), "-o", path,
                    f"--target={TARGET}", "--allow-unregistered-dialect"], check=True)
    package = Package(path)
    random = np.random.default_rng(5)
    good = random.integers(0, size, count)
    arguments, golden = model(good, random)
    result, said = package.run(arguments)
    assert said is None, said
    assert np.abs(result - golden()).max() < 1e-4, name
    for place, index in ((0, size), (count - 1, check_assertions.first_before(model, size)), (count // 2, 2 ** 31 - 1), (count // 2, -(2 ** 31))):
        bad = good.copy()
        bad[place] = index
        _, said = package.run(model(bad, random)[0])
        assert said == (before if index < 0 else beyond)[1], (name, place, index, said)


def main():
    binaries, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for model in check_assertions.MODELS:
        check(binaries, folder, *model)
    print("all as expected")


if __name__ == "__main__":
    main()

"""Launches the kernels of a directory of PTX and compares with float64.

Usage: run_kernels.py PTXDIR [--simulate] [--only=TEXT]

Every buffer lies between poisoned memory: what a kernel reads beyond an end is
NaN, and what it writes there is found. With --simulate the PTX runs on the CPU
(ptx_simulator.py), else on the first GPU, through libcuda alone.
"""

import argparse
import collections
import glob
import json
import os
import sys

import numpy as np

import kernel_cases

POISON = 0xFF

# What a tensor map is made of; dimensions are innermost first, `strides` are in bytes and of all but the first.
Map = collections.namedtuple("Map", "bytes offset kind sizes strides box")


class Simulator:
    """Runs kernels on the CPU, with a seed their warps in a random order."""

    def __init__(self, seed=None):
        import ptx_simulator
        self.simulator, self.seed = ptx_simulator, seed

    def load(self, text):
        return self.simulator.load_module(text)

    def launch(self, module, name, grid, facts, arguments):
        memory, addresses = self.simulator.Memory(), {}

        def give(argument):
            if isinstance(argument, Map):
                width = kernel_cases.size_of(argument.kind)
                address = addresses[id(argument.bytes)] + argument.offset
                return self.simulator.TensorMap(address, width, *argument[3:])
            if isinstance(argument, np.ndarray):
                addresses[id(argument)] = memory.add(argument)
                return addresses[id(argument)]
            return argument

        self.simulator.launch(module[name], memory, grid, facts["threads"], facts["shared_bytes"],
                              [give(argument) for argument in arguments], self.seed)


class Cuda:
    """Runs kernels on a GPU; buffers are copied there and back."""

    GUARD = 4096

    def __init__(self):
        import ctypes
        self.ctypes = ctypes
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.check("cuInit", 0)
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.check("cuDeviceGet", ctypes.byref(device), 0)
        self.check("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.check("cuCtxSetCurrent", self.context)

    def check(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status != 0:
            text = self.ctypes.c_char_p()
            self.cuda.cuGetErrorString(status, self.ctypes.byref(text))
            raise RuntimeError(f"{name}: {text.value and text.value.decode()}")

    def load(self, text):
        module = self.ctypes.c_void_p()
        self.check("cuModuleLoadData", self.ctypes.byref(module), text.encode() + b"\0")
        return module

    def copy_in(self, array):
        size = self.ctypes.c_size_t(array.size + 2 * self.GUARD)
        start = self.ctypes.c_uint64()
        self.check("cuMemAlloc_v2", self.ctypes.byref(start), size)
        guarded = np.full(size.value, POISON, np.uint8)
        guarded[self.GUARD:self.GUARD + array.size] = array
        self.check("cuMemcpyHtoD_v2", start, guarded.ctypes.data_as(self.ctypes.c_void_p), size)
        return start

    def encode(self, given, address):
        """A tensor map with the 128-byte swizzle and zeros outside, as the runtime encodes it."""
        def numbers(kind, values):
            return (kind * len(values))(*values)

        ctypes, numbers_of_types, swizzle, none = self.ctypes, {"f16": 6, "f32": 7, "bf16": 9}, 3, 0
        memory = ctypes.create_string_buffer(256)
        encoded = (ctypes.c_char * 128).from_buffer(memory, -ctypes.addressof(memory) % 128)
        self.check("cuTensorMapEncodeTiled", encoded, numbers_of_types[given.kind], len(given.sizes),
                   ctypes.c_void_p(address), numbers(ctypes.c_uint64, given.sizes),
                   numbers(ctypes.c_uint64, given.strides), numbers(ctypes.c_uint32, given.box),
                   numbers(ctypes.c_uint32, [1] * len(given.box)), none, swizzle, none, none)
        return encoded

    def copy_out(self, start, array):
        guarded = np.empty(array.size + 2 * self.GUARD, np.uint8)
        size = self.ctypes.c_size_t(guarded.size)
        self.check("cuMemcpyDtoH_v2", guarded.ctypes.data_as(self.ctypes.c_void_p), start, size)
        self.check("cuMemFree_v2", start)
        array[:] = guarded[self.GUARD:self.GUARD + array.size]
        guarded[self.GUARD:self.GUARD + array.size] = POISON
        if np.any(guarded != POISON):
            raise RuntimeError("the kernel wrote beyond a buffer")

    def launch(self, module, name, grid, facts, arguments):
        ctypes = self.ctypes
        function = ctypes.c_void_p()
        self.check("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        shared = facts["shared_bytes"]
        max_dynamic_shared_size = 8
        self.check("cuFuncSetAttribute", function, max_dynamic_shared_size, shared)
        buffers, values, addresses = [], [], {}
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                start = self.copy_in(argument)
                buffers.append((start, argument))
                addresses[id(argument)] = start.value + self.GUARD
                values.append(ctypes.c_uint64(start.value + self.GUARD))
            elif isinstance(argument, Map):
                values.append(self.encode(argument, addresses[id(argument.bytes)] + argument.offset))
            elif isinstance(argument, float):
                values.append(ctypes.c_float(argument))
            else:
                values.append(ctypes.c_int64(argument))
        pointers = (ctypes.c_void_p * len(values))(
            *(ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in values))
        self.check("cuLaunchKernel", function, *grid, facts["threads"], 1, 1, shared, None,
                   pointers, None)
        self.check("cuCtxSynchronize")
        for start, argument in buffers:
            self.copy_out(start, argument)


def largest_error(actual, expected, floor):
    """Relative to the largest of what is expected, or to each that is larger than
    `floor`; infinite for a NaN or an infinity that is not expected."""
    actual = actual.astype(np.float64)
    finite = np.isfinite(expected)
    if not np.array_equal(actual[~finite], expected[~finite], equal_nan=True):
        return float("inf")
    actual, expected = actual[finite], expected[finite]
    if not np.isfinite(actual).all():
        return float("inf")
    if actual.size == 0:
        return 0.0
    scale = np.abs(expected)
    scale = scale.max() if floor is None else np.maximum(scale, floor)
    return (np.abs(actual - expected) / np.maximum(scale, 1e-300)).max()


def run(device, modules, case):
    """The errors of a case's results."""
    module, facts = modules[case.module]
    arguments, tensors = [], {}
    for number, argument in enumerate(case.arguments):
        if isinstance(argument, kernel_cases.Tensor):
            tensors[number] = kernel_cases.to_bytes(argument)
            if number in case.expected and number not in case.updated:
                tensors[number][:] = POISON
            arguments.append(tensors[number])
        else:
            arguments.append(float(argument) if isinstance(argument, float) else int(argument))
    for wanted in facts[case.kernel]["maps"]:
        tensor = case.arguments[wanted["tensor"]]
        part = wanted["part"] or {"first": 0, "sizes": tensor.array.shape}
        width, sizes = kernel_cases.size_of(tensor.kind), part["sizes"][::-1]
        strides = np.cumprod([width, *sizes[:-1]])[1:].tolist()
        arguments.append(Map(tensors[wanted["tensor"]], part["first"] * width, tensor.kind, sizes, strides, wanted["box"]))
    grid = case.grid or facts[case.kernel]["grid"]
    device.launch(module, case.kernel, grid, facts[case.kernel], arguments)
    return [largest_error(kernel_cases.from_bytes(tensors[number], case.arguments[number]),
                          expected, case.floor)
            for number, expected in case.expected.items()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("directory")
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    failed = 0
    for path in sorted(glob.glob(os.path.join(options.directory, "*.ptx"))):
        name, chip, _ = os.path.basename(path).split(".")
        device = Simulator() if options.simulate else Cuda()
        with open(path, encoding="ascii") as text, open(path[:-4] + ".json", encoding="ascii") as facts:
            modules = {name: (device.load(text.read()), json.load(facts))}
        worst = collections.defaultdict(float)
        for case in kernel_cases.all_cases():
            if case.module != name or options.only not in case.kernel:
                continue
            try:
                errors = run(device, modules, case)
                problem = "" if max(errors) <= case.tolerance else f"error {max(errors):.3g}"
                worst[case.kernel] = max(worst[case.kernel], *errors)
            except (RuntimeError, IndexError) as error:
                problem = str(error)
            if problem:
                shapes = [a.array.shape for a in case.arguments if isinstance(a, kernel_cases.Tensor)]
                print(f"FAIL {chip} {case.kernel} {shapes}: {problem}")
                failed += 1
        for kernel, error in worst.items():
            print(f"{chip} {kernel}: largest error {error:.3g}")
    print(f"{failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

"""Writes the PTX of kernels, and what a launch must know of them.

Usage: emit_ptx.py STOF_OPT OUT CHIP [--load-dialect-plugin=FILE] [--stages=N] [--check-bounds] KERNELS.mlir...

For each file leaves OUT/NAME.CHIP.ptx and OUT/NAME.CHIP.json: for each kernel
the threads of a block, the bytes of its shared memory, where it is known its grid,
and the tensor maps that its launches pass last: the parameter with the address of
the tensor, the box, whose first side is along the contiguous dimension, and the
first element and the sizes of the part that the map is of, if it is of a part.
"""

import json
import os
import re
import subprocess
import sys


def unescape(text):
    return re.sub(r'\\([0-9A-F]{2}|\\|")',
                  lambda match: match[1] if len(match[1]) == 1 else chr(int(match[1], 16)), text)


def read_maps(module):
    """The tensor maps of each kernel, as its launch creates them."""
    sources = dict(re.findall(r"(%\w+) = memref\.cast (%\w+) ", module))
    parts = {name: (whole, {"first": int(first), "sizes": [int(size) for size in sizes.split(", ")]})
             for name, whole, first, sizes in re.findall(
                 r"(%\w+) = memref\.reinterpret_cast (%\w+) to offset: \[(\d+)\], sizes: \[([^\]]*)\]", module)}
    created = {name: (sources[cast], box.split("x")[-2::-1]) for name, cast, box in re.findall(
        r"(%\w+) = nvgpu\.tma\.create\.descriptor (%\w+) .*-> <tensor = memref<([^,]+), 3>, swizzle = swizzle_128b, "
        r"l2promo = none, oob = zero, interleave = none>", module)}
    maps = {}
    for kernel, operands in re.findall(r"gpu\.launch_func .*@(\w+) blocks in .*args\((.*)\)", module):
        listed, positions, position = [], {}, 0
        for name, kind in re.findall(r"(%\w+) : ((?:[^,<]|<.*?>)+)", operands):
            if kind.startswith("!nvgpu"):
                source, box = created[name]
                whole, part = parts.get(source, (source, None))
                listed.append({"tensor": positions[whole], "box": [int(side) for side in box], "part": part})
            # The sizes that are not in the type follow the address.
            positions[name], position = position, position + 1 + kind.count("?")
        assert maps.setdefault(kernel, listed) == listed, kernel
    return maps


def emit(command, out, pipeline, chip, path):
    # A toolkit that happens to be installed must make no difference.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CUDA")}
    module = subprocess.run([*command, "--allow-unregistered-dialect", f"--stof-to-ptx={pipeline}", path], check=True,
                            env=environment, stdout=subprocess.PIPE, text=True).stdout
    ptx = unescape(re.search(r'kernels = <\[.*?assembly = "((?:[^"\\]|\\.)*)"', module)[1])
    maps, kernels = read_maps(module), {}
    for match in re.finditer(r'kernel_metadata<"(\w+)".*?known_block_size = array<i32: (\d+)[^>]*>'
                             r'(?:, \S*known_grid_size = array<i32: ([^>]*)>)?.*?tile.shared_bytes = (\d+)', module):
        kernels[match[1]] = {"threads": int(match[2]), "shared_bytes": int(match[4]),
                             "grid": [int(size) for size in match[3].split(", ")] if match[3] else None,
                             "maps": maps.get(match[1], [])}
    name = os.path.join(out, f"{os.path.splitext(os.path.basename(path))[0]}.{chip}")
    with open(name + ".ptx", "w", encoding="ascii") as file:
        file.write(ptx)
    with open(name + ".json", "w", encoding="ascii") as file:
        json.dump(kernels, file, indent=2)


def main():
    stof_opt, out, chip, *paths = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    command, options = [stof_opt], [f"chip={chip}"]
    if paths[0].startswith("--load-dialect-plugin="):
        command.append(paths.pop(0))
    while paths[0].startswith("--"):
        options.append(paths.pop(0).removeprefix("--"))
    for path in paths:
        emit(command, out, " ".join(options), chip, path)


if __name__ == "__main__":
    main()

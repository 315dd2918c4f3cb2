"""Prints the functions of a compiled package, and the kernels of each target."""

import collections
import json
import os
import re
import sys

package = sys.argv[1]
with open(os.path.join(package, "manifest.json")) as file:
    manifest = json.load(file)


def tensor(entry):
    return "x".join(map(str, entry["shape"])) + f" {entry['dtype']}"


def describe(steps):
    """Counts kernels by kind, the suffix of their names: main_3_attention."""
    kinds = collections.Counter(re.sub(r".*_\d+_", "", step["kernel"]) for step in steps if "kernel" in step)
    if not kinds:
        return "native code, each kernel a loop over CTAs"
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items()))
    return f"{sum(kinds.values())} kernels ({counts})"


for function in manifest["functions"]:
    results = ", ".join(map(tensor, function["results"]))
    print(f"function {function['name']}: {len(function['inputs'])} inputs -> {results}")
    for target in function["targets"]:
        modules = sorted({step["module"] for step in target["steps"]})
        size = sum(os.path.getsize(os.path.join(package, module)) for module in modules)
        print(f"  {target['target']}: {describe(target['steps'])}")
        print(f"    in {', '.join(modules)}, {size} bytes; workspace {target['workspace']} bytes")

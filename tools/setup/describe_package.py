"""Prints what is in a compiled package, and what its report says was found."""

import json
import os
import sys

package, report = sys.argv[1:]
with open(os.path.join(package, "manifest.json")) as file:
    manifest = json.load(file)
with open(report) as file:
    found = {function["name"]: function for function in json.load(file)["functions"]}


def shape(tensor):
    return "x".join(str(size) for size in tensor["shape"]) + f" {tensor['dtype']}"


for function in manifest["functions"]:
    inputs, results = function["inputs"], function["results"]
    print(f"function {function['name']}: {len(inputs)} inputs, {', '.join(map(shape, results))} out")
    kernels = found.get(function["name"], {}).get("kernels", [])
    for kernel in kernels:
        if kernel["kind"] != "attention":
            continue
        layout = kernel.get("layout", {})
        tiles = ", ".join(f"{layout[kind]} {kind}" for kind in ("full", "partial", "empty") if kind in layout)
        print(f"  found attention {kernel['name']}: tiles {tiles or 'not counted'}")
    groups = sum(kernel["kind"] == "group" for kernel in kernels)
    print(f"  and {groups} groups of other operations")
    for target in function["targets"]:
        modules = sorted({step["module"] for step in target["steps"]})
        size = sum(os.path.getsize(os.path.join(package, module)) for module in modules)
        what = "kernels" if all("kernel" in step for step in target["steps"]) else "native steps"
        print(f"  {target['target']}: {len(target['steps'])} {what} in {', '.join(modules)} ({size} bytes)")

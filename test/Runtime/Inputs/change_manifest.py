"""Copies a package and changes its manifest: change_manifest.py FROM TO PATH=JSON...

A PATH leads into the manifest: functions.0.inputs.1.dtype."""

import json
import pathlib
import shutil
import sys

source, destination, *changes = sys.argv[1:]
shutil.rmtree(destination, ignore_errors=True)
shutil.copytree(source, destination)
path = pathlib.Path(destination) / "manifest.json"
manifest = json.loads(path.read_text())
for change in changes:
    place, value = change.split("=", 1)
    *steps, last = [int(step) if step.isdigit() else step for step in place.split(".")]
    container = manifest
    for step in steps:
        container = container[step]
    container[last] = json.loads(value)
path.write_text(json.dumps(manifest))

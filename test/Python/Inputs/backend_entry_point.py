"""Looks for the backend as torch does. Takes a folder with metadata of an installation."""

import sys
from importlib import metadata

sys.path += sys.argv[1:]
import stof

(entry,) = metadata.entry_points(group="torch_dynamo_backends", name="stof")
print(entry.value)
print("torch imported:", "torch" in sys.modules)
try:
    print("version", metadata.version("stof"))
except metadata.PackageNotFoundError:
    print("no version of its own")
try:
    stof.compiel
except AttributeError as error:
    print(f"AttributeError: {error}")

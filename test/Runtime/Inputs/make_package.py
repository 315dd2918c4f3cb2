"""Writes the package that the runtime's tests start from, with changes asked for on the command line.

    make_package.py FOLDER [--library=FILE] [--set PATH=JSON]... [--delete PATH]... [--truncate FILE]... [--remove FILE]...

A PATH leads into the manifest: functions.0.inputs.1.dtype. Its function `main` takes two f32 tensors of s0 rows
of 4 and yields arg0 * 0.5 + arg1 + (10, 20, 30, 40); --library is the shared object of its cpu target.
"""

import argparse
import copy
import json
import pathlib
import struct

import blake3


def make_manifest(library_bytes, ptx_bytes):
    elements = ["*", "s0", 4]
    arguments = [
        {"buffer": "arg0"},
        {"buffer": "arg1", "offset": 0},
        {"buffer": "const0"},
        {"buffer": "result0"},
        {"buffer": "workspace", "offset": 256},
        {"value": "s0", "type": "i64"},
        {"value": ["-", 0, 7], "type": "i32"},
        {"value": 0.5, "type": "f32"},
    ]
    return {
        "version": 1,
        "producer": "make_package.py",
        "files": [
            {"name": "main.cpu.so", "bytes": library_bytes},
            {"name": "main.sm_80.ptx", "bytes": ptx_bytes},
            {"name": "constants.bin", "bytes": 32},
        ],
        "functions": [
            {
                "name": "main",
                "symbols": [{"name": "s0", "input": 0, "dim": 0}],
                "inputs": [
                    {"name": "arg0", "dtype": "f32", "shape": ["s0", 4]},
                    {"name": "arg1", "dtype": "f32", "shape": ["s0", 4]},
                ],
                "results": [{"name": "result0", "dtype": "f32", "shape": ["s0", 4]}],
                "checks": [{"holds": ["<=", "s0", 1000], "message": "expects at most 1000 rows"}],
                "constants": [{"name": "const0", "file": "constants.bin", "offset": 16, "bytes": 16}],
                "targets": [
                    {
                        "target": "cpu",
                        "workspace": ["+", 256, ["*", elements, 4]],
                        "steps": [{"native": "stof_main", "module": "main.cpu.so", "parameters": copy.deepcopy(arguments)}],
                    },
                    {
                        "target": "sm_80",
                        "workspace": ["+", 256, ["*", elements, 4]],
                        "steps": [
                            {
                                "kernel": "main_k0",
                                "module": "main.sm_80.ptx",
                                "grid": [["ceildiv", "s0", 2], 1, 1],
                                "block": [128, 1, 1],
                                "shared_bytes": 1024,
                                "parameters": arguments,
                            }
                        ],
                    },
                ],
            }
        ],
    }


def add_hashes(manifest, files, folder):
    """Gives each file of the manifest the hash of what it holds, unless it has one; other files are in the folder."""
    listed = manifest.get("files")
    for file in listed if isinstance(listed, list) else []:
        if isinstance(file, dict) and "blake3" not in file:
            other = folder / str(file.get("name"))
            contents = files.get(file.get("name"), other.read_bytes() if other.is_file() else b"")
            file["blake3"] = blake3.digest(contents)


def walk(manifest, path):
    """The container and the key that a path leads to."""
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in steps:
        manifest = manifest[step]
    return manifest, last


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--ptx", type=pathlib.Path)
    for option in ("set", "delete", "truncate", "remove"):
        parser.add_argument(f"--{option}", action="append", default=[])
    arguments = parser.parse_args()

    arguments.folder.mkdir(parents=True, exist_ok=True)
    library = arguments.library.read_bytes() if arguments.library else b"not a library"
    ptx = arguments.ptx.read_bytes() if arguments.ptx else b"not a module"
    manifest = make_manifest(len(library), len(ptx))
    for change in arguments.set:
        path, value = change.split("=", 1)
        container, key = walk(manifest, path)
        if isinstance(container, list) and key == len(container):
            container.append(None)
        container[key] = json.loads(value)
    for path in arguments.delete:
        container, key = walk(manifest, path)
        del container[key]
    files = {
        "main.cpu.so": library,
        "main.sm_80.ptx": ptx,
        "constants.bin": struct.pack("<8f", 0, 0, 0, 0, 10, 20, 30, 40),
    }
    add_hashes(manifest, files, arguments.folder)
    files["manifest.json"] = json.dumps(manifest, indent=1).encode()
    for name, contents in files.items():
        if name not in arguments.remove:
            (arguments.folder / name).write_bytes(contents[:-1] if name in arguments.truncate else contents)


if __name__ == "__main__":
    main()

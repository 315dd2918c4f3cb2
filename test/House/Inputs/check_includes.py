"""Every source includes the headers of the MLIR dialects whose operations it names, itself or by other headers: a precompiled header hides a missing one.

    check_includes.py ROOT MLIR_INCLUDE
"""

import functools
import pathlib
import re
import sys

import tree

# The namespace of a dialect and the header of its operations, below mlir/Dialect.
HEADERS = {
    "LLVM": "LLVMIR/LLVMDialect.h",
    "NVVM": "LLVMIR/NVVMDialect.h",
    "affine": "Affine/IR/AffineOps.h",
    "arith": "Arith/IR/Arith.h",
    "bufferization": "Bufferization/IR/Bufferization.h",
    "cf": "ControlFlow/IR/ControlFlowOps.h",
    "complex": "Complex/IR/Complex.h",
    "func": "Func/IR/FuncOps.h",
    "gpu": "GPU/IR/GPUDialect.h",
    "linalg": "Linalg/IR/Linalg.h",
    "math": "Math/IR/Math.h",
    "memref": "MemRef/IR/MemRef.h",
    "scf": "SCF/IR/SCF.h",
    "tensor": "Tensor/IR/Tensor.h",
    "vector": "Vector/IR/VectorOps.h",
}
OPERATION = re.compile(rf"\b({'|'.join(HEADERS)})::\w+Op\b")
INCLUDE = re.compile(r'^\s*#\s*include [<"]([^">]+)[">]', re.M)
COMMENT = re.compile(r"//.*")

root = tree.root_from(sys.argv[1])
folders = [root / "include", pathlib.Path(sys.argv[2])]


@functools.cache
def included(path):
    """The files that `path` includes, where they are found: generated ones and those of the C++ library are not."""
    found = []
    for name in INCLUDE.findall(path.read_text(errors="replace")):
        candidates = [folder / name for folder in (path.parent, *folders)]
        found += [candidate.resolve() for candidate in candidates if candidate.is_file()][:1]
    return found


def closure(path):
    """All files that `path` includes, by others too."""
    seen, pending = set(), [path]
    while pending:
        new = [file for file in included(pending.pop()) if file not in seen]
        seen.update(new)
        pending += new
    return seen


def missing(path):
    code = COMMENT.sub("", path.read_text())
    named = sorted(set(OPERATION.findall(code)))
    if not named:
        return
    seen = closure(path)
    for dialect in named:
        header = f"mlir/Dialect/{HEADERS[dialect]}"
        if (folders[1] / header).resolve() not in seen:
            yield f"{path.relative_to(root)}: names operations of '{dialect}', but includes no {header}"


sources = list(tree.files(root, ["lib", "tools", "test"], {".cpp"}))
complaints = [complaint for path in sources for complaint in missing(path)]
tree.verdict(complaints, len(sources), "sources")

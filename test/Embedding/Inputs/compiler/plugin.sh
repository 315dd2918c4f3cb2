# Passes and pipelines of stof in the stock mlir-opt, with the plugin in this folder.
plugins="--load-dialect-plugin=./stof-plugin.so --load-pass-plugin=./stof-plugin.so"

# What each kernel computes, and the tiles of each mask.
mlir-opt $plugins attention.mlir --pass-pipeline='builtin.module(stof-plan{chip=sm_90a})' -o planned.mlir

# A program for each kernel, with tiles as values; PTX, with the host code that launches it.
mlir-opt $plugins attention.mlir --pass-pipeline='builtin.module(stof-to-tile{chip=sm_90a})' -o tiles.mlir
mlir-opt $plugins attention.mlir --pass-pipeline='builtin.module(stof-to-ptx{chip=sm_90a})' -o ptx.mlir

# A pass of stof among those of upstream.
mlir-opt $plugins attention.mlir --pass-pipeline='builtin.module(canonicalize, func.func(stof-decompose-attention), cse)' -o linalg.mlir

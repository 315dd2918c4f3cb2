"""Writes a chain of slices: chain_slices.py COUNT ROWS LENGTH, of so many rows each, at a stride of four rows, into LENGTH rows."""

import sys

count, rows, length = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
whole, part = f"tensor<{length}x8xf32>", f"tensor<{rows}x8xf32>"
print(f"func.func @main(%x: {whole}, %part: {part}) -> {whole} {{")
name = "%x"
for number in range(count):
    print(f"%{number} = tensor.insert_slice %part into {name}[{4 * number}, 0] [{rows}, 8] [1, 1] : {part} into {whole}")
    name = f"%{number}"
print(f"return {name} : {whole}\n}}")

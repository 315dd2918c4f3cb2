"""Writes matmuls of two warpgroups: each pair of transpositions, rows of any length, and an lhs in registers.

Usage: make_warpgroups.py > FILE
"""

KERNEL = """
  gpu.func @product_{name}(%a: memref<?x{inner}x{t}>, %b: memref<?x{inner}x{t}>, %c: memref<?x?xf32>) kernel
      attributes {{known_block_size = array<i32: 256, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %along = arith.constant {k_dim} : index
    %edge = arith.constant 128 : index
    %step = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %along : memref<?x{inner}x{t}>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %edge : index
    %j = arith.muli %bj, %edge : index
    %s0 = tile.splat %zero : !tile.fragment<128x128xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<128x128xf32, #acc>) {{
      %x = tile.load %a[{a_index}] along [0, 1] : memref<?x{inner}x{t}> -> !tile.{a_tile}>
      %y = tile.load %b[{b_index}] along [0, 1] : memref<?x{inner}x{t}> -> !tile.shared<{b_tile}x{t}>
      %n = tile.contract %x, %y, %sum{flags} : !tile.{a_tile}>, !tile.shared<{b_tile}x{t}>, !tile.fragment<128x128xf32, #acc>
      scf.yield %n : !tile.fragment<128x128xf32, #acc>
    }}
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<128x128xf32, #acc>, memref<?x?xf32>
    gpu.return
  }}"""


def kernel(element, variant, aligned=True, held=False):
    """One kernel; rows in memory are `aligned` to 16 bytes or of any length."""
    transpose_lhs, transpose_rhs = (flag == "t" for flag in variant)
    shape = "64x128" if transpose_lhs else "128x64"
    return KERNEL.format(
        name=f"{element}_{variant}" + ("" if aligned else "_any") + ("_held" if held else ""),
        t=element,
        inner="136" if aligned else "?",
        k_dim=0 if transpose_lhs else 1,
        a_index="%k, %i" if transpose_lhs else "%i, %k",
        b_index="%j, %k" if transpose_rhs else "%k, %j",
        a_tile=f"fragment<{shape}x{element}, #acc" if held else f"shared<{shape}x{element}",
        b_tile="128x64" if transpose_rhs else "64x128",
        flags=(" transpose_lhs" if transpose_lhs else "") + (" transpose_rhs" if transpose_rhs else ""))


print("#acc = #tile.mma<warps = [8, 1]>\n")
print("gpu.module @warpgroups {", end="")
for transposed in ("nn", "nt", "tn", "tt"):
    print(kernel("f16", transposed))
print(kernel("bf16", "nt", aligned=False))
print(kernel("bf16", "nn", held=True))
print(kernel("f16", "nt", held=True))
print("}")

"""Writes kernels of matmuls: each type, each pair of transpositions.

Usage: make_contractions.py > contractions.mlir
"""

KERNEL = """
  // C = A * B with A {a_shape} and B {b_shape}.
  gpu.func @product_{name}(%a: memref<{a_type}x{t}>, %b: memref<{b_type}x{t}>, %c: memref<?x?xf32>) kernel
      attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c{k_dim} : memref<{a_type}x{t}>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {{
      %x = tile.load %a[{a_index}] along [0, 1] : memref<{a_type}x{t}> -> !tile.shared<{a_tile}x{t}>
      %y = tile.load %b[{b_index}] along [0, 1] : memref<{b_type}x{t}> -> !tile.shared<{b_tile}x{t}>
      %n = tile.contract %x, %y, %sum{flags} : !tile.shared<{a_tile}x{t}>, !tile.shared<{b_tile}x{t}>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }}
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }}"""


def kernel(element, transpose_lhs, transpose_rhs, aligned):
    """One kernel; rows in memory are `aligned` to 16 bytes or of any length."""
    inner = "72" if aligned else "?"
    name = f"{element}_{'t' if transpose_lhs else 'n'}{'t' if transpose_rhs else 'n'}"
    return KERNEL.format(
        name=name + ("" if aligned else "_any"),
        t=element,
        a_shape="K x M" if transpose_lhs else "M x K",
        b_shape="N x K" if transpose_rhs else "K x N",
        a_type=f"?x{inner}",
        b_type=f"?x{inner}",
        k_dim=0 if transpose_lhs else 1,
        a_index="%k, %i" if transpose_lhs else "%i, %k",
        b_index="%j, %k" if transpose_rhs else "%k, %j",
        a_tile="32x64" if transpose_lhs else "64x32",
        b_tile="64x32" if transpose_rhs else "32x64",
        flags=(" transpose_lhs" if transpose_lhs else "")
        + (" transpose_rhs" if transpose_rhs else ""),
    )


print("// Matmuls, written by make_contractions.py.\n")
print("#acc = #tile.mma<warps = [2, 2]>\n")
print("gpu.module @contractions {", end="")
for element in ("f16", "bf16", "f32"):
    for transpose_lhs in (False, True):
        for transpose_rhs in (False, True):
            print(kernel(element, transpose_lhs, transpose_rhs, aligned=True))
    print(kernel(element, False, True, aligned=False))
print("}")

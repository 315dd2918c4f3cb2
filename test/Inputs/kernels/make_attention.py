"""Writes attention kernels: 64 queries a block, 64 keys a step (32 for f32), online softmax.

Usage: make_attention.py > attention.mlir
"""

KERNEL = """
  // O = softmax(Q K^T * scale, causal) V with its row sums, {features} features.
  gpu.func @attention_{t}_{features}(%q: memref<?x?x{features}x{t}>, %k: memref<?x?x{features}x{t}>, %v: memref<?x?x{features}x{t}>, %scale: f32, %o: memref<?x?x{features}x{t}>, %lse: memref<?x?xf32>) kernel
      attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ck = arith.constant {keys} : index
    %zero = arith.constant 0.0 : f32
    %inf = arith.constant 0xFF800000 : f32
    %keys = memref.dim %k, %c1 : memref<?x?x{features}x{t}>
    %head = gpu.block_id y
    %bi = gpu.block_id x
    %i = arith.muli %bi, %c64 : index
    %end = arith.addi %i, %c64 : index
    %last = arith.minsi %end, %keys : index
    %qt = tile.load %q[%head, %i, %c0] along [1, 2] : memref<?x?x{features}x{t}> -> !tile.shared<64x{features}x{t}>
    %m0 = tile.splat %inf : !tile.fragment<64xf32, #row>
    %l0 = tile.splat %zero : !tile.fragment<64xf32, #row>
    %o0 = tile.splat %zero : !tile.fragment<64x{features}xf32, #acc>
    %s0 = tile.splat %zero : !tile.fragment<64x{keys}xf32, #acc>
    %r:3 = scf.for %j = %c0 to %last step %ck iter_args(%m = %m0, %l = %l0, %acc = %o0)
        -> (!tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x{features}xf32, #acc>) {{
      %kt = tile.load %k[%head, %j, %c0] along [1, 2] : memref<?x?x{features}x{t}> -> !tile.shared<{keys}x{features}x{t}>
      %vt = tile.load %v[%head, %j, %c0] along [1, 2] : memref<?x?x{features}x{t}> -> !tile.shared<{keys}x{features}x{t}>
      %s = tile.contract %qt, %kt, %s0 transpose_rhs : !tile.shared<64x{features}x{t}>, !tile.shared<{keys}x{features}x{t}>, !tile.fragment<64x{keys}xf32, #acc>
      %x = tile.map ins(%s : !tile.fragment<64x{keys}xf32, #acc>) {{
      ^bb0(%row: index, %column: index, %e: f32):
        %qi = arith.addi %i, %row : index
        %ki = arith.addi %j, %column : index
        %causal = arith.cmpi sle, %ki, %qi : index
        %inside = arith.cmpi slt, %ki, %keys : index
        %keep = arith.andi %causal, %inside : i1
        %scaled = arith.mulf %e, %scale : f32
        %y = arith.select %keep, %scaled, %inf : f32
        tile.yield %y : f32
      }} -> !tile.fragment<64x{keys}xf32, #acc>
      %tm = tile.reduce %x along 1 {{
      ^bb0(%a: f32, %b: f32):
        %y = arith.maxnumf %a, %b : f32
        tile.yield %y : f32
      }} : !tile.fragment<64x{keys}xf32, #acc> -> !tile.fragment<64xf32, #row>
      %mn, %factor = tile.map ins(%m, %tm : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {{
      ^bb0(%row: index, %a: f32, %b: f32):
        %new = arith.maxnumf %a, %b : f32
        %d = arith.subf %a, %new : f32
        %f = math.exp2 %d : f32
        tile.yield %new, %f : f32, f32
      }} -> !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>
      %p = tile.map ins(%x, %mn : !tile.fragment<64x{keys}xf32, #acc>, !tile.fragment<64xf32, #row>) {{
      ^bb0(%row: index, %column: index, %e: f32, %b: f32):
        %d = arith.subf %e, %b : f32
        %y = math.exp2 %d : f32
        tile.yield %y : f32
      }} -> !tile.fragment<64x{keys}xf32, #acc>
      %ps = tile.reduce %p along 1 {{
      ^bb0(%a: f32, %b: f32):
        %y = arith.addf %a, %b : f32
        tile.yield %y : f32
      }} : !tile.fragment<64x{keys}xf32, #acc> -> !tile.fragment<64xf32, #row>
      %ln = tile.map ins(%l, %factor, %ps : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {{
      ^bb0(%row: index, %a: f32, %f: f32, %b: f32):
        %d = arith.mulf %a, %f : f32
        %y = arith.addf %d, %b : f32
        tile.yield %y : f32
      }} -> !tile.fragment<64xf32, #row>
      %scaled = tile.map ins(%acc, %factor : !tile.fragment<64x{features}xf32, #acc>, !tile.fragment<64xf32, #row>) {{
      ^bb0(%row: index, %column: index, %a: f32, %f: f32):
        %y = arith.mulf %a, %f : f32
        tile.yield %y : f32
      }} -> !tile.fragment<64x{features}xf32, #acc>
      %pt = tile.map ins(%p : !tile.fragment<64x{keys}xf32, #acc>) {{
      ^bb0(%row: index, %column: index, %e: f32):
        {narrow}
        tile.yield %y : {t}
      }} -> !tile.fragment<64x{keys}x{t}, #acc>
      %on = tile.contract %pt, %vt, %scaled : !tile.fragment<64x{keys}x{t}, #acc>, !tile.shared<{keys}x{features}x{t}>, !tile.fragment<64x{features}xf32, #acc>
      scf.yield %mn, %ln, %on : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x{features}xf32, #acc>
    }}
    %out = tile.map ins(%r#2, %r#1 : !tile.fragment<64x{features}xf32, #acc>, !tile.fragment<64xf32, #row>) {{
    ^bb0(%row: index, %column: index, %a: f32, %b: f32):
      %e = arith.divf %a, %b : f32
      {narrow}
      tile.yield %y : {t}
    }} -> !tile.fragment<64x{features}x{t}, #acc>
    tile.store %out, %o[%head, %i, %c0] along [1, 2] : !tile.fragment<64x{features}x{t}, #acc>, memref<?x?x{features}x{t}>
    %ends = tile.map ins(%r#0, %r#1 : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {{
    ^bb0(%row: index, %a: f32, %b: f32):
      %log = math.log2 %b : f32
      %y = arith.addf %a, %log : f32
      tile.yield %y : f32
    }} -> !tile.fragment<64xf32, #row>
    tile.store %ends, %lse[%head, %i] along [1] : !tile.fragment<64xf32, #row>, memref<?x?xf32>
    gpu.return
  }}"""


def kernel(element, features):
    narrow = (
        "%y = arith.addf %e, %zero : f32"
        if element == "f32"
        else f"%y = arith.truncf %e : f32 to {element}"
    )
    # Products of f32 take three times the registers.
    keys = 32 if element == "f32" else 64
    return KERNEL.format(t=element, features=features, keys=keys, narrow=narrow)


print("// Causal attention, written by make_attention.py.\n")
print("#acc = #tile.mma<warps = [4, 1]>")
print("#row = #tile.slice<1, #acc>\n")
print("gpu.module @attention {", end="")
for element, features in (("f16", 64), ("f16", 128), ("f16", 256), ("bf16", 64), ("f32", 64)):
    print(kernel(element, features))
print("}")

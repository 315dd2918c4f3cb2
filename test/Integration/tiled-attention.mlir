// RUN: rm -rf %t && mkdir %t
// RUN: stof-opt %s --transform-preload-library=transform-library-paths=%S/Inputs/tile-attention.mlir \
// RUN:   --transform-interpreter --canonicalize -o %t/tiled.mlir
// RUN: FileCheck %s < %t/tiled.mlir
// RUN: stof-compile %s -o %t/whole --target=cpu-reference
// RUN: stof-compile %t/tiled.mlir -o %t/tiled --target=cpu-reference
// RUN: %python %S/Inputs/random_tensors.py %t/in arg0=f32[2,4,24,8] arg1=f32[2,2,20,8] arg2=f32[2,2,20,8] \
// RUN:   arg3=f32[4] arg4=i32[24] arg5=f32[4]
// RUN: stof-run %t/whole --device=cpu --inputs=%t/in --outputs=%t/out
// RUN: stof-run %t/tiled --device=cpu --inputs=%t/in --compare=%t/out --tolerance=0

/// Tiled by upstream's transform, an attention computes what it did, to the last
/// bit: grouped heads, a mask and a score that depend on batch, head and query,
/// sinks, lse, and a last tile that is smaller than the others.

// CHECK-COUNT-3: scf.for
// CHECK: stof.attention

func.func @main(%q: tensor<2x4x24x8xf32>, %k: tensor<2x2x20x8xf32>, %v: tensor<2x2x20x8xf32>, %slopes: tensor<4xf32>, %ids: tensor<24xi32>, %sinks: tensor<4xf32>) -> (tensor<2x4x24x8xf32>, tensor<2x4x24xf32>) {
  %o = tensor.empty() : tensor<2x4x24x8xf32>
  %l = tensor.empty() : tensor<2x4x24xf32>
  %m = stof.mask captures(%ids : tensor<24xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %doc: tensor<24xi32>):
    %x = tensor.extract %doc[%i] : tensor<24xi32>
    %y = tensor.extract %doc[%j] : tensor<24xi32>
    %e = arith.cmpi eq, %x, %y : i32
    %sum = arith.addi %b, %h : index
    %lim = arith.addi %i, %sum : index
    %c = arith.cmpi ule, %j, %lim : index
    %keep = arith.ori %e, %c : i1
    stof.yield %keep : i1
  } : !stof.mask<24x20>
  %r:2 = stof.attention ins(%q, %k, %v : tensor<2x4x24x8xf32>, tensor<2x2x20x8xf32>, tensor<2x2x20x8xf32>)
      mask(%m : !stof.mask<24x20>) sinks(%sinks : tensor<4xf32>) captures(%slopes : tensor<4xf32>) outs(%o : tensor<2x4x24x8xf32>, lse %l : tensor<2x4x24xf32>) scale 0.35 score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %sl: tensor<4xf32>):
    %a = tensor.extract %sl[%h] : tensor<4xf32>
    %d = arith.subi %i, %j : index
    %d1 = arith.addi %d, %b : index
    %d2 = arith.index_cast %d1 : index to i64
    %d3 = arith.sitofp %d2 : i64 to f32
    %t = arith.mulf %d3, %a : f32
    %y = arith.addf %s, %t : f32
    stof.yield %y : f32
  } -> tensor<2x4x24x8xf32>, tensor<2x4x24xf32>
  return %r#0, %r#1 : tensor<2x4x24x8xf32>, tensor<2x4x24xf32>
}

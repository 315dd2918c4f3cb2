// RUN: stof-opt %s --transform-interpreter --canonicalize --cse --mlir-print-local-scope --split-input-file | FileCheck %s

#all = affine_map<(b, h, q, d) -> (b, h, q, d)>

/// An attention is fused into the loop of its consumer, one tile of it at a time.

// CHECK-LABEL: func @into_consumer
func.func @into_consumer(%q: tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<64x64>
  // CHECK: scf.forall (%[[N:.*]]) in (4)
  // CHECK: %[[I:[^ ]*]] = affine.apply affine_map<(d0) -> (d0 * 16)>(%[[N]])
  // CHECK: %[[M:[^ ]*]] = stof.mask captures(%[[I]] : index)
  // CHECK: %[[T:[^ ]*]] = stof.attention {{.*}} mask(%[[M]] : !stof.mask<16x64>)
  // CHECK: linalg.generic {{.*}} ins(%[[T]] : tensor<1x2x16x4xf32>)
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>)
      mask(%m : !stof.mask<64x64>) outs(%q : tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<1x2x64x4xf32>) outs(%q : tensor<1x2x64x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<1x2x64x4xf32>
  return %r : tensor<1x2x64x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %consumer = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %attention = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %consumer tile_sizes [0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %attention into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

#all = affine_map<(b, h, q, d) -> (b, h, q, d)>

/// What makes the query is fused into the loop of the attention.

// CHECK-LABEL: func @producer
func.func @producer(%q: tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32> {
  %p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q : tensor<1x2x64x4xf32>) outs(%q : tensor<1x2x64x4xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.negf %x : f32
    linalg.yield %y : f32
  } -> tensor<1x2x64x4xf32>
  // CHECK: scf.for
  // CHECK: %[[T:[^ ]*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<1x2x16x4xf32>)
  // CHECK: stof.attention ins(%[[T]], %{{.*}}, %{{.*}} : tensor<1x2x16x4xf32>
  %r = stof.attention ins(%p, %q, %q : tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>, tensor<1x2x64x4xf32>)
      outs(%q : tensor<1x2x64x4xf32>) -> tensor<1x2x64x4xf32>
  return %r : tensor<1x2x64x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %attention = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.fuse %attention tile_sizes [0, 0, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// What a loop carries may be any head, also one inside a GQA group: the attention
/// goes into the loop uncut.

// CHECK-LABEL: func @any_head
// CHECK-SAME: (%[[Q:.*]]: tensor<1x4x16x4xf32>, %[[K:[^:]*]]: tensor<1x2x16x4xf32>,
func.func @any_head(%q: tensor<1x4x16x4xf32>, %k: tensor<1x2x16x4xf32>, %first: index, %end: index,
                    %init: tensor<1x2x16x4xf32>) -> tensor<1x2x16x4xf32> {
  %c1 = arith.constant 1 : index
  %o = stof.attention ins(%q, %k, %k : tensor<1x4x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>)
      outs(%q : tensor<1x4x16x4xf32>) -> tensor<1x4x16x4xf32>
  // CHECK: scf.while
  // CHECK: ^bb0(%[[H:[^:]*]]: index
  // CHECK: %[[O:.*]] = stof.attention ins(%[[Q]], %[[K]], %[[K]] :
  // CHECK: tensor.extract_slice %[[O]][0, %[[H]], 0, 0] [1, 2, 16, 4]
  %r:2 = scf.while (%h = %first, %t = %init) : (index, tensor<1x2x16x4xf32>) -> (index, tensor<1x2x16x4xf32>) {
    %more = arith.cmpi ult, %h, %end : index
    scf.condition(%more) %h, %t : index, tensor<1x2x16x4xf32>
  } do {
  ^bb0(%h: index, %t: tensor<1x2x16x4xf32>):
    %s = tensor.extract_slice %o[0, %h, 0, 0] [1, 2, 16, 4] [1, 1, 1, 1] : tensor<1x4x16x4xf32> to tensor<1x2x16x4xf32>
    %next = arith.addi %h, %c1 : index
    scf.yield %next, %s : index, tensor<1x2x16x4xf32>
  }
  return %r#1 : tensor<1x2x16x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %attention = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.while"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %new = transform.structured.fuse_into_containing_op %attention into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

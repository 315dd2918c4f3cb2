// RUN: stof-opt --stof-raise --split-input-file --remarks-filter="stof.*" %s 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

/// Keys in blocks: a contraction and a softmax over both of their dimensions.

#q = affine_map<(b, h, q, n, j, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, n, j, d) -> (b, h, n, j, d)>
#s = affine_map<(b, h, q, n, j, d) -> (b, h, q, n, j)>
#id = affine_map<(b, h, q, n, j) -> (b, h, q, n, j)>
#row = affine_map<(b, h, q, n, j) -> (b, h, q)>
// CHECK-LABEL: func @blocks
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x12x8xf32>, %[[K:.*]]: tensor<2x3x3x4x8xf32>, %[[V:.*]]: tensor<2x3x3x4x8xf32>
// CHECK-DAG: %[[K4:.*]] = tensor.collapse_shape %[[K]] {{.*}} into tensor<2x3x12x8xf32>
// CHECK-DAG: %[[V4:.*]] = tensor.collapse_shape %[[V]] {{.*}} into tensor<2x3x12x8xf32>
// CHECK: %[[MASK:.*]] = stof.mask {
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT:   %[[KEEP:.*]] = arith.cmpi sle, %[[J]], %[[I]] : index
// CHECK-NEXT:   stof.yield %[[KEEP]]
// CHECK: stof.attention ins(%[[Q]], %[[K4]], %[[V4]] : {{.*}}) mask(%[[MASK]] : !stof.mask<12x12>) {{.*}} -> tensor<2x3x12x8xf32>
func.func @blocks(%q: tensor<2x3x12x8xf32>, %k: tensor<2x3x3x4x8xf32>, %v: tensor<2x3x3x4x8xf32>) -> tensor<2x3x12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x12x3x4xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x12x3x4xf32>) -> tensor<2x3x12x3x4xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x12x8xf32>, tensor<2x3x3x4x8xf32>) outs(%s_zero : tensor<2x3x12x3x4xf32>) -> tensor<2x3x12x3x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x12x3x4xf32>) outs(%s_init : tensor<2x3x12x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 2 : index
    %n = linalg.index 3 : index
    %j = linalg.index 4 : index
    %c4 = arith.constant 4 : index
    %first = arith.muli %n, %c4 : index
    %at = arith.addi %first, %j : index
    %keep = arith.cmpi sle, %at, %i : index
    %0 = arith.select %keep, %in, %none : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12x3x4xf32>
  %r_init = tensor.empty() : tensor<2x3x12xf32>
  %m_none = linalg.fill ins(%none : f32) outs(%r_init : tensor<2x3x12xf32>) -> tensor<2x3x12xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%s : tensor<2x3x12x3x4xf32>) outs(%m_none : tensor<2x3x12xf32>) {
  ^bb0(%in: f32, %max: f32):
    %0 = arith.maximumf %in, %max : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<2x3x12x3x4xf32>, tensor<2x3x12xf32>) outs(%s_init : tensor<2x3x12x3x4xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %0 = arith.subf %in, %max : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x12x3x4xf32>
  %d_zero = linalg.fill ins(%zero : f32) outs(%r_init : tensor<2x3x12xf32>) -> tensor<2x3x12xf32>
  %d = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%e : tensor<2x3x12x3x4xf32>) outs(%d_zero : tensor<2x3x12xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %0 = arith.addf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%e, %d : tensor<2x3x12x3x4xf32>, tensor<2x3x12xf32>) outs(%s_init : tensor<2x3x12x3x4xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12x3x4xf32>
  %o_init = tensor.empty() : tensor<2x3x12x8xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
  %o = linalg.contract indexing_maps = [#s, #k, #q]
      ins(%p, %v : tensor<2x3x12x3x4xf32>, tensor<2x3x3x4x8xf32>) outs(%o_zero : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
  return %o : tensor<2x3x12x8xf32>
}

// -----

/// The same with a sum of the sums in each block.

#q = affine_map<(b, h, q, n, j, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, n, j, d) -> (b, h, n, j, d)>
#s = affine_map<(b, h, q, n, j, d) -> (b, h, q, n, j)>
#id = affine_map<(b, h, q, n, j) -> (b, h, q, n, j)>
#row = affine_map<(b, h, q, n, j) -> (b, h, q)>
// CHECK-LABEL: func @sums_of_sums
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x12x8xf32>, %[[K:.*]]: tensor<2x3x3x4x8xf32>, %[[V:.*]]: tensor<2x3x3x4x8xf32>
// CHECK-DAG: %[[K4:.*]] = tensor.collapse_shape %[[K]] {{.*}} into tensor<2x3x12x8xf32>
// CHECK-DAG: %[[V4:.*]] = tensor.collapse_shape %[[V]] {{.*}} into tensor<2x3x12x8xf32>
// CHECK: %[[MASK:.*]] = stof.mask {
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT:   %[[KEEP:.*]] = arith.cmpi sle, %[[J]], %[[I]] : index
// CHECK-NEXT:   stof.yield %[[KEEP]]
// CHECK: stof.attention ins(%[[Q]], %[[K4]], %[[V4]] : {{.*}}) mask(%[[MASK]] : !stof.mask<12x12>) {{.*}} -> tensor<2x3x12x8xf32>
func.func @sums_of_sums(%q: tensor<2x3x12x8xf32>, %k: tensor<2x3x3x4x8xf32>, %v: tensor<2x3x3x4x8xf32>) -> tensor<2x3x12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x12x3x4xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x12x3x4xf32>) -> tensor<2x3x12x3x4xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x12x8xf32>, tensor<2x3x3x4x8xf32>) outs(%s_zero : tensor<2x3x12x3x4xf32>) -> tensor<2x3x12x3x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x12x3x4xf32>) outs(%s_init : tensor<2x3x12x3x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 2 : index
    %n = linalg.index 3 : index
    %j = linalg.index 4 : index
    %c4 = arith.constant 4 : index
    %first = arith.muli %n, %c4 : index
    %at = arith.addi %first, %j : index
    %keep = arith.cmpi sle, %at, %i : index
    %0 = arith.select %keep, %in, %none : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12x3x4xf32>
  %r_init = tensor.empty() : tensor<2x3x12xf32>
  %m_none = linalg.fill ins(%none : f32) outs(%r_init : tensor<2x3x12xf32>) -> tensor<2x3x12xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%s : tensor<2x3x12x3x4xf32>) outs(%m_none : tensor<2x3x12xf32>) {
  ^bb0(%in: f32, %max: f32):
    %0 = arith.maximumf %in, %max : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<2x3x12x3x4xf32>, tensor<2x3x12xf32>) outs(%s_init : tensor<2x3x12x3x4xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %0 = arith.subf %in, %max : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x12x3x4xf32>
  %d_zero = linalg.fill ins(%zero : f32) outs(%r_init : tensor<2x3x12xf32>) -> tensor<2x3x12xf32>
  %b_init = tensor.empty() : tensor<2x3x12x3xf32>
  %b_zero = linalg.fill ins(%zero : f32) outs(%b_init : tensor<2x3x12x3xf32>) -> tensor<2x3x12x3xf32>
  %b = linalg.reduce { arith.addf } ins(%e : tensor<2x3x12x3x4xf32>) outs(%b_zero : tensor<2x3x12x3xf32>) dimensions = [4]
  %d = linalg.reduce { arith.addf } ins(%b : tensor<2x3x12x3xf32>) outs(%d_zero : tensor<2x3x12xf32>) dimensions = [3]
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%e, %d : tensor<2x3x12x3x4xf32>, tensor<2x3x12xf32>) outs(%s_init : tensor<2x3x12x3x4xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12x3x4xf32>
  %o_init = tensor.empty() : tensor<2x3x12x8xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
  %o = linalg.contract indexing_maps = [#s, #k, #q]
      ins(%p, %v : tensor<2x3x12x3x4xf32>, tensor<2x3x3x4x8xf32>) outs(%o_zero : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
  return %o : tensor<2x3x12x8xf32>
}

// -----

/// The same with the softmax over one dimension.

#q = affine_map<(b, h, q, n, j, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, n, j, d) -> (b, h, n, j, d)>
#s = affine_map<(b, h, q, n, j, d) -> (b, h, q, n, j)>
#id = affine_map<(b, h, q, n, j) -> (b, h, q, n, j)>
#row = affine_map<(b, h, q, n, j) -> (b, h, q)>
// CHECK-LABEL: func @flat_softmax
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x12x8xf32>, %[[K:.*]]: tensor<2x3x3x4x8xf32>, %[[V:.*]]: tensor<2x3x3x4x8xf32>
// CHECK-DAG: %[[K4:.*]] = tensor.collapse_shape %[[K]] {{.*}} into tensor<2x3x12x8xf32>
// CHECK-DAG: %[[V4:.*]] = tensor.collapse_shape %[[V]] {{.*}} into tensor<2x3x12x8xf32>
// CHECK: stof.attention ins(%[[Q]], %[[K4]], %[[V4]] : {{.*}}) outs(%{{[^ ]*}} : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
func.func @flat_softmax(%q: tensor<2x3x12x8xf32>, %k: tensor<2x3x3x4x8xf32>, %v: tensor<2x3x3x4x8xf32>) -> tensor<2x3x12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x12x3x4xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x12x3x4xf32>) -> tensor<2x3x12x3x4xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x12x8xf32>, tensor<2x3x3x4x8xf32>) outs(%s_zero : tensor<2x3x12x3x4xf32>) -> tensor<2x3x12x3x4xf32>
  %flat = tensor.collapse_shape %qk [[0], [1], [2], [3, 4]] : tensor<2x3x12x3x4xf32> into tensor<2x3x12x12xf32>
  %f_init = tensor.empty() : tensor<2x3x12x12xf32>
  %w = linalg.softmax dimension(3) ins(%flat : tensor<2x3x12x12xf32>) outs(%f_init : tensor<2x3x12x12xf32>) -> tensor<2x3x12x12xf32>
  %p = tensor.expand_shape %w [[0], [1], [2], [3, 4]] output_shape [2, 3, 12, 3, 4] : tensor<2x3x12x12xf32> into tensor<2x3x12x3x4xf32>
  %o_init = tensor.empty() : tensor<2x3x12x8xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
  %o = linalg.contract indexing_maps = [#s, #k, #q]
      ins(%p, %v : tensor<2x3x12x3x4xf32>, tensor<2x3x3x4x8xf32>) outs(%o_zero : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
  return %o : tensor<2x3x12x8xf32>
}

// -----

/// A softmax in each block is another thing.

#q = affine_map<(b, h, q, n, j, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, n, j, d) -> (b, h, n, j, d)>
#s = affine_map<(b, h, q, n, j, d) -> (b, h, q, n, j)>
#id = affine_map<(b, h, q, n, j) -> (b, h, q, n, j)>
#row = affine_map<(b, h, q, n, j) -> (b, h, q)>
#block = affine_map<(b, h, q, n, j) -> (b, h, q, n)>
// CHECK-LABEL: func @negative_softmax_in_blocks
// CHECK-NOT: stof.attention
// REMARK: remark: [Missed] RaisedAttention | {{.*}}the softmax and the second contraction reduce different dimensions
func.func @negative_softmax_in_blocks(%q: tensor<2x3x12x8xf32>, %k: tensor<2x3x3x4x8xf32>, %v: tensor<2x3x3x4x8xf32>) -> tensor<2x3x12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x12x3x4xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x12x3x4xf32>) -> tensor<2x3x12x3x4xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x12x8xf32>, tensor<2x3x3x4x8xf32>) outs(%s_zero : tensor<2x3x12x3x4xf32>) -> tensor<2x3x12x3x4xf32>
  %r_init = tensor.empty() : tensor<2x3x12x3xf32>
  %m_none = linalg.fill ins(%none : f32) outs(%r_init : tensor<2x3x12x3xf32>) -> tensor<2x3x12x3xf32>
  %m = linalg.generic {indexing_maps = [#id, #block], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%qk : tensor<2x3x12x3x4xf32>) outs(%m_none : tensor<2x3x12x3xf32>) {
  ^bb0(%in: f32, %max: f32):
    %0 = arith.maximumf %in, %max : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12x3xf32>
  %e = linalg.generic {indexing_maps = [#id, #block, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %m : tensor<2x3x12x3x4xf32>, tensor<2x3x12x3xf32>) outs(%s_init : tensor<2x3x12x3x4xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %0 = arith.subf %in, %max : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x12x3x4xf32>
  %d_zero = linalg.fill ins(%zero : f32) outs(%r_init : tensor<2x3x12x3xf32>) -> tensor<2x3x12x3xf32>
  %d = linalg.generic {indexing_maps = [#id, #block], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%e : tensor<2x3x12x3x4xf32>) outs(%d_zero : tensor<2x3x12x3xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %0 = arith.addf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12x3xf32>
  %p = linalg.generic {indexing_maps = [#id, #block, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%e, %d : tensor<2x3x12x3x4xf32>, tensor<2x3x12x3xf32>) outs(%s_init : tensor<2x3x12x3x4xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x12x3x4xf32>
  %o_init = tensor.empty() : tensor<2x3x12x8xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
  %o = linalg.contract indexing_maps = [#s, #k, #q]
      ins(%p, %v : tensor<2x3x12x3x4xf32>, tensor<2x3x3x4x8xf32>) outs(%o_zero : tensor<2x3x12x8xf32>) -> tensor<2x3x12x8xf32>
  return %o : tensor<2x3x12x8xf32>
}

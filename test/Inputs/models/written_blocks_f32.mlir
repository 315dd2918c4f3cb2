// written_blocks_f32: causal; keys in three blocks of four, softmax over both dimensions
// Written by hand, from test/Transforms/raise-attention-blocks.mlir.
#q = affine_map<(b, h, q, n, j, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, n, j, d) -> (b, h, n, j, d)>
#s = affine_map<(b, h, q, n, j, d) -> (b, h, q, n, j)>
#id = affine_map<(b, h, q, n, j) -> (b, h, q, n, j)>
#row = affine_map<(b, h, q, n, j) -> (b, h, q)>
func.func @main(%q: tensor<2x3x12x8xf32>, %k: tensor<2x3x3x4x8xf32>, %v: tensor<2x3x3x4x8xf32>) -> tensor<2x3x12x8xf32> {
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

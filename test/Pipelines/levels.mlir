// RUN: stof-opt %s --stof-raise | FileCheck %s --check-prefix=ATTENTION
// RUN: stof-opt %s --stof-plan=chip=sm_90a | FileCheck %s --check-prefix=GROUPS
// RUN: stof-opt %s --stof-to-tile=chip=sm_90a | FileCheck %s --check-prefix=TILES
// RUN: stof-opt %s --stof-to-nvvm=chip=sm_90a | FileCheck %s --check-prefix=THREADS

/// The model that lib/README.md shows at each level: causal attention of eight
/// heads, their concatenation, and a projection with a bias. What is left of a
/// level is gone at the next one.

// ATTENTION-NOT: math.exp
// ATTENTION: stof.attention
// ATTENTION: linalg.matmul

// GROUPS-NOT: linalg.transpose
// GROUPS: stof.attention {{.*}} layout <
// GROUPS: stof.group

// TILES-NOT: stof.attention
// TILES: gpu.launch_func {{.*}}_attention
// TILES: gpu.launch_func {{.*}}_contract
// TILES: tile.contract

// THREADS: llvm.func
// THREADS-NOT: tile.contract

#scores = affine_map<(h, q, k) -> (h, q, k)>
#rows = affine_map<(h, q, k) -> (h, q)>
#result = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>

func.func @layer(%q: tensor<8x1024x64xf16>, %k: tensor<8x1024x64xf16>, %v: tensor<8x1024x64xf16>,
                 %w: tensor<512x512xf16>, %bias: tensor<512xf16>) -> tensor<1024x512xf16> {
  %zero = arith.constant 0.0 : f16
  %none = arith.constant 0xFC00 : f16
  %scale = arith.constant 0.125 : f16
  %s_init = tensor.empty() : tensor<8x1024x1024xf16>
  %s_zero = linalg.fill ins(%zero : f16) outs(%s_init : tensor<8x1024x1024xf16>) -> tensor<8x1024x1024xf16>
  %kt_init = tensor.empty() : tensor<8x64x1024xf16>
  %kt = linalg.transpose ins(%k : tensor<8x1024x64xf16>) outs(%kt_init : tensor<8x64x1024xf16>) permutation = [0, 2, 1]
  %qk = linalg.batch_matmul ins(%q, %kt : tensor<8x1024x64xf16>, tensor<8x64x1024xf16>)
      outs(%s_zero : tensor<8x1024x1024xf16>) -> tensor<8x1024x1024xf16>
  %s = linalg.generic {indexing_maps = [#scores, #scores], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%qk : tensor<8x1024x1024xf16>) outs(%s_init : tensor<8x1024x1024xf16>) {
  ^bb0(%in: f16, %out: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %keep = arith.cmpi sle, %j, %i : index
    %scaled = arith.mulf %in, %scale : f16
    %masked = arith.select %keep, %scaled, %none : f16
    linalg.yield %masked : f16
  } -> tensor<8x1024x1024xf16>
  %m_init = tensor.empty() : tensor<8x1024xf16>
  %m_none = linalg.fill ins(%none : f16) outs(%m_init : tensor<8x1024xf16>) -> tensor<8x1024xf16>
  %m = linalg.generic {indexing_maps = [#scores, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<8x1024x1024xf16>) outs(%m_none : tensor<8x1024xf16>) {
  ^bb0(%in: f16, %max: f16):
    %0 = arith.maximumf %in, %max : f16
    linalg.yield %0 : f16
  } -> tensor<8x1024xf16>
  %e = linalg.generic {indexing_maps = [#scores, #rows, #scores], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<8x1024x1024xf16>, tensor<8x1024xf16>) outs(%s_init : tensor<8x1024x1024xf16>) {
  ^bb0(%in: f16, %max: f16, %out: f16):
    %0 = arith.subf %in, %max : f16
    %1 = math.exp %0 : f16
    linalg.yield %1 : f16
  } -> tensor<8x1024x1024xf16>
  %d_zero = linalg.fill ins(%zero : f16) outs(%m_init : tensor<8x1024xf16>) -> tensor<8x1024xf16>
  %d = linalg.generic {indexing_maps = [#scores, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<8x1024x1024xf16>) outs(%d_zero : tensor<8x1024xf16>) {
  ^bb0(%in: f16, %sum: f16):
    %0 = arith.addf %in, %sum : f16
    linalg.yield %0 : f16
  } -> tensor<8x1024xf16>
  %p = linalg.generic {indexing_maps = [#scores, #rows, #scores], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %d : tensor<8x1024x1024xf16>, tensor<8x1024xf16>) outs(%s_init : tensor<8x1024x1024xf16>) {
  ^bb0(%in: f16, %sum: f16, %out: f16):
    %0 = arith.divf %in, %sum : f16
    linalg.yield %0 : f16
  } -> tensor<8x1024x1024xf16>
  %o_init = tensor.empty() : tensor<8x1024x64xf16>
  %o_zero = linalg.fill ins(%zero : f16) outs(%o_init : tensor<8x1024x64xf16>) -> tensor<8x1024x64xf16>
  %o = linalg.batch_matmul ins(%p, %v : tensor<8x1024x1024xf16>, tensor<8x1024x64xf16>)
      outs(%o_zero : tensor<8x1024x64xf16>) -> tensor<8x1024x64xf16>

  %t_init = tensor.empty() : tensor<1024x8x64xf16>
  %t = linalg.transpose ins(%o : tensor<8x1024x64xf16>) outs(%t_init : tensor<1024x8x64xf16>) permutation = [1, 0, 2]
  %x = tensor.collapse_shape %t [[0], [1, 2]] : tensor<1024x8x64xf16> into tensor<1024x512xf16>
  %y_init = tensor.empty() : tensor<1024x512xf16>
  %y_zero = linalg.fill ins(%zero : f16) outs(%y_init : tensor<1024x512xf16>) -> tensor<1024x512xf16>
  %xw = linalg.matmul ins(%x, %w : tensor<1024x512xf16>, tensor<512x512xf16>) outs(%y_zero : tensor<1024x512xf16>)
      -> tensor<1024x512xf16>
  %y = linalg.generic {indexing_maps = [#result, #columns, #result], iterator_types = ["parallel", "parallel"]}
      ins(%xw, %bias : tensor<1024x512xf16>, tensor<512xf16>) outs(%y_init : tensor<1024x512xf16>) {
  ^bb0(%in: f16, %b: f16, %out: f16):
    %0 = arith.addf %in, %b : f16
    linalg.yield %0 : f16
  } -> tensor<1024x512xf16>
  return %y : tensor<1024x512xf16>
}

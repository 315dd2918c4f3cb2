// RUN: stof-opt %s --stof-to-tile=chip=sm_90a | FileCheck %s
// RUN: stof-opt %s --stof-to-tile | FileCheck %s --check-prefix=PROCESSOR

/// A matmul of few tiles and the norm of what it and others add up to take two
/// kernels on a GPU, with the matmul in parts as without them: the norm's reads
/// the parts where they lie. For a processor there are none.

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// CHECK-LABEL: func.func @norm
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @norm_0_contract(%[[PARTS:[^:]*]]: memref<4x128x768xf32>
// CHECK: tile.store %{{.*}}, %[[PARTS]][%{{.*}}, %{{.*}}, %{{.*}}] along [1, 2]
// CHECK: gpu.func @norm_1_generic(%[[READ:[^:]*]]: memref<4x128x768xf32>
// CHECK: %[[LAST:.*]] = memref.subview %[[READ]][3, 0, 0] [1, 128, 768]
// CHECK: tile.load %[[LAST]][%{{.*}}, %{{.*}}] along [0, 1]
// PROCESSOR-NOT: memref<4x128x768xf32>
func.func @norm(%x: tensor<128x3072xf16>, %w: tensor<3072x768xf16>, %z: tensor<128x768xf16>) -> tensor<128x768xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x768xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<128x768xf32>) -> tensor<128x768xf32>
  %p = linalg.matmul ins(%x, %w : tensor<128x3072xf16>, tensor<3072x768xf16>) outs(%0 : tensor<128x768xf32>) -> tensor<128x768xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %z : tensor<128x768xf32>, tensor<128x768xf16>) outs(%e : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f16, %o: f32):
    %c = arith.extf %b : f16 to f32
    %r = arith.addf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<128x768xf32>
  %s_e = tensor.empty() : tensor<128xf32>
  %s_0 = linalg.fill ins(%zero : f32) outs(%s_e : tensor<128xf32>) -> tensor<128xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<128x768xf32>) outs(%s_0 : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %n_e = tensor.empty() : tensor<128x768xf16>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %s : tensor<128x768xf32>, tensor<128xf32>) outs(%n_e : tensor<128x768xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %v = math.rsqrt %b : f32
    %t = arith.mulf %a, %v : f32
    %r = arith.truncf %t : f32 to f16
    linalg.yield %r : f16
  } -> tensor<128x768xf16>
  return %n : tensor<128x768xf16>
}

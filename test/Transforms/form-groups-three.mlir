// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{chip=sm_80}))' | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{chip=sm_80}))' -o /dev/null \
// RUN:   --remarks-filter-passed='stof-form-groups' 2>&1 | FileCheck %s --check-prefix=REMARK

/// Keys that are rotated want wide tiles, which alone would leave many
/// SMs idle; with the values there is work for all of them. So the
/// three gain what no two of them do.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

// CHECK-LABEL: func @three
// CHECK-SAME: #stof.scheme<"00000">
// CHECK: stof.group
// CHECK-COUNT-2: linalg.contract
// CHECK: stof.yield
// CHECK-NOT: stof.group
// REMARK: [Passed] Fused {{.*}} Remark="linalg.contract, linalg.generic with linalg.generic with linalg.contract, linalg.generic"
func.func @three(%x: tensor<6144x2048xf16>, %k: tensor<384x2048xf16>, %v: tensor<384x2048xf16>, %zeros: tensor<6144x384xf32>, %cos: tensor<6144x384xf16>, %sin: tensor<6144x384xf16>) -> (tensor<6144x384xf16>, tensor<6144x384xf16>) {
  %e = tensor.empty() : tensor<6144x384xf16>
  %keys = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %k : tensor<6144x2048xf16>, tensor<384x2048xf16>) outs(%zeros : tensor<6144x384xf32>) -> tensor<6144x384xf32>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%keys : tensor<6144x384xf32>) outs(%e : tensor<6144x384xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<6144x384xf16>
  %rotated = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%narrow, %cos, %sin : tensor<6144x384xf16>, tensor<6144x384xf16>, tensor<6144x384xf16>) outs(%e : tensor<6144x384xf16>) {
  ^bb0(%a: f16, %c: f16, %s: f16, %o: f16):
    %c32 = arith.constant 32 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %n = arith.xori %j, %c32 : index
    %b = tensor.extract %narrow[%i, %n] : tensor<6144x384xf16>
    %p = arith.mulf %a, %c : f16
    %q = arith.mulf %b, %s : f16
    %r = arith.addf %p, %q : f16
    linalg.yield %r : f16
  } -> tensor<6144x384xf16>
  %values = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<6144x2048xf16>, tensor<384x2048xf16>) outs(%zeros : tensor<6144x384xf32>) -> tensor<6144x384xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%values : tensor<6144x384xf32>) outs(%e : tensor<6144x384xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<6144x384xf16>
  return %rotated, %w : tensor<6144x384xf16>, tensor<6144x384xf16>
}

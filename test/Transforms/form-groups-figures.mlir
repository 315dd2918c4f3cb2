// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{chip=sm_89}))' -o /dev/null \
// RUN:   --remarks-filter-analyse='stof-form-groups' 2>&1 | FileCheck %s --check-prefix=STANDIN
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{chip=sm_90a}))' -o /dev/null \
// RUN:   --remarks-filter-analyse='stof-form-groups' 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -o /dev/null \
// RUN:   --remarks-filter-analyse='stof-form-groups' 2>&1 | FileCheck %s --check-prefix=OWN

/// A target without figures borrows those of another device, and says so.

// STANDIN: [[@LINE+3]]:1: remark: [Analysis] StandInFigures {{.*}} Remark="kernels for sm_89 are ranked by the figures of the H200, since no device of that architecture was measured"
// OWN-NOT: StandInFigures
// OWN: FormedGroup
func.func @negate(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.negf ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// RUN: not stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{chip=sm_91}))' 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-k{chip=sm_91}))' 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not stof-opt %s --pass-pipeline='builtin.module(func.func(stof-plan-layout{chip=sm_91}))' 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not stof-opt %s --stof-outline-kernels="chip=sm_91" 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not stof-opt %s --stof-emit-kernels="chip=sm_91" 2>&1 | FileCheck %s --check-prefix=MODULE

/// A GPU that is in no table is an error of the first pass that asks for it.

// FUNCTION: error: 'func.func' op expects one of the GPUs sm_80, {{.*}}, sm_121f, but got 'sm_91'
// MODULE: error: 'builtin.module' op expects one of the GPUs sm_80, {{.*}}, sm_121f, but got 'sm_91'
func.func @negate(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.negf ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// RUN: stof-opt %s --stof-serialize-kernels -verify-diagnostics
// RUN: not stof-opt %s --stof-serialize-kernels="chip=sm_90f" 2>&1 | FileCheck %s

// CHECK: error: 'gpu.module' op expects one of the GPUs sm_80, {{.*}}, sm_121f, but got 'sm_90f'

// expected-error @below {{expects PTX without external functions, but got a call to '(.param .b32 func_retval0) __nv_expf'}}
gpu.module @kernels {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @exp(%x: !llvm.ptr<1>, %value: f32) attributes {gpu.kernel, nvvm.kernel} {
    %y = llvm.call @__nv_expf(%value) : (f32) -> f32
    llvm.store %y, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

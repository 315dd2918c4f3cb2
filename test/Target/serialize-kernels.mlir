// RUN: env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT stof-opt %s --stof-serialize-kernels="chip=sm_90a" | FileCheck %s

/// A module becomes its PTX, with what a launch must know.

// CHECK: gpu.binary @kernels
// CHECK-SAME: #nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">
// CHECK-SAME: #gpu.kernel_metadata<"fill", !llvm.func<void (ptr<1>, f32)>
// CHECK-SAME: metadata = {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared_bytes = 0 : i64}
// CHECK-SAME: .version 8.0
// CHECK-SAME: .target sm_90a
// CHECK-SAME: .visible .entry fill(
// CHECK-SAME: .reqntid 32, 1, 1
// CHECK-SAME: st.global.b32
// CHECK-NOT: .extern .func
gpu.module @kernels {
  llvm.func @fill(%x: !llvm.ptr<1>, %value: f32)
      attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, tile.shared_bytes = 0 : i64} {
    llvm.store %value, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

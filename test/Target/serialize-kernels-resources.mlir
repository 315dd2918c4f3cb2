// REQUIRES: ptxas
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_90a resources" --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_100 resources" --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_120a resources" --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s
// RUN: env PATH=/nonexistent %stof_build/bin/stof-opt %s --stof-serialize-kernels="chip=sm_90a resources" --remarks-filter=".*" -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING

/// What ptxas says of a kernel is a remark on it.

// CHECK: remark: [Analysis] KernelResources | {{.*}}fill: {{[0-9]+}} registers, 0 bytes of spill stores, 0 bytes of spill loads, 0 bytes of static shared memory
// MISSING: remark: [Missed] NoResources | {{.*}}no ptxas on PATH
gpu.module @kernels {
  llvm.func @fill(%x: !llvm.ptr<1>, %value: f32) attributes {gpu.kernel, nvvm.kernel} {
    llvm.store %value, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

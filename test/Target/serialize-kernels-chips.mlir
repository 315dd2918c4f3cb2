// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_86" | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_90" | FileCheck %s --check-prefixes=CHECK,OLD
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_100" | FileCheck %s --check-prefixes=CHECK,SM100
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_100a" | FileCheck %s --check-prefixes=CHECK,SM100
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_120" | FileCheck %s --check-prefixes=CHECK,SM120
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_120a" | FileCheck %s --check-prefixes=CHECK,SM120
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_100f" | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_103" | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_103a" | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_103f" | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_120f" | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_121" | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_121a" | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_121f" | FileCheck %s --check-prefixes=CHECK,NEW
// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_90 features=+ptx83" | FileCheck %s --check-prefixes=CHECK,GIVEN

/// The version of PTX is the least that the chip needs, but 8.0.

// OLD: features = "+ptx80"
// SM100: features = "+ptx86"
// SM120: features = "+ptx87"
// NEW: features = "+ptx88"
// GIVEN: features = "+ptx83"
// CHECK-SAME: .visible .entry fill(
gpu.module @kernels {
  llvm.func @fill(%x: !llvm.ptr<1>, %value: f32) attributes {gpu.kernel, nvvm.kernel} {
    llvm.store %value, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

// RUN: stof-opt %S/../Integration/Inputs/tables.mlir --stof-to-tile --stof-kernels-to-cpu=check-bounds | FileCheck %s --check-prefix=CPU
// RUN: stof-opt %S/../Integration/Inputs/tables.mlir --stof-to-tile --stof-kernels-to-cpu | FileCheck %s --check-prefix=NONE
// RUN: stof-opt %S/../Integration/Inputs/stride.mlir --stof-to-cpu=check-bounds | FileCheck %s --check-prefix=REFERENCE
// RUN: stof-opt %S/../Integration/Inputs/tables.mlir --stof-to-nvvm=check-bounds | FileCheck %s --check-prefix=NVVM
// RUN: stof-opt %S/../Integration/Inputs/tables.mlir --stof-to-nvvm | FileCheck %s --check-prefix=NONE
// RUN: stof-opt %S/../Integration/Inputs/tables.mlir --stof-to-ptx=check-bounds | FileCheck %s --check-prefix=PTX

/// On the CPU, tables and tiles are checked; what is known to hold is not.

// CPU: llvm.func internal @stof_stop
// CPU-DAG: memref.load {{.*}} : memref<1x1x1x3xi64>\0A^ out-of-bounds access
// CPU-DAG: memref.load {{.*}} : memref<3xi64>\0A^ out-of-bounds access
// CPU-DAG: memref.subview {{.*}} : memref<1x1x128x16xf16> to memref<?x16xf16, strided<[16, 1], offset: ?>>\0A^ offset 2 is out-of-bounds
// CPU-NOT: expand_shape
// CPU: llvm.call @stof_stop

// REFERENCE: llvm.func internal @stof_stop

// NONE-NOT: stof_stop
// NONE-NOT: trap

/// On a GPU, the two ends of a range are, then the entries that are looked at,
/// without a function that the driver would have to bring.

// NVVM-COUNT-5: inline_asm has_side_effects "@!$0 trap;"
// NVVM-NOT: trap

// PTX-NOT: .extern .func
// PTX: {{@!%p[0-9]+ trap;}}
// PTX-NOT: .extern .func

// The kernels are those of the file named above.
module {}

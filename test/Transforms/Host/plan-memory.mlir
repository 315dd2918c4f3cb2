// RUN: stof-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(stof-plan-memory),cse)' -split-input-file | FileCheck %s
// RUN: stof-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(stof-plan-memory))' -split-input-file -o %t \
// RUN:   --remarks-filter-analyse=stof-plan-memory 2>&1 | FileCheck %s --check-prefix=REMARK

/// The third buffer lives after the first, so it lies where that was; the second
/// lives with both.

// REMARK: PlannedMemory {{.*}}3 buffers in 6144 bytes and 0 slots of dynamic size; 10240 bytes without sharing, 6144 alive at once

// CHECK-LABEL: func @turns
// CHECK-SAME: %[[WORKSPACE:[^ ,]*]]: memref<?xi8>) attributes {{.*}}stof.workspace_bound = 6144
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[WORKSPACE]][%[[ZERO]]][] : memref<?xi8> to memref<1024xf32>
// CHECK: %[[BEHIND:.*]] = arith.constant 4096 : index
// CHECK: memref.view %[[WORKSPACE]][%[[BEHIND]]][] : memref<?xi8> to memref<1024xf16>
// CHECK: memref.view %[[WORKSPACE]][%[[ZERO]]][] : memref<?xi8> to memref<4096xi1>
func.func @turns(%x: memref<1024xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  %a = memref.alloc() : memref<1024xf32>
  "test.use"(%x, %a) : (memref<1024xf32>, memref<1024xf32>) -> ()
  %b = memref.alloc() : memref<1024xf16>
  "test.use"(%a, %b) : (memref<1024xf32>, memref<1024xf16>) -> ()
  %c = memref.alloc() : memref<4096xi1>
  "test.use"(%b, %c) : (memref<1024xf16>, memref<4096xi1>) -> ()
  return
}

// -----

/// A view keeps the buffer alive.

// REMARK: PlannedMemory {{.*}}2 buffers in 8192 bytes

// CHECK-LABEL: func @view
// CHECK: memref.view %{{.*}}[%c0][]
// CHECK: memref.view %{{.*}}[%c4096][]
func.func @view(%x: memref<1024xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  %a = memref.alloc() : memref<1024xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [32, 32] : memref<1024xf32> into memref<32x32xf32>
  %b = memref.alloc() : memref<1024xf32>
  "test.use"(%v, %b) : (memref<32x32xf32>, memref<1024xf32>) -> ()
  return
}

// -----

/// Buffers of one dynamic size take turns in a slot behind the static ones.

// REMARK: PlannedMemory {{.*}}4 buffers in 256 bytes and 2 slots of dynamic size

// CHECK: #[[NEXT:.*]] = affine_map<()[s0] -> ((s0 ceildiv 64) * 256 + 256)>
// CHECK-LABEL: func @dynamic
// CHECK-SAME: %[[N:[^ ,]*]]: index, %[[WORKSPACE:[^ ,]*]]: memref<?xi8>)
// CHECK: %[[SECOND:.*]] = affine.apply #[[NEXT]]()[%[[N]]]
// CHECK: memref.view %[[WORKSPACE]][%c256][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK: memref.view %[[WORKSPACE]][%[[SECOND]]][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK: memref.view %[[WORKSPACE]][%c256][%[[N]]] : memref<?xi8> to memref<?xi32>
func.func @dynamic(%n: index) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  %s = memref.alloc() : memref<8xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  "test.use"(%a, %s) : (memref<?xf32>, memref<8xf32>) -> ()
  %b = memref.alloc(%n) : memref<?xf32>
  "test.use"(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  %c = memref.alloc(%n) : memref<?xi32>
  "test.use"(%b, %c) : (memref<?xf32>, memref<?xi32>) -> ()
  return
}

// -----

/// Of the buffers that are alive at once all but the last are rounded up.

// REMARK: PlannedMemory {{.*}}4 buffers in 1024 bytes and 0 slots of dynamic size; 1792 bytes without sharing, 784 alive at once

// CHECK-LABEL: func @bound
// CHECK-SAME: stof.workspace_bound = 784
func.func @bound(%x: memref<4xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<4xf32>
  "test.use"(%a, %b) : (memref<128xf32>, memref<4xf32>) -> ()
  %c = memref.alloc() : memref<192xf32>
  "test.use"(%b, %c) : (memref<4xf32>, memref<192xf32>) -> ()
  %d = memref.alloc() : memref<4xf32>
  "test.use"(%c, %d) : (memref<192xf32>, memref<4xf32>) -> ()
  return
}

// -----

/// A buffer takes the place of one that dies where it is written, and one after the other that of the first.

// REMARK: PlannedMemory {{.*}}3 buffers in 4096 bytes {{.*}} 4096 alive at once; 2 reuse the memory of an operand

// CHECK-LABEL: func @in_place
// CHECK: %[[PLACE:.*]] = memref.view %{{.*}}[%c0][]
// CHECK-COUNT-2: args(%[[PLACE]] : memref<1024xf32>, %[[PLACE]] : memref<1024xf32>,
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @kernel(%read: memref<1024xf32>, %written: memref<1024xf32>, %more: memref<1024xf32>) kernel {
    gpu.return
  }
}
func.func @in_place(%x: memref<1024xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<1024xf32>
  "test.use"(%x, %a) : (memref<1024xf32>, memref<1024xf32>) -> ()
  %b = memref.alloc() : memref<1024xf32>
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%a : memref<1024xf32>, %b : memref<1024xf32>, %x : memref<1024xf32>) {stof.in_place = array<i64: 0, 1>}
  %c = memref.alloc() : memref<1024xf32>
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%b : memref<1024xf32>, %c : memref<1024xf32>, %x : memref<1024xf32>) {stof.in_place = array<i64: 0, 1>}
  "test.use"(%x, %c) : (memref<1024xf32>, memref<1024xf32>) -> ()
  return
}
}

// -----

/// Not if the kernel reads it through another operand as well, nor if it is read later, nor if it holds something
/// already.

// REMARK: PlannedMemory {{.*}}; 0 reuse the memory of an operand

// CHECK-LABEL: func @negative_in_place
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @kernel(%read: memref<1024xf32>, %written: memref<1024xf32>, %more: memref<1024xf32>) kernel {
    gpu.return
  }
}
func.func @negative_in_place(%x: memref<1024xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%a : memref<1024xf32>, %b : memref<1024xf32>, %a : memref<1024xf32>) {stof.in_place = array<i64: 0, 1>}
  %c = memref.alloc() : memref<1024xf32>
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%b : memref<1024xf32>, %c : memref<1024xf32>, %x : memref<1024xf32>) {stof.in_place = array<i64: 0, 1>}
  %d = memref.alloc() : memref<1024xf32>
  "test.use"(%b, %d) : (memref<1024xf32>, memref<1024xf32>) -> ()
  gpu.launch_func @kernels::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one)
      args(%c : memref<1024xf32>, %d : memref<1024xf32>, %x : memref<1024xf32>) {stof.in_place = array<i64: 0, 1>}
  return
}
}

// -----

/// An external function keeps its buffers.

// REMARK-NOT: PlannedMemory

// CHECK-LABEL: func @negative_not_a_host_function
// CHECK: memref.alloc
func.func @negative_not_a_host_function() {
  %a = memref.alloc() : memref<1024xf32>
  "test.use"(%a) : (memref<1024xf32>) -> ()
  return
}

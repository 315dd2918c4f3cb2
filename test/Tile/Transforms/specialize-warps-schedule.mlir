// RUN: stof-opt %s --stof-specialize-warps | FileCheck %s
// RUN: stof-opt %s --stof-specialize-warps --remarks-filter=stof-specialize-warps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// The kernel configuration asks for producer warps and stages. It has the stages
/// that there are in the end, and launches have threads for both roles.

#acc = #tile.mma<warps = [4, 1]>
!sum = !tile.fragment<64x64xf32, #acc>
!operand = !tile.fragment<64x64xf16, #acc>
!tile = !tile.shared<64x64xf16>

module attributes {gpu.container_module} {
  // CHECK-LABEL: func @main
  // CHECK-DAG: %[[MORE:.*]] = arith.constant 160 : index
  // CHECK-DAG: %[[SAME:.*]] = arith.constant 128 : index
  // CHECK: gpu.launch_func @kernels::@asks blocks in (%c1, %c1, %c1) threads in (%[[MORE]], %c1, %c1)
  // CHECK: gpu.launch_func @kernels::@asks_for_many {{.*}} threads in (%[[MORE]]{{[_0-9]*}}, %c1, %c1)
  // CHECK: gpu.launch_func @kernels::@negative_asks_for_none {{.*}} threads in (%[[SAME]], %c1, %c1)
  func.func @main(%x: memref<?x64xf16>, %n: index, %p: !operand, %acc: !sum) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@asks blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?x64xf16>, %n : index, %p : !operand, %acc : !sum)
    gpu.launch_func @kernels::@asks_for_many blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?x64xf16>, %n : index, %p : !operand, %acc : !sum)
    gpu.launch_func @kernels::@negative_asks_for_none blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?x64xf16>, %n : index, %p : !operand, %acc : !sum)
    return
  }

  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @asks(
    // CHECK-SAME: known_block_size = array<i32: 160, 1, 1>
    // CHECK-SAME: stof.schedule = {kernel = "product", producers = 1 : i64, stages = 2 : i64}
    // CHECK: tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    // REMARK: remark: [Passed] Producers | {{.*}}Stages=2, Warps=1
    gpu.func @asks(%x: memref<?x64xf16>, %n: index, %p: !operand, %acc: !sum) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", producers = 1 : i64}} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
        scf.yield %s : !sum
      }
      gpu.return
    }

    /// 28 stages of 8 KiB fit in 227 KiB.

    // CHECK-LABEL: gpu.func @asks_for_many
    // CHECK-SAME: stof.schedule = {kernel = "product", producers = 1 : i64, stages = 28 : i64}
    // CHECK: tile.channel from 1 to 4 : <<64x64xf16>, stages = 28>
    // REMARK: remark: [Passed] Producers | {{.*}}Stages=28, Warps=1
    gpu.func @asks_for_many(%x: memref<?x64xf16>, %n: index, %p: !operand, %acc: !sum) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", producers = 1 : i64, stages = 40 : i64}} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
        scf.yield %s : !sum
      }
      gpu.return
    }

    // CHECK-LABEL: gpu.func @negative_asks_for_none
    // CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
    // CHECK-SAME: stof.schedule = {kernel = "product", stages = 3 : i64}
    // CHECK-NOT: tile.channel
    // REMARK-NOT: remark
    gpu.func @negative_asks_for_none(%x: memref<?x64xf16>, %n: index, %p: !operand, %acc: !sum) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", stages = 3 : i64}} {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
        scf.yield %s : !sum
      }
      gpu.return
    }
  }
}

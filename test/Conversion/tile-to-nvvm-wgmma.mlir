// RUN: stof-opt %s --stof-tile-to-nvvm --canonicalize --cse | FileCheck %s

#two = #tile.mma<warps = [8, 1]>
#one = #tile.mma<warps = [4, 1]>

gpu.module @kernels {
  /// Each of two warpgroups computes 64 rows and all columns: four steps of 16
  /// along rows of 128 bytes, whose descriptors are 32 bytes from each other.
  /// The fence and the wait take the accumulators and return them. The number of a
  /// warpgroup is in a uniform register, hence its descriptors are.

  // CHECK-LABEL: gpu.func @two_groups
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
  // CHECK-DAG: %[[UPPER:.*]] = arith.constant 1073741888 : i32
  // CHECK: %[[OWN:.*]] = arith.divui %{{.*}}, %c128_i32
  // CHECK: %[[GROUP:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[OWN]], %c0_i32, %c31_i32
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  // CHECK: %[[FENCED:.*]] = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=f,{{.*}}=f,0,1,{{.*}}63,~{memory}" %[[ZERO]], %[[ZERO]],
  // CHECK: %[[START:.*]] = arith.ori %{{.*}}, %c67108864_i32
  // CHECK: %[[RHS:.*]] = arith.addi %[[START]], %c1024_i32
  // CHECK: %[[ROWS:.*]] = arith.muli %[[GROUP]], %c8192_i32
  // CHECK: %[[UNITS:.*]] = arith.shrui %[[ROWS]], %c4_i32
  // CHECK: %[[LHS:.*]] = arith.addi %[[START]], %[[UNITS]]
  // CHECK: %[[RHS0:.*]] = llvm.inline_asm "mov.b64 $0, {$1, $2};", "=l,r,r" %[[RHS]], %[[UPPER]]
  // CHECK: %[[LHS0:.*]] = llvm.inline_asm "mov.b64 $0, {$1, $2};", "=l,r,r" %[[LHS]], %[[UPPER]]
  // CHECK: %[[S0:.*]] = nvvm.wgmma.mma_async %[[LHS0]], %[[RHS0]], %[[FENCED]], <m = 64, n = 128, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>]
  // CHECK: arith.addi %[[START]], %c1026_i32
  // CHECK: arith.addi %[[LHS]], %c2_i32
  // CHECK: %[[S1:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[S0]],
  // CHECK: %[[S2:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[S1]],
  // CHECK: %[[S3:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[S2]],
  // CHECK-NEXT: nvvm.wgmma.commit.group.sync.aligned
  // CHECK: %[[SENT:.*]] = llvm.extractvalue %[[S3]][0]
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,{{.*}}63,~{memory}" %[[SENT]],
  gpu.func @two_groups(%x: memref<128x64xf16>, %w: memref<128x64xf16>, %y: memref<128x128xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<128x128xf32, #two>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<128x64xf16> -> !tile.shared<128x64xf16>
    %b = tile.load %w[%c0, %c0] along [0, 1] {tile.offset = 16384 : i64} : memref<128x64xf16> -> !tile.shared<128x64xf16>
    %f = tile.wgmma_fence %s reads %a, %b : !tile.shared<128x64xf16>, !tile.shared<128x64xf16> -> !tile.in_flight<128x128xf32, #two>
    %i = tile.wgmma %a, %b, %f transpose_rhs : !tile.shared<128x64xf16>, !tile.shared<128x64xf16>, !tile.in_flight<128x128xf32, #two>
    %g = tile.wgmma_commit %i : !tile.in_flight<128x128xf32, #two>
    %r = tile.wgmma_wait %g : !tile.in_flight<128x128xf32, #two>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<128x128xf32, #two>, memref<128x128xf32>
    gpu.return
  }

  /// A warpgroup computes 64 rows and those below with an instruction each, from
  /// the same columns of the rhs. The rows of an lhs that K is contiguous in are
  /// 8192 bytes further, 512 units of 16.

  // CHECK-LABEL: gpu.func @two_blocks
  // CHECK: %[[FENCED0:.*]] = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "=f,{{.*}}=f,0,1,{{.*}}31,~{memory}"
  // CHECK: %[[FENCED1:.*]] = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
  // CHECK: %[[S0:.*]] = nvvm.wgmma.mma_async %[[LHS0:.*]], %[[RHS0:.*]], %[[FENCED0]], <m = 64, n = 64, k = 16>
  // CHECK: arith.addi %{{.*}}, %c512_i32
  // CHECK: %[[S1:.*]] = nvvm.wgmma.mma_async %[[LHS1:.*]], %[[RHS0]], %[[FENCED1]], <m = 64, n = 64, k = 16>
  // CHECK: arith.addi %{{.*}}, %c2_i32
  // CHECK: nvvm.wgmma.mma_async %{{.*}}, %[[RHS1:.*]], %[[S0]],
  // CHECK: arith.addi %{{.*}}, %c514_i32
  // CHECK: nvvm.wgmma.mma_async %{{.*}}, %[[RHS1]], %[[S1]],
  // CHECK: nvvm.wgmma.commit.group.sync.aligned
  // CHECK-COUNT-2: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;"
  // CHECK-NOT: wgmma.wait_group
  // CHECK: gpu.return
  gpu.func @two_blocks(%x: memref<128x64xf16>, %y: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<128x64xf16> -> !tile.shared<128x64xf16>
    %b = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 16384 : i64} : memref<128x64xf16> -> !tile.shared<64x64xf16>
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<128x64xf32, #one>
    %f = tile.wgmma_fence %s -> !tile.in_flight<128x64xf32, #one>
    %i = tile.wgmma %a, %b, %f transpose_rhs : !tile.shared<128x64xf16>, !tile.shared<64x64xf16>, !tile.in_flight<128x64xf32, #one>
    %g = tile.wgmma_commit %i : !tile.in_flight<128x64xf32, #one>
    %r = tile.wgmma_wait %g : !tile.in_flight<128x64xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #one>, memref<128x64xf32>
    gpu.return
  }

  /// Of an lhs in registers, each block of rows has its own.

  // CHECK-LABEL: gpu.func @registers_of_blocks
  // CHECK-COUNT-2: llvm.inline_asm has_side_effects "{{.*}}m64n64k16{{.*}} {$64, $65, $66, $67}, rhs, first
  gpu.func @registers_of_blocks(%x: memref<128x16xf16>, %w: memref<16x64xf16>, %y: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %b = tile.load %w[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<16x64xf16> -> !tile.shared<16x64xf16>
    %p = tile.load %x[%c0, %c0] along [0, 1] : memref<128x16xf16> -> !tile.fragment<128x16xf16, #one>
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<128x64xf32, #one>
    %f = tile.wgmma_fence %s reads %b : !tile.shared<16x64xf16> -> !tile.in_flight<128x64xf32, #one>
    %i = tile.wgmma %p, %b, %f : !tile.fragment<128x16xf16, #one>, !tile.shared<16x64xf16>, !tile.in_flight<128x64xf32, #one>
    %r = tile.wgmma_wait %i : !tile.in_flight<128x64xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #one>, memref<128x64xf32>
    gpu.return
  }

  /// Operands whose rows are along K in memory are transposed by wgmma: a step is
  /// 16 rows of 128 bytes.

  // CHECK-LABEL: gpu.func @transposed
  // CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 64, k = 16>, {{.*}}, A[<bf16>, <one>, <col>], B[<bf16>, <one>, <row>]
  // CHECK: arith.addi %{{.*}}, %c128_i32
  gpu.func @transposed(%x: memref<64x64xbf16>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x64xbf16> -> !tile.shared<64x64xbf16>
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<64x64xf32, #one>
    %f = tile.wgmma_fence %s reads %a : !tile.shared<64x64xbf16> -> !tile.in_flight<64x64xf32, #one>
    %i = tile.wgmma %a, %a, %f transpose_lhs : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, !tile.in_flight<64x64xf32, #one>
    %r = tile.wgmma_wait %i : !tile.in_flight<64x64xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #one>, memref<64x64xf32>
    gpu.return
  }

  /// Rows of more than 128 bytes are in panels, whose stride a descriptor has:
  /// 8192 bytes, 512 units of 16.

  // CHECK-LABEL: gpu.func @panels
  // CHECK: %[[START:.*]] = arith.ori %{{.*}}, %c33554432_i32
  // CHECK: arith.addi %[[START]], %c512_i32
  // CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 128, k = 16>
  gpu.func @panels(%x: memref<64x64xf16>, %w: memref<64x128xf16>, %y: memref<64x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %b = tile.load %w[%c0, %c0] along [0, 1] {tile.offset = 8192 : i64} : memref<64x128xf16> -> !tile.shared<64x128xf16>
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<64x128xf32, #one>
    %f = tile.wgmma_fence %s reads %a, %b : !tile.shared<64x64xf16>, !tile.shared<64x128xf16> -> !tile.in_flight<64x128xf32, #one>
    %i = tile.wgmma %a, %b, %f : !tile.shared<64x64xf16>, !tile.shared<64x128xf16>, !tile.in_flight<64x128xf32, #one>
    %r = tile.wgmma_wait %i : !tile.in_flight<64x128xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x128xf32, #one>, memref<64x128xf32>
    gpu.return
  }

  /// An lhs in registers takes four of them a step, two elements in each. They
  /// are computed before another fence.

  // CHECK-LABEL: gpu.func @registers
  // CHECK-COUNT-8: llvm.bitcast %{{.*}} : vector<2xf16> to i32
  // CHECK: llvm.inline_asm has_side_effects "{{.*}}setp.ne.b32 first, 1, 0;\0Asetp.ne.b32 accumulate, 1, 0;\0Awgmma.fence.sync.aligned;
  // CHECK-SAME: \0Aadd.s64 rhs, $72, 0;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, {{[^}]*}}, $31}, {$64, $65, $66, $67}, rhs, first, 1, 1, 1;
  // CHECK-SAME: \0Aadd.s64 rhs, $72, 128;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, {{[^}]*}}, $31}, {$68, $69, $70, $71}, rhs, accumulate, 1, 1, 1;
  // CHECK-SAME: "=f,{{.*}},31,r,r,r,r,r,r,r,r,l,~{memory}"
  gpu.func @registers(%x: memref<64x32xf16>, %w: memref<32x64xf16>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %b = tile.load %w[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<32x64xf16> -> !tile.shared<32x64xf16>
    %zero = arith.constant 0.0 : f32
    %p = tile.load %x[%c0, %c0] along [0, 1] : memref<64x32xf16> -> !tile.fragment<64x32xf16, #one>
    %s = tile.splat %zero : !tile.fragment<64x64xf32, #one>
    %f = tile.wgmma_fence %s reads %b : !tile.shared<32x64xf16> -> !tile.in_flight<64x64xf32, #one>
    %i = tile.wgmma %p, %b, %f : !tile.fragment<64x32xf16, #one>, !tile.shared<32x64xf16>, !tile.in_flight<64x64xf32, #one>
    %r = tile.wgmma_wait %i : !tile.in_flight<64x64xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #one>, memref<64x64xf32>
    gpu.return
  }

  /// A product alone scales the accumulators by zero in its first step. Without
  /// tiles to hand over, nothing orders writes to shared memory. A wait leaves
  /// groups in flight.

  // CHECK-LABEL: gpu.func @from_zero
  // CHECK-NOT: nvvm.fence.proxy
  // CHECK: %[[FENCED:.*]] = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
  // CHECK: %[[S0:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[FENCED]], {{.*}}, D[<f32>, <zero>]
  // CHECK: %[[S1:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[S0]], {{.*}}, D[<f32>, <one>]
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 1;"
  gpu.func @from_zero(%x: memref<64x64xf16>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %any = ub.poison : f32
    %s = tile.splat %any : !tile.fragment<64x64xf32, #one>
    %f = tile.wgmma_fence %s -> !tile.in_flight<64x64xf32, #one>
    %i = tile.wgmma %a, %a, %f from_zero : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #one>
    %r = tile.wgmma_wait %i pending 1 : !tile.in_flight<64x64xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #one>, memref<64x64xf32>
    gpu.return
  }

  /// With an lhs in registers, the predicate of the first step is false.

  // CHECK-LABEL: gpu.func @registers_from_zero
  // CHECK: llvm.inline_asm has_side_effects "{{.*}}setp.ne.b32 first, 0, 0;\0Asetp.ne.b32 accumulate, 1, 0;
  // CHECK-SAME: rhs, first, 1, 1, 1;{{.*}}rhs, accumulate, 1, 1, 1;
  gpu.func @registers_from_zero(%x: memref<64x32xf16>, %w: memref<32x64xf16>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %b = tile.load %w[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<32x64xf16> -> !tile.shared<32x64xf16>
    %p = tile.load %x[%c0, %c0] along [0, 1] : memref<64x32xf16> -> !tile.fragment<64x32xf16, #one>
    %any = ub.poison : f32
    %s = tile.splat %any : !tile.fragment<64x64xf32, #one>
    %f = tile.wgmma_fence %s -> !tile.in_flight<64x64xf32, #one>
    %i = tile.wgmma %p, %b, %f from_zero : !tile.fragment<64x32xf16, #one>, !tile.shared<32x64xf16>, !tile.in_flight<64x64xf32, #one>
    %r = tile.wgmma_wait %i : !tile.in_flight<64x64xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #one>, memref<64x64xf32>
    gpu.return
  }
}

// RUN: stof-opt %s --stof-kernel-to-llvm --reconcile-unrealized-casts --canonicalize | FileCheck %s

gpu.module @kernels {
  /// A pointer for each memref, aligned to 16 bytes, then its dynamic sizes;
  /// an index is an i64. Blocks of known size say so.

  // CHECK-LABEL: llvm.func @parameters
  // CHECK-SAME: (%[[X:.*]]: !llvm.ptr<1> {llvm.align = 16 : i64}, %[[ROWS:.*]]: i64, %[[COLUMNS:.*]]: i64, %[[I:.*]]: i64, %[[S:.*]]: f32)
  // CHECK-SAME: gpu.kernel
  // CHECK-SAME: nvvm.kernel
  // CHECK-SAME: nvvm.reqntid = array<i32: 128, 1, 1>
  // CHECK-SAME: tile.shared_bytes = 4096 : i64
  gpu.func @parameters(%x: memref<?x8x?xf32>, %i: index, %s: f32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, tile.shared_bytes = 4096 : i64} {
    // CHECK: %[[ROW:.*]] = llvm.mul %[[COLUMNS]], %{{.*}} : i64
    // CHECK: %[[PLANE:.*]] = llvm.mul %[[ROW]], %{{.*}} : i64
    // CHECK: llvm.mul %[[I]], %[[PLANE]]
    // CHECK: llvm.store %[[S]], %{{.*}} : f32, !llvm.ptr<1>
    %c0 = arith.constant 0 : index
    memref.store %s, %x[%i, %c0, %c0] : memref<?x8x?xf32>
    gpu.return
  }

  /// The CTAs of an SM that registers have to suffice for: one, or those of the
  /// schedule, unless another pass knows their number.

  // CHECK-LABEL: llvm.func @alone
  // CHECK-SAME: nvvm.minctasm = 1 : i32
  gpu.func @alone() kernel attributes {known_block_size = array<i32: 160, 1, 1>, stof.schedule = {kernel = "block-wise"}} {
    gpu.return
  }

  // CHECK-LABEL: llvm.func @scheduled
  // CHECK-SAME: nvvm.minctasm = 4 : i32
  gpu.func @scheduled() kernel attributes {known_block_size = array<i32: 160, 1, 1>, stof.schedule = {ctas_per_sm = 4 : i64, kernel = "block-wise"}} {
    gpu.return
  }

  // CHECK-LABEL: llvm.func @persistent
  // CHECK-SAME: nvvm.minctasm = 3 : i32
  gpu.func @persistent() kernel attributes {known_block_size = array<i32: 160, 1, 1>, nvvm.minctasm = 3 : i32, stof.schedule = {ctas_per_sm = 4 : i64, kernel = "block-wise"}} {
    gpu.return
  }

  /// A tensor map is a parameter itself, of 128 bytes that nothing writes; its
  /// alignment is that which the hardware expects.

  // CHECK-LABEL: llvm.func @tensor_map
  // CHECK-SAME: (%{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{.*}}: i64, %[[MAP:.*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %[[I:.*]]: i32)
  // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], %{{.*}}, box[%[[I]], %[[I]]]
  gpu.func @tensor_map(%x: memref<?x64xf16>, %map: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %i: i32) kernel {
    %at = builtin.unrealized_conversion_cast %map : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> to !llvm.ptr
    %barrier = llvm.mlir.zero : !llvm.ptr<3>
    %to = llvm.mlir.zero : !llvm.ptr<7>
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %at, %barrier, box[%i, %i] : !llvm.ptr<7>, !llvm.ptr
    gpu.return
  }

  /// The numbers of blocks of a known grid are in a known range.

  // CHECK-LABEL: llvm.func @grid
  gpu.func @grid(%x: memref<8xindex>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    // CHECK: nvvm.read.ptx.sreg.ctaid.x range <i32, 0, 8> : i32
    %block = gpu.block_id x
    memref.store %block, %x[%block] : memref<8xindex>
    gpu.return
  }

  /// Booleans are bytes: their elements have a stride of one byte.

  // CHECK-LABEL: llvm.func @booleans
  gpu.func @booleans(%x: memref<8xi1>, %y: memref<8xi1>, %i: index) kernel {
    // CHECK: llvm.getelementptr {{.*}} : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i1
    %e = memref.load %x[%i] : memref<8xi1>
    memref.store %e, %y[%i] : memref<8xi1>
    gpu.return
  }

  /// Functions of the hardware, others by LLVM.

  // CHECK-LABEL: llvm.func @functions
  gpu.func @functions(%x: memref<4xf32>, %e: f32) kernel {
    %c0 = arith.constant 0 : index
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"
    // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
    // CHECK: llvm.intr.sqrt
    // CHECK: llvm.intr.maxnum
    %a = math.exp2 %e : f32
    %b = math.rsqrt %a : f32
    %c = math.sqrt %b : f32
    %d = arith.maxnumf %c, %e : f32
    memref.store %d, %x[%c0] : memref<4xf32>
    gpu.return
  }

  /// A condition that does not hold stops the kernel.

  // CHECK-LABEL: llvm.func @assertion
  gpu.func @assertion(%x: memref<?xf32>, %i: index) kernel {
    %c0 = arith.constant 0 : index
    // CHECK: %[[OK:.*]] = llvm.icmp "slt"
    // CHECK: llvm.inline_asm has_side_effects "@!$0 trap;", "b" %[[OK]]
    %n = memref.dim %x, %c0 : memref<?xf32>
    %ok = arith.cmpi slt, %i, %n : index
    cf.assert %ok, "expects a position inside"
    gpu.return
  }
}

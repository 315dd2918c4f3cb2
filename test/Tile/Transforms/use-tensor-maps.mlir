// RUN: stof-opt %s --stof-use-tensor-maps | FileCheck %s
// RUN: stof-opt %s --stof-use-tensor-maps --remarks-filter=stof-use-tensor-maps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

module attributes {gpu.container_module} {
  /// The host creates a map of each argument and box before a launch, and passes
  /// it last.

  // CHECK-LABEL: func @main
  // CHECK-SAME: (%[[K:.*]]: memref<2x12x?x128xf16>, %[[V:.*]]: memref<2x12x?x128xf16>)
  // CHECK: %[[KEYS:.*]] = memref.cast %[[K]] : memref<2x12x?x128xf16> to memref<*xf16>
  // CHECK-NEXT: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK-NEXT: %[[HEAD:.*]] = arith.constant 1 : index
  // CHECK-NEXT: %[[ROWS:.*]] = arith.constant 32 : index
  // CHECK-NEXT: %[[COLUMNS:.*]] = arith.constant 64 : index
  // CHECK-NEXT: %[[KEY_MAP:.*]] = nvgpu.tma.create.descriptor %[[KEYS]] box[%[[ONE]], %[[HEAD]], %[[ROWS]], %[[COLUMNS]]]
  // CHECK-SAME: : memref<*xf16> -> <tensor = memref<1x1x32x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
  // CHECK: %[[VALUES:.*]] = memref.cast %[[V]]
  // CHECK: %[[VALUE_MAP:.*]] = nvgpu.tma.create.descriptor %[[VALUES]] box[{{.*}} -> <tensor = memref<1x1x64x64xf16, 3>
  // CHECK: gpu.launch_func @kernels::@maps {{.*}} args(%[[K]] : memref<2x12x?x128xf16>, %[[V]] : memref<2x12x?x128xf16>, %[[KEY_MAP]] : !nvgpu.tensormap.descriptor<{{.*}}>, %[[VALUE_MAP]] : !nvgpu.tensormap.descriptor<{{.*}}>)

  /// Each launch has maps of its own arguments.

  // CHECK: %[[OTHER:.*]] = memref.cast %[[V]]
  // CHECK: %[[OTHER_MAP:.*]] = nvgpu.tma.create.descriptor %[[OTHER]]
  // CHECK: gpu.launch_func @kernels::@maps {{.*}} args(%[[V]] : memref<2x12x?x128xf16>, %[[K]] : memref<2x12x?x128xf16>, %[[OTHER_MAP]] :
  func.func @main(%k: memref<2x12x?x128xf16>, %v: memref<2x12x?x128xf16>) {
    %c1 = arith.constant 1 : index
    %c160 = arith.constant 160 : index
    gpu.launch_func @kernels::@maps blocks in (%c1, %c1, %c1) threads in (%c160, %c1, %c1)
      args(%k : memref<2x12x?x128xf16>, %v : memref<2x12x?x128xf16>)
    gpu.launch_func @kernels::@maps blocks in (%c1, %c1, %c1) threads in (%c160, %c1, %c1)
      args(%v : memref<2x12x?x128xf16>, %k : memref<2x12x?x128xf16>)
    return
  }

  /// Rows of an argument have a map of their own, beyond which there are zeros.

  // CHECK-LABEL: func @parts
  // CHECK-SAME: (%[[W:.*]]: memref<256x64xf16>)
  // CHECK: %[[FIRST:.*]] = memref.reinterpret_cast %[[W]] to offset: [0], sizes: [96, 64], strides: [64, 1] : memref<256x64xf16> to memref<96x64xf16, strided<[64, 1]>>
  // CHECK: memref.cast %[[FIRST]] : memref<96x64xf16, strided<[64, 1]>> to memref<*xf16>
  // CHECK: %[[SECOND:.*]] = memref.reinterpret_cast %[[W]] to offset: [6144], sizes: [2, 80, 64], strides: [5120, 64, 1]
  // CHECK: memref.cast %[[SECOND]]
  func.func @parts(%w: memref<256x64xf16>) {
    %c1 = arith.constant 1 : index
    %c160 = arith.constant 160 : index
    gpu.launch_func @kernels::@slices blocks in (%c1, %c1, %c1) threads in (%c160, %c1, %c1) args(%w : memref<256x64xf16>)
    return
  }

  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @slices
    // CHECK-SAME: (%{{.*}}: memref<256x64xf16>, %[[FIRST:.*]]: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, {{.*}}>, %[[SECOND:.*]]: !nvgpu.tensormap.descriptor<tensor = memref<1x64x64xf16, 3>,
    // CHECK: tile.channel bulk
    // CHECK: tile.send %{{.*}} by %[[FIRST]] to
    // CHECK: tile.send %{{.*}} by %[[SECOND]] to
    // REMARK: remark: [Passed] TensorMap | {{.*}}Sends=2
    gpu.func @slices(%w: memref<256x64xf16>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %first = memref.subview %w[0, 0] [96, 64] [1, 1] : memref<256x64xf16> to memref<96x64xf16, strided<[64, 1]>>
      %rest = memref.subview %w[96, 0] [160, 64] [1, 1] : memref<256x64xf16> to memref<160x64xf16, strided<[64, 1], offset: 6144>>
      %second = memref.expand_shape %rest [[0, 1], [2]] output_shape [2, 80, 64]
        : memref<160x64xf16, strided<[64, 1], offset: 6144>> into memref<2x80x64xf16, strided<[5120, 64, 1], offset: 6144>>
      %c = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %first[%c0, %c0] along [0, 1] to %c at %c0 : memref<96x64xf16, strided<[64, 1]>> to <<64x64xf16>, stages = 2>
      tile.send %second[%c0, %c0, %c0] along [1, 2] to %c at %c1 : memref<2x80x64xf16, strided<[5120, 64, 1], offset: 6144>> to <<64x64xf16>, stages = 2>
      gpu.return
    }

    /// Two sends of one box share a map; the channels are bulk then.

    // CHECK-LABEL: gpu.func @maps
    // CHECK-SAME: (%[[K:.*]]: memref<2x12x?x128xf16>, %[[V:.*]]: memref<2x12x?x128xf16>, %[[KEY_MAP:.*]]: !nvgpu.tensormap.descriptor<tensor = memref<1x1x32x64xf16, 3>, {{.*}}>, %[[VALUE_MAP:.*]]: !nvgpu.tensormap.descriptor<tensor = memref<1x1x64x64xf16, 3>, {{.*}}>) kernel
    // CHECK: %[[KEYS:.*]] = tile.channel bulk from 1 to 4 : <<32x128xf16>, stages = 2>
    // CHECK: %[[VALUES:.*]] = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 2>
    // CHECK: tile.send %[[K]]{{.*}} along [2, 3] by %[[KEY_MAP]] to %[[KEYS]] at %c0
    // CHECK: tile.send %[[V]]{{.*}} along [2, 3] by %[[VALUE_MAP]] to %[[VALUES]] at %c0
    // CHECK: tile.send %[[K]]{{.*}} along [2, 3] by %[[KEY_MAP]] to %[[KEYS]] at %c1
    // REMARK: remark: [Passed] TensorMap | {{.*}}Sends=2
    // REMARK: remark: [Passed] TensorMap | {{.*}}Sends=1
    gpu.func @maps(%k: memref<2x12x?x128xf16>, %v: memref<2x12x?x128xf16>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %keys = tile.channel from 1 to 4 : <<32x128xf16>, stages = 2>
      %values = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.warp_specialize consumers 4 {
      } producers 1 {
        tile.send %k[%c0, %c0, %c0, %c0] along [2, 3] to %keys at %c0 : memref<2x12x?x128xf16> to <<32x128xf16>, stages = 2>
        tile.send %v[%c0, %c0, %c0, %c0] along [2, 3] to %values at %c0 : memref<2x12x?x128xf16> to <<64x64xf16>, stages = 2>
        tile.send %k[%c0, %c0, %c0, %c0] along [2, 3] to %keys at %c1 : memref<2x12x?x128xf16> to <<32x128xf16>, stages = 2>
      }
      gpu.return
    }

    /// Rows of a tile can be any dimension but the last. Arguments keep their
    /// attributes.

    // CHECK-LABEL: gpu.func @rows_outside
    // CHECK-SAME: memref<?x3x64xf16> {llvm.noalias}, %{{.*}}: !nvgpu.tensormap.descriptor<tensor = memref<64x1x64xf16, 3>,
    // REMARK: remark: [Passed] TensorMap
    gpu.func @rows_outside(%x: memref<?x3x64xf16> {llvm.noalias}) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %x[%c0, %c0, %c0] along [0, 2] to %c at %c0 : memref<?x3x64xf16> to <<64x64xf16>, stages = 2>
      gpu.return
    }

    /// The box of a tile in blocks of rows is that of a block.

    // CHECK-LABEL: gpu.func @blocks
    // CHECK-SAME: !nvgpu.tensormap.descriptor<tensor = memref<16x64xf16, 3>,
    // CHECK: tile.send %{{.*}} along [0, 1] blocks 4 by %{{.*}} to
    // REMARK: remark: [Passed] TensorMap
    gpu.func @blocks(%x: memref<?x64xf16>, %i: index) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %x[%c0, %i, %i, %c0, %c0] along [0, 1] blocks 4 to %c at %c0 : memref<?x64xf16> to <<64x64xf16>, stages = 2>
      gpu.return
    }

    /// Otherwise threads load. What one send of a channel cannot do, none does.

    // CHECK-LABEL: gpu.func @negative
    // CHECK-SAME: memref<?x3x64xf16>) kernel
    // CHECK-NOT: bulk
    // CHECK-NOT: by %
    // REMARK: remark: [Missed] TensorMap | {{.*}}its memory is a view with dynamic sizes
    // REMARK: remark: [Missed] TensorMap | {{.*}}its memory is no view of an argument
    // REMARK: remark: [Missed] TensorMap | {{.*}}its memory is not contiguous or has more than five dimensions
    // REMARK: remark: [Missed] TensorMap | {{.*}}its memory is not contiguous or has more than five dimensions
    // REMARK: remark: [Missed] TensorMap | {{.*}}its tile has no rows of whole 128 bytes, eight at a time
    // REMARK: remark: [Missed] TensorMap | {{.*}}its rows are not contiguous or not aligned to 16 bytes
    // REMARK: remark: [Missed] TensorMap | {{.*}}its rows are not contiguous or not aligned to 16 bytes
    // REMARK: remark: [Missed] TensorMap | {{.*}}its rows are not contiguous or not aligned to 16 bytes
    // REMARK: remark: [Missed] TensorMap | {{.*}}its tile has more than 256 rows
    // REMARK: remark: [Missed] TensorMap | {{.*}}its blocks have no multiple of eight rows
    // REMARK-NOT: remark
    gpu.func @negative(%x: memref<?x64xf16>, %strided: memref<?x64xf16, strided<[128, 1]>>, %deep: memref<1x1x1x1x64x64xf16>,
                       %odd: memref<?x68xf16>, %any: memref<?x?xf16>, %rows: memref<?x3x64xf16>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : index
      %view = memref.collapse_shape %rows [[0, 1], [2]] : memref<?x3x64xf16> into memref<?x64xf16>
      %local = memref.alloca() : memref<64x64xf16>
      %a = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %x[%c0, %c0] along [0, 1] to %a at %c0 : memref<?x64xf16> to <<64x64xf16>, stages = 2>
      tile.send %view[%c0, %c0] along [0, 1] to %a at %c0 : memref<?x64xf16> to <<64x64xf16>, stages = 2>
      %l = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %local[%c0, %c0] along [0, 1] to %l at %c0 : memref<64x64xf16> to <<64x64xf16>, stages = 2>
      %b = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %strided[%c0, %c0] along [0, 1] to %b at %c0 : memref<?x64xf16, strided<[128, 1]>> to <<64x64xf16>, stages = 2>
      %c = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %deep[%c0, %c0, %c0, %c0, %c0, %c0] along [4, 5] to %c at %c0 : memref<1x1x1x1x64x64xf16> to <<64x64xf16>, stages = 2>
      %d = tile.channel from 1 to 4 : <<64x32xf16>, stages = 2>
      tile.send %x[%c0, %c0] along [0, 1] to %d at %c0 : memref<?x64xf16> to <<64x32xf16>, stages = 2>
      %e = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %x[%c0, %c0] along [1, 0] to %e at %c0 : memref<?x64xf16> to <<64x64xf16>, stages = 2>
      %f = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %odd[%c0, %c0] along [0, 1] to %f at %c0 : memref<?x68xf16> to <<64x64xf16>, stages = 2>
      %g = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
      tile.send %any[%c0, %c0] along [0, 1] to %g at %c0 : memref<?x?xf16> to <<64x64xf16>, stages = 2>
      %h = tile.channel from 1 to 4 : <<512x64xf16>, stages = 2>
      tile.send %x[%c0, %c0] along [0, 1] to %h at %c0 : memref<?x64xf16> to <<512x64xf16>, stages = 2>
      %i = tile.channel from 1 to 4 : <<24x64xf16>, stages = 2>
      tile.send %x[%c0, %c0, %c0] along [0, 1] blocks 2 to %i at %c0 : memref<?x64xf16> to <<24x64xf16>, stages = 2>
      gpu.return
    }
  }
}

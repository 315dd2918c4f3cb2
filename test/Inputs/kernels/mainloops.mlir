// Loops whose loads can be issued early, one for each way to count.

#acc = #tile.mma<warps = [4, 1]>

gpu.module @mainloops {
  // C = A B, counted by an scf.for.
  gpu.func @counted(%a: memref<64x?xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %b, %c0 : memref<?x64xf16>
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %r = scf.for %k = %c0 to %n step %c32 iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%c0, %k] along [0, 1] : memref<64x?xf16> -> !tile.shared<64x32xf16>
      %y = tile.load %b[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<32x64xf16>
      %s = tile.contract %x, %y, %sum : !tile.shared<64x32xf16>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %s : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }

  // As above, over the tiles of B that a list names; entries beyond its end are
  // not read. The position in the list steers the loop.
  gpu.func @listed(%a: memref<64x?xf16>, %b: memref<?x64xf16>, %list: memref<?xi64>, %c: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %list, %c0 : memref<?xi64>
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %any = arith.cmpi ne, %n, %c0 : index
    %k0 = scf.if %any -> (index) {
      %entry = memref.load %list[%c0] : memref<?xi64>
      %first = arith.index_cast %entry : i64 to index
      scf.yield %first : index
    } else {
      scf.yield %c0 : index
    }
    %r:3 = scf.while (%at = %c0, %tile = %k0, %sum = %s0)
        : (index, index, !tile.fragment<64x64xf32, #acc>) -> (index, index, !tile.fragment<64x64xf32, #acc>) {
      %more = arith.cmpi ult, %at, %n : index
      scf.condition(%more) %at, %tile, %sum : index, index, !tile.fragment<64x64xf32, #acc>
    } do {
    ^bb0(%at: index, %tile: index, %sum: !tile.fragment<64x64xf32, #acc>):
      %k = arith.muli %tile, %c32 : index
      %x = tile.load %a[%c0, %k] along [0, 1] : memref<64x?xf16> -> !tile.shared<64x32xf16>
      %y = tile.load %b[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<32x64xf16>
      %s = tile.contract %x, %y, %sum : !tile.shared<64x32xf16>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf32, #acc>
      %at1 = arith.addi %at, %c1 : index
      %more = arith.cmpi ult, %at1, %n : index
      %tile1 = scf.if %more -> (index) {
        %entry = memref.load %list[%at1] : memref<?xi64>
        %next = arith.index_cast %entry : i64 to index
        scf.yield %next : index
      } else {
        scf.yield %c0 : index
      }
      scf.yield %at1, %tile1, %s : index, index, !tile.fragment<64x64xf32, #acc>
    }
    tile.store %r#2, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }

  // Every second tile of B, by a step that the loop carries, and all of A before
  // the loop: what is loaded by the loop waits for less than all.
  gpu.func @stepping(%a: memref<64x64xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %b, %c0 : memref<?x64xf16>
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %r:2 = scf.while (%k = %c0, %sum = %s0)
        : (index, !tile.fragment<64x64xf32, #acc>) -> (index, !tile.fragment<64x64xf32, #acc>) {
      %more = arith.cmpi ult, %k, %n : index
      scf.condition(%more) %k, %sum : index, !tile.fragment<64x64xf32, #acc>
    } do {
    ^bb0(%k: index, %sum: !tile.fragment<64x64xf32, #acc>):
      %y = tile.load %b[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %x, %y, %sum : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %k1 = arith.addi %k, %c128 : index
      scf.yield %k1, %s : index, !tile.fragment<64x64xf32, #acc>
    }
    tile.store %r#1, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }
}

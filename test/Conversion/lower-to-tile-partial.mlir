// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-lower-to-tile --remarks-filter="stof.*" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// The tiles on the diagonal compare with the diagonal alone, those at the far end
/// of the window with its width.

// CHECK-LABEL: gpu.func @window_0_attention
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C100:.*]] = arith.constant 100 : i32
// CHECK: scf.while
// CHECK: do {
// CHECK: tile.contract
// CHECK: %{{.*}} = scf.if %{{.*}} -> (!tile.fragment<64x64xf32,
// CHECK:   tile.map
// CHECK:   %[[DISTANCE:.*]] = arith.subi {{.*}} : i32
// CHECK:   arith.cmpi sge, %[[DISTANCE]], %[[C0]] : i32
// CHECK-NOT: arith.cmpi
// CHECK: } else {
// CHECK:   scf.if %{{.*}} -> (!tile.fragment<64x64xf32,
// CHECK:     tile.map
// CHECK:     %[[DISTANCE:.*]] = arith.subi {{.*}} : i32
// CHECK:     arith.cmpi slt, %[[DISTANCE]], %[[C100]] : i32
// CHECK-NOT: arith.cmpi
// CHECK:   } else {
// CHECK-NOT: arith.cmpi
// CHECK: tile.reduce
// REMARK: remark: [Passed] PartialTiles | Category:stof-emit-kernels | Comparisons=2, Evaluated=1, Interval=0, KeyStride=1
// REMARK: remark: [Passed] PartialTiles | Category:stof-emit-kernels | Comparisons=2, Evaluated=1, Interval=1, KeyStride=1
func.func @window(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %width = arith.constant 100 : index
    %distance = arith.subi %i, %j : index
    %near = arith.cmpi slt, %distance, %width : index
    %causal = arith.cmpi sge, %i, %j : index
    %keep = arith.andi %near, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %e = tensor.empty() : tensor<1x1x512x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<from = affine_map<(d0, d1, d2) -> ((d0 * 64 - 99) floordiv 64)>, to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>,
                         #stof.interval<to = affine_map<(d0, d1, d2) -> ((d0 * 64 - 37) floordiv 64 + 1)>>]>
      outs(%e : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}

// -----

/// Where a comparison of an absolute value has one side in question, it is a
/// comparison of the distance itself, and global rows and keys are not asked for
/// where the layout visits neither.

// CHECK-LABEL: gpu.func @longformer_0_attention
// CHECK-NOT: math.absi
// CHECK: arith.cmpi sle, %{{.*}}, %{{.*}} : i32
// CHECK-NOT: arith.cmpi {{.*}} : i32
// CHECK-NOT: math.absi
// CHECK: arith.cmpi sle, %{{.*}}, %{{.*}} : i32
// CHECK-NOT: arith.cmpi {{.*}} : i32
// CHECK: gpu.return
// REMARK: Comparisons=4, Evaluated=1, Interval=0, KeyStride=1
// REMARK: Comparisons=4, Evaluated=1, Interval=1, KeyStride=1
func.func @longformer(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %width = arith.constant 64 : index
    %distance = arith.subi %i, %j : index
    %apart = math.absi %distance : index
    %near = arith.cmpi sle, %apart, %width : index
    %row = arith.cmpi slt, %i, %width : index
    %column = arith.cmpi slt, %j, %width : index
    %global = arith.ori %row, %column : i1
    %keep = arith.ori %near, %global : i1
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %e = tensor.empty() : tensor<1x1x512x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 - 1)>, to = affine_map<(d0, d1, d2) -> (d0 + 2)>>,
                         #stof.interval<where = affine_map<(d0, d1, d2) -> (-d0)>>,
                         #stof.interval<to = affine_map<(d0, d1, d2) -> (1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 + 1)>, where = affine_map<(d0, d1, d2) -> (d0 - 1)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (1)>, to = affine_map<(d0, d1, d2) -> (d0)>>]>
      outs(%e : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}

// -----

/// The interval with all keys beyond the last one comes first, so that the tiles of the others, wherever keys end, do not
/// ask for the end. Lengths of the run fit in i32.

// CHECK-LABEL: gpu.func @any_length_0_attention
// CHECK: do {
// CHECK: tile.contract
// CHECK: scf.if
// CHECK:   tile.map
// CHECK:   %[[BEYOND:.*]] = arith.subi %{{.*}}, %{{.*}} overflow<nsw> : i32
// CHECK:   arith.cmpi slt, %[[BEYOND]], %c0_i32 : i32
// CHECK:   arith.cmpi ule, %{{.*}}, %c128_i32 : i32
// CHECK:   arith.andi
// CHECK: } else {
// CHECK:   scf.if
// CHECK:     tile.map
// CHECK-NOT: arith.andi
// CHECK:     arith.cmpi sle, %{{.*}}, %c64_i32 : i32
// CHECK-NOT: arith.andi
// CHECK:   } else {
// CHECK:     scf.if
// CHECK:       tile.map
// CHECK-NOT:   arith.andi
// CHECK:       arith.cmpi sle, %{{.*}}, %c64_i32 : i32
// CHECK-NOT:   arith.andi
// CHECK:     } else {
// REMARK: Comparisons=2, Evaluated=1, Interval=0
// REMARK: Comparisons=2, Evaluated=1, Interval=1
// REMARK: Comparisons=2, Evaluated=2, Interval=2
func.func @any_length(%q: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %c2 = arith.constant 2 : index
  %length = tensor.dim %q, %c2 : tensor<1x1x?x64xf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %width = arith.constant 64 : index
    %distance = arith.subi %i, %j : index
    %apart = math.absi %distance : index
    %near = arith.cmpi sle, %apart, %width : index
    stof.yield %near : i1
  } : !stof.mask<?x?>
  %e = tensor.empty(%length) : tensor<1x1x?x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (d0 - 1)>, to = affine_map<(d0, d1, d2)[s0] -> (d0 + 2)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (d0 + 1)>>,
                         #stof.interval<to = affine_map<(d0, d1, d2)[s0] -> (d0)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (s0 floordiv 64)>>],
              symbols = [affine_map<(d0, d1) -> ()>]> from(%length : index)
      outs(%e : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// Without a mask, only a tile with keys beyond the last one asks for the end.

// CHECK-LABEL: gpu.func @dense_0_attention
// CHECK-SAME: %{{.*}}: index, %{{.*}}: memref<1x1x?x64xf16>, %[[KEYS:.*]]: index,
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %[[KEYS]]
// CHECK:   %[[END:.*]] = arith.addi %[[FIRST]], %c64
// CHECK:   %[[CUT:.*]] = arith.cmpi sgt, %[[END]], %[[KEYS]]
// CHECK:   tile.contract
// CHECK:   scf.if %[[CUT]]
// CHECK:     arith.cmpi slt, %{{.*}}, %c0_i32 : i32
// CHECK:   } else {
// CHECK-NOT: arith.cmpi
// CHECK: tile.reduce
func.func @dense(%q: tensor<1x1x?x64xf16>, %k: tensor<1x1x?x64xf16>, %out: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      outs(%out : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// A diagonal drops the keys beyond the last as well, so that nothing else tells
/// them from others; the last tile of a window of later keys does not.

// CHECK-LABEL: gpu.func @padded_0_attention
// CHECK: do {
// CHECK: tile.contract
// CHECK: scf.if
// CHECK:   tile.map
// CHECK:   %[[EXISTS:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: arith.select %[[EXISTS]]
// CHECK: } else {
// CHECK:   scf.if
// CHECK:     tile.map
// CHECK:     %[[DISTANCE:.*]] = arith.subi {{.*}} : i32
// CHECK:     arith.cmpi sge, %[[DISTANCE]], %{{.*}} : i32
// CHECK-NOT: arith.cmpi
// CHECK:   } else {
// REMARK: Comparisons=2, Evaluated=1, Interval=0
// REMARK: Comparisons=2, Evaluated=0, Interval=1
func.func @padded(%q: tensor<1x1x500x64xf16>) -> tensor<1x1x500x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %far = arith.constant 100 : index
    %distance = arith.subi %j, %i : index
    %later = arith.cmpi sgt, %distance, %far : index
    %causal = arith.cmpi sge, %i, %j : index
    %keep = arith.ori %later, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<500x500>
  %e = tensor.empty() : tensor<1x1x500x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x500x64xf16>, tensor<1x1x500x64xf16>, tensor<1x1x500x64xf16>)
      mask(%m : !stof.mask<500x500>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (d0 + 3)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>, to = affine_map<(d0, d1, d2) -> (d0 + 1)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (7, d0 + 3)>>]>
      outs(%e : tensor<1x1x500x64xf16>) -> tensor<1x1x500x64xf16>
  return %o : tensor<1x1x500x64xf16>
}

// -----

/// What holds for all keys that exist need not hold beyond them: of 13 keys one is
/// 7 modulo 20, of the 32 of a tile two are.

// CHECK-LABEL: gpu.func @beyond_0_attention
// CHECK: scf.while
// CHECK: do {
// CHECK: scf.if
// CHECK:   arith.cmpi slt, %{{.*}}, %c13
// CHECK:   arith.remui
// CHECK:   arith.cmpi eq
// CHECK: } else {
// REMARK: Comparisons=1, Evaluated=1, Interval=0
func.func @beyond(%q: tensor<1x1x13x64xf16>) -> tensor<1x1x13x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %period = arith.constant 20 : index
    %seven = arith.constant 7 : index
    %phase = arith.remui %j, %period : index
    %keep = arith.cmpi eq, %phase, %seven : index
    stof.yield %keep : i1
  } : !stof.mask<13x13>
  %e = tensor.empty() : tensor<1x1x13x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x13x64xf16>, tensor<1x1x13x64xf16>, tensor<1x1x13x64xf16>)
      mask(%m : !stof.mask<13x13>)
      layout <row_tile = 16, col_tile = 32, storage = closed_form,
              visited = [#stof.interval], partial = [#stof.interval]>
      outs(%e : tensor<1x1x13x64xf16>) -> tensor<1x1x13x64xf16>
  return %o : tensor<1x1x13x64xf16>
}

// -----

/// Where a score reads a tensor the last key stands in for those beyond, which the
/// diagonal keeps.

// CHECK-LABEL: gpu.func @scored_0_attention
// CHECK: scf.while
// CHECK: do {
// CHECK: scf.if
// CHECK:   arith.cmpi slt, %{{.*}}, %{{.*}} : i32
// CHECK:   arith.cmpi sge, %{{.*}}, %{{.*}} : i32
// CHECK:   arith.andi
// CHECK: } else {
// REMARK: Comparisons=1, Evaluated=1, Interval=0
func.func @scored(%q: tensor<1x1x500x64xf16>, %bias: tensor<500xf32>) -> tensor<1x1x500x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %causal = arith.cmpi sge, %i, %j : index
    stof.yield %causal : i1
  } : !stof.mask<500x500>
  %e = tensor.empty() : tensor<1x1x500x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x500x64xf16>, tensor<1x1x500x64xf16>, tensor<1x1x500x64xf16>)
      mask(%m : !stof.mask<500x500>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
      captures(%bias : tensor<500xf32>)
      outs(%e : tensor<1x1x500x64xf16>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %of_key: tensor<500xf32>):
        %offset = tensor.extract %of_key[%j] : tensor<500xf32>
        %sum = arith.addf %s, %offset : f32
        stof.yield %sum : f32
      } -> tensor<1x1x500x64xf16>
  return %o : tensor<1x1x500x64xf16>
}

// -----

/// What a symbol of the layout stands for is the same in the mask.

// CHECK-LABEL: gpu.func @symbol_0_attention
// CHECK: do {
// CHECK: scf.if
// CHECK:   arith.cmpi sge, %{{.*}}, %{{.*}} : i32
// CHECK-NOT: arith.cmpi
// CHECK: } else {
// CHECK:   scf.if
// CHECK:     arith.cmpi slt, %{{.*}}, %{{.*}} : index
// CHECK-NOT: arith.cmpi
// CHECK:   } else {
// REMARK: Comparisons=2, Evaluated=1, Interval=0
// REMARK: Comparisons=2, Evaluated=1, Interval=1
func.func @symbol(%q: tensor<4x1x512x64xf16>, %lengths: tensor<4xi32>) -> tensor<4x1x512x64xf16> {
  %m = stof.mask captures(%lengths : tensor<4xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %n: tensor<4xi32>):
    %length = tensor.extract %n[%b] : tensor<4xi32>
    %last = arith.index_cast %length : i32 to index
    %exists = arith.cmpi slt, %j, %last : index
    %causal = arith.cmpi sge, %i, %j : index
    %keep = arith.andi %exists, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %e = tensor.empty() : tensor<4x1x512x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<4x1x512x64xf16>, tensor<4x1x512x64xf16>, tensor<4x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2)[n] -> (d0 + 1, n ceildiv 64)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2)[n] -> (d0)>, to = affine_map<(d0, d1, d2)[n] -> (n floordiv 64)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2)[n] -> (n floordiv 64)>, to = affine_map<(d0, d1, d2)[n] -> (d0)>>],
              symbols = [affine_map<(b, h) -> (b)>]> from(%lengths : tensor<4xi32>)
      outs(%e : tensor<4x1x512x64xf16>) -> tensor<4x1x512x64xf16>
  return %o : tensor<4x1x512x64xf16>
}

// -----

/// Of tiles of strided rows and keys, and of a lattice of keys, it is known
/// where they lie: the residues need no test.

// CHECK-LABEL: gpu.func @dilated_0_attention
// CHECK: do {
// CHECK-NOT: arith.remui
// CHECK: scf.if
// CHECK:   arith.cmpi sge, %{{.*}}, %{{.*}} : i32
// CHECK-NOT: arith.cmpi
// CHECK: } else {
// REMARK: Comparisons=2, Evaluated=1, Interval=0, KeyStride=4
func.func @dilated(%q: tensor<1x1x1024x64xf16>) -> tensor<1x1x1024x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %stride = arith.constant 4 : index
    %none = arith.constant 0 : index
    %of_i = arith.remui %i, %stride : index
    %of_j = arith.remui %j, %stride : index
    %same = arith.cmpi eq, %of_i, %of_j : index
    %causal = arith.cmpi sge, %i, %j : index
    %keep = arith.andi %same, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<1024x1024>
  %e = tensor.empty() : tensor<1x1x1024x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x1024x64xf16>, tensor<1x1x1024x64xf16>, tensor<1x1x1024x64xf16>)
      mask(%m : !stof.mask<1024x1024>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 floordiv 4 + 1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 floordiv 4)>>],
              row_stride = 4>
      outs(%e : tensor<1x1x1024x64xf16>) -> tensor<1x1x1024x64xf16>
  return %o : tensor<1x1x1024x64xf16>
}

// -----

// REMARK: Comparisons=2, Evaluated=1, Interval=0, KeyStride=64
func.func @lattice(%q: tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %stride = arith.constant 64 : index
    %last = arith.constant 63 : index
    %of_j = arith.remui %j, %stride : index
    %same = arith.cmpi eq, %of_j, %last : index
    %causal = arith.cmpi sge, %i, %j : index
    %keep = arith.andi %same, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %e = tensor.empty() : tensor<1x1x4096x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              lattices = [#stof.lattice<stride = 64, offset = 63, visited = [#stof.interval], partial = [#stof.interval]>]>
      outs(%e : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

// -----

/// A mainloop has code for four predicates; the dearest intervals evaluate all of it.

// CHECK-LABEL: gpu.func @many_0_attention
// CHECK-COUNT-4: scf.if {{.*}} -> (!tile.fragment<64x64xf32,
// CHECK-NOT: scf.if
// CHECK: gpu.return
// REMARK: Comparisons=5, Evaluated=1, Interval=0
// REMARK: Comparisons=5, Evaluated=1, Interval=1
// REMARK: Comparisons=5, Evaluated=1, Interval=2
// REMARK: Comparisons=5, Evaluated=1, Interval=3
// REMARK: Comparisons=5, Evaluated=1, Interval=4
// REMARK: [Missed] {{.*}} Comparisons=5, Evaluated=5, Interval=5, KeyStride=1, Reason="its tiles imply no comparison"
func.func @many(%q: tensor<1x1x640x64xf16>) -> tensor<1x1x640x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 32 : index
    %c1 = arith.constant 160 : index
    %c2 = arith.constant 288 : index
    %c3 = arith.constant 416 : index
    %c4 = arith.constant 544 : index
    %k0 = arith.cmpi slt, %j, %c0 : index
    %k1 = arith.cmpi slt, %j, %c1 : index
    %k2 = arith.cmpi slt, %j, %c2 : index
    %k3 = arith.cmpi slt, %j, %c3 : index
    %k4 = arith.cmpi slt, %j, %c4 : index
    %x1 = arith.xori %k0, %k1 : i1
    %x2 = arith.xori %x1, %k2 : i1
    %x3 = arith.xori %x2, %k3 : i1
    %keep = arith.xori %x3, %k4 : i1
    stof.yield %keep : i1
  } : !stof.mask<640x640>
  %e = tensor.empty() : tensor<1x1x640x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x640x64xf16>, tensor<1x1x640x64xf16>, tensor<1x1x640x64xf16>)
      mask(%m : !stof.mask<640x640>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (0)>, to = affine_map<(d0, d1, d2) -> (1)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (2)>, to = affine_map<(d0, d1, d2) -> (3)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (4)>, to = affine_map<(d0, d1, d2) -> (5)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (6)>, to = affine_map<(d0, d1, d2) -> (7)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (8)>, to = affine_map<(d0, d1, d2) -> (9)>>,
                         #stof.interval<where = affine_map<(d0, d1, d2) -> (d0 - 9)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (10)>>]>
      outs(%e : tensor<1x1x640x64xf16>) -> tensor<1x1x640x64xf16>
  return %o : tensor<1x1x640x64xf16>
}

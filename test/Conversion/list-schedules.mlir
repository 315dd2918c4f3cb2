// RUN: stof-opt %s --stof-list-schedules=chip=sm_80 -o /dev/null | FileCheck %s
// RUN: stof-opt %s --stof-list-schedules="chip=sm_90a most=2" -o /dev/null | FileCheck %s --check-prefix=HOPPER
// RUN: stof-opt %s --stof-list-schedules -o /dev/null | FileCheck %s --check-prefix=CPU

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

/// The tiles of a contraction, their K tiles and stages; first the fastest. The asterisk is at the one in use.

// CHECK-LABEL: list-schedules.mlir:{{[0-9]+}}:8: schedules of 'stof.group' in @matmul for sm_80: {{[0-9]+$}}
// CHECK-NEXT: {{^ *us bound +schedule$}}
// CHECK-NEXT: {{^[*]? *[0-9.]+ L2 +}}[#stof.matmul_tile<rows = 64, columns = 64, k = 128, row_warps = 2, column_warps = 2, stages = 2>]
// CHECK: {{^\* }}
// CHECK-NOT: {{^\* }}

/// The two fastest; wgmma takes K tiles of 128 bytes only.

// HOPPER-LABEL: @matmul for sm_90a
// HOPPER-NEXT: us bound
// HOPPER-NEXT: {{^\*.*}} k = 64,
// HOPPER-NEXT: {{^ .*}} k = 64,
// HOPPER-NOT: matmul_tile
// HOPPER-LABEL: @rows

// CPU-LABEL: @matmul for the CPU: 1{{$}}
// CPU-NEXT: us bound
// CPU-NEXT: * {{.*}} [#stof.matmul_tile<rows = 64, columns = 64,
func.func @matmul(%a: tensor<512x768xf16>, %b: tensor<768x768xf16>, %c: tensor<512x768xf16>) -> tensor<512x768xf16> {
  %y = stof.group ins(%a, %b, %c : tensor<512x768xf16>, tensor<768x768xf16>, tensor<512x768xf16>) {
  ^bb0(%l: tensor<512x768xf16>, %r: tensor<768x768xf16>, %o: tensor<512x768xf16>):
    %0 = linalg.matmul ins(%l, %r : tensor<512x768xf16>, tensor<768x768xf16>) outs(%o : tensor<512x768xf16>) -> tensor<512x768xf16>
    stof.yield %0 : tensor<512x768xf16>
  } -> tensor<512x768xf16>
  return %y : tensor<512x768xf16>
}

/// The tiles of rows: more elements of a thread, and more warps along a row. A given one is in use.

// CHECK-LABEL: @rows for sm_80: 30
// CHECK: {{^\* .*}}[#stof.thread_tile<elements = 2, row_warps = 1, column_warps = 2>]
// CHECK-NOT: {{^\*}}
func.func @rows(%x: tensor<64x1000xf32>) -> tensor<64xf32> {
  %y = stof.group ins(%x : tensor<64x1000xf32>) tiles [#stof.thread_tile<elements = 2, row_warps = 1, column_warps = 2>] {
  ^bb0(%a: tensor<64x1000xf32>):
    %e = tensor.empty() : tensor<64xf32>
    %z = arith.constant 0.0 : f32
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<64x1000xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    } -> tensor<64xf32>
    stof.yield %0 : tensor<64xf32>
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}

/// The tiles of two branches have the same number of warps.

// CHECK-LABEL: @branches for sm_80
// CHECK-NEXT: us bound
// CHECK: [#stof.matmul_tile<rows = {{.*}}>, #stof.thread_tile<elements = 8, row_warps = 1, column_warps = 4>]
func.func @branches(%a: tensor<512x768xf16>, %b: tensor<768x768xf16>, %c: tensor<512x768xf16>, %d: tensor<512x768xf16>)
    -> (tensor<512x768xf16>, tensor<512x768xf16>) {
  %y:2 = stof.group ins(%a, %b, %c, %d : tensor<512x768xf16>, tensor<768x768xf16>, tensor<512x768xf16>, tensor<512x768xf16>) {
  ^bb0(%l: tensor<512x768xf16>, %r: tensor<768x768xf16>, %o: tensor<512x768xf16>, %e: tensor<512x768xf16>):
    %0 = linalg.matmul ins(%l, %r : tensor<512x768xf16>, tensor<768x768xf16>) outs(%o : tensor<512x768xf16>) -> tensor<512x768xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%e : tensor<512x768xf16>) outs(%e : tensor<512x768xf16>) {
    ^bb0(%in: f16, %out: f16):
      %s = arith.addf %in, %in : f16
      linalg.yield %s : f16
    } -> tensor<512x768xf16>
    stof.yield %0, %1 : tensor<512x768xf16>, tensor<512x768xf16>
  } -> tensor<512x768xf16>, tensor<512x768xf16>
  return %y#0, %y#1 : tensor<512x768xf16>, tensor<512x768xf16>
}

/// The tiles of attention, each with the layout of the mask in such tiles: smaller ones visit fewer masked positions.
/// The one in use is what stof-plan-layout chooses: of a GPU, the fastest.

// CHECK-LABEL: schedules of 'stof.attention' in @window for sm_80
// CHECK-NEXT: us bound
// CHECK-NEXT: {{^\* .*}} #stof.attention_tile<queries = {{16|32}}, keys = 16,
// CHECK-NOT: {{^\*}}
// CHECK: queries = 128, keys = 128

// CPU-LABEL: in @window for the CPU
// CPU: {{^\* .*}} #stof.attention_tile<queries = 64, keys = 64, warps = 4>
func.func @window(%q: tensor<1x12x4096x64xf16>) -> tensor<1x12x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %d = arith.subi %i, %j : index
    %w = arith.constant 16 : index
    %keep = arith.cmpi ult, %d, %w : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x4096x64xf16>, tensor<1x12x4096x64xf16>, tensor<1x12x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<1x12x4096x64xf16>) -> tensor<1x12x4096x64xf16>
  return %o : tensor<1x12x4096x64xf16>
}

/// Of a length of the run, the time is that of 4096.

// CHECK-LABEL: in @dynamic for sm_80
// CHECK-NEXT: us bound
// CHECK-NEXT: [[ROW:.* [0-9.]+ .* #stof.attention_tile<.*>]]
// CHECK-LABEL: in @nominal for sm_80
// CHECK-NEXT: us bound
// CHECK-NEXT: [[ROW]]
func.func @dynamic(%q: tensor<16x12x?x64xf16>) -> tensor<16x12x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x?x64xf16>, tensor<16x12x?x64xf16>, tensor<16x12x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<16x12x?x64xf16>) -> tensor<16x12x?x64xf16>
  return %o : tensor<16x12x?x64xf16>
}

func.func @nominal(%q: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16>
  return %o : tensor<16x12x4096x64xf16>
}

/// Without a number of heads, the work is unknown.

// CHECK-LABEL: in @heads for sm_80
// CHECK-NEXT: us bound
// CHECK-NEXT: * ? sizes unknown #stof.attention_tile<queries = 128, keys = 64, warps = 4, holds_queries = true>
func.func @heads(%q: tensor<1x?x4096x64xf16>) -> tensor<1x?x4096x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x?x4096x64xf16>, tensor<1x?x4096x64xf16>, tensor<1x?x4096x64xf16>)
      outs(%q : tensor<1x?x4096x64xf16>) -> tensor<1x?x4096x64xf16>
  return %o : tensor<1x?x4096x64xf16>
}

/// Of nothing to choose there is no list.

// CHECK-NOT: schedules of
func.func @copy(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.copy ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// RUN: stof-opt %s --stof-lower-to-tile=chip=sm_80 --split-input-file --verify-diagnostics | FileCheck %s

/// A kernel has the tiles that its group asks for.

// CHECK-LABEL: gpu.func @matmul_0_matmul
// CHECK-SAME: stof.schedule = {block_k = 32 : i64, columns = 64 : i64, kernel = "contraction", row_warps = 2 : i64, rows = 64 : i64, stages = 5 : i64, warps = 4 : i64}
func.func @matmul(%a: tensor<512x768xf16>, %b: tensor<768x768xf16>, %c: tensor<512x768xf16>) -> tensor<512x768xf16> {
  %y = stof.group ins(%a, %b, %c : tensor<512x768xf16>, tensor<768x768xf16>, tensor<512x768xf16>)
      tiles [#stof.matmul_tile<rows = 64, columns = 64, k = 32, row_warps = 2, column_warps = 2, stages = 5>] {
  ^bb0(%l: tensor<512x768xf16>, %r: tensor<768x768xf16>, %o: tensor<512x768xf16>):
    %e = tensor.empty() : tensor<512x768xf16>
    %z = arith.constant 0.0 : f16
    %f = linalg.fill ins(%z : f16) outs(%e : tensor<512x768xf16>) -> tensor<512x768xf16>
    %0 = linalg.matmul ins(%l, %r : tensor<512x768xf16>, tensor<768x768xf16>) outs(%f : tensor<512x768xf16>) -> tensor<512x768xf16>
    stof.yield %0 : tensor<512x768xf16>
  } -> tensor<512x768xf16>
  return %y : tensor<512x768xf16>
}

// -----

/// Threads of two elements, and eight warps, four of them along a row.

// CHECK-LABEL: gpu.func @elements_0_exp
// CHECK-SAME: stof.schedule = {columns = 256 : i64, kernel = "elementwise", rows = 2 : i64, warps = 8 : i64}
func.func @elements(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %y = stof.group ins(%x : tensor<64x1000xf32>) tiles [#stof.thread_tile<elements = 2, row_warps = 2, column_warps = 4>] {
  ^bb0(%a: tensor<64x1000xf32>):
    %e = tensor.empty() : tensor<64x1000xf32>
    %0 = linalg.exp ins(%a : tensor<64x1000xf32>) outs(%e : tensor<64x1000xf32>) -> tensor<64x1000xf32>
    stof.yield %0 : tensor<64x1000xf32>
  } -> tensor<64x1000xf32>
  return %y : tensor<64x1000xf32>
}

// -----

/// Tiles that no kernel can have are an error.

func.func @too_many_accumulators(%a: tensor<512x768xf16>, %b: tensor<768x768xf16>) -> tensor<512x768xf16> {
  // expected-error @below {{cannot be compiled: expects tiles that `stof-list-schedules` prints for sm_80, but got [#stof.matmul_tile<rows = 256, columns = 256, k = 32, row_warps = 1, column_warps = 1, stages = 2>]}}
  %y = stof.group ins(%a, %b : tensor<512x768xf16>, tensor<768x768xf16>)
      tiles [#stof.matmul_tile<rows = 256, columns = 256, k = 32, row_warps = 1, column_warps = 1, stages = 2>] {
  ^bb0(%l: tensor<512x768xf16>, %r: tensor<768x768xf16>):
    %e = tensor.empty() : tensor<512x768xf16>
    %z = arith.constant 0.0 : f16
    %f = linalg.fill ins(%z : f16) outs(%e : tensor<512x768xf16>) -> tensor<512x768xf16>
    %0 = linalg.matmul ins(%l, %r : tensor<512x768xf16>, tensor<768x768xf16>) outs(%f : tensor<512x768xf16>) -> tensor<512x768xf16>
    stof.yield %0 : tensor<512x768xf16>
  } -> tensor<512x768xf16>
  return %y : tensor<512x768xf16>
}

// RUN: stof-opt --stof-raise %s | FileCheck %s

/// Several masks, and masks next to scores of integers that are read.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#key = affine_map<(b, h, q, k) -> (b, k)>
#pair = affine_map<(b, h, q, k) -> (q, k)>

/// Where every row keeps a key it does not matter how masks add up.

// CHECK-LABEL: func @two_masks_added
func.func @two_masks_added(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %low = arith.constant -1.0e4 : f32
    %two = arith.constant 2 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %early = arith.cmpi sle, %j, %i : index
    %causal = arith.select %early, %zero, %low : f32
    %start = arith.subi %i, %two : index
    %near = arith.cmpi sge, %j, %start : index
    %window = arith.select %near, %zero, %low : f32
    %sum = arith.addf %causal, %window : f32
    %x = arith.addf %score, %sum : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {
  // CHECK: stof.attention
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// Masks that fill in the same number leave the same row, however many drop its keys.

// CHECK-LABEL: func @two_masks_filled
func.func @two_masks_filled(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %lowest = arith.constant -3.40282347E+38 : f32
    %b = linalg.index 0 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %early = arith.cmpi sle, %j, %i : index
    %causal = arith.select %early, %score, %lowest : f32
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %x = arith.select %keep, %causal, %lowest : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask captures
  // CHECK: stof.attention {{.*}}empty_rows(mean)
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// What is known of integers that are read is their type's: it does not hide a mask.

// CHECK-LABEL: func @mask_beside_counted_positions
func.func @mask_beside_counted_positions(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %at: tensor<2x8xi64>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #key, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %at : tensor<2x3x8x8xf32>, tensor<2x8xi64>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %position: i64, %out: f32):
    %low = arith.constant -6.5504e4 : f32
    %slope = arith.constant 2.5e-1 : f32
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %square = arith.muli %position, %position : i64
    %distance = arith.sitofp %square : i64 to f32
    %bias = arith.mulf %distance, %slope : f32
    %biased = arith.addf %score, %bias : f32
    %early = arith.cmpi sle, %j, %i : index
    %causal = arith.select %early, %zero, %low : f32
    %x = arith.addf %biased, %causal : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {
  // CHECK: stof.attention {{.*}}score
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// A table of sums inside another is read where it is, and in its bounds alone.

// CHECK-LABEL: func @bias_by_inserted_sums
func.func @bias_by_inserted_sums(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %parts: tensor<7x7x2xi64>, %bias: tensor<16xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %none = arith.constant 0 : i64
  %last = arith.constant dense<15> : tensor<8x8xi64>
  %t_init = tensor.empty() : tensor<7x7xi64>
  %t_zero = linalg.fill ins(%none : i64) outs(%t_init : tensor<7x7xi64>) -> tensor<7x7xi64>
  %sums = linalg.reduce { arith.addi } ins(%parts : tensor<7x7x2xi64>) outs(%t_zero : tensor<7x7xi64>) dimensions = [2]
  %table = tensor.insert_slice %sums into %last[1, 1] [7, 7] [1, 1] : tensor<7x7xi64> into tensor<8x8xi64>
  %m = linalg.generic {indexing_maps = [#id, #pair, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %table : tensor<2x3x8x8xf32>, tensor<8x8xi64>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %entry: i64, %out: f32):
    %place = arith.index_cast %entry : i64 to index
    %b = tensor.extract %bias[%place] : tensor<16xf32>
    %x = arith.addf %score, %b : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.attention
  // CHECK:   %[[I:.*]] = arith.maxsi
  // CHECK:   %[[J:.*]] = arith.maxsi
  // CHECK:   %[[SUM:.*]] = tensor.extract %{{.*}}[%[[I]], %[[J]]] : tensor<7x7xi64>
  // CHECK:   %[[PLACE:.*]] = arith.index_cast %[[SUM]] : i64 to index
  // CHECK:   arith.select %{{.*}}, %[[PLACE]], %{{.*}} : index
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// RUN: stof-opt --stof-raise %s | FileCheck %s

/// Every function masks the scores in its own way; what the mask keeps, and what
/// becomes of a fully masked row, is recovered.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#key = affine_map<(b, h, q, k) -> (b, k)>
#batch = affine_map<(b, h, q, k) -> (b)>

// CHECK-LABEL: func @causal_select
func.func @causal_select(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %keep = arith.cmpi sle, %j, %i : index
    %x = arith.select %keep, %score, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: %[[M:.*]] = stof.mask {
  // CHECK: ^bb0(%{{.*}}, %{{.*}}, %[[I:.*]]: index, %[[J:.*]]: index):
  // CHECK:   %[[KEEP:.*]] = arith.cmpi sle, %[[J]], %[[I]] : index
  // CHECK:   stof.yield %[[KEEP]]
  // CHECK: stof.attention {{.*}} mask(%[[M]] : !stof.mask<8x8>) outs(%{{.*}} : tensor<2x3x8x4xf32>) -> tensor
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @integers_of_64_bits_and_a_distance
func.func @integers_of_64_bits_and_a_distance(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %c2 = arith.constant 2 : i64
    %d = arith.subi %i64, %j64 : i64
    %a = math.absi %d : i64
    %far = arith.cmpi sgt, %a, %c2 : i64
    %bias = arith.select %far, %none, %zero : f32
    %x = arith.addf %score, %bias : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {
  // CHECK:   arith.subi %{{.*}}, %{{.*}} : index
  // CHECK:   math.absi
  // CHECK:   arith.cmpi sle
  // CHECK: stof.attention
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @floor_division_in_floats
func.func @floor_division_in_floats(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %c4 = arith.constant 4.0 : f64
    %if = arith.sitofp %i64 : i64 to f64
    %jf = arith.sitofp %j64 : i64 to f64
    %iq = arith.divf %if, %c4 : f64
    %jq = arith.divf %jf, %c4 : f64
    %il = math.floor %iq : f64
    %jl = math.floor %jq : f64
    %ib = arith.fptosi %il : f64 to i64
    %jb = arith.fptosi %jl : f64 to i64
    %keep = arith.cmpi eq, %ib, %jb : i64
    %x = arith.select %keep, %score, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {
  // CHECK-NOT: f64
  // CHECK:   arith.floordivsi
  // CHECK:   arith.floordivsi
  // CHECK:   arith.cmpi eq
  // CHECK: stof.attention
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @floor_modulo_by_select
func.func @floor_modulo_by_select(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %c3 = arith.constant 3 : i64
    %c0 = arith.constant 0 : i64
    %d = arith.subi %i64, %j64 : i64
    %r = arith.remsi %d, %c3 : i64
    %odd = arith.cmpi ne, %r, %c0 : i64
    %low = arith.cmpi slt, %r, %c0 : i64
    %fix = arith.andi %odd, %low : i1
    %up = arith.addi %r, %c3 : i64
    %m = arith.select %fix, %up, %r : i64
    %keep = arith.cmpi eq, %m, %c0 : i64
    %x = arith.select %keep, %score, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {
  // CHECK-NOT: arith.remsi
  // CHECK:   arith.floordivsi
  // CHECK:   arith.cmpi eq
  // CHECK: stof.attention
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @table_of_constants
func.func @table_of_constants(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %table = arith.constant dense<[0, 1, 0, 2, 1, 0, 1, 2]> : tensor<8xi8>
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %ti = tensor.extract %table[%i] : tensor<8xi8>
    %tj = tensor.extract %table[%j] : tensor<8xi8>
    %keep = arith.cmpi eq, %ti, %tj : i8
    %x = arith.select %keep, %score, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask captures(%{{.*}} : tensor<8xi8>)
  // CHECK:   arith.cmpi eq, %{{.*}} : i8
  // CHECK: stof.attention {{.*}} outs(%{{.*}} : tensor<2x3x8x4xf32>) -> tensor
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @padding_added_ten_thousand
func.func @padding_added_ten_thousand(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi64>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1.0 : f32
    %large = arith.constant -1.0e4 : f32
    %word = tensor.extract %pad[%b, %j] : tensor<2x8xi64>
    %keep = arith.cmpi ne, %word, %c0 : i64
    %one = arith.uitofp %keep : i1 to f32
    %off = arith.subf %c1, %one : f32
    %bias = arith.mulf %off, %large : f32
    %x = arith.addf %score, %bias : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask captures(%{{.*}} : tensor<2x8xi64>)
  // CHECK: stof.attention {{.*}} empty_rows(unmasked)
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @padding_filled_minimum
func.func @padding_filled_minimum(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %large = arith.constant -3.40282347E+38 : f32
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %x = arith.select %keep, %score, %large : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask captures(%{{.*}} : tensor<2x8xi1>)
  // CHECK: stof.attention {{.*}} empty_rows(mean)
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @padding_infinite
func.func @padding_infinite(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %causal = arith.cmpi sle, %j, %i : index
    %y = arith.select %keep, %score, %none : f32
    %x = arith.select %causal, %y, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask captures
  // CHECK:   arith.andi
  // CHECK: stof.attention {{.*}} empty_rows(nan)
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @multiplied_by_the_mask
func.func @multiplied_by_the_mask(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %causal = arith.cmpi sle, %j, %i : index
    %c1 = arith.constant 1.0 : f32
    %large = arith.constant 1.0e+9 : f32
    %one = arith.uitofp %causal : i1 to f32
    %y = arith.mulf %score, %one : f32
    %off = arith.subf %c1, %one : f32
    %low = arith.mulf %off, %large : f32
    %x = arith.subf %y, %low : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {
  // CHECK:   arith.cmpi sle
  // CHECK: stof.attention
  // CHECK-NOT: score
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @bias_stays_a_score
func.func @bias_stays_a_score(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %bias: tensor<3x8x8xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %w = tensor.extract %bias[%h, %i, %j] : tensor<3x8x8xf32>
    %causal = arith.cmpi sle, %j, %i : index
    %y = arith.addf %score, %w : f32
    %x = arith.select %causal, %y, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {
  // CHECK: stof.attention {{.*}} captures(%{{.*}} : tensor<3x8x8xf32>) outs({{.*}}) score {
  // CHECK: ^bb0(%[[S:.*]]: f32, %{{.*}}: index, %[[H:.*]]: index, %[[I:.*]]: index, %[[J:.*]]: index, %[[B:.*]]: tensor<3x8x8xf32>):
  // CHECK:   %[[W:.*]] = tensor.extract %[[B]][%[[H]], %[[I]], %[[J]]]
  // CHECK:   arith.addf %[[W]], %[[S]]
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @soft_cap_under_the_mask
func.func @soft_cap_under_the_mask(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %cap = arith.constant 50.0 : f32
    %d = arith.divf %score, %cap : f32
    %t = math.tanh %d : f32
    %y = arith.mulf %t, %cap : f32
    %causal = arith.cmpi sle, %j, %i : index
    %x = arith.select %causal, %y, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.attention {{.*}} scale 2.000000e-02 score {
  // CHECK:   math.tanh
  // CHECK:   arith.mulf
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @mask_of_floats
func.func @mask_of_floats(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %keep: tensor<2x8xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #key, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %keep : tensor<2x3x8x8xf32>, tensor<2x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %kept: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %low = arith.constant -1.0e+09 : f32
    %dropped = arith.subf %one, %kept : f32
    %bias = arith.mulf %dropped, %low : f32
    %x = arith.addf %score, %bias : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  /// The one stays with the mask: a billion of its own would take the score with it.
  // CHECK: stof.attention {{.*}} score {
  // CHECK:   %[[KEPT:.*]] = tensor.extract
  // CHECK:   %[[DROPPED:.*]] = arith.subf %{{.*}}, %[[KEPT]]
  // CHECK:   %[[BIAS:.*]] = arith.mulf %[[DROPPED]], %{{.*}}
  // CHECK:   arith.addf
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @comparison_of_truth_values
func.func @comparison_of_truth_values(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %none = arith.constant 0xFF800000 : f32
    %false = arith.constant false
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %early = arith.cmpi sle, %j, %i : index
    %keep = arith.cmpi slt, %early, %false : i1
    %x = arith.select %keep, %score, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {
  // CHECK:   %[[KEEP:.*]] = arith.cmpi sle
  // CHECK:   stof.yield %[[KEEP]]
  // CHECK: stof.attention
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// CHECK-LABEL: func @rows_set_to_zero
func.func @rows_set_to_zero(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %length: tensor<2xi32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w = linalg.generic {indexing_maps = [#id, #batch, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %length : tensor<2x3x8x8xf32>, tensor<2xi32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %end: i32, %out: f32):
    %i = linalg.index 2 : index
    %i32 = arith.index_cast %i : index to i32
    %used = arith.cmpi slt, %i32, %end : i32
    %x = arith.select %used, %in, %zero : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask {{.*}} {
  // CHECK: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[I:.*]]: index, %{{.*}}: index
  // CHECK:   %[[KEEP:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : index
  // CHECK:   stof.yield %[[KEEP]]
  // CHECK: stof.attention
  // CHECK-NOT: empty_rows
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%w, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// A row of few keys is guarded as one of many is: its weights are zero where
/// all of its scores are minus infinity.

// CHECK-LABEL: func @few_keys_guarded
func.func @few_keys_guarded(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>,
                            %documents: tensor<2x8xi64>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %yes = arith.constant true
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(b, h, q, k) -> (b, q)>, #key, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %documents, %documents : tensor<2x3x8x8xf32>, tensor<2x8xi64>, tensor<2x8xi64>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %own: i64, %other: i64, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %before = arith.cmpi sle, %j, %i : index
    %same = arith.cmpi eq, %own, %other : i64
    %keep = arith.andi %before, %same : i1
    %bias = arith.select %keep, %zero, %none : f32
    %x = arith.addf %score, %bias : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %dropped_init = tensor.empty() : tensor<2x3x8xi1>
  %dropped_all = linalg.fill ins(%yes : i1) outs(%dropped_init : tensor<2x3x8xi1>) -> tensor<2x3x8xi1>
  %dropped = linalg.generic {indexing_maps = [#id, affine_map<(b, h, q, k) -> (b, h, q)>],
                             iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<2x3x8x8xf32>) outs(%dropped_all : tensor<2x3x8xi1>) {
  ^bb0(%x: f32, %all: i1):
    %is = arith.cmpf oeq, %x, %none : f32
    %and = arith.andi %is, %all : i1
    linalg.yield %and : i1
  } -> tensor<2x3x8xi1>
  %w = linalg.generic {indexing_maps = [affine_map<(b, h, q, k) -> (b, h, q)>, #id, #id],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%dropped, %p : tensor<2x3x8xi1>, tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%all: i1, %weight: f32, %out: f32):
    %x = arith.select %all, %zero, %weight : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: %[[M:.*]] = stof.mask
  // CHECK: stof.attention {{.*}} mask(%[[M]] : !stof.mask<8x8>) outs(%{{.*}} : tensor<2x3x8x4xf32>) -> tensor
  // CHECK-NOT: arith.cmpf
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%w, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// A decoder fills in the lowest number for later keys and adds it for padding. Twice
/// it is minus infinity, so a fully masked row is the mean of the keys with one mask.

// CHECK-LABEL: func @lowest_added_twice
func.func @lowest_added_twice(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
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
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %causal = arith.select %early, %score, %lowest : f32
    %added = arith.select %keep, %zero, %lowest : f32
    %x = arith.addf %causal, %added : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: %[[M:.*]] = stof.mask captures(%{{.*}} : tensor<2x8xi1>) {
  // CHECK:   arith.andi
  // CHECK: %[[ONE:.*]] = stof.mask captures(%{{.*}} : tensor<2x8xi1>) {
  // CHECK:   arith.ori
  // CHECK: stof.attention {{.*}} mask(%[[M]] : !stof.mask<8x8>) {{.*}} empty_rows(mean over %[[ONE]] : !stof.mask<8x8>)
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// If the number of what has both masks is added, later keys have it twice, and the
/// mean is over the others.

// CHECK-LABEL: func @lowest_added_where_filled
func.func @lowest_added_where_filled(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
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
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %causal = arith.select %early, %score, %lowest : f32
    %live = arith.andi %early, %keep : i1
    %added = arith.select %live, %zero, %lowest : f32
    %x = arith.addf %causal, %added : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.mask captures(%{{.*}} : tensor<2x8xi1>) {
  // CHECK: %[[EARLY:.*]] = stof.mask {
  // CHECK:   %[[KEEP:.*]] = arith.cmpi sle
  // CHECK:   stof.yield %[[KEEP]]
  // CHECK: stof.attention {{.*}} empty_rows(mean over %[[EARLY]] : !stof.mask<8x8>)
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// The lowest number of f16 leaves the scores.

// CHECK-LABEL: func @lowest_f16_added_where_filled
func.func @lowest_f16_added_where_filled(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
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
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %low = arith.constant -6.5504E+4 : f16
    %none = arith.constant 0.0 : f16
    %causal = arith.select %early, %score, %lowest : f32
    %live = arith.andi %early, %keep : i1
    %narrow = arith.select %live, %none, %low : f16
    %added = arith.extf %narrow : f16 to f32
    %x = arith.addf %causal, %added : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: %[[EARLY:.*]] = stof.mask {
  // CHECK: stof.attention {{.*}} empty_rows(unmasked over %[[EARLY]] : !stof.mask<8x8>)
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// The lowest number of bf16 absorbs the scores, but is greater than that of f32: the
/// mean is over the window, whatever is before it.

// CHECK-LABEL: func @lowest_bf16_added_in_a_window
func.func @lowest_bf16_added_in_a_window(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
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
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %low = arith.constant -3.3895E+38 : bf16
    %none = arith.constant 0.0 : bf16
    %c2 = arith.constant 2 : index
    %first = arith.subi %i, %c2 : index
    %late = arith.cmpi sgt, %j, %first : index
    %window = arith.andi %early, %late : i1
    %causal = arith.select %window, %score, %lowest : f32
    %live = arith.andi %early, %keep : i1
    %narrow = arith.select %live, %none, %low : bf16
    %added = arith.extf %narrow : bf16 to f32
    %x = arith.addf %causal, %added : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: %[[WINDOW:.*]] = stof.mask {
  // CHECK:   arith.andi
  // CHECK: stof.attention {{.*}} empty_rows(mean over %[[WINDOW]] : !stof.mask<8x8>)
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

/// A function of a constant and a position is as typical a number as a score.

// CHECK-LABEL: func @slopes_computed
func.func @slopes_computed(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
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
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %base = arith.constant 5.0E-1 : f32
    %j32 = arith.index_cast %j : index to i32
    %f = arith.sitofp %j32 : i32 to f32
    %slope = math.powf %base, %f : f32
    %biased = arith.addf %score, %slope : f32
    %live = arith.andi %early, %keep : i1
    %added = arith.select %live, %zero, %lowest : f32
    %x = arith.addf %biased, %added : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%m : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: stof.attention {{.*}} empty_rows(mean) score {
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

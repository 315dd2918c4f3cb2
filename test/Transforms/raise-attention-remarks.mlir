// RUN: stof-opt --stof-raise --remarks-filter="stof.*" --split-input-file %s -o /dev/null 2>&1 | FileCheck %s
// RUN: stof-opt --stof-raise="score-bound=20000" --remarks-filter="stof.*" --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WIDE

/// A large number is a mask by the assumed bound of scores; under a wider bound it
/// stays in the score, and a remark says so.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>

func.func @added_ten_thousand(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %pad: tensor<2x8xi1>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
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
    %large = arith.constant -1.0e4 : f32
    %keep = tensor.extract %pad[%b, %j] : tensor<2x8xi1>
    %bias = arith.select %keep, %zero, %large : f32
    %x = arith.addf %score, %bias : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: remark: [Passed] RaisedAttention | Category:stof-raise-attention | EmptyRows=unmasked, Group=1, Heads=3, Mask=argument, Roundings=none
  // CHECK: remark: [Analysis] FiniteMask | {{.*}}-10000 added is a mask{{.*}}score in [-4096, 4096], by the assumed bound of scores
  // WIDE: remark: [Passed] RaisedAttention | {{.*}}Mask=none
  // WIDE: remark: [Missed] FiniteMask | {{.*}}-10000 stays in the score
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// A soft cap proves the bound, whatever is assumed.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>

func.func @capped(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
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
    %large = arith.constant -1.0e4 : f32
    %d = arith.divf %score, %cap : f32
    %t = math.tanh %d : f32
    %y = arith.mulf %t, %cap : f32
    %causal = arith.cmpi sle, %j, %i : index
    %x = arith.select %causal, %y, %large : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: remark: [Passed] RaisedAttention | {{.*}}Mask="closed predicate"
  // CHECK: remark: [Analysis] FiniteMask | {{.*}}-10000 filled in is a mask{{.*}}score in [-50, 50], as the score is computed
  // WIDE: remark: [Analysis] FiniteMask | {{.*}}score in [-50, 50]
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// A number in place of a bias is a mask where every row has a key.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>

func.func @bias_replaced(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%score: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %large = arith.constant -1.0e4 : f32
    %j32 = arith.index_cast %j : index to i32
    %f = arith.sitofp %j32 : i32 to f32
    %keep = arith.cmpi sle, %j, %i : index
    %bias = arith.select %keep, %f, %large : f32
    %x = arith.addf %score, %bias : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: remark: [Passed] RaisedAttention | {{.*}}EmptyRows=zero, {{.*}}Mask="closed predicate"
  // CHECK: remark: [Analysis] FiniteMask | {{.*}}-5904 at most is a mask
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// Two finite masks: no row is without a key, as the table tells that is captured.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>

func.func @lowest_added_twice(%q: tensor<2x3x3x4xf32>, %k: tensor<2x3x3x4xf32>, %v: tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %table = arith.constant dense<[[true, false, true], [true, false, true], [false, true, true]]> : tensor<3x3xi1>
  %s_init = tensor.empty() : tensor<2x3x3x3xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x3x4xf32>, tensor<2x3x3x4xf32>) outs(%s_zero : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x3x3xf32>) outs(%s_init : tensor<2x3x3x3xf32>) {
  ^bb0(%score: f32, %out: f32):
    %lowest = arith.constant -3.40282347E+38 : f32
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %early = arith.cmpi sle, %j, %i : index
    %causal = arith.select %early, %score, %lowest : f32
    %keep = tensor.extract %table[%i, %j] : tensor<3x3xi1>
    %added = arith.select %keep, %zero, %lowest : f32
    %x = arith.addf %causal, %added : f32
    linalg.yield %x : f32
  } -> tensor<2x3x3x3xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x3x3xf32>) outs(%s_init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  %o_init = tensor.empty() : tensor<2x3x3x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32>
  // CHECK: remark: [Passed] RaisedAttention | {{.*}}EmptyRows=zero, {{.*}}Mask="captured tensor"
  // CHECK-NOT: remark: [Analysis] EmptyRows
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x3x3xf32>, tensor<2x3x3x4xf32>) outs(%o_zero : tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32>
  return %o : tensor<2x3x3x4xf32>
}

// -----

/// Two finite masks: a fully masked row is over the keys with one of them.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>

func.func @lowest_added_twice_to_data(%q: tensor<2x3x3x4xf32>, %k: tensor<2x3x3x4xf32>, %v: tensor<2x3x3x4xf32>, %pad: tensor<3xi1>) -> tensor<2x3x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x3x3xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x3x4xf32>, tensor<2x3x3x4xf32>) outs(%s_zero : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x3x3xf32>) outs(%s_init : tensor<2x3x3x3xf32>) {
  ^bb0(%score: f32, %out: f32):
    %lowest = arith.constant -3.40282347E+38 : f32
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %early = arith.cmpi sle, %j, %i : index
    %causal = arith.select %early, %score, %lowest : f32
    %keep = tensor.extract %pad[%j] : tensor<3xi1>
    %added = arith.select %keep, %zero, %lowest : f32
    %x = arith.addf %causal, %added : f32
    linalg.yield %x : f32
  } -> tensor<2x3x3x3xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x3x3xf32>) outs(%s_init : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  %o_init = tensor.empty() : tensor<2x3x3x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32>
  // CHECK: remark: [Passed] RaisedAttention | {{.*}}EmptyRows=mean, {{.*}}Mask=argument
  // CHECK: remark: [Analysis] EmptyRows | {{.*}}a fully masked row is over the keys of a second mask, those that several masks lower least
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x3x3xf32>, tensor<2x3x3x4xf32>) outs(%o_zero : tensor<2x3x3x4xf32>) -> tensor<2x3x3x4xf32>
  return %o : tensor<2x3x3x4xf32>
}

// -----

/// A table of constants is a captured tensor.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>

func.func @table(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %table = arith.constant dense_resource<bits> : tensor<8x8xi1>
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
    %keep = tensor.extract %table[%i, %j] : tensor<8x8xi1>
    %x = arith.select %keep, %score, %none : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: remark: [Passed] RaisedAttention | {{.*}}EmptyRows=nan, {{.*}}Mask="captured tensor"
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      bits: "0x0100000001010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101010101"
    }
  }
#-}

// RUN: stof-opt %s --stof-assert-sizes --split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-assert-sizes --split-input-file --remarks-filter-missed=stof-assert-sizes -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

/// Two inputs of one size: asserted once, and only of the sizes that are not
/// known to agree.

// CHECK-LABEL: func @elementwise(
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>)
// CHECK: %[[N:.*]] = tensor.dim %[[B]], %{{.*}}
// CHECK: %[[M:.*]] = tensor.dim %[[A]], %{{.*}}
// CHECK: %[[HOLDS:.*]] = arith.cmpi eq, %[[N]], %[[M]]
// CHECK: cf.assert %[[HOLDS]], "expects arg1 dimension 0 to be arg0 dimension 0 (linalg.add at assert-sizes.mlir:{{[0-9]+}}:8)"
// CHECK-NOT: cf.assert
func.func @elementwise(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %0 = linalg.add ins(%a, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = linalg.mul ins(%0, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = arith.addf %1, %a : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// -----

/// What the source asserts is not asserted again.

// CHECK-LABEL: func @known
// CHECK-COUNT-1: cf.assert
// CHECK-NOT: cf.assert
func.func @known(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "the lengths differ"
  %0 = arith.mulf %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

/// Sizes of what lies between are expressions of the inputs' sizes.

// CHECK-LABEL: func @products
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 0 to be arg0 dimension 0 * arg0 dimension 1 (linalg.matmul at
// CHECK-NOT: cf.assert
func.func @products(%x: tensor<?x?x8xf32>, %w: tensor<?x4xf32>) -> tensor<8x4xf32> {
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %rows, %c0 : tensor<?x8xf32>
  %t = tensor.empty(%n) : tensor<8x?xf32>
  %turned = linalg.transpose ins(%rows : tensor<?x8xf32>) outs(%t : tensor<8x?xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<8x4xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = linalg.matmul ins(%turned, %w : tensor<8x?xf32>, tensor<?x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

/// A window lies inside what it is moved over: for the sizes that a convolution
/// computes there is nothing to assert.

// CHECK-LABEL: func @computed_window
// CHECK-NOT: cf.assert
func.func @computed_window(%x: tensor<2x3x?xf32>, %k: tensor<4x3x3xf32>) -> tensor<2x4x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c-1 = arith.constant -1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c2 : tensor<2x3x?xf32>
  %padded = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x?xf32> to tensor<2x3x?xf32>
  %less = arith.addi %n, %c-1 : index
  %half = arith.floordivsi %less, %c2 : index
  %m = arith.addi %half, %c1 : index
  %e = tensor.empty(%m) : tensor<2x4x?xf32>
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>}
      ins(%padded, %k : tensor<2x3x?xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  return %0 : tensor<2x4x?xf32>
}

// -----

// CHECK-LABEL: func @given_window
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 2 + arg2 dimension 2 - 1 to be at most arg0 dimension 2 (linalg.conv_1d_ncw_fcw at
// CHECK-NOT: cf.assert
func.func @given_window(%x: tensor<2x3x?xf32>, %k: tensor<4x3x?xf32>, %o: tensor<2x4x?xf32>) -> tensor<2x4x?xf32> {
  %0 = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %k : tensor<2x3x?xf32>, tensor<4x3x?xf32>) outs(%o : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  return %0 : tensor<2x4x?xf32>
}

// -----

// CHECK-LABEL: func @attention
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 0 to be arg0 dimension 0 (stof.attention at
// CHECK: cf.assert %{{.*}}, "expects arg2 dimension 2 to be arg1 dimension 2 (stof.attention at
// CHECK: cf.assert %{{.*}}, "expects arg3 dimension 2 to be arg0 dimension 2 (stof.attention at
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 2 to be at most 536870912 (stof.attention at
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 2 to be at most 536870912 (stof.attention at
// CHECK: arith.remui
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 1 to be a multiple of 4 (stof.attention at
// CHECK-NOT: cf.assert
func.func @attention(%q: tensor<?x?x?x64xf16>, %k: tensor<?x4x?x64xf16>, %v: tensor<?x4x?x64xf16>,
                     %init: tensor<?x?x?x64xf16>) -> tensor<?x?x?x64xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x?x64xf16>
  %h = tensor.dim %q, %c1 : tensor<?x?x?x64xf16>
  %bv = tensor.dim %v, %c0 : tensor<?x4x?x64xf16>
  %bo = tensor.dim %init, %c0 : tensor<?x?x?x64xf16>
  %ho = tensor.dim %init, %c1 : tensor<?x?x?x64xf16>
  %0 = arith.cmpi eq, %b, %bv : index
  %1 = arith.cmpi eq, %b, %bo : index
  %2 = arith.cmpi eq, %h, %ho : index
  %3 = arith.andi %1, %2 : i1
  cf.assert %0, "batches"
  cf.assert %3, "results"
  %out = stof.attention ins(%q, %k, %v : tensor<?x?x?x64xf16>, tensor<?x4x?x64xf16>, tensor<?x4x?x64xf16>)
      outs(%init : tensor<?x?x?x64xf16>) scale 0.125 -> tensor<?x?x?x64xf16>
  return %out : tensor<?x?x?x64xf16>
}

// -----

/// What a mask and a score read at coordinates exists for all of them.

// CHECK-LABEL: func @captured
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 2 to be at most arg3 dimension 0 (stof.attention at
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 2 to be at most arg2 dimension 0 (stof.attention at
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 2 to be at most arg2 dimension 0 (stof.attention at
// CHECK-NOT: cf.assert
func.func @captured(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>, %documents: tensor<?xi32>, %biases: tensor<?xf32>)
    -> tensor<1x2x?x16xf32> {
  %m = stof.mask captures(%documents : tensor<?xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %documents_: tensor<?xi32>):
    %own = tensor.extract %documents_[%i] : tensor<?xi32>
    %other = tensor.extract %documents_[%j] : tensor<?xi32>
    %same = arith.cmpi eq, %own, %other : i32
    stof.yield %same : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %k, %k : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>)
      mask(%m : !stof.mask<?x?>) captures(%biases : tensor<?xf32>) outs(%q : tensor<1x2x?x16xf32>) scale 0.25
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %biases_: tensor<?xf32>):
        %bias = tensor.extract %biases_[%i] : tensor<?xf32>
        %biased = arith.addf %s, %bias : f32
        stof.yield %biased : f32
      } -> tensor<1x2x?x16xf32>
  return %o : tensor<1x2x?x16xf32>
}

// -----

// CHECK-LABEL: func @scatter
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 0 to be arg0 dimension 0 (stof.scatter at
// CHECK-NOT: cf.assert
func.func @scatter(%u: tensor<?x4xf32>, %i: tensor<?xi64>, %x: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %0 = stof.scatter %u at(%i : tensor<?xi64>) into %x
      maps [affine_map<(n, k) -> (n)>] position affine_map<(n, k)[s] -> (s, k)> {
  ^bb0(%update: f32, %old: f32):
    stof.yield %update : f32
  } : tensor<?x4xf32>, tensor<16x4xf32> -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// -----

/// Slices, views, casts and concatenations.

// CHECK-LABEL: func @tensors
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 0 to be at least 4 (tensor.extract_slice at
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 0 to be at most arg2 dimension 0 (tensor.insert_slice at
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 1 to be arg0 dimension 1 (tensor.insert_slice at
// CHECK: cf.assert %{{.*}}, "expects arg2 dimension 1 to be arg0 dimension 1 (tensor.concat at
// CHECK: cf.assert %{{.*}}, "expects arg3 dimension 0 to be arg3 dimension 1 * 8 (tensor.expand_shape at
// CHECK: cf.assert %{{.*}}, "expects arg3 dimension 1 to be 3 (tensor.cast at
// CHECK-NOT: cf.assert
func.func @tensors(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>, %d: tensor<?x?xf32>)
    -> (tensor<4x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<8x?x?xf32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %b, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %l = tensor.dim %d, %c1 : tensor<?x?xf32>
  %0 = tensor.extract_slice %a[0, 0] [4, %m] [1, 1] : tensor<?x?xf32> to tensor<4x?xf32>
  %1 = tensor.insert_slice %b into %c[0, 0] [%n, %m] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  %2 = tensor.concat dim(0) %a, %c : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = tensor.expand_shape %d [[0, 1], [2]] output_shape [8, %l, %l] : tensor<?x?xf32> into tensor<8x?x?xf32>
  %4 = tensor.cast %d : tensor<?x?xf32> to tensor<?x3xf32>
  return %0, %1, %2, %3, %4 : tensor<4x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<8x?x?xf32>, tensor<?x3xf32>
}

// -----

/// The minimum of a length and a limit lies inside both.

// CHECK-LABEL: func @limited
// CHECK-NOT: cf.assert
func.func @limited(%x: tensor<?xf32>, %table: tensor<512xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.minsi %n, %c512 : index
  %0 = tensor.extract_slice %table[0] [%m] [1] : tensor<512xf32> to tensor<?xf32>
  %1 = tensor.extract_slice %x[0] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

/// A body reads elements where the indices of loops say; of a size of 1 the first
/// is read for all. Where data say, there is an element to read.

// CHECK-LABEL: func @elements
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 0 + 2 to be at most arg1 dimension 0 (linalg.generic at
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 0 to be at most arg2 dimension 0 where 1 - (arg2 dimension 0 <= 1) * (1 <= arg2 dimension 0) (linalg.generic at
// CHECK: cf.assert %{{.*}}, "expects arg2 dimension 0 to be at least 1 where 1 <= arg0 dimension 0 (linalg.generic at
// CHECK-NOT: cf.assert
func.func @elements(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>, %at: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = tensor.dim %z, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %behind = arith.addi %i, %c2 : index
    %b = tensor.extract %y[%behind] : tensor<?xf32>
    %isOne = arith.cmpi eq, %m, %c1 : index
    %all = arith.select %isOne, %c0, %i : index
    %c = tensor.extract %z[%all] : tensor<?xf32>
    %k = arith.fptosi %a : f32 to i64
    %data = arith.index_cast %k : i64 to index
    %d = tensor.extract %z[%data] : tensor<?xf32>
    %s = arith.addf %b, %c : f32
    %t = arith.addf %s, %d : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

/// Positions that another body has counted end where a table does.

// CHECK-LABEL: func @positions
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 0 to be at most 256 (linalg.generic at
// CHECK-NOT: cf.assert
func.func @positions(%x: tensor<?xi64>, %table: tensor<256xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %c256 = arith.constant 256 : i64
  %n = tensor.dim %x, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xi64>
  %range = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    linalg.yield %p : i64
  } -> tensor<?xi64>
  %r = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%range : tensor<?xi64>) outs(%r : tensor<?xf32>) {
  ^bb0(%p: i64, %out: f32):
    %isNegative = arith.cmpi slt, %p, %zero : i64
    %behind = arith.addi %p, %c256 : i64
    %wrapped = arith.select %isNegative, %behind, %p : i64
    %at = arith.index_cast %wrapped : i64 to index
    %v = tensor.extract %table[%at] : tensor<256xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

/// What is not reached is not asked for: of positions that are longer than the
/// table a part is read, or their differences.

// CHECK-LABEL: func @parts
// CHECK-NOT: cf.assert
func.func @parts(%x: tensor<16xi64>, %table: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %e = tensor.empty() : tensor<64xi64>
  %range = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<64xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    linalg.yield %p : i64
  } -> tensor<64xi64>
  %some = tensor.extract_slice %range[0] [16] [1] : tensor<64xi64> to tensor<16xi64>
  %r = tensor.empty() : tensor<16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%some : tensor<16xi64>) outs(%r : tensor<16xf32>) {
  ^bb0(%p: i64, %out: f32):
    %at = arith.index_cast %p : i64 to index
    %v = tensor.extract %table[%at] : tensor<16xf32>
    linalg.yield %v : f32
  } -> tensor<16xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%r : tensor<16xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 0 : index
    %d = arith.subi %i, %j : index
    %v = tensor.extract %table[%d] : tensor<16xf32>
    linalg.yield %v : f32
  } -> tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}

// -----

/// A size that an exporter computes from all others is what it says where there
/// are others.

// CHECK-LABEL: func @inferred
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 0 * 8 to be at least 1 (arith.divsi at
// CHECK-NOT: cf.assert
func.func @inferred(%x: tensor<?x?x8xf32>) -> tensor<?x?x2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %two = arith.constant 2 : i64
  %four = arith.constant 4 : i64
  %b = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x8xf32>
  %bs = arith.muli %b, %s : index
  %all = arith.muli %bs, %c8 : index
  %known = arith.muli %b, %c8 : index
  %rest = arith.divsi %all, %known : index
  %batch = arith.index_cast %b : index to i64
  %length = arith.index_cast %rest : index to i64
  %shape = tensor.from_elements %batch, %length, %two, %four : tensor<4xi64>
  %0 = tensor.reshape %x(%shape) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
  return %0 : tensor<?x?x2x4xf32>
}

// -----

/// A size that another is divided by is not zero.

// CHECK-LABEL: func @divided
// CHECK: cf.assert %{{.*}}, "expects arg0 dimension 0 * 2 to be at least 1 (arith.divsi at
// CHECK-NOT: cf.assert
func.func @divided(%x: tensor<?x8xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %twice = arith.muli %n, %c2 : index
  %part = arith.divsi %c64, %twice : index
  %half = arith.divsi %n, %c2 : index
  %sum = arith.addi %part, %half : index
  return %sum : index
}

// -----

/// A quotient that is rounded stays one.

// CHECK-LABEL: func @rounded
// CHECK: arith.ceildivsi
// CHECK: cf.assert %{{.*}}, "expects arg1 dimension 0 to be ceildiv(arg0 dimension 0, 2) (linalg.exp at
func.func @rounded(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %more = arith.addi %n, %c1 : index
  %half = arith.divsi %more, %c2 : index
  %e = tensor.empty(%half) : tensor<?xf32>
  %0 = linalg.exp ins(%y : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

/// A read whose number depends on data is checked where it is.

// CHECK-LABEL: func @as_many_as_data_says
// CHECK-NOT: cf.assert
// REMARK: SizesNotChecked {{.*}}a size depends on more than the sizes of inputs
func.func @as_many_as_data_says(%x: tensor<?xf32>, %ix: tensor<4xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.extract %ix[%c0] : tensor<4xindex>
  %e = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%o: f32):
    %k = tensor.extract %ix[%c0] : tensor<4xindex>
    %r = tensor.extract %x[%k] : tensor<?xf32>
    linalg.yield %r : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

/// Sizes that depend on data, or on a condition, are not asserted.

// CHECK-LABEL: func @data
// CHECK-NOT: cf.assert
// REMARK: SizesNotChecked {{.*}}a size depends on more than the sizes of inputs
// REMARK: SizesNotChecked {{.*}}whether it is computed depends on more than the sizes of inputs
func.func @data(%x: tensor<8xf32>, %y: tensor<?xf32>, %at: tensor<i64>, %init: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %n = tensor.extract %at[] : tensor<i64>
  %size = arith.index_cast %n : i64 to index
  %0 = tensor.extract_slice %x[0] [%size] [1] : tensor<8xf32> to tensor<?xf32>
  %zero = arith.constant 0 : i64
  %some = arith.cmpi sgt, %n, %zero : i64
  %1 = scf.if %some -> tensor<?xf32> {
    %2 = linalg.exp ins(%y : tensor<?xf32>) outs(%init : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  } else {
    scf.yield %init : tensor<?xf32>
  }
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

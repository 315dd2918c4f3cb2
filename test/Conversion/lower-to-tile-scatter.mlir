// RUN: stof-opt %s --stof-lower-to-tile -canonicalize -cse -split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-lower-to-tile -split-input-file --remarks-filter=stof-bufferize-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// An argument that the caller keeps is copied to where the result is wanted, and updated there. A thread writes an update.

// REMARK: remark: [Missed] CopiedOriginal | Category:stof-bufferize-kernels | Reason="argument 2 is not donated by the caller"

// CHECK-LABEL: func @kept
// CHECK-SAME: (%[[U:.*]]: memref<3x40xf32>, %[[I:.*]]: memref<3xi64>, %[[X:.*]]: memref<9x40xf32>, %[[Y:.*]]: memref<9x40xf32>)
// CHECK: gpu.launch_func @kept_kernels::@kept_0_copy
// CHECK: gpu.launch_func @kept_kernels::@kept_1_scatter blocks in (%c1, %c1, %c1) {{.*}}args(%[[U]] : memref<3x40xf32>, %[[I]] : memref<3xi64>, %[[Y]] : memref<9x40xf32>)
// CHECK: gpu.func @kept_1_scatter(%[[KU:.*]]: memref<3x40xf32>, %[[KI:.*]]: memref<3xi64>, %[[KY:.*]]: memref<9x40xf32>)
// CHECK-SAME: stof.schedule = {elements = 128 : i64, kernel = "scatter", owners = 1 : i64, warps = 4 : i64}
// CHECK: tile.visit [128] as
// CHECK:   %[[EXISTS:.*]] = arith.cmpi ult, %[[N:.*]], %c120
// CHECK:   scf.if %[[EXISTS]] {
// CHECK:     %[[K:.*]] = arith.remui %[[N]], %c40
// CHECK:     %[[LOADED:.*]] = memref.load %[[KI]]
// CHECK:     %[[ROW:.*]] = arith.index_cast %[[LOADED]]
// CHECK:     %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %c9
// CHECK:     scf.if %[[INSIDE]] {
// CHECK:       %[[NEW:.*]] = memref.load %[[KU]]
// CHECK:       memref.store %[[NEW]], %[[KY]][%[[ROW]], %[[K]]]
#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @kept(%u: tensor<3x40xf32>, %i: tensor<3xi64>, %x: tensor<9x40xf32>) -> tensor<9x40xf32> {
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<3x40xf32>, tensor<9x40xf32> -> tensor<9x40xf32>
  return %y : tensor<9x40xf32>
}

// -----

/// One that is given away is updated where it lies, twice, and read there.

// REMARK: remark: [Passed] UpdatedInPlace | Category:stof-bufferize-kernels | Remark="tensor<9x40xf32> is updated in place"
// REMARK: remark: [Passed] UpdatedInPlace | Category:stof-bufferize-kernels | Remark="tensor<9x40xf32> is updated in place"

// CHECK-LABEL: func @given
// CHECK-SAME: (%[[U:.*]]: memref<3x40xf32>, %[[I:.*]]: memref<3xi64>, %[[X:.*]]: memref<9x40xf32>, %[[SEEN:[^:]*]]: memref<9x40xf32>, %{{[^:]*}}: memref<9x40xf32>)
// CHECK-NOT: copy
// CHECK: gpu.launch_func @given_kernels::@given_0_scatter {{.*}}args(%[[U]] : {{.*}}, %[[I]] : {{.*}}, %[[X]] : memref<9x40xf32>)
// CHECK-NEXT: gpu.launch_func @given_kernels::@given_1_scatter {{.*}}args(%[[U]] : {{.*}}, %[[I]] : {{.*}}, %[[X]] : memref<9x40xf32>)
// CHECK: %[[FX:.*]] = memref.collapse_shape %[[X]]
// CHECK: %[[NEW:.*]] = memref.expand_shape %[[FX]]
// CHECK: gpu.launch_func @given_kernels::@given_2_generic {{.*}}args(%[[NEW]] :
// CHECK-NOT: copy
// CHECK: return
#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
#id = affine_map<(n, k) -> (n, k)>
func.func @given(%u: tensor<3x40xf32>, %i: tensor<3xi64>, %x: tensor<9x40xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<9x40xf32>, tensor<9x40xf32>) {
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<3x40xf32>, tensor<9x40xf32> -> tensor<9x40xf32>
  %z = stof.scatter %u at(%i : tensor<3xi64>) into %y maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    stof.yield %s : f32
  } : tensor<3x40xf32>, tensor<9x40xf32> -> tensor<9x40xf32>
  %g = stof.group ins(%z : tensor<9x40xf32>) {
  ^bb0(%v: tensor<9x40xf32>):
    %e = tensor.empty() : tensor<9x40xf32>
    %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%v : tensor<9x40xf32>) outs(%e : tensor<9x40xf32>) {
    ^bb0(%a: f32, %o: f32):
      %r = arith.negf %a : f32
      linalg.yield %r : f32
    } -> tensor<9x40xf32>
    stof.yield %n : tensor<9x40xf32>
  } -> tensor<9x40xf32>
  return %g, %z : tensor<9x40xf32>, tensor<9x40xf32>
}

// -----

/// What is read afterwards is copied although it was given away, and the result moved in its place at the end.

// REMARK: remark: [Missed] CopiedOriginal | Category:stof-bufferize-kernels | Reason="the original is read afterwards"
// REMARK: remark: [Missed] CopiedResult | Category:stof-bufferize-kernels | Reason="result 0 is not argument 2 updated in place"

// CHECK-LABEL: func @read
// CHECK-SAME: (%{{.*}}, %{{.*}}, %[[X:[^:]*]]: memref<9x40xf32>, %{{[^:]*}}: memref<9x40xf32>, %[[OLD:[^:]*]]: memref<9x40xf32>)
// CHECK: %[[NEW:.*]] = memref.alloc() : memref<9x40xf32>
// CHECK: %[[FX:.*]] = memref.collapse_shape %[[X]]
// CHECK: gpu.launch_func @read_kernels::@read_0_copy {{.*}}args(%[[FX]] :
// CHECK: gpu.launch_func @read_kernels::@read_1_scatter {{.*}}%[[NEW]] : memref<9x40xf32>)
// CHECK: %[[FOLD:.*]] = memref.collapse_shape %[[OLD]]
// CHECK: gpu.launch_func @read_kernels::@read_2_copy {{.*}}args(%[[FX]] : {{.*}}, %[[FOLD]] :
// CHECK: gpu.launch_func @read_kernels::@read_3_copy {{.*}}, %[[FX]] :
#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @read(%u: tensor<3x40xf32>, %i: tensor<3xi64>, %x: tensor<9x40xf32> {tf.aliasing_output = 0 : i32})
    -> (tensor<9x40xf32>, tensor<9x40xf32>) {
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<3x40xf32>, tensor<9x40xf32> -> tensor<9x40xf32>
  return %y, %x : tensor<9x40xf32>, tensor<9x40xf32>
}

// -----

/// Arguments that change places go by way of memory of their own.

// REMARK: remark: [Missed] CopiedResult | Category:stof-bufferize-kernels | Reason="result 0 is not argument 0 updated in place"
// REMARK: remark: [Missed] CopiedResult | Category:stof-bufferize-kernels | Reason="result 1 is not argument 1 updated in place"

// CHECK-LABEL: func @swap
// CHECK-SAME: (%[[A:[^:]*]]: memref<8xf32>, %[[B:[^:]*]]: memref<8xf32>,
// CHECK: %[[B2:.*]] = memref.alloc() : memref<8xf32>
// CHECK: gpu.launch_func {{.*}}args(%[[B]] : memref<8xf32>, %[[B2]] :
// CHECK: %[[A2:.*]] = memref.alloc() : memref<8xf32>
// CHECK: gpu.launch_func {{.*}}args(%[[A]] : memref<8xf32>, %[[A2]] :
// CHECK: gpu.launch_func {{.*}}args(%[[B2]] : memref<8xf32>, %[[A]] :
// CHECK: gpu.launch_func {{.*}}args(%[[A2]] : memref<8xf32>, %[[B]] :
func.func @swap(%a: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<8xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<8xf32>, tensor<8xf32>) {
  return %b, %a : tensor<8xf32>, tensor<8xf32>
}

// -----

/// What the updates or a mask show of the original is asked for when they are used. A constant is never written.

// REMARK: remark: [Missed] CopiedOriginal | Category:stof-bufferize-kernels | Reason="the original is read afterwards"
// REMARK: remark: [Missed] CopiedOriginal | Category:stof-bufferize-kernels | Reason="the original is a constant"

// CHECK-LABEL: func @shown
#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @shown(%i: tensor<8xi64>, %x: tensor<8x4xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %y = stof.scatter %x at(%i : tensor<8xi64>) into %x maps [#row] position #rows {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  %c = arith.constant dense<1.0> : tensor<8x4xf32>
  %z = stof.scatter %y at(%i : tensor<8xi64>) into %c maps [#row] position #rows {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<8x4xf32>, tensor<8x4xf32> -> tensor<8x4xf32>
  return %y, %z : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

/// Updates that may meet are taken in order, by several threads that share them by their places.

// CHECK-LABEL: func @points
// CHECK: gpu.func @points_0_scatter(%[[W:.*]]: memref<?xf32>, %[[R:.*]]: memref<?xi64>, %[[C:.*]]: memref<?xi64>, %[[X:.*]]: memref<5x6xf32>, %[[COUNT:.*]]: index)
// CHECK-SAME: owners = 4
// CHECK: tile.visit [128] as
// CHECK:   arith.cmpi ult, %[[N:.*]], %c4
// CHECK:   scf.if
// CHECK:     scf.for %[[U:.*]] = %c0 to %[[COUNT]] step %c1 {
// CHECK:       %[[OWNER:.*]] = arith.andi %{{.*}}, %c3
// CHECK:       arith.cmpi eq, %[[OWNER]], %[[N]]
// CHECK:       scf.if
// CHECK:         memref.load %[[W]][%[[U]]]
// CHECK:         memref.load %[[X]]
// CHECK:         memref.store
#point = affine_map<(n) -> (n)>
#plane = affine_map<(n)[s, t] -> (s, t)>
func.func @points(%w: tensor<?xf32>, %r: tensor<?xi64>, %c: tensor<?xi64>, %x: tensor<5x6xf32> {tf.aliasing_output = 0 : i32}) -> tensor<5x6xf32> {
  %y = stof.scatter %w at(%r, %c : tensor<?xi64>, tensor<?xi64>) into %x maps [#point, #point] position #plane {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    stof.yield %s : f32
  } : tensor<?xf32>, tensor<5x6xf32> -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// -----

/// What shows another layer may be read after an update of this one; what shows this one may not.

// REMARK: remark: [Passed] UpdatedInPlace | Category:stof-bufferize-kernels | Remark="tensor<2x9x40xf32> is updated in place"
// REMARK: remark: [Passed] UpdatedInPlace | Category:stof-bufferize-kernels | Remark="tensor<2x9x40xf32> is updated in place"
// REMARK: remark: [Missed] CopiedOriginal | Category:stof-bufferize-kernels | Reason="the original is read afterwards"

// CHECK-LABEL: func @layers
// CHECK-SAME: (%{{[^,]*}}, %{{[^,]*}}, %[[X:[^:]*]]: memref<2x9x40xf32>,
// CHECK: gpu.launch_func @layers_kernels::@layers_0_scatter {{.*}}%[[X]] :
// CHECK: gpu.launch_func @layers_kernels::@layers_1_scatter {{.*}}%[[X]] :
// CHECK: gpu.launch_func @layers_kernels::@layers_2_copy
#row = affine_map<(n, k) -> (n)>
#first = affine_map<(n, k)[s] -> (0, s, k)>
#second = affine_map<(n, k)[s] -> (1, s, k)>
#id = affine_map<(i, j) -> (i, j)>
func.func @layers(%u: tensor<3x40xf32>, %i: tensor<3xi64>, %x: tensor<2x9x40xf32> {tf.aliasing_output = 0 : i32})
    -> (tensor<2x9x40xf32>, tensor<9x40xf32>, tensor<2x9x40xf32>) {
  %a = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#row] position #first unique {
  ^bb0(%n: f32, %o: f32):
    stof.yield %n : f32
  } : tensor<3x40xf32>, tensor<2x9x40xf32> -> tensor<2x9x40xf32>
  %s = tensor.extract_slice %a[0, 0, 0] [1, 9, 40] [1, 1, 1] : tensor<2x9x40xf32> to tensor<9x40xf32>
  %b = stof.scatter %u at(%i : tensor<3xi64>) into %a maps [#row] position #second unique {
  ^bb0(%n: f32, %o: f32):
    stof.yield %n : f32
  } : tensor<3x40xf32>, tensor<2x9x40xf32> -> tensor<2x9x40xf32>
  %c = stof.scatter %u at(%i : tensor<3xi64>) into %b maps [#row] position #first unique {
  ^bb0(%n: f32, %o: f32):
    stof.yield %n : f32
  } : tensor<3x40xf32>, tensor<2x9x40xf32> -> tensor<2x9x40xf32>
  %y = stof.group ins(%s : tensor<9x40xf32>) {
  ^bb0(%t: tensor<9x40xf32>):
    %e = tensor.empty() : tensor<9x40xf32>
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%t : tensor<9x40xf32>) outs(%e : tensor<9x40xf32>) {
    ^bb0(%f: f32, %o: f32):
      %g = math.absf %f : f32
      linalg.yield %g : f32
    } -> tensor<9x40xf32>
    stof.yield %r : tensor<9x40xf32>
  } -> tensor<9x40xf32>
  return %b, %y, %c : tensor<2x9x40xf32>, tensor<9x40xf32>, tensor<2x9x40xf32>
}

// -----

/// Updates of a pair meet, so threads share them; those at a constant distance never do.

// CHECK-LABEL: func @distances
// CHECK: gpu.func @distances_0_scatter
// CHECK-SAME: owners = 4
// CHECK: gpu.func @distances_1_scatter
// CHECK-SAME: owners = 1
#first = affine_map<(n) -> (0)>
#pair = affine_map<(n)[s] -> (n floordiv 2, s)>
#next = affine_map<(n)[s] -> (n + 1, s)>
func.func @distances(%u: tensor<8xf32>, %i: tensor<1xi64>, %x: tensor<9x6xf32> {tf.aliasing_output = 0 : i32}) -> tensor<9x6xf32> {
  %y = stof.scatter %u at(%i : tensor<1xi64>) into %x maps [#first] position #pair {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    stof.yield %s : f32
  } : tensor<8xf32>, tensor<9x6xf32> -> tensor<9x6xf32>
  %z = stof.scatter %u at(%i : tensor<1xi64>) into %y maps [#first] position #next {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    stof.yield %s : f32
  } : tensor<8xf32>, tensor<9x6xf32> -> tensor<9x6xf32>
  return %z : tensor<9x6xf32>
}

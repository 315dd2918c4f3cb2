// RUN: stof-opt %s --stof-to-tile | FileCheck %s

// Numbers, along the reference path and as the kernels of a GPU on the CPU:
// RUN: rm -rf %t && mkdir %t
// RUN: stof-compile %s -o %t/pkg --target=cpu && stof-compile %s -o %t/reference --target=cpu-reference
// RUN: %python %S/../../Integration/Inputs/random_tensors.py %t/in arg0=f32[160,160] arg1=f32[160,160]
// DEFINE: %{function} =
// DEFINE: %{same} = stof-run %t/reference --inputs=%t/in --outputs=%t/out --device=cpu --function=%{function} && \
// DEFINE:   stof-run %t/pkg --inputs=%t/in --device=cpu --function=%{function} --compare=%t/out
// REDEFINE: %{function} = residual
// RUN: %{same}
// REDEFINE: %{function} = negative_transposed
// RUN: %{same}
// REDEFINE: %{function} = negative_factor
// RUN: %{same}
// REDEFINE: %{function} = negative_broadcast
// RUN: %{same}
// REDEFINE: %{function} = negative_gathered
// RUN: %{same}
// REDEFINE: %{function} = negative_alive
// RUN: %{same}

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>

/// What is added to a matmul at the same elements dies there: the sum takes its place.

// CHECK-LABEL: func.func @residual(
// CHECK: gpu.launch_func {{.*}}args(%[[A:.*]] : memref<160x160xf32>, %[[A]] : memref<160x160xf32>, {{.*}} {stof.in_place = array<i64: 0, 1>}
func.func @residual(%x: tensor<160x160xf32>, %w: tensor<160x160xf32>) -> tensor<160x160xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<160x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<160x160xf32>) -> tensor<160x160xf32>
  %a = linalg.matmul ins(%x, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %b = linalg.matmul ins(%a, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %c = linalg.matmul ins(%b, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %a : tensor<160x160xf32>, tensor<160x160xf32>) outs(%e : tensor<160x160xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<160x160xf32>
  %out = linalg.matmul ins(%sum, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  return %out : tensor<160x160xf32>
}

/// At other elements it is read by other threads than those that write there,

// CHECK-LABEL: func.func @negative_transposed(
// CHECK-NOT: stof.in_place
func.func @negative_transposed(%x: tensor<160x160xf32>, %w: tensor<160x160xf32>) -> tensor<160x160xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<160x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<160x160xf32>) -> tensor<160x160xf32>
  %a = linalg.matmul ins(%x, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %b = linalg.matmul ins(%a, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %c = linalg.matmul ins(%b, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %sum = linalg.generic {indexing_maps = [#id, #transposed, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %a : tensor<160x160xf32>, tensor<160x160xf32>) outs(%e : tensor<160x160xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<160x160xf32>
  %out = linalg.matmul ins(%sum, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  return %out : tensor<160x160xf32>
}

/// and so is an operand of the matmul.

// CHECK-LABEL: func.func @negative_factor(
// CHECK-NOT: stof.in_place
func.func @negative_factor(%x: tensor<160x160xf32>, %w: tensor<160x160xf32>) -> tensor<160x160xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<160x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<160x160xf32>) -> tensor<160x160xf32>
  %a = linalg.matmul ins(%x, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %b = linalg.matmul ins(%a, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b, %a : tensor<160x160xf32>, tensor<160x160xf32>) outs(%e : tensor<160x160xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<160x160xf32>
  %out = linalg.matmul ins(%sum, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  return %out : tensor<160x160xf32>
}

/// What is broadcast is smaller than what is written.

// CHECK-LABEL: func.func @negative_broadcast(
// CHECK-NOT: stof.in_place
func.func @negative_broadcast(%x: tensor<160x160xf32>, %w: tensor<160x160xf32>) -> tensor<160x160xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<160x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<160x160xf32>) -> tensor<160x160xf32>
  %a = linalg.matmul ins(%x, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %b = linalg.matmul ins(%a, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %few = tensor.empty() : tensor<160xf32>
  %none = linalg.fill ins(%zero : f32) outs(%few : tensor<160xf32>) -> tensor<160xf32>
  %rows = linalg.reduce ins(%a : tensor<160x160xf32>) outs(%none : tensor<160xf32>) dimensions = [1]
    (%in: f32, %sofar: f32) {
      %more = arith.addf %in, %sofar : f32
      linalg.yield %more : f32
    }
  %c = linalg.matmul ins(%b, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %rows : tensor<160x160xf32>, tensor<160xf32>) outs(%e : tensor<160x160xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<160x160xf32>
  %out = linalg.matmul ins(%sum, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  return %out : tensor<160x160xf32>
}

/// What is read at places that are computed may be read anywhere.

// CHECK-LABEL: func.func @negative_gathered(
// CHECK-NOT: stof.in_place
func.func @negative_gathered(%x: tensor<160x160xf32>, %w: tensor<160x160xf32>) -> tensor<160x160xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<160x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<160x160xf32>) -> tensor<160x160xf32>
  %a = linalg.matmul ins(%x, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %b = linalg.matmul ins(%a, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %c = linalg.matmul ins(%b, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<160x160xf32>) outs(%e : tensor<160x160xf32>) {
  ^bb0(%l: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %last = arith.constant 159 : index
    %back = arith.subi %last, %j : index
    %r = tensor.extract %a[%i, %back] : tensor<160x160xf32>
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<160x160xf32>
  %out = linalg.matmul ins(%sum, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  return %out : tensor<160x160xf32>
}

/// What is used later keeps its memory, although its kernel could do without.

// CHECK-LABEL: func.func @negative_alive(
// CHECK: gpu.launch_func {{.*}}args(%[[A:[^ ]*]] : memref<160x160xf32>, %[[SUM:[^ ]*]] : memref<160x160xf32>, {{.*}} {stof.in_place = array<i64: 0, 1>}
// CHECK: gpu.launch_func {{.*}}args(%[[A]] :
func.func @negative_alive(%x: tensor<160x160xf32>, %w: tensor<160x160xf32>) -> tensor<160x160xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<160x160xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<160x160xf32>) -> tensor<160x160xf32>
  %a = linalg.matmul ins(%x, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %b = linalg.matmul ins(%a, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %c = linalg.matmul ins(%b, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %a : tensor<160x160xf32>, tensor<160x160xf32>) outs(%e : tensor<160x160xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<160x160xf32>
  %d = linalg.matmul ins(%sum, %w : tensor<160x160xf32>, tensor<160x160xf32>) outs(%init : tensor<160x160xf32>) -> tensor<160x160xf32>
  %out = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%d, %a : tensor<160x160xf32>, tensor<160x160xf32>) outs(%e : tensor<160x160xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %s = arith.addf %l, %r : f32
    linalg.yield %s : f32
  } -> tensor<160x160xf32>
  return %out : tensor<160x160xf32>
}

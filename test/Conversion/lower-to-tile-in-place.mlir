// RUN: stof-opt %s --stof-lower-to-tile | FileCheck %s

/// A result does not take the place of an operand that is also read at other
/// places, under whatever name the group has it.

#id = affine_map<(i, j) -> (i, j)>
#mirror = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func @same_place
// CHECK: gpu.launch_func @same_place_kernels::@same_place_0_generic
// CHECK-SAME: stof.in_place
func.func @same_place(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %r = stof.group ins(%x, %x : tensor<256x256xf32>, tensor<256x256xf32>) {
  ^bb0(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>):
    %e = tensor.empty() : tensor<256x256xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) {
    ^bb1(%p: f32, %q: f32, %o: f32):
      %s = arith.mulf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<256x256xf32>
    stof.yield %0 : tensor<256x256xf32>
  } -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// CHECK-LABEL: func @other_place
// CHECK: gpu.launch_func @other_place_kernels::@other_place_0_generic
// CHECK-NOT: stof.in_place
// CHECK: return
func.func @other_place(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %r = stof.group ins(%x, %x : tensor<256x256xf32>, tensor<256x256xf32>) {
  ^bb0(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>):
    %e = tensor.empty() : tensor<256x256xf32>
    %0 = linalg.generic {indexing_maps = [#id, #mirror, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) {
    ^bb1(%p: f32, %q: f32, %o: f32):
      %s = arith.mulf %p, %q : f32
      linalg.yield %s : f32
    } -> tensor<256x256xf32>
    stof.yield %0 : tensor<256x256xf32>
  } -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (G1) The region takes one argument of the type of each operand.

func.func @g1_number(%x: tensor<4xf32>) {
  // expected-error @below {{expects the group to take 1 arguments, but got 0}}
  stof.group ins(%x : tensor<4xf32>) {
    stof.yield
  }
  return
}

// -----

func.func @g1_type(%x: tensor<4xf32>) {
  // expected-error @below {{expects argument 0 of the group to be 'tensor<4xf32>', but got 'tensor<?xf32>'}}
  stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<?xf32>):
    stof.yield
  }
  return
}

// -----

/// (G2) The region yields one value of the type of each result.

func.func @g2_yield(%x: tensor<4xf32>) {
  // expected-error @below {{expects the group to yield ('tensor<8xf32>'), but got ('tensor<4xf32>')}}
  %y = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    // expected-note @below {{yielded here}}
    stof.yield %a : tensor<4xf32>
  } -> tensor<8xf32>
  return
}

// -----

/// A group sees nothing but its operands.

func.func @negative_outer_value(%x: tensor<4xf32>) {
  // expected-note @below {{required by region isolation constraints}}
  %y = stof.group {
    // expected-error @below {{using value defined outside the region}}
    stof.yield %x : tensor<4xf32>
  } -> tensor<4xf32>
  return
}

// -----

func.func @negative_yield_elsewhere(%x: tensor<4xf32>) {
  // expected-error @below {{expects parent op to be one of 'stof.mask, stof.attention, stof.group, stof.scatter'}}
  stof.yield %x : tensor<4xf32>
}

// -----

/// (G1), (G2) The region of a group on buffers is on their contents.

func.func @g1_buffer(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects argument 0 of the group to be 'tensor<4xf32>', but got 'memref<4xf32>'}}
  stof.group ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: memref<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    stof.yield %e : tensor<4xf32>
  }
  return
}

// -----

func.func @g2_buffer(%x: memref<4xf32>, %y: memref<8xf32>) {
  // expected-error @below {{expects the group to yield ('tensor<8xf32>'), but got ('tensor<4xf32>')}}
  stof.group ins(%x : memref<4xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: tensor<4xf32>):
    // expected-note @below {{yielded here}}
    stof.yield %a : tensor<4xf32>
  }
  return
}

// -----

/// (G3) Results on tensors, destinations on buffers.

func.func @g3_results_on_buffers(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects destinations of the types of the results, ('tensor<4xf32>'), or buffers and no results, but got ('memref<4xf32>')}}
  %0 = stof.group ins(%x : tensor<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    stof.yield %a : tensor<4xf32>
  } -> tensor<4xf32>
  return
}

// -----

func.func @g3_other_type(%x: tensor<4xf32>, %y: tensor<?xf32>) {
  // expected-error @below {{expects destinations of the types of the results, ('tensor<4xf32>'), or buffers and no results, but got ('tensor<?xf32>')}}
  %0 = stof.group ins(%x : tensor<4xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: tensor<4xf32>):
    stof.yield %a : tensor<4xf32>
  } -> tensor<4xf32>
  return
}

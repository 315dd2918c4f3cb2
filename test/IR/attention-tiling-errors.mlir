// RUN: stof-opt %s --transform-interpreter --verify-diagnostics=only-expected --split-input-file

module @heads attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @straddling_heads(%q: tensor<1x12x16x4xf32>, %k: tensor<1x6x16x4xf32>) -> tensor<1x12x16x4xf32> {
    // expected-error @below {{expects a tile of heads to be whole GQA groups of 2 heads or to be inside one, but got 3 heads}}
    %r = stof.attention ins(%q, %k, %k : tensor<1x12x16x4xf32>, tensor<1x6x16x4xf32>, tensor<1x6x16x4xf32>)
        outs(%q : tensor<1x12x16x4xf32>) -> tensor<1x12x16x4xf32>
    return %r : tensor<1x12x16x4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @uneven_heads(%q: tensor<1x12x16x4xf32>, %k: tensor<1x6x16x4xf32>) -> tensor<1x12x16x4xf32> {
    // expected-error @below {{or to be inside one, but got an unknown number of heads}}
    %r = stof.attention ins(%q, %k, %k : tensor<1x12x16x4xf32>, tensor<1x6x16x4xf32>, tensor<1x6x16x4xf32>)
        outs(%q : tensor<1x12x16x4xf32>) -> tensor<1x12x16x4xf32>
    return %r : tensor<1x12x16x4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @unknown_groups(%q: tensor<1x?x16x4xf32>, %k: tensor<1x?x16x4xf32>) -> tensor<1x?x16x4xf32> {
    // expected-error @below {{expects a static number of heads to tile them, but got 'tensor<1x?x16x4xf32>' and 'tensor<1x?x16x4xf32>'}}
    %r = stof.attention ins(%q, %k, %k : tensor<1x?x16x4xf32>, tensor<1x?x16x4xf32>, tensor<1x?x16x4xf32>)
        outs(%q : tensor<1x?x16x4xf32>) -> tensor<1x?x16x4xf32>
    return %r : tensor<1x?x16x4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @mask_of_the_caller(%q: tensor<1x2x16x4xf32>, %m: !stof.mask<16x16>) -> tensor<1x2x16x4xf32> {
    // expected-error @below {{expects a mask defined by a mask operation for tiling, but got a block argument}}
    %r = stof.attention ins(%q, %q, %q : tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>)
        mask(%m : !stof.mask<16x16>) outs(%q : tensor<1x2x16x4xf32>) -> tensor<1x2x16x4xf32>
    return %r : tensor<1x2x16x4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func private @make() -> !stof.mask<16x16>
  func.func @mask_of_a_call(%q: tensor<2x2x16x4xf32>) -> tensor<2x2x16x4xf32> {
    %m = func.call @make() : () -> !stof.mask<16x16>
    // expected-error @below {{for tiling, but got one defined by 'func.call'}}
    %r = stof.attention ins(%q, %q, %q : tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>)
        mask(%m : !stof.mask<16x16>) outs(%q : tensor<2x2x16x4xf32>) -> tensor<2x2x16x4xf32>
    return %r : tensor<2x2x16x4xf32>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @inside_a_block(%q: tensor<1x2x256x4xf16>, %rows: tensor<5xi32>, %cols: tensor<?xi32>) -> tensor<1x2x256x4xf16> {
    %m = stof.block_mask %rows, %cols block(64, 64) : tensor<5xi32>, tensor<?xi32> -> !stof.mask<256x256>
    // expected-error @below {{expects a tile of queries to start at a multiple of 64, the query block of its 'stof.block_mask', but got an offset not known to be one}}
    %r = stof.attention ins(%q, %q, %q : tensor<1x2x256x4xf16>, tensor<1x2x256x4xf16>, tensor<1x2x256x4xf16>)
        mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x2x256x4xf16>) -> tensor<1x2x256x4xf16>
    return %r : tensor<1x2x256x4xf16>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  func.func @inside_a_part(%q: tensor<1x2x256x4xf16>, %sinks: tensor<2x4xf32>) -> tensor<1x2x256x4xf16> {
    // expected-error @below {{expects a tile to have all queries of a head with sinks for parts of them, but got some}}
    %r = stof.attention ins(%q, %q, %q : tensor<1x2x256x4xf16>, tensor<1x2x256x4xf16>, tensor<1x2x256x4xf16>)
        sinks(%sinks : tensor<2x4xf32>) outs(%q : tensor<1x2x256x4xf16>) -> tensor<1x2x256x4xf16>
    return %r : tensor<1x2x256x4xf16>
  }
}

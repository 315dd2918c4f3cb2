// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (M1) The predicate takes the four coordinates, then what is captured.

func.func @m1_number(%w: index) {
  // expected-error @below {{expects the predicate to take 5 arguments, but got 4}}
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi sle, %q, %k : index
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  return
}

// -----

func.func @m1_types(%w: index) {
  // expected-error @below {{expects argument 4 of the predicate to be 'index', but got 'i32'}}
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %width: i32):
    %keep = arith.cmpi sle, %q, %k : index
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  return
}

// -----

func.func @m1_coordinates() {
  // expected-error @below {{expects argument 2 of the predicate to be 'index', but got 'i64'}}
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %q: i64, %k: index):
    %keep = arith.constant true
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  return
}

// -----

/// (M2) The predicate yields one i1.

func.func @m2_type() {
  // expected-error @below {{expects the predicate to yield ('i1'), but got ('index')}}
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    // expected-note @below {{yielded here}}
    stof.yield %q : index
  } : !stof.mask<4x4>
  return
}

// -----

func.func @m2_number() {
  // expected-error @below {{expects the predicate to yield ('i1'), but got ()}}
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    // expected-note @below {{yielded here}}
    stof.yield
  } : !stof.mask<4x4>
  return
}

// -----

/// (M3) The predicate has no side effects, and may read.

func.func private @ask() -> i1

func.func @m3_unknown_effects() {
  // expected-error @below {{expects the predicate to be free of side effects, but it has 'func.call'}}
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    // expected-note @below {{has side effects}}
    %keep = func.call @ask() : () -> i1
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  return
}

// -----

func.func @m3_write(%seen: memref<4xi1>) {
  // expected-error @below {{expects the predicate to be free of side effects, but it has 'scf.if'}}
  %m = stof.mask captures(%seen : memref<4xi1>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %buffer: memref<4xi1>):
    %keep = memref.load %buffer[%k] : memref<4xi1>
    // expected-note @below {{has side effects}}
    scf.if %keep {
      memref.store %keep, %buffer[%q] : memref<4xi1>
    }
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  return
}

// -----

/// (B1) One row pointer more than query blocks.

func.func @b1_row_pointers(%rows: tensor<4xi32>, %cols: tensor<?xi32>) {
  // expected-error @below {{expects row_ptr of 3 elements for 100 queries in blocks of 64, but got 4}}
  %m = stof.block_mask %rows, %cols block(64, 64) : tensor<4xi32>, tensor<?xi32> -> !stof.mask<100x128>
  return
}

// -----

func.func @b1_dynamic_lengths_are_not_judged(%rows: tensor<4xi32>, %cols: tensor<?xi32>, %any: tensor<?xi32>) {
  %m = stof.block_mask %rows, %cols block(64, 64) : tensor<4xi32>, tensor<?xi32> -> !stof.mask<?x128>
  %n = stof.block_mask %any, %cols block(64, 64) : tensor<?xi32>, tensor<?xi32> -> !stof.mask<128x128>
  return
}

// -----

/// (B3) Each query block has a length.

func.func @b3_lengths(%rows: tensor<8x2xi32>, %cols: tensor<?xi32>, %lengths: tensor<8x2xi32>) {
  // expected-error @below {{expects a length for each query block of 'tensor<8x2xi32>', but got 'tensor<8x2xi32>'}}
  %m = stof.block_mask %rows, %cols lengths(%lengths : tensor<8x2xi32>) block(1, 16) : tensor<8x2xi32>, tensor<?xi32> -> !stof.mask<1x128>
  return
}

// -----

/// (B2) A block has positions.

func.func @b2_block(%rows: tensor<3xi32>, %cols: tensor<?xi32>) {
  // expected-error @below {{expects a block of positive sides, but got 64 x 0}}
  %m = stof.block_mask %rows, %cols block(64, 0) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<128x128>
  return
}

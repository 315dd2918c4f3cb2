// RUN: stof-opt %s --stof-check-reads | FileCheck %s

/// An element that is read is an index that may be any number.

// CHECK-LABEL: func @lookup
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: %[[SIZE:.*]] = arith.constant 50 : index
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %[[SIZE]]
// CHECK: %[[CHECKED:.*]] = stof.check %[[AT]] if %[[INSIDE]], "index must be within dimension 0 of the tensor that it reads" : index
// CHECK: tensor.extract %{{.*}}[%[[CHECKED]], %{{.*}}]
func.func @lookup(%tokens: tensor<9xi64>, %table: tensor<50x4xf32>, %init: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<9xi64>) outs(%init : tensor<9x4xf32>) {
  ^bb0(%token: i64, %out: f32):
    %at = arith.index_cast %token : i64 to index
    %column = linalg.index 1 : index
    %row = tensor.extract %table[%at, %column] : tensor<50x4xf32>
    linalg.yield %row : f32
  } -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}

/// A size that is known at run time is that of the tensor around the body.

// CHECK-LABEL: func @dynamic
// CHECK: %[[SIZE:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?xf32>
// CHECK: linalg.generic
// CHECK: arith.cmpi ult, %{{.*}}, %[[SIZE]]
// CHECK: stof.check
func.func @dynamic(%tokens: tensor<9xi64>, %table: tensor<?xf32>, %init: tensor<9xf32>) -> tensor<9xf32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%tokens : tensor<9xi64>) outs(%init : tensor<9xf32>) {
  ^bb0(%token: i64, %out: f32):
    %at = arith.index_cast %token : i64 to index
    %element = tensor.extract %table[%at] : tensor<?xf32>
    linalg.yield %element : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

/// Coordinates are in their ranges, through tensors that are made of them, and
/// so is what is clamped, and an element of a constant that has no other.

// CHECK-LABEL: func @proven
// CHECK-NOT: stof.check
// CHECK: return
func.func @proven(%tokens: tensor<9xi64>, %table: tensor<50xf32>, %init: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : i64
  %c49 = arith.constant 49 : i64
  %empty = tensor.empty() : tensor<9xi64>
  %constant = arith.constant dense<[0, 1, 49, 3, 4, 5, 6, 7, 8]> : tensor<9xi64>
  %positions = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<9xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %position = arith.index_cast %i : index to i64
    linalg.yield %position : i64
  } -> tensor<9xi64>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%tokens, %positions, %constant : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) outs(%init : tensor<9xf32>) {
  ^bb0(%token: i64, %position: i64, %known: i64, %out: f32):
    %own = linalg.index 0 : index
    %a = tensor.extract %table[%own] : tensor<50xf32>
    %at = arith.index_cast %position : i64 to index
    %b = tensor.extract %table[%at] : tensor<50xf32>
    %above = arith.maxsi %token, %c0 : i64
    %clamped = arith.minsi %above, %c49 : i64
    %inside = arith.index_cast %clamped : i64 to index
    %c = tensor.extract %table[%inside] : tensor<50xf32>
    %entry = arith.index_cast %known : i64 to index
    %d = tensor.extract %table[%entry] : tensor<50xf32>
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    %abcd = arith.addf %abc, %d : f32
    linalg.yield %abcd : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

/// What the source asserts of an index is not asked again, and what it need not
/// have asserted goes.

// CHECK-LABEL: func @asserted
// CHECK-COUNT-2: stof.check %{{.*}} if %{{.*}}, "{{below|above}}" : index
// CHECK-NOT: stof.check
// CHECK: return
func.func @asserted(%tokens: tensor<9xi64>, %table: tensor<50xf32>, %init: tensor<9xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : i64
  %c9 = arith.constant 9 : index
  %c50 = arith.constant 50 : i64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%tokens : tensor<9xi64>) outs(%init : tensor<9xf32>) {
  ^bb0(%token: i64, %out: f32):
    %at = arith.index_cast %token : i64 to index
    %below = arith.cmpi slt, %token, %c50 : i64
    %above = arith.cmpi sge, %token, %c0 : i64
    %first = stof.check %at if %below, "below" : index
    %both = stof.check %first if %above, "above" : index
    %a = tensor.extract %table[%both] : tensor<50xf32>
    %own = linalg.index 0 : index
    %small = arith.cmpi slt, %own, %c9 : index
    %known = stof.check %own if %small, "known" : index
    %b = tensor.extract %table[%known] : tensor<50xf32>
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

/// Of coordinates alone every value is tried where no rule shows it: logarithms
/// of distances make the buckets of relative positions. What does not hold for
/// all of them stays.

// CHECK-LABEL: func @bucket
// CHECK-NOT: "inside"
// CHECK: stof.check %{{.*}} if %{{.*}}, "too tight" : index
// CHECK-NOT: stof.check
// CHECK: return
func.func @bucket(%table: tensor<16xf32>, %init: tensor<40x40xf32>) -> tensor<40x40xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : i64
  %c15 = arith.constant 15 : i64
  %c12 = arith.constant 12 : i64
  %c16 = arith.constant 16 : index
  %eight = arith.constant 8.0 : f32
  %scale = arith.constant 2.9 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%init : tensor<40x40xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %difference = arith.subi %i, %j : index
    %distance = math.absi %difference : index
    %whole = arith.index_cast %distance : index to i64
    %near = arith.cmpi slt, %whole, %c8 : i64
    %real = arith.sitofp %whole : i64 to f32
    %ratio = arith.divf %real, %eight : f32
    %log = math.log %ratio : f32
    %scaled = arith.mulf %log, %scale : f32
    %steps = arith.fptosi %scaled : f32 to i64
    %far = arith.addi %steps, %c8 : i64
    %capped = arith.minsi %far, %c15 : i64
    %bucket = arith.select %near, %whole, %capped : i64
    %at = arith.index_cast %bucket : i64 to index
    %below = arith.cmpi slt, %at, %c16 : index
    %known = stof.check %at if %below, "inside" : index
    %above = arith.cmpi sge, %at, %c0 : index
    %both = stof.check %known if %above, "inside" : index
    %a = tensor.extract %table[%both] : tensor<16xf32>
    %less = arith.cmpi slt, %bucket, %c12 : i64
    %tight = stof.check %at if %less, "too tight" : index
    %b = tensor.extract %table[%tight] : tensor<16xf32>
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<40x40xf32>
  return %0 : tensor<40x40xf32>
}

/// Of an assertion that is too weak, the rest is asked.

// CHECK-LABEL: func @weak
// CHECK: %[[BELOW:.*]] = stof.check %{{.*}} if %{{.*}}, "below" : index
// CHECK: stof.check %[[BELOW]] if %{{.*}}, "index must be within dimension 0 of the tensor that it reads" : index
func.func @weak(%tokens: tensor<9xi64>, %table: tensor<50xf32>, %init: tensor<9xf32>) -> tensor<9xf32> {
  %c50 = arith.constant 50 : i64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%tokens : tensor<9xi64>) outs(%init : tensor<9xf32>) {
  ^bb0(%token: i64, %out: f32):
    %at = arith.index_cast %token : i64 to index
    %below = arith.cmpi slt, %token, %c50 : i64
    %first = stof.check %at if %below, "below" : index
    %a = tensor.extract %table[%first] : tensor<50xf32>
    linalg.yield %a : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

/// Of coordinates that are folded or clamped, those that are proven to lie inside
/// are not asked; a remainder by more than the table has is.

// CHECK-LABEL: func @folded
// CHECK: %[[REST:.*]] = arith.remui %{{.*}}, %{{.*}} : index
// CHECK: stof.check %[[REST]] if %{{.*}}, "index must be within dimension 0 of the tensor that it reads" : index
// CHECK-NOT: stof.check
// CHECK: return
func.func @folded(%table: tensor<5xf32>, %init: tensor<40xf32>) -> tensor<40xf32> {
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%init : tensor<40xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %seventh = arith.remui %i, %c7 : index
    %a = tensor.extract %table[%seventh] : tensor<5xf32>
    %fifth = arith.remui %i, %c5 : index
    %b = tensor.extract %table[%fifth] : tensor<5xf32>
    %capped = arith.minui %i, %c4 : index
    %c = tensor.extract %table[%capped] : tensor<5xf32>
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    linalg.yield %abc : f32
  } -> tensor<40xf32>
  return %0 : tensor<40xf32>
}

/// What a body reads where sizes say is left to the host, which compares them
/// (stof-assert-sizes); of a body that is computed only under a condition it is
/// checked.

// CHECK-LABEL: func @sizes
// CHECK-NOT: stof.check
// CHECK: scf.if
// CHECK: stof.check
func.func @sizes(%x: tensor<?xf32>, %table: tensor<?xf32>, %take: i1) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%x : tensor<?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %a = tensor.extract %table[%i] : tensor<?xf32>
    linalg.yield %a : f32
  } -> tensor<?xf32>
  %1 = scf.if %take -> tensor<?xf32> {
    %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        outs(%0 : tensor<?xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %a = tensor.extract %table[%i] : tensor<?xf32>
      linalg.yield %a : f32
    } -> tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  } else {
    scf.yield %0 : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}

/// Predicates and scores read at coordinates, which sizes decide, or at what
/// they have read.

// CHECK-LABEL: func @mask
// CHECK-NOT: stof.check
// CHECK: tensor.extract %{{.*}}[%{{.*}}] : tensor<?xi64>
// CHECK: %[[CHECKED:.*]] = stof.check
// CHECK: tensor.extract %{{.*}}[%[[CHECKED]]] : tensor<5xi1>
// CHECK-NOT: stof.check
// CHECK: return
func.func @mask(%q: tensor<1x2x?x16xf32>, %kinds: tensor<?xi64>, %keep: tensor<5xi1>, %biases: tensor<?xf32>)
    -> tensor<1x2x?x16xf32> {
  %m = stof.mask captures(%kinds, %keep : tensor<?xi64>, tensor<5xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %kinds_: tensor<?xi64>, %keep_: tensor<5xi1>):
    %kind = tensor.extract %kinds_[%j] : tensor<?xi64>
    %at = arith.index_cast %kind : i64 to index
    %kept = tensor.extract %keep_[%at] : tensor<5xi1>
    stof.yield %kept : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>)
      mask(%m : !stof.mask<?x?>) captures(%biases : tensor<?xf32>) outs(%q : tensor<1x2x?x16xf32>) scale 0.25
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %biases_: tensor<?xf32>):
        %bias = tensor.extract %biases_[%i] : tensor<?xf32>
        %biased = arith.addf %s, %bias : f32
        stof.yield %biased : f32
      } -> tensor<1x2x?x16xf32>
  return %o : tensor<1x2x?x16xf32>
}

/// A slice that begins where data say lies inside its tensor, read or written;
/// one that sizes place is the host's, and one that is clamped is proven.

// CHECK-LABEL: func @slices
// CHECK: %[[LAST:.*]] = arith.addi %[[AT:.*]], %c3{{.*}} : index
// CHECK: %[[BEGINS:.*]] = arith.cmpi sge, %[[AT]], %c0{{.*}} : index
// CHECK: %[[ENDS:.*]] = arith.cmpi slt, %[[LAST]], %c16{{.*}} : index
// CHECK: %[[HOLDS:.*]] = arith.andi %[[BEGINS]], %[[ENDS]] : i1
// CHECK: %[[CHECKED:.*]] = stof.check %[[AT]] if %[[HOLDS]], "slice must be within dimension 0 of its tensor" : index
// CHECK: tensor.extract_slice %{{.*}}[%[[CHECKED]], 0] [4, 8] [1, 1]
// CHECK: stof.check
// CHECK: tensor.insert_slice
// CHECK-NOT: stof.check
// CHECK: return
func.func @slices(%x: tensor<16x8xf32>, %y: tensor<?x8xf32>, %from: tensor<index>)
    -> (tensor<16x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  %at = tensor.extract %from[] : tensor<index>
  %rows = tensor.extract_slice %x[%at, 0] [4, 8] [1, 1] : tensor<16x8xf32> to tensor<4x8xf32>
  %put = tensor.insert_slice %rows into %x[%at, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<16x8xf32>
  %above = arith.maxsi %at, %c0 : index
  %clamped = arith.minsi %above, %c12 : index
  %inside = tensor.extract_slice %x[%clamped, 0] [4, 8] [1, 1] : tensor<16x8xf32> to tensor<4x8xf32>
  %n = tensor.dim %y, %c0 : tensor<?x8xf32>
  %end = arith.subi %n, %c4 : index
  %last = tensor.extract_slice %y[%end, 0] [4, 8] [1, 1] : tensor<?x8xf32> to tensor<4x8xf32>
  return %put, %inside, %last : tensor<16x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

/// An attention on buffers, whose sizes are not known, is left alone.
// CHECK-LABEL: func.func @buffers
// CHECK-NOT: stof.check
func.func @buffers(%q: memref<1x1x8x16xf32>, %o: memref<1x1x8x16xf32>, %allowed: tensor<8xi1>) {
  %m = stof.mask captures(%allowed : tensor<8xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %a: tensor<8xi1>):
    %keep = tensor.extract %a[%j] : tensor<8xi1>
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  stof.attention ins(%q, %q, %q : memref<1x1x8x16xf32>, memref<1x1x8x16xf32>, memref<1x1x8x16xf32>)
      mask(%m : !stof.mask<8x8>) outs(%o : memref<1x1x8x16xf32>)
  return
}

// RUN: stof-opt %s --stof-assert-sizes --split-input-file --verify-diagnostics

/// Sizes that agree for no input.

func.func @never(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.addi %n, %c1 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  // expected-error @below {{expects arg0 dimension 0 + 1 to be arg0 dimension 0, but no sizes of the inputs satisfy this}}
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

/// A size that was lost.

func.func @lost(%x: tensor<?x?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x8xf32> into tensor<?x8xf32>
  // expected-error @below {{expects equal sizes, but got arg0 dimension 0 and arg0 dimension 0 * arg0 dimension 1, which are equal only if arg0 dimension 1 is 1: the exporter took a dynamic size to be 1}}
  %0 = linalg.exp ins(%rows : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// -----

func.func @lost_in_source(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %both = arith.muli %n, %m : index
  %same = arith.cmpi eq, %n, %both : index
  // expected-error @below {{expects equal sizes, but got arg0 dimension 0 and arg0 dimension 0 * arg0 dimension 1, which are equal only if arg0 dimension 1 is 1: the exporter took a dynamic size to be 1}}
  cf.assert %same, "mismatched size for broadcast"
  return %x : tensor<?x?xf32>
}

// -----

/// Documents of fewer positions than there are queries.

func.func @short(%q: tensor<1x2x64x16xf32>, %documents: tensor<10xi32>) -> tensor<1x2x64x16xf32> {
  %m = stof.mask captures(%documents : tensor<10xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %documents_: tensor<10xi32>):
    %own = tensor.extract %documents_[%i] : tensor<10xi32>
    %other = tensor.extract %documents_[%j] : tensor<10xi32>
    %same = arith.cmpi eq, %own, %other : i32
    stof.yield %same : i1
  } : !stof.mask<64x64>
  // expected-error @below {{expects 64 to be at most 10, but no sizes of the inputs satisfy this}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>)
      mask(%m : !stof.mask<64x64>) outs(%q : tensor<1x2x64x16xf32>) scale 0.25 -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}

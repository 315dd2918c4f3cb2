// RUN: stof-opt %s --stof-lower-to-tile -verify-diagnostics=only-expected -split-input-file

/// What cannot be compiled is named, where it stands, with the reason.

// expected-error @below {{cannot be compiled: expects one block, but got 2}}
func.func @two_blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{cannot be compiled: expects results to be ranked tensors, but got 'index'}}
func.func @scalar_result(%x: tensor<4xf32>, %n: index) -> index {
  return %n : index
}

// -----

// expected-error @below {{cannot be compiled: expects arguments to be ranked tensors or scalars, but got 'tensor<*xf32>'}}
func.func @unranked_argument(%x: tensor<*xf32>) {
  return
}

// -----

// expected-error @below {{cannot be compiled: expects arguments to be ranked tensors or scalars, but got 'memref<1x2x8x16xf16>'}}
func.func @attention_on_buffers_of_the_caller(%x: tensor<4xf32>, %q: memref<1x2x8x16xf16>) -> tensor<4xf32> {
  stof.attention ins(%q, %q, %q : memref<1x2x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
    outs(%q : memref<1x2x8x16xf16>)
  return %x : tensor<4xf32>
}

// -----

func.func @attention_on_own_buffers(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be compiled: no kernel computes it and the host cannot}}
  %q = memref.alloc() : memref<1x2x8x16xf16>
  stof.attention ins(%q, %q, %q : memref<1x2x8x16xf16>, memref<1x2x8x16xf16>, memref<1x2x8x16xf16>)
    outs(%q : memref<1x2x8x16xf16>)
  return %x : tensor<4xf32>
}

// -----

func.func @unranked_cast(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be compiled: expects ranked tensors}}
  %u = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  %y = tensor.cast %u : tensor<*xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @unknown_shape(%x: tensor<4xf32>, %shape: tensor<1xindex>) -> tensor<?xf32> {
  // expected-error @below {{cannot be compiled: expects a shape made of sizes and a ranked result}}
  %y = tensor.reshape %x(%shape) : (tensor<4xf32>, tensor<1xindex>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @not_grouped(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be compiled: no kernel computes it and the host cannot}}
  %y = math.absf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @mask_of_the_caller(%q: tensor<1x2x8x16xf16>, %m: !stof.mask<8x8>) -> tensor<1x2x8x16xf16> {
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  // expected-error @below {{cannot be compiled: expects a mask defined by a mask operation}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      mask(%m : !stof.mask<8x8>) outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %o : tensor<1x2x8x16xf16>
}

// -----

func.func @empty_rows_of_the_caller(%q: tensor<1x2x8x16xf16>, %other: !stof.mask<8x8>) -> tensor<1x2x8x16xf16> {
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  // expected-error @below {{cannot be compiled: expects a mask defined by a mask operation}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      mask(%m : !stof.mask<8x8>) outs(%e : tensor<1x2x8x16xf16>) empty_rows(mean over %other : !stof.mask<8x8>) -> tensor<1x2x8x16xf16>
  return %o : tensor<1x2x8x16xf16>
}

// -----

func.func @dynamic_features(%q: tensor<1x2x8x?xf16>, %init: tensor<1x2x8x?xf16>) -> tensor<1x2x8x?xf16> {
  // expected-error @below {{cannot be compiled: expects a static number of features, but got 'memref<1x2x8x?xf16>'}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x8x?xf16>, tensor<1x2x8x?xf16>, tensor<1x2x8x?xf16>)
      outs(%init : tensor<1x2x8x?xf16>) -> tensor<1x2x8x?xf16>
  return %o : tensor<1x2x8x?xf16>
}

// -----

func.func @few_rows(%q: tensor<1x2x64x64xf16>) -> tensor<1x2x64x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<64x64>
  // expected-error @below {{cannot be compiled: expects a layout in tiles of multiples of 16, but got 8 x 64}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>)
      mask(%m : !stof.mask<64x64>) layout <row_tile = 8, col_tile = 64, storage = closed_form>
      outs(%q : tensor<1x2x64x64xf16>) -> tensor<1x2x64x64xf16>
  return %o : tensor<1x2x64x64xf16>
}

// -----

func.func @odd_tiles(%q: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  // expected-error @below {{cannot be compiled: expects a layout in tiles of multiples of 16, but got 16 x 8}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      mask(%m : !stof.mask<8x8>) layout <row_tile = 16, col_tile = 8, storage = closed_form>
      outs(%e : tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %o : tensor<1x2x8x16xf16>
}

// -----

func.func @returned_slice(%x: tensor<8xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be compiled: expects a slice that kernels can read in place}}
  %s = tensor.extract_slice %x[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

func.func @counted(%x: tensor<8xf32>, %n: tensor<i64>) -> tensor<?xf32> {
  // expected-error @below {{cannot be compiled: expects sizes of tensors that follow from the sizes of inputs, but got one that is read from a tensor, as boolean masks and nonzero need it; torch.where or a fixed number of elements does not}}
  %count = tensor.extract %n[] : tensor<i64>
  %i = arith.index_cast %count : i64 to index
  %s = tensor.extract_slice %x[0] [%i] [1] : tensor<8xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

func.func @no_page_table(%q: tensor<1x2x16x16xf16>) -> tensor<1x2x16x16xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<16x16>
  %e = tensor.empty() : tensor<1x2x16x16xf16>
  // expected-error @below {{cannot be compiled: expects a block list with lengths for a layout of storage page_table, but got a mask by stof.mask}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x16x16xf16>, tensor<1x2x16x16xf16>, tensor<1x2x16x16xf16>) mask(%m : !stof.mask<16x16>)
    layout <row_tile = 16, col_tile = 16, storage = page_table> outs(%e : tensor<1x2x16x16xf16>) -> tensor<1x2x16x16xf16>
  return %o : tensor<1x2x16x16xf16>
}

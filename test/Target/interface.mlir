// RUN: stof-describe interface %s | FileCheck %s

/// Each dynamic size of an input has a name, equal ones have one; the sizes of
/// results follow. What is asserted of sizes is checked, once.

// CHECK: "checks":[{"holds":["<=","s0",512],"message":"too long"}]
// CHECK-SAME: "inputs":[{"dtype":"f16","name":"arg0","shape":[2,"s0",64]},{"dtype":"f16","name":"arg1","shape":[2,"s0",64]},{"dtype":"i1","name":"arg2","shape":["s1"]}]
// CHECK-SAME: "results":[{"dtype":"f16","name":"result0","shape":{{\[}}["*","s0",2],64]},{"dtype":"i64","name":"result1","shape":{{\[}}["+",["+","s0","s1"],3]]}]
// CHECK-SAME: "symbols":[{"dim":1,"input":0,"name":"s0"},{"dim":0,"input":2,"name":"s1"}]
func.func @sizes(%x: tensor<2x?x64xf16>, %y: tensor<2x?x64xf16>, %z: tensor<?xi1>) -> (tensor<?x64xf16>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %n = tensor.dim %x, %c1 : tensor<2x?x64xf16>
  %m = tensor.dim %y, %c1 : tensor<2x?x64xf16>
  %equal = arith.cmpi eq, %n, %m : index
  cf.assert %equal, "lengths differ"
  %fits = arith.cmpi sle, %n, %c512 : index
  cf.assert %fits, "too long"
  cf.assert %fits, "too long again"
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x?x64xf16> into tensor<?x64xf16>
  %k = tensor.dim %z, %c0 : tensor<?xi1>
  %both = arith.addi %n, %k : index
  %c3 = arith.constant 3 : index
  %more = arith.addi %both, %c3 : index
  %long = tensor.empty(%more) : tensor<?xi64>
  return %rows, %long : tensor<?x64xf16>, tensor<?xi64>
}

// -----

/// The integers of a size are computed, as far as they are known.

// CHECK: "shape":["s0",["min","s0",7],["floordiv",["+","s0",1],2],["mod","s0",4],3]
func.func @arithmetic(%x: tensor<?xf32>) -> tensor<?x?x?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %quadruple = arith.muli %n, %c4 : index
  %again = arith.floordivsi %quadruple, %c4 : index
  %least = arith.minsi %n, %c7 : index
  %next = arith.addi %n, %c1 : index
  %half = arith.divui %next, %c2 : index
  %rest = arith.remui %n, %c4 : index
  %three = arith.subi %c4, %c1 : index
  %0 = tensor.empty(%again, %least, %half, %rest, %three) : tensor<?x?x?x?x?xf32>
  return %0 : tensor<?x?x?x?x?xf32>
}

// -----

/// A size that no integer can be negative for is not compared with 0.

// CHECK: "checks":[]
func.func @known_checks(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %wide = arith.index_cast %n : index to i64
  %zero = arith.constant 0 : i64
  %positive = arith.cmpi sge, %wide, %zero : i64
  cf.assert %positive, "negative size"
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{expects dimension 0 of result0 to be a function of the sizes of inputs, but got a size that depends on other values}}
func.func @count(%x: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  // expected-note @below {{for example this one, which is read from a tensor (boolean mask, nonzero); use torch.where or a fixed number of elements instead}}
  %first = tensor.extract %x[%c0] : tensor<?xi64>
  %n = arith.index_cast %first : i64 to index
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

/// A dimension that there is not has no size.

// expected-error @below {{expects dimension 0 of result0 to be a function of the sizes of inputs, but got a size that depends on other values}}
func.func @no_dimension(%x: tensor<?xi64>) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  // expected-note @below {{for example this one}}
  %n = tensor.dim %x, %c2 : tensor<?xi64>
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error @below {{expects argument 1 to be a ranked tensor of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8 or i1, but got 'tensor<4xi7>'}}
func.func @odd(%x: tensor<4xf32>, %y: tensor<4xi7>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expects result 0 to be a ranked tensor of}}
func.func @scalar(%x: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract %x[%c0] : tensor<4xf32>
  return %0 : f32
}

// -----

// expected-error @below {{expects a body of one block, but got 2}}
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^end
^end:
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{expects a name in UTF-8, but got 'f\FF'}}
func.func @"f\FF"(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

/// What lies in the buffer of an input has its sizes.

// expected-error @below {{expects result0 to have the sizes of arg0, whose buffer it takes over, but got others}}
func.func @given(%x: tensor<?xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<?xf32>) -> tensor<?xf32> {
  return %y : tensor<?xf32>
}

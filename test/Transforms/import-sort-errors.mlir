// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-import-sort))' --allow-unregistered-dialect -verify-diagnostics -split-input-file

func.func @no_dimension(%x: tensor<4xi64>) -> tensor<4xi64> {
  // expected-error @below {{expects ranked tensors of one shape, results of their types and a dimension in range}}
  %y = "tm_tensor.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: i64, %b: i64):
    %r = arith.cmpi slt, %a, %b : i64
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<4xi64>) -> tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

func.func @shapes(%x: tensor<4xi64>, %z: tensor<5xi64>) -> tensor<4xi64> {
  // expected-error @below {{expects ranked tensors of one shape, results of their types and a dimension in range}}
  %y:2 = "tm_tensor.sort"(%x, %z) <{dimension = 0 : i64}> ({
  ^bb0(%a: i64, %b: i64, %c: i64, %d: i64):
    %r = arith.cmpi slt, %a, %b : i64
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<4xi64>, tensor<5xi64>) -> (tensor<4xi64>, tensor<5xi64>)
  return %y#0 : tensor<4xi64>
}

// -----

func.func @arguments(%x: tensor<4xi64>) -> tensor<4xi64> {
  // expected-error @below {{expects a region without side effects that yields an i1 for two elements of each tensor}}
  %y = "tm_tensor.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: i64, %b: i32):
    %r = arith.constant true
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<4xi64>) -> tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

func.func @side_effect(%x: tensor<4xi64>) -> tensor<4xi64> {
  // expected-error @below {{expects a region without side effects that yields an i1 for two elements of each tensor}}
  %y = "tm_tensor.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: i64, %b: i64):
    %r = arith.cmpi slt, %a, %b : i64
    cf.assert %r, "expects another order"
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<4xi64>) -> tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

func.func @no_region(%x: tensor<4xi64>) -> tensor<4xi64> {
  // expected-error @below {{expects a region without side effects that yields an i1 for two elements of each tensor}}
  %y = "tm_tensor.sort"(%x) <{dimension = 0 : i64}> : (tensor<4xi64>) -> tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

func.func @too_long(%x: tensor<3000000000xi8>) -> tensor<3000000000xi8> {
  // expected-error @below {{expects at most 2147483647 elements in a row, but got 3000000000}}
  %y = "tm_tensor.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: i8, %b: i8):
    %r = arith.cmpi slt, %a, %b : i8
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<3000000000xi8>) -> tensor<3000000000xi8>
  return %y : tensor<3000000000xi8>
}

// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-import-scan))' --allow-unregistered-dialect -verify-diagnostics -split-input-file

func.func @malformed(%x: tensor<4xi64>) -> tensor<4xi64> {
  // expected-error @below {{expects an input, two outputs of ranked tensors, a dimension and whether it is inclusive}}
  %y = "tm_tensor.scan"(%x) : (tensor<4xi64>) -> tensor<4xi64>
  return %y : tensor<4xi64>
}

// -----

func.func @exclusive(%x: tensor<4xi64>, %acc: tensor<i64>) -> tensor<4xi64> {
  // expected-error @below {{expects an inclusive scan, but got an exclusive one}}
  %y:2 = "tm_tensor.scan"(%x, %x, %acc) <{dimension = 0 : i64, inclusive = false}> ({
  ^bb0(%a: i64, %b: i64):
    %s = arith.addi %a, %b : i64
    "tm_tensor.yield"(%s) : (i64) -> ()
  }) : (tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> (tensor<4xi64>, tensor<i64>)
  return %y#0 : tensor<4xi64>
}

// -----

func.func @last_used(%x: tensor<4xi64>, %acc: tensor<i64>) -> tensor<i64> {
  // expected-error @below {{expects an unused last result}}
  %y:2 = "tm_tensor.scan"(%x, %x, %acc) <{dimension = 0 : i64, inclusive = true}> ({
  ^bb0(%a: i64, %b: i64):
    %s = arith.addi %a, %b : i64
    "tm_tensor.yield"(%s) : (i64) -> ()
  }) : (tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> (tensor<4xi64>, tensor<i64>)
  return %y#1 : tensor<i64>
}

// -----

func.func @no_neutral_element(%x: tensor<4xi64>, %acc: tensor<i64>) -> tensor<4xi64> {
  // expected-error @below {{expects a region of one operation with a neutral element}}
  %y:2 = "tm_tensor.scan"(%x, %x, %acc) <{dimension = 0 : i64, inclusive = true}> ({
  ^bb0(%a: i64, %b: i64):
    %s = arith.subi %a, %b : i64
    "tm_tensor.yield"(%s) : (i64) -> ()
  }) : (tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> (tensor<4xi64>, tensor<i64>)
  return %y#0 : tensor<4xi64>
}

// -----

func.func @index(%x: tensor<4xindex>, %acc: tensor<index>) -> tensor<4xindex> {
  // expected-error @below {{expects a region of one operation with a neutral element}}
  %y:2 = "tm_tensor.scan"(%x, %x, %acc) <{dimension = 0 : i64, inclusive = true}> ({
  ^bb0(%a: index, %b: index):
    %s = arith.maxsi %a, %b : index
    "tm_tensor.yield"(%s) : (index) -> ()
  }) : (tensor<4xindex>, tensor<4xindex>, tensor<index>) -> (tensor<4xindex>, tensor<index>)
  return %y#0 : tensor<4xindex>
}

// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (C1) A number and a place to store it go together.

func.func @c1_number(%i: index, %ok: i1, %number: i32) -> index {
  // expected-error @below {{expects a number and a status word together, but got a number alone}}
  %0 = stof.check %i if %ok, "index out of range" report %number : index
  return %0 : index
}

// -----

func.func @c1_status(%i: index, %ok: i1, %status: memref<1xi32>) -> index {
  // expected-error @below {{expects a number and a status word together, but got a status word alone}}
  %0 = stof.check %i if %ok, "index out of range" to %status : index, memref<1xi32>
  return %0 : index
}

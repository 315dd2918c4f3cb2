// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-k{factor=-4}))' --verify-diagnostics

// expected-error @below {{expects a split-K factor of 0 or more, but got -4}}
func.func @factor() {
  return
}

// RUN: stof-opt --stof-expand-floats --verify-diagnostics --split-input-file %s

func.func @erf_of_f64(%x: f64) -> f64 {
  // expected-error @below {{expects a function that expands to arithmetic, but got none for 'f64'}}
  %y = math.erf %x : f64
  return %y : f64
}

// -----

func.func @remainder_of_f64(%x: f64) -> f64 {
  // expected-error @below {{expects a function that expands to arithmetic, but got none for 'f64'}}
  %y = arith.remf %x, %x : f64
  return %y : f64
}

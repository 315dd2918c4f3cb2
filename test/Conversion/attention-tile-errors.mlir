// RUN: stof-opt %s --stof-lower-to-tile=chip=sm_80 --verify-diagnostics

/// A tile whose accumulators exceed the registers of a thread is an error.

func.func @too_large(%q: tensor<1x2x512x128xf16>) -> tensor<1x2x512x128xf16> {
  // expected-error @below {{cannot be compiled: expects a tile that `stof-list-schedules` prints, but got #stof.attention_tile<queries = 128, keys = 128, warps = 2>}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x512x128xf16>, tensor<1x2x512x128xf16>, tensor<1x2x512x128xf16>)
      tile <queries = 128, keys = 128, warps = 2> outs(%q : tensor<1x2x512x128xf16>) -> tensor<1x2x512x128xf16>
  return %o : tensor<1x2x512x128xf16>
}

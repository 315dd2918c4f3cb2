// RUN: stof-opt %s --stof-emit-kernels --split-input-file --verify-diagnostics

/// A launch of what no kernel computes.

func.func @no_kernel_operation(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects an operation that kernels compute, but got 'memref.copy'}}
  stof.launch [@kernels::@copy] {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

/// Every kernel has a name.

func.func @two_names(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects a kernel name for each of 1, but got 2}}
  stof.launch [@kernels::@copy, @kernels::@more] {
    linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}

// -----

/// The kernels of a tile list have to have a place for the flags.

module attributes {gpu.container_module} {
  func.func @no_flags(%m: !stof.mask<8x8>, %n: index, %r: memref<1x1x1x3xi64>, %e: memref<2xi64>) {
    stof.launch [@kernels::@flags, @kernels::@tiles] {
      // expected-error @below {{expects a launch with 1 temporary buffers, but got 0}}
      stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
          within <row_tile = 64, col_tile = 64, storage = closed_form> outs(%r, %e : memref<1x1x1x3xi64>, memref<2xi64>)
    }
    return
  }
  gpu.module @kernels {
  }
}

// -----

/// A launch of a kernel that has no module to be in.

func.func @no_module(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects a gpu.module for kernel @kernels::@copy, but got none}}
  stof.launch [@kernels::@copy] {
    linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}

// RUN: stof-opt %s --stof-kernel-to-llvm -verify-diagnostics -split-input-file

gpu.module @kernels {
  // expected-error @below {{expects contiguous memrefs as arguments, but got 'memref<4x4xf32, strided<[8, 1]>>'}}
  gpu.func @strided(%x: memref<4x4xf32, strided<[8, 1]>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expects scalars and memrefs as arguments, but got 'vector<4xf32>'}}
  gpu.func @vector(%x: vector<4xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @library(%x: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    %e = memref.load %x[%c0] : memref<1xf64>
    // expected-error @below {{expects a function with GPU instructions, but got none for 'f64'}}
    %y = math.exp %e : f64
    memref.store %y, %x[%c0] : memref<1xf64>
    gpu.return
  }
}

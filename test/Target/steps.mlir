// RUN: stof-describe steps %s | FileCheck %s

/// Every buffer is a place in one that the manifest names; a launch is a step.

// CHECK: "checks":[{"holds":["<=",["*","s0",8],4096],"message":"too long"}]
// CHECK-SAME: "constants":[{"bytes":16,"file":"constants.bin","name":"const0","offset":0},{"bytes":4,"file":"constants.bin","name":"const1","offset":256}]
// CHECK-SAME: {"block":[128,1,1],"grid":{{\[}}["ceildiv","s0",64],2,1],"kernel":"first","module":"model.sm_80.ptx","parameters":
// CHECK-SAME: [{"buffer":"arg0"},{"type":"i64","value":"s0"},{"buffer":"workspace","offset":256},{"type":"i64","value":"s0"},{"buffer":"const0"}],"shared_bytes":1024}
// CHECK-SAME: {"block":[32,1,1],"grid":[1,1,1],"kernel":"second","module":"model.sm_80.ptx","parameters":
// CHECK-SAME: [{"buffer":"workspace","offset":256},{"type":"i64","value":["*","s0",8]},{"buffer":"result0"},{"type":"i64","value":"s0"},{"buffer":"const1"},
// CHECK-SAME: {"type":"f32","value":0.5},{"type":"i64","value":["*","s0",8]},{"type":"i32","value":7}],"programmatic":true,"shared_bytes":48}
// CHECK-SAME: "target":"sm_80","workspace":["+",["*","s0",32],256]
module attributes {gpu.container_module} {
  memref.global "private" constant @table : memref<2x2xf32> = dense<1.0>
  memref.global "private" constant @flags : memref<4xi1> = dense<[true, false, true, true]>
  func.func @main(%x: memref<?x8xf32>, %y: memref<?xf32>, %workspace: memref<?xi8>)
      attributes {stof.inputs = 1 : i64, stof.results = 1 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c4096 = arith.constant 4096 : index
    %n = memref.dim %x, %c0 : memref<?x8xf32>
    %total = arith.muli %n, %c8 : index
    %fits = arith.cmpi sle, %total, %c4096 : index
    cf.assert %fits, "too long"
    %a = memref.view %workspace[%c256][%n] : memref<?xi8> to memref<?x8xf32>
    %table = memref.get_global @table : memref<2x2xf32>
    %flags = memref.get_global @flags : memref<4xi1>
    %blocks = affine.apply affine_map<()[n] -> (n ceildiv 64)>()[%n]
    gpu.launch_func @kernels::@first blocks in (%blocks, %c2, %c1) threads in (%c128, %c1, %c1)
      args(%x : memref<?x8xf32>, %a : memref<?x8xf32>, %table : memref<2x2xf32>)
    %flat = memref.collapse_shape %a [[0, 1]] : memref<?x8xf32> into memref<?xf32>
    %half = arith.constant 0.5 : f32
    %seven = arith.constant 7 : i32
    %bytes = arith.constant 48 : i32
    gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      dynamic_shared_memory_size %bytes
      args(%flat : memref<?xf32>, %y : memref<?xf32>, %flags : memref<4xi1>, %half : f32, %total : index, %seven : i32)
    return
  }
  gpu.module @kernels {
    gpu.func @first(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %z: memref<2x2xf32>) kernel attributes {tile.shared_bytes = 1024 : i64} {
      gpu.return
    }
    gpu.func @second(%x: memref<?xf32>, %y: memref<?xf32>, %f: memref<4xi1>, %a: f32, %b: index, %c: i32) kernel attributes {tile.programmatic} {
      gpu.return
    }
  }
}

// -----

/// Aliases move within their buffer; the workspace ends where its last view ends.

// CHECK: "parameters":[{"buffer":"arg0","offset":64},{"buffer":"workspace","offset":512}]
// CHECK-SAME: "workspace":576
module attributes {gpu.container_module} {
  func.func @main(%x: memref<32xf32>, %workspace: memref<?xi8>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index
    %half = memref.reinterpret_cast %x to offset: [16], sizes: [4, 4], strides: [4, 1] : memref<32xf32> to memref<4x4xf32, strided<[4, 1], offset: 16>>
    %a = memref.view %workspace[%c512][] : memref<?xi8> to memref<16xf32>
    %b = memref.expand_shape %a [[0, 1]] output_shape [2, 8] : memref<16xf32> into memref<2x8xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%half : memref<4x4xf32, strided<[4, 1], offset: 16>>, %b : memref<2x8xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%x: memref<4x4xf32, strided<[4, 1], offset: 16>>, %y: memref<2x8xf32>) kernel { gpu.return }
  }
}

// -----

/// A tensor map is a parameter: what is copied, from which memory, with strides in
/// bytes but the innermost. Dimensions begin with that one, and may be sizes.

// CHECK: "parameters":[{"buffer":"arg0"},{"type":"i64","value":"s0"},
// CHECK-SAME: {"tensor_map":{"box":[64,32,1],"buffer":"arg0","dims":[64,"s0",2],"dtype":"f16","strides":[128,["*","s0",128]],"swizzle":"128B"}},
// CHECK-SAME: {"tensor_map":{"box":[64,16],"buffer":"workspace","dims":[64,16],"dtype":"bf16","offset":512,"strides":[128],"swizzle":"128B"}}]
!batch = !nvgpu.tensormap.descriptor<tensor = memref<1x32x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!part = !nvgpu.tensormap.descriptor<tensor = memref<16x64xbf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
  func.func @main(%x: memref<2x?x64xf16>, %workspace: memref<?xi8>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %any = memref.cast %x : memref<2x?x64xf16> to memref<*xf16>
    %map = nvgpu.tma.create.descriptor %any box[%c1, %c32, %c64] : memref<*xf16> -> !batch
    %a = memref.view %workspace[%c512][] : memref<?xi8> to memref<16x64xbf16>
    %part = memref.cast %a : memref<16x64xbf16> to memref<*xbf16>
    %other = nvgpu.tma.create.descriptor %part box[%c16, %c64] : memref<*xbf16> -> !part
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<2x?x64xf16>, %map : !batch, %other : !part)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%x: memref<2x?x64xf16>, %map: !batch, %other: !part) kernel { gpu.return }
  }
}

// -----

/// Manifests have maps of one kind.

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x32xf16, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} {
  func.func @other_swizzle(%x: memref<64x64xf16>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %any = memref.cast %x : memref<64x64xf16> to memref<*xf16>
    // expected-error @below {{expects a map with the 128-byte swizzle, zeros out of bounds and nothing else, but got '!nvgpu.tensormap.descriptor<tensor = memref<64x32xf16, 3>, swizzle = swizzle_64b,}}
    %map = nvgpu.tma.create.descriptor %any box[%c64, %c32] : memref<*xf16> -> !map
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !map)
    return
  }
  gpu.module @kernels { gpu.func @k(%map: !map) kernel { gpu.return } }
}

// -----

func.func @copies(%x: memref<4xf32>, %y: memref<4xf32>) attributes {stof.inputs = 1 : i64, stof.results = 1 : i64} {
  // expected-error @below {{expects an operation that packages can express on the host, but got 'memref.copy'}}
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}

// -----

module attributes {gpu.container_module} {
  func.func @depends(%x: memref<4xi64>, %w: memref<?xi8>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
    %c1 = arith.constant 1 : index
    // expected-note @below {{computed here}}
    %n = arith.shli %c1, %c1 : index
    // expected-error @below {{expects arithmetic on sizes that packages can express, but got another value}}
    %a = memref.view %w[%c1][%n] : memref<?xi8> to memref<?xf32>
    return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @threads(%x: memref<?xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    // expected-error @below {{expects a constant number of threads, but got one that depends on sizes}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1)
    return
  }
  gpu.module @kernels { gpu.func @k() kernel { gpu.return } }
}

// -----

module attributes {gpu.container_module} {
  func.func @f64(%x: memref<4xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
    %c1 = arith.constant 1 : index
    %half = arith.constant 0.5 : f64
    // expected-error @below {{expects buffers, integers and constant f32 as parameters, but got 'f64'}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%half : f64)
    return
  }
  gpu.module @kernels { gpu.func @k(%x: f64) kernel { gpu.return } }
}

// -----

module attributes {gpu.container_module} {
  func.func @all(%x: memref<4xf32>, %w: memref<?xi8>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
    %c1 = arith.constant 1 : index
    // expected-error @below {{expects views of the workspace as parameters, but got all of it}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%w : memref<?xi8>)
    return
  }
  gpu.module @kernels { gpu.func @k(%x: memref<?xi8>) kernel { gpu.return } }
}

// -----

// expected-error @below {{expects one argument for each of the 1 inputs and results and at most one more, but got 3}}
func.func @many(%x: memref<4xf32>, %w: memref<?xi8>, %v: memref<?xi8>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  return
}

// -----

// expected-error @below {{expects a workspace of bytes, but got 'memref<?xf32>'}}
func.func @floats(%x: memref<4xf32>, %w: memref<?xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  return
}

// -----

memref.global "private" @variable : memref<4xf32>
func.func @global(%x: memref<4xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  // expected-error @below {{expects a global buffer with a constant value, but got 'variable'}}
  %v = memref.get_global @variable : memref<4xf32>
  return
}

// -----

// expected-error @below {{expects a body of one block, but got 2}}
func.func @blocks(%x: memref<4xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  cf.br ^end
^end:
  return
}

// -----

// expected-error @below {{expects a buffer for arg0, but got 'index'}}
func.func @scalar(%n: index) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  return
}

// -----

// expected-error @below {{expects a constant of 4096 bytes, but got a resource of 4}}
memref.global "private" constant @short : memref<1024xf32> = dense_resource<blob>
func.func @resource(%x: memref<4xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  %v = memref.get_global @short : memref<1024xf32>
  return
}

{-#
  dialect_resources: { builtin: { blob: "0x040000000000803F" } }
#-}

// -----

/// A boolean is a byte.

// CHECK: "bytes":3,"file":"constants.bin"
memref.global "private" constant @bits : memref<3xi1> = dense_resource<bits>
func.func @booleans(%x: memref<4xf32>) attributes {stof.inputs = 1 : i64, stof.results = 0 : i64} {
  %v = memref.get_global @bits : memref<3xi1>
  return
}

{-#
  dialect_resources: { builtin: { bits: "0x01000000010001" } }
#-}

// -----

/// A status word is a buffer of its own; what its numbers mean is listed.

// CHECK: "assertions":[{"location":"model.mlir:3:5","message":"index out of range"},{"location":"unknown","message":"negative"}]
// CHECK-SAME: "parameters":[{"buffer":"arg0"},{"buffer":"status"},{"type":"i32","value":1},{"buffer":"workspace"}]
module attributes {gpu.container_module} {
  func.func @main(%x: memref<8xi64>, %status: memref<1xi32> {stof.status}, %workspace: memref<?xi8>)
      attributes {stof.inputs = 1 : i64, stof.results = 0 : i64,
                  stof.assertions = [loc("index out of range"("model.mlir":3:5)), loc("negative")]} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %before = arith.constant 1 : i32
    %y = memref.view %workspace[%c0][] : memref<?xi8> to memref<8xf32>
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<8xi64>, %status : memref<1xi32>, %before : i32, %y : memref<8xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%x: memref<8xi64>, %status: memref<1xi32>, %before: i32, %y: memref<8xf32>) kernel {
      gpu.return
    }
  }
}

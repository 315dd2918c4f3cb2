// RUN: stof-describe native %s | FileCheck %s

/// All of a host function is one step; a workspace is passed with its size.

// CHECK: "steps":[{"module":"model.cpu.so","native":"stof_main","parameters":
// CHECK-SAME: [{"buffer":"arg0"},{"type":"i64","value":"s0"},{"buffer":"result0"},{"type":"i64","value":"s0"},
// CHECK-SAME: {"buffer":"workspace"},{"type":"i64","value":["max",["*","s0",4],64]}]}]
// CHECK-SAME: "target":"cpu","workspace":["max",["*","s0",4],64]
func.func @main(%x: memref<?xf32>, %y: memref<?xf32>, %workspace: memref<?xi8>)
    attributes {stof.inputs = 1 : i64, stof.results = 1 : i64} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.view %workspace[%c0][] : memref<?xi8> to memref<16xf32>
  %b = memref.view %workspace[%c0][%n] : memref<?xi8> to memref<?xf32>
  "test.anything"(%a, %b) : (memref<16xf32>, memref<?xf32>) -> ()
  return
}

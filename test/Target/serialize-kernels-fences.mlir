// RUN: stof-opt %s --stof-serialize-kernels="chip=sm_90a" | FileCheck %s

/// Both sides of a branch begin with a fence, which stays with the wgmma behind it.

// CHECK: .visible .entry branch(
// CHECK: bra
// CHECK: wgmma.fence.sync.aligned;
// CHECK: left
// CHECK: wgmma.fence.sync.aligned;
// CHECK: right
gpu.module @kernels {
  llvm.func @branch(%holds: i1) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>, tile.shared_bytes = 0 : i64} {
    llvm.cond_br %holds, ^left, ^right
  ^left:
    llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "" : () -> ()
    llvm.inline_asm has_side_effects "// left", "" : () -> ()
    llvm.br ^end
  ^right:
    llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;", "" : () -> ()
    llvm.inline_asm has_side_effects "// right", "" : () -> ()
    llvm.br ^end
  ^end:
    llvm.return
  }
}

// RUN: stof-opt %s --stof-to-tile=chip=sm_90a -split-input-file | FileCheck %s --check-prefix=TILE
// RUN: stof-opt %s --stof-to-ptx=chip=sm_90a -split-input-file | FileCheck %s --check-prefix=PTX
// RUN: stof-opt %s --stof-to-ptx=chip=sm_90a --remarks-filter="stof-(specialize-warps|use-tensor-maps|overlap-iterations)" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not stof-opt %s --stof-to-ptx=chip=sm_80 -split-input-file 2>&1 | FileCheck %s --check-prefix=OLDER

/// A tile with producer warps and overlapped iterations: a warpgroup loads by tensor
/// maps and gives registers to two others, which multiply. GPUs without wgmma
/// have no such tile.

// REMARK: remark: [Passed] Producers | {{.*}}Stages=2, Warps=4
// REMARK-COUNT-3: remark: [Passed] TensorMap
// REMARK: remark: [Passed] Overlap

// TILE-LABEL: gpu.func @both_0_attention
// TILE-SAME: known_block_size = array<i32: 256, 1, 1>
// TILE-SAME: overlaps = 1 : i64, producers = 4 : i64

// PTX: gpu.launch_func @both_kernels::@both_0_attention {{.*}} threads in (%c384
// PTX: gpu.binary @both_kernels
// PTX-SAME: .param .align 64 .b8 both_0_attention_param_{{[0-9]}}[128]
// PTX-SAME: .reqntid 384
// PTX-SAME: mbarrier.init.shared.b64
// PTX-SAME: setmaxnreg.inc.sync.aligned.u32 \09232;
// PTX-SAME: setmaxnreg.dec.sync.aligned.u32 \0940;
// PTX-SAME: cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

// OLDER: error: 'stof.attention' op cannot be compiled: expects a tile that `stof-list-schedules` prints, but got #stof.attention_tile<queries = 128, keys = 128, warps = 8, producers = 4, overlaps = true>
func.func @both(%q: tensor<1x8x1024x64xf16>, %k: tensor<1x8x?x64xf16>, %v: tensor<1x8x?x64xf16>) -> tensor<1x8x1024x64xf16> {
  %e = tensor.empty() : tensor<1x8x1024x64xf16>
  %o = stof.attention ins(%q, %k, %v : tensor<1x8x1024x64xf16>, tensor<1x8x?x64xf16>, tensor<1x8x?x64xf16>)
    tile <queries = 128, keys = 128, warps = 8, producers = 4, overlaps = true>
    outs(%e : tensor<1x8x1024x64xf16>) -> tensor<1x8x1024x64xf16>
  return %o : tensor<1x8x1024x64xf16>
}

// -----

/// Keys that are values as well are loaded once, and their tile is not kept for an
/// iteration more.

// REMARK: remark: [Passed] Producers
// REMARK-COUNT-2: remark: [Passed] TensorMap
// REMARK: remark: [Missed] Overlap
func.func @shared(%q: tensor<1x8x1024x64xf16>, %k: tensor<1x8x1024x64xf16>) -> tensor<1x8x1024x64xf16> {
  %e = tensor.empty() : tensor<1x8x1024x64xf16>
  %o = stof.attention ins(%q, %k, %k : tensor<1x8x1024x64xf16>, tensor<1x8x1024x64xf16>, tensor<1x8x1024x64xf16>)
    tile <queries = 128, keys = 128, warps = 8, producers = 4, overlaps = true>
    outs(%e : tensor<1x8x1024x64xf16>) -> tensor<1x8x1024x64xf16>
  return %o : tensor<1x8x1024x64xf16>
}

// RUN: stof-opt %s '--stof-search=chip=sm_90a measure=false script=%t.script.mlir' -o %t.tuned --remarks-filter=stof-search 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: FileCheck %s < %t.tuned

/// The cost model chooses without measurements, and says so.
// REMARKS: NotMeasured{{.*}}the cost model chooses: measuring is off
// REMARKS: ChoseScheme{{.*}}Kernels=2
// REMARKS: ChoseSchedule{{.*}}Predicted={{.*}}no schedule is predicted to be faster{{.*}}Schedule="[[TILE:#stof.attention_tile<.*>]]"

/// The untuned tile is the one that the attention gets without a search.
// RUN: stof-opt %s --stof-plan-layout=chip=sm_90a > %t.layout
// RUN: stof-opt %s '--stof-search=chip=sm_90a measure=false' --stof-plan-layout=chip=sm_90a | grep -o "tile <.*> layout" > %t.searched
// RUN: grep -o "tile <.*> layout" %t.layout | diff - %t.searched

/// Both attentions have the same mask, spelt in two ways: they are one kernel with one schedule.
// CHECK-LABEL: func.func @twice
// CHECK-SAME: stof.scheme = #stof.scheme<"01">
// CHECK: stof.attention {{.*}} tile [[TILE:<.*>]] outs
// CHECK: stof.attention {{.*}} tile [[TILE]] outs
// CHECK-LABEL: func.func @epilogue
// CHECK-SAME: stof.scheme = #stof.scheme<"00">
// CHECK: stof.group {{.*}} tiles [#stof.matmul_tile<

/// The script makes the tuned module of the untuned one, and another tile in it changes that alone.
// RUN: stof-opt %s --transform-preload-library=transform-library-paths=%t.script.mlir --transform-interpreter -o %t.replayed
// RUN: diff %t.tuned %t.replayed
// RUN: sed 's/stages = [0-9]*/stages = 2/' %t.script.mlir > %t.edited.mlir
// RUN: stof-opt %s --transform-preload-library=transform-library-paths=%t.edited.mlir --transform-interpreter -o %t.other
// RUN: not diff %t.tuned %t.other | FileCheck %s --check-prefix=EDITED
// EDITED: {{^! .*}}#stof.matmul_tile<
// EDITED-NOT: {{^[!+-] }}
// EDITED: {{^! .*}}#stof.matmul_tile<{{.*}}stages = 2>
// EDITED-NOT: {{^[!+-] }}

/// A scheme, groups and tiles that are given stay.
// RUN: stof-opt %t.other '--stof-search=chip=sm_90a measure=false' | FileCheck %s --check-prefix=GIVEN
// GIVEN: #stof.matmul_tile<{{.*}}stages = 2>

!t = tensor<1x2x512x64xf16>

func.func @twice(%q: !t) -> (!t, !t) {
  %e = tensor.empty() : !t
  %causal = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %first = stof.attention ins(%q, %q, %q : !t, !t, !t) mask(%causal : !stof.mask<?x?>) outs(%e : !t) -> !t
  %same = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c1 = arith.constant 1 : index
    %next = arith.addi %i, %c1 : index
    %keep = arith.cmpi ugt, %next, %j : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %second = stof.attention ins(%first, %q, %q : !t, !t, !t) mask(%same : !stof.mask<?x?>) outs(%e : !t) -> !t
  return %first, %second : !t, !t
}

func.func @epilogue(%x: tensor<512x64xf16>, %w: tensor<64x64xf16>) -> tensor<512x64xf16> {
  %init = tensor.empty() : tensor<512x64xf16>
  %zero = arith.constant 0.0 : f16
  %fill = linalg.fill ins(%zero : f16) outs(%init : tensor<512x64xf16>) -> tensor<512x64xf16>
  %product = linalg.matmul ins(%x, %w : tensor<512x64xf16>, tensor<64x64xf16>) outs(%fill : tensor<512x64xf16>) -> tensor<512x64xf16>
  %exp = linalg.exp ins(%product : tensor<512x64xf16>) outs(%init : tensor<512x64xf16>) -> tensor<512x64xf16>
  return %exp : tensor<512x64xf16>
}

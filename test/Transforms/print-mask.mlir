// RUN: rm -rf %t && mkdir %t
// RUN: stof-opt %s --stof-print-mask="svg=%t/masks.svg length=200 head=1" -o /dev/null | FileCheck %s
// RUN: FileCheck %s --check-prefix=SVG < %t/masks.svg
// RUN: %python -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" %t/masks.svg
// RUN: stof-opt %s --stof-print-mask="row-tile=32 col-tile=16 width=8" -o /dev/null | FileCheck %s --check-prefix=SMALL
// RUN: stof-opt %s --stof-plan-layout="row-tile=128 col-tile=32" --stof-print-mask -o /dev/null | FileCheck %s --check-prefix=LAYOUT
// RUN: not stof-opt %s --stof-print-mask="svg=%t/no/folder.svg" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOFILE

// NOFILE: error: cannot draw masks: {{.*}}folder.svg

// SVG: <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 {{[0-9]+}}">
// SVG: <rect class="full" x="16" y="16" width="14" height="14"/><text x="36" y="28">full</text>
// SVG: <rect class="partial" x="106" y="16" width="14" height="14"/><text x="126" y="28">partial</text>
// SVG: <rect class="empty" x="196" y="16" width="14" height="14"/><text x="216" y="28">empty</text>

/// A window that cuts most of its tiles, in text and as rectangles. Padding makes no
/// tile partial.

// CHECK: print-mask.mlir:{{[0-9]+}}:8: 256 x 200 in tiles of 64 x 64: 3 full, 7 partial, 6 empty; 23299 pairs, 45.51%
// CHECK-NEXT: {{^}}  +...{{$}}
// CHECK-NEXT: {{^}}  #+..{{$}}
// CHECK-NEXT: {{^}}  +#+.{{$}}
// CHECK-NEXT: {{^}}  ++#+{{$}}

// SVG: <text y="16">print-mask.mlir:{{.*}}: 256 x 200 in tiles of 64 x 64: 3 full
// SVG-NEXT: <g transform="translate(0 22) scale(120.0000)">
// SVG-NEXT: <rect class="empty" width="4" height="4"/>
// SVG-NEXT: <rect class="partial" x="0" y="0" width="1" height="1"/>
// SVG-NEXT: <rect class="full" x="0" y="1" width="1" height="1"/>
// SVG-NEXT: <rect class="partial" x="1" y="1" width="1" height="1"/>

// SMALL: 256 x 200 in tiles of 32 x 16: 35 full, 24 partial, 45 empty; 23299 pairs, 45.51%
// SMALL-NEXT: one character for 2 x 2 tiles
// SMALL-NEXT: {{^}}  ++.....{{$}}
// SMALL-NEXT: {{^}}  ##++...{{$}}
// SMALL-NEXT: {{^}}  ++##++.{{$}}
// SMALL-NEXT: {{^}}  .+++##+{{$}}

// LAYOUT: 256 x 200 in tiles of 128 x 32: 0 full, 11 partial, 3 empty
// LAYOUT-NEXT: {{^}}  ++++...{{$}}
// LAYOUT-NEXT: {{^}}  +++++++{{$}}
func.func @window(%q: tensor<1x1x256x64xf16>, %k: tensor<1x1x200x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c130 = arith.constant 130 : index
    %zero = arith.constant 0 : index
    %d = arith.subi %i, %j : index
    %past = arith.cmpi sge, %d, %zero : index
    %near = arith.cmpi slt, %d, %c130 : index
    %keep = arith.andi %past, %near : i1
    stof.yield %keep : i1
  } : !stof.mask<256x200>
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x256x64xf16>, tensor<1x1x200x64xf16>, tensor<1x1x200x64xf16>)
      mask(%m : !stof.mask<256x200>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

/// The second head, at a length of 200; a run of tiles that the next row repeats
/// is one rectangle.

// CHECK: 200 x 200 in tiles of 64 x 64: 12 full, 0 partial, 4 empty; 27200 pairs, 68.00%
// CHECK-COUNT-4: {{^}}  .###{{$}}
// SVG: 200 x 200
// SVG: <rect class="empty" width="4" height="4"/>
// SVG-NEXT: <rect class="full" x="1" y="0" width="3" height="4"/>
// SVG-NEXT: </g>
// SMALL: print-mask.mlir:{{.*}}: not drawn: its lengths are known at run time, and no length is given
func.func @by_head(%q: tensor<1x4x?x64xf16>) -> tensor<1x4x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c64 = arith.constant 64 : index
    %first = arith.muli %h, %c64 : index
    %keep = arith.cmpi sge, %j, %first : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x4x?x64xf16>, tensor<1x4x?x64xf16>, tensor<1x4x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x4x?x64xf16>) -> tensor<1x4x?x64xf16>
  return %o : tensor<1x4x?x64xf16>
}

/// What has no closed form is evaluated.

// CHECK: 256 x 256 in tiles of 64 x 64: 5 full, 0 partial, 11 empty; 20480 pairs, 31.25%
// CHECK-NEXT: {{^}}  #..#{{$}}
// CHECK-NEXT: {{^}}  .#..{{$}}
// CHECK-NEXT: {{^}}  #.#.{{$}}
// CHECK-NEXT: {{^}}  ....{{$}}
func.func @table(%q: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %blocks = arith.constant dense<[[1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]]> : tensor<4x4xi1>
  %m = stof.mask captures(%blocks : tensor<4x4xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %t: tensor<4x4xi1>):
    %c64 = arith.constant 64 : index
    %x = arith.divui %i, %c64 : index
    %y = arith.divui %j, %c64 : index
    %keep = tensor.extract %t[%x, %y] : tensor<4x4xi1>
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

/// What is known at run time only is not drawn.

// CHECK: print-mask.mlir:{{.*}}: not drawn: its tiles have no closed form in known sizes, and scalar cannot be evaluated at compile time
// CHECK: print-mask.mlir:{{.*}}: not drawn: its blocks are known at run time
func.func @run_time(%q: tensor<1x1x256x64xf16>, %n: index, %rows: tensor<5xi32>, %columns: tensor<?xi32>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask captures(%n : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %length: index):
    %keep = arith.cmpi slt, %j, %length : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  %blocks = stof.block_mask %rows, %columns block(64, 64) : tensor<5xi32>, tensor<?xi32> -> !stof.mask<256x256>
  %p = stof.attention ins(%o, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%blocks : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %p : tensor<1x1x256x64xf16>
}

/// The picture is that of adjacent positions, also where the layout has others.

// CHECK: 256 x 256 in tiles of 64 x 64: 0 full, 10 partial, 6 empty; 14528 pairs, 22.17%{{$}}
// LAYOUT: 256 x 256 in tiles of 128 x 32: 0 full, 12 partial, 4 empty; 14528 pairs, 22.17%; its layout has tiles of every 2 positions{{$}}
func.func @dilated(%q: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %stride = arith.constant 2 : index
    %width = arith.constant 64 : index
    %distance = arith.subi %i, %j : index
    %far = math.absi %distance : index
    %near = arith.cmpi sle, %far, %width : index
    %rest = arith.remsi %far, %stride : index
    %on = arith.cmpi eq, %rest, %c0 : index
    %keep = arith.andi %near, %on : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

/// Of the mask of an argument nothing is known.

// CHECK: print-mask.mlir:{{.*}}: not drawn: its mask is not defined by a mask operation
func.func @argument(%q: tensor<1x1x256x64xf16>, %m: !stof.mask<256x256>) -> tensor<1x1x256x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

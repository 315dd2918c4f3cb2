// Rows that are computed one after another from those before them, as in gated delta rules: an element of the last is a
// sum over elements of all others, each of which is one again.

func.func @rows(%q: tensor<12x4xf32>, %k: tensor<12x4xf32>, %v: tensor<12x4xf32>) -> tensor<12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<12x12xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e : tensor<12x12xf32>) -> tensor<12x12xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(q, k, d) -> (q, d)>, affine_map<(q, k, d) -> (k, d)>, affine_map<(q, k, d) -> (q, k)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<12x4xf32>, tensor<12x4xf32>) outs(%none : tensor<12x12xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<12x12xf32>
  %a1 = linalg.exp ins(%s : tensor<12x12xf32>) outs(%e : tensor<12x12xf32>) -> tensor<12x12xf32>

  %row2 = tensor.extract_slice %a1[2, 0] [1, 2] [1, 1] : tensor<12x12xf32> to tensor<2xf32>
  %sub2 = tensor.extract_slice %a1[0, 0] [2, 2] [1, 1] : tensor<12x12xf32> to tensor<2x2xf32>
  %pe2 = tensor.empty() : tensor<2x2xf32>
  %p2 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row2, %sub2 : tensor<2xf32>, tensor<2x2xf32>) outs(%pe2 : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x2xf32>
  %te2 = tensor.empty() : tensor<2xf32>
  %tz2 = linalg.fill ins(%zero : f32) outs(%te2 : tensor<2xf32>) -> tensor<2xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p2 : tensor<2x2xf32>) outs(%tz2 : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<2xf32>
  %n2 = linalg.add ins(%row2, %t2 : tensor<2xf32>, tensor<2xf32>) outs(%te2 : tensor<2xf32>) -> tensor<2xf32>
  %a2 = tensor.insert_slice %n2 into %a1[2, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<12x12xf32>

  %row3 = tensor.extract_slice %a2[3, 0] [1, 3] [1, 1] : tensor<12x12xf32> to tensor<3xf32>
  %sub3 = tensor.extract_slice %a2[0, 0] [3, 3] [1, 1] : tensor<12x12xf32> to tensor<3x3xf32>
  %pe3 = tensor.empty() : tensor<3x3xf32>
  %p3 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row3, %sub3 : tensor<3xf32>, tensor<3x3xf32>) outs(%pe3 : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x3xf32>
  %te3 = tensor.empty() : tensor<3xf32>
  %tz3 = linalg.fill ins(%zero : f32) outs(%te3 : tensor<3xf32>) -> tensor<3xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p3 : tensor<3x3xf32>) outs(%tz3 : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<3xf32>
  %n3 = linalg.add ins(%row3, %t3 : tensor<3xf32>, tensor<3xf32>) outs(%te3 : tensor<3xf32>) -> tensor<3xf32>
  %a3 = tensor.insert_slice %n3 into %a2[3, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<12x12xf32>

  %row4 = tensor.extract_slice %a3[4, 0] [1, 4] [1, 1] : tensor<12x12xf32> to tensor<4xf32>
  %sub4 = tensor.extract_slice %a3[0, 0] [4, 4] [1, 1] : tensor<12x12xf32> to tensor<4x4xf32>
  %pe4 = tensor.empty() : tensor<4x4xf32>
  %p4 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row4, %sub4 : tensor<4xf32>, tensor<4x4xf32>) outs(%pe4 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<4x4xf32>
  %te4 = tensor.empty() : tensor<4xf32>
  %tz4 = linalg.fill ins(%zero : f32) outs(%te4 : tensor<4xf32>) -> tensor<4xf32>
  %t4 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p4 : tensor<4x4xf32>) outs(%tz4 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %n4 = linalg.add ins(%row4, %t4 : tensor<4xf32>, tensor<4xf32>) outs(%te4 : tensor<4xf32>) -> tensor<4xf32>
  %a4 = tensor.insert_slice %n4 into %a3[4, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<12x12xf32>

  %row5 = tensor.extract_slice %a4[5, 0] [1, 5] [1, 1] : tensor<12x12xf32> to tensor<5xf32>
  %sub5 = tensor.extract_slice %a4[0, 0] [5, 5] [1, 1] : tensor<12x12xf32> to tensor<5x5xf32>
  %pe5 = tensor.empty() : tensor<5x5xf32>
  %p5 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row5, %sub5 : tensor<5xf32>, tensor<5x5xf32>) outs(%pe5 : tensor<5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<5x5xf32>
  %te5 = tensor.empty() : tensor<5xf32>
  %tz5 = linalg.fill ins(%zero : f32) outs(%te5 : tensor<5xf32>) -> tensor<5xf32>
  %t5 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p5 : tensor<5x5xf32>) outs(%tz5 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  %n5 = linalg.add ins(%row5, %t5 : tensor<5xf32>, tensor<5xf32>) outs(%te5 : tensor<5xf32>) -> tensor<5xf32>
  %a5 = tensor.insert_slice %n5 into %a4[5, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<12x12xf32>

  %row6 = tensor.extract_slice %a5[6, 0] [1, 6] [1, 1] : tensor<12x12xf32> to tensor<6xf32>
  %sub6 = tensor.extract_slice %a5[0, 0] [6, 6] [1, 1] : tensor<12x12xf32> to tensor<6x6xf32>
  %pe6 = tensor.empty() : tensor<6x6xf32>
  %p6 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row6, %sub6 : tensor<6xf32>, tensor<6x6xf32>) outs(%pe6 : tensor<6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<6x6xf32>
  %te6 = tensor.empty() : tensor<6xf32>
  %tz6 = linalg.fill ins(%zero : f32) outs(%te6 : tensor<6xf32>) -> tensor<6xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p6 : tensor<6x6xf32>) outs(%tz6 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<6xf32>
  %n6 = linalg.add ins(%row6, %t6 : tensor<6xf32>, tensor<6xf32>) outs(%te6 : tensor<6xf32>) -> tensor<6xf32>
  %a6 = tensor.insert_slice %n6 into %a5[6, 0] [1, 6] [1, 1] : tensor<6xf32> into tensor<12x12xf32>

  %row7 = tensor.extract_slice %a6[7, 0] [1, 7] [1, 1] : tensor<12x12xf32> to tensor<7xf32>
  %sub7 = tensor.extract_slice %a6[0, 0] [7, 7] [1, 1] : tensor<12x12xf32> to tensor<7x7xf32>
  %pe7 = tensor.empty() : tensor<7x7xf32>
  %p7 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row7, %sub7 : tensor<7xf32>, tensor<7x7xf32>) outs(%pe7 : tensor<7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<7x7xf32>
  %te7 = tensor.empty() : tensor<7xf32>
  %tz7 = linalg.fill ins(%zero : f32) outs(%te7 : tensor<7xf32>) -> tensor<7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p7 : tensor<7x7xf32>) outs(%tz7 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<7xf32>
  %n7 = linalg.add ins(%row7, %t7 : tensor<7xf32>, tensor<7xf32>) outs(%te7 : tensor<7xf32>) -> tensor<7xf32>
  %a7 = tensor.insert_slice %n7 into %a6[7, 0] [1, 7] [1, 1] : tensor<7xf32> into tensor<12x12xf32>

  %row8 = tensor.extract_slice %a7[8, 0] [1, 8] [1, 1] : tensor<12x12xf32> to tensor<8xf32>
  %sub8 = tensor.extract_slice %a7[0, 0] [8, 8] [1, 1] : tensor<12x12xf32> to tensor<8x8xf32>
  %pe8 = tensor.empty() : tensor<8x8xf32>
  %p8 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row8, %sub8 : tensor<8xf32>, tensor<8x8xf32>) outs(%pe8 : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x8xf32>
  %te8 = tensor.empty() : tensor<8xf32>
  %tz8 = linalg.fill ins(%zero : f32) outs(%te8 : tensor<8xf32>) -> tensor<8xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p8 : tensor<8x8xf32>) outs(%tz8 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %n8 = linalg.add ins(%row8, %t8 : tensor<8xf32>, tensor<8xf32>) outs(%te8 : tensor<8xf32>) -> tensor<8xf32>
  %a8 = tensor.insert_slice %n8 into %a7[8, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<12x12xf32>

  %row9 = tensor.extract_slice %a8[9, 0] [1, 9] [1, 1] : tensor<12x12xf32> to tensor<9xf32>
  %sub9 = tensor.extract_slice %a8[0, 0] [9, 9] [1, 1] : tensor<12x12xf32> to tensor<9x9xf32>
  %pe9 = tensor.empty() : tensor<9x9xf32>
  %p9 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row9, %sub9 : tensor<9xf32>, tensor<9x9xf32>) outs(%pe9 : tensor<9x9xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<9x9xf32>
  %te9 = tensor.empty() : tensor<9xf32>
  %tz9 = linalg.fill ins(%zero : f32) outs(%te9 : tensor<9xf32>) -> tensor<9xf32>
  %t9 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p9 : tensor<9x9xf32>) outs(%tz9 : tensor<9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<9xf32>
  %n9 = linalg.add ins(%row9, %t9 : tensor<9xf32>, tensor<9xf32>) outs(%te9 : tensor<9xf32>) -> tensor<9xf32>
  %a9 = tensor.insert_slice %n9 into %a8[9, 0] [1, 9] [1, 1] : tensor<9xf32> into tensor<12x12xf32>

  %row10 = tensor.extract_slice %a9[10, 0] [1, 10] [1, 1] : tensor<12x12xf32> to tensor<10xf32>
  %sub10 = tensor.extract_slice %a9[0, 0] [10, 10] [1, 1] : tensor<12x12xf32> to tensor<10x10xf32>
  %pe10 = tensor.empty() : tensor<10x10xf32>
  %p10 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row10, %sub10 : tensor<10xf32>, tensor<10x10xf32>) outs(%pe10 : tensor<10x10xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<10x10xf32>
  %te10 = tensor.empty() : tensor<10xf32>
  %tz10 = linalg.fill ins(%zero : f32) outs(%te10 : tensor<10xf32>) -> tensor<10xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p10 : tensor<10x10xf32>) outs(%tz10 : tensor<10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<10xf32>
  %n10 = linalg.add ins(%row10, %t10 : tensor<10xf32>, tensor<10xf32>) outs(%te10 : tensor<10xf32>) -> tensor<10xf32>
  %a10 = tensor.insert_slice %n10 into %a9[10, 0] [1, 10] [1, 1] : tensor<10xf32> into tensor<12x12xf32>

  %row11 = tensor.extract_slice %a10[11, 0] [1, 11] [1, 1] : tensor<12x12xf32> to tensor<11xf32>
  %sub11 = tensor.extract_slice %a10[0, 0] [11, 11] [1, 1] : tensor<12x12xf32> to tensor<11x11xf32>
  %pe11 = tensor.empty() : tensor<11x11xf32>
  %p11 = linalg.generic {indexing_maps = [affine_map<(k, j) -> (k)>, affine_map<(k, j) -> (k, j)>, affine_map<(k, j) -> (k, j)>],
                         iterator_types = ["parallel", "parallel"]}
      ins(%row11, %sub11 : tensor<11xf32>, tensor<11x11xf32>) outs(%pe11 : tensor<11x11xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<11x11xf32>
  %te11 = tensor.empty() : tensor<11xf32>
  %tz11 = linalg.fill ins(%zero : f32) outs(%te11 : tensor<11xf32>) -> tensor<11xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(j, k) -> (k, j)>, affine_map<(j, k) -> (j)>], iterator_types = ["parallel", "reduction"]}
      ins(%p11 : tensor<11x11xf32>) outs(%tz11 : tensor<11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<11xf32>
  %n11 = linalg.add ins(%row11, %t11 : tensor<11xf32>, tensor<11xf32>) outs(%te11 : tensor<11xf32>) -> tensor<11xf32>
  %a11 = tensor.insert_slice %n11 into %a10[11, 0] [1, 11] [1, 1] : tensor<11xf32> into tensor<12x12xf32>

  %r = tensor.empty() : tensor<12x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%r : tensor<12x4xf32>) -> tensor<12x4xf32>
  %o = linalg.matmul ins(%a11, %v : tensor<12x12xf32>, tensor<12x4xf32>) outs(%start : tensor<12x4xf32>) -> tensor<12x4xf32>
  return %o : tensor<12x4xf32>
}

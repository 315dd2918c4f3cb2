// RUN: stof-opt %s | stof-opt | FileCheck %s

/// A tile of attention has defaults for what few kernels have.

// CHECK-LABEL: @usual
// CHECK-SAME: #stof.attention_tile<queries = 64, keys = 64, warps = 4>
func.func private @usual() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 4, holds_queries = false, producers = 0, overlaps = false>}

// CHECK-LABEL: @held
// CHECK-SAME: #stof.attention_tile<queries = 64, keys = 64, warps = 4, holds_queries = true>
func.func private @held() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 4, holds_queries = true>}

// CHECK-LABEL: @produced
// CHECK-SAME: #stof.attention_tile<queries = 64, keys = 64, warps = 4, producers = 1>
func.func private @produced() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 4, producers = 1>}

// CHECK-LABEL: @each_with_one
// CHECK-SAME: #stof.attention_tile<queries = 128, keys = 64, warps = 8, producers = 4>
func.func private @each_with_one() attributes {tile = #stof.attention_tile<queries = 128, keys = 64, warps = 8, producers = 4, resident = 0>}

// CHECK-LABEL: @all
// CHECK-SAME: #stof.attention_tile<queries = 128, keys = 128, warps = 8, holds_queries = true, producers = 4, overlaps = true, resident = 1>
func.func private @all() attributes {tile = #stof.attention_tile<queries = 128, keys = 128, warps = 8, holds_queries = true, producers = 4, overlaps = true, resident = 1>}

/// Tiles of contractions and of threads.

// CHECK-LABEL: @contraction
// CHECK-SAME: #stof.matmul_tile<rows = 64, columns = 128, k = 32, row_warps = 2, column_warps = 2, stages = 3>
func.func private @contraction() attributes {tile = #stof.matmul_tile<rows = 64, columns = 128, k = 32, row_warps = 2, column_warps = 2, stages = 3>}

/// Contractions have neither producer warps nor persistent CTAs unless asked for.

// CHECK-LABEL: @alone
// CHECK-SAME: #stof.matmul_tile<rows = 64, columns = 128, k = 32, row_warps = 2, column_warps = 2, stages = 3>
func.func private @alone() attributes {tile = #stof.matmul_tile<rows = 64, columns = 128, k = 32, row_warps = 2, column_warps = 2, stages = 3, producers = 0, resident = 0>}

// CHECK-LABEL: @loading
// CHECK-SAME: #stof.matmul_tile<rows = 128, columns = 128, k = 64, row_warps = 8, column_warps = 1, stages = 3, producers = 1>
func.func private @loading() attributes {tile = #stof.matmul_tile<rows = 128, columns = 128, k = 64, row_warps = 8, column_warps = 1, stages = 3, producers = 1>}

// CHECK-LABEL: @persistent
// CHECK-SAME: #stof.matmul_tile<rows = 128, columns = 128, k = 64, row_warps = 8, column_warps = 1, stages = 3, producers = 1, resident = 2>
func.func private @persistent() attributes {tile = #stof.matmul_tile<rows = 128, columns = 128, k = 64, row_warps = 8, column_warps = 1, stages = 3, producers = 1, resident = 2>}

/// Groups of warps take turns with the tiles of a persistent CTA.

// CHECK-LABEL: @in_turn
// CHECK-SAME: #stof.matmul_tile<rows = 64, columns = 256, k = 64, row_warps = 4, column_warps = 1, stages = 4, producers = 1, resident = 1, groups = 2>
func.func private @in_turn() attributes {tile = #stof.matmul_tile<rows = 64, columns = 256, k = 64, row_warps = 4, column_warps = 1, stages = 4, producers = 1, resident = 1, groups = 2>}

// CHECK-LABEL: @one_group
// CHECK-SAME: #stof.matmul_tile<rows = 64, columns = 256, k = 64, row_warps = 4, column_warps = 1, stages = 4>
func.func private @one_group() attributes {tile = #stof.matmul_tile<rows = 64, columns = 256, k = 64, row_warps = 4, column_warps = 1, stages = 4, groups = 1>}

// CHECK-LABEL: @threads
// CHECK-SAME: #stof.thread_tile<elements = 8, row_warps = 4, column_warps = 1>
func.func private @threads() attributes {tile = #stof.thread_tile<elements = 8, row_warps = 4, column_warps = 1>}

// Causal attention, written by make_attention.py.

#acc = #tile.mma<warps = [4, 1]>
#row = #tile.slice<1, #acc>

gpu.module @attention {
  // O = softmax(Q K^T * scale, causal) V with its row sums, 64 features.
  gpu.func @attention_f16_64(%q: memref<?x?x64xf16>, %k: memref<?x?x64xf16>, %v: memref<?x?x64xf16>, %scale: f32, %o: memref<?x?x64xf16>, %lse: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ck = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %inf = arith.constant 0xFF800000 : f32
    %keys = memref.dim %k, %c1 : memref<?x?x64xf16>
    %head = gpu.block_id y
    %bi = gpu.block_id x
    %i = arith.muli %bi, %c64 : index
    %end = arith.addi %i, %c64 : index
    %last = arith.minsi %end, %keys : index
    %qt = tile.load %q[%head, %i, %c0] along [1, 2] : memref<?x?x64xf16> -> !tile.shared<64x64xf16>
    %m0 = tile.splat %inf : !tile.fragment<64xf32, #row>
    %l0 = tile.splat %zero : !tile.fragment<64xf32, #row>
    %o0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %r:3 = scf.for %j = %c0 to %last step %ck iter_args(%m = %m0, %l = %l0, %acc = %o0)
        -> (!tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x64xf32, #acc>) {
      %kt = tile.load %k[%head, %j, %c0] along [1, 2] : memref<?x?x64xf16> -> !tile.shared<64x64xf16>
      %vt = tile.load %v[%head, %j, %c0] along [1, 2] : memref<?x?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %qt, %kt, %s0 transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %x = tile.map ins(%s : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %qi = arith.addi %i, %row : index
        %ki = arith.addi %j, %column : index
        %causal = arith.cmpi sle, %ki, %qi : index
        %inside = arith.cmpi slt, %ki, %keys : index
        %keep = arith.andi %causal, %inside : i1
        %scaled = arith.mulf %e, %scale : f32
        %y = arith.select %keep, %scaled, %inf : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %tm = tile.reduce %x along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.maxnumf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #row>
      %mn, %factor = tile.map ins(%m, %tm : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %b: f32):
        %new = arith.maxnumf %a, %b : f32
        %d = arith.subf %a, %new : f32
        %f = math.exp2 %d : f32
        tile.yield %new, %f : f32, f32
      } -> !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>
      %p = tile.map ins(%x, %mn : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %e: f32, %b: f32):
        %d = arith.subf %e, %b : f32
        %y = math.exp2 %d : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %ps = tile.reduce %p along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.addf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #row>
      %ln = tile.map ins(%l, %factor, %ps : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %f: f32, %b: f32):
        %d = arith.mulf %a, %f : f32
        %y = arith.addf %d, %b : f32
        tile.yield %y : f32
      } -> !tile.fragment<64xf32, #row>
      %scaled = tile.map ins(%acc, %factor : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %a: f32, %f: f32):
        %y = arith.mulf %a, %f : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %pt = tile.map ins(%p : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %y = arith.truncf %e : f32 to f16
        tile.yield %y : f16
      } -> !tile.fragment<64x64xf16, #acc>
      %on = tile.contract %pt, %vt, %scaled : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %mn, %ln, %on : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x64xf32, #acc>
    }
    %out = tile.map ins(%r#2, %r#1 : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %column: index, %a: f32, %b: f32):
      %e = arith.divf %a, %b : f32
      %y = arith.truncf %e : f32 to f16
      tile.yield %y : f16
    } -> !tile.fragment<64x64xf16, #acc>
    tile.store %out, %o[%head, %i, %c0] along [1, 2] : !tile.fragment<64x64xf16, #acc>, memref<?x?x64xf16>
    %ends = tile.map ins(%r#0, %r#1 : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %a: f32, %b: f32):
      %log = math.log2 %b : f32
      %y = arith.addf %a, %log : f32
      tile.yield %y : f32
    } -> !tile.fragment<64xf32, #row>
    tile.store %ends, %lse[%head, %i] along [1] : !tile.fragment<64xf32, #row>, memref<?x?xf32>
    gpu.return
  }

  // O = softmax(Q K^T * scale, causal) V with its row sums, 128 features.
  gpu.func @attention_f16_128(%q: memref<?x?x128xf16>, %k: memref<?x?x128xf16>, %v: memref<?x?x128xf16>, %scale: f32, %o: memref<?x?x128xf16>, %lse: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ck = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %inf = arith.constant 0xFF800000 : f32
    %keys = memref.dim %k, %c1 : memref<?x?x128xf16>
    %head = gpu.block_id y
    %bi = gpu.block_id x
    %i = arith.muli %bi, %c64 : index
    %end = arith.addi %i, %c64 : index
    %last = arith.minsi %end, %keys : index
    %qt = tile.load %q[%head, %i, %c0] along [1, 2] : memref<?x?x128xf16> -> !tile.shared<64x128xf16>
    %m0 = tile.splat %inf : !tile.fragment<64xf32, #row>
    %l0 = tile.splat %zero : !tile.fragment<64xf32, #row>
    %o0 = tile.splat %zero : !tile.fragment<64x128xf32, #acc>
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %r:3 = scf.for %j = %c0 to %last step %ck iter_args(%m = %m0, %l = %l0, %acc = %o0)
        -> (!tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x128xf32, #acc>) {
      %kt = tile.load %k[%head, %j, %c0] along [1, 2] : memref<?x?x128xf16> -> !tile.shared<64x128xf16>
      %vt = tile.load %v[%head, %j, %c0] along [1, 2] : memref<?x?x128xf16> -> !tile.shared<64x128xf16>
      %s = tile.contract %qt, %kt, %s0 transpose_rhs : !tile.shared<64x128xf16>, !tile.shared<64x128xf16>, !tile.fragment<64x64xf32, #acc>
      %x = tile.map ins(%s : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %qi = arith.addi %i, %row : index
        %ki = arith.addi %j, %column : index
        %causal = arith.cmpi sle, %ki, %qi : index
        %inside = arith.cmpi slt, %ki, %keys : index
        %keep = arith.andi %causal, %inside : i1
        %scaled = arith.mulf %e, %scale : f32
        %y = arith.select %keep, %scaled, %inf : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %tm = tile.reduce %x along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.maxnumf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #row>
      %mn, %factor = tile.map ins(%m, %tm : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %b: f32):
        %new = arith.maxnumf %a, %b : f32
        %d = arith.subf %a, %new : f32
        %f = math.exp2 %d : f32
        tile.yield %new, %f : f32, f32
      } -> !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>
      %p = tile.map ins(%x, %mn : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %e: f32, %b: f32):
        %d = arith.subf %e, %b : f32
        %y = math.exp2 %d : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %ps = tile.reduce %p along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.addf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #row>
      %ln = tile.map ins(%l, %factor, %ps : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %f: f32, %b: f32):
        %d = arith.mulf %a, %f : f32
        %y = arith.addf %d, %b : f32
        tile.yield %y : f32
      } -> !tile.fragment<64xf32, #row>
      %scaled = tile.map ins(%acc, %factor : !tile.fragment<64x128xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %a: f32, %f: f32):
        %y = arith.mulf %a, %f : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x128xf32, #acc>
      %pt = tile.map ins(%p : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %y = arith.truncf %e : f32 to f16
        tile.yield %y : f16
      } -> !tile.fragment<64x64xf16, #acc>
      %on = tile.contract %pt, %vt, %scaled : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x128xf16>, !tile.fragment<64x128xf32, #acc>
      scf.yield %mn, %ln, %on : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x128xf32, #acc>
    }
    %out = tile.map ins(%r#2, %r#1 : !tile.fragment<64x128xf32, #acc>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %column: index, %a: f32, %b: f32):
      %e = arith.divf %a, %b : f32
      %y = arith.truncf %e : f32 to f16
      tile.yield %y : f16
    } -> !tile.fragment<64x128xf16, #acc>
    tile.store %out, %o[%head, %i, %c0] along [1, 2] : !tile.fragment<64x128xf16, #acc>, memref<?x?x128xf16>
    %ends = tile.map ins(%r#0, %r#1 : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %a: f32, %b: f32):
      %log = math.log2 %b : f32
      %y = arith.addf %a, %log : f32
      tile.yield %y : f32
    } -> !tile.fragment<64xf32, #row>
    tile.store %ends, %lse[%head, %i] along [1] : !tile.fragment<64xf32, #row>, memref<?x?xf32>
    gpu.return
  }

  // O = softmax(Q K^T * scale, causal) V with its row sums, 256 features.
  gpu.func @attention_f16_256(%q: memref<?x?x256xf16>, %k: memref<?x?x256xf16>, %v: memref<?x?x256xf16>, %scale: f32, %o: memref<?x?x256xf16>, %lse: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ck = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %inf = arith.constant 0xFF800000 : f32
    %keys = memref.dim %k, %c1 : memref<?x?x256xf16>
    %head = gpu.block_id y
    %bi = gpu.block_id x
    %i = arith.muli %bi, %c64 : index
    %end = arith.addi %i, %c64 : index
    %last = arith.minsi %end, %keys : index
    %qt = tile.load %q[%head, %i, %c0] along [1, 2] : memref<?x?x256xf16> -> !tile.shared<64x256xf16>
    %m0 = tile.splat %inf : !tile.fragment<64xf32, #row>
    %l0 = tile.splat %zero : !tile.fragment<64xf32, #row>
    %o0 = tile.splat %zero : !tile.fragment<64x256xf32, #acc>
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %r:3 = scf.for %j = %c0 to %last step %ck iter_args(%m = %m0, %l = %l0, %acc = %o0)
        -> (!tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x256xf32, #acc>) {
      %kt = tile.load %k[%head, %j, %c0] along [1, 2] : memref<?x?x256xf16> -> !tile.shared<64x256xf16>
      %vt = tile.load %v[%head, %j, %c0] along [1, 2] : memref<?x?x256xf16> -> !tile.shared<64x256xf16>
      %s = tile.contract %qt, %kt, %s0 transpose_rhs : !tile.shared<64x256xf16>, !tile.shared<64x256xf16>, !tile.fragment<64x64xf32, #acc>
      %x = tile.map ins(%s : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %qi = arith.addi %i, %row : index
        %ki = arith.addi %j, %column : index
        %causal = arith.cmpi sle, %ki, %qi : index
        %inside = arith.cmpi slt, %ki, %keys : index
        %keep = arith.andi %causal, %inside : i1
        %scaled = arith.mulf %e, %scale : f32
        %y = arith.select %keep, %scaled, %inf : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %tm = tile.reduce %x along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.maxnumf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #row>
      %mn, %factor = tile.map ins(%m, %tm : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %b: f32):
        %new = arith.maxnumf %a, %b : f32
        %d = arith.subf %a, %new : f32
        %f = math.exp2 %d : f32
        tile.yield %new, %f : f32, f32
      } -> !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>
      %p = tile.map ins(%x, %mn : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %e: f32, %b: f32):
        %d = arith.subf %e, %b : f32
        %y = math.exp2 %d : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %ps = tile.reduce %p along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.addf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #row>
      %ln = tile.map ins(%l, %factor, %ps : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %f: f32, %b: f32):
        %d = arith.mulf %a, %f : f32
        %y = arith.addf %d, %b : f32
        tile.yield %y : f32
      } -> !tile.fragment<64xf32, #row>
      %scaled = tile.map ins(%acc, %factor : !tile.fragment<64x256xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %a: f32, %f: f32):
        %y = arith.mulf %a, %f : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x256xf32, #acc>
      %pt = tile.map ins(%p : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %y = arith.truncf %e : f32 to f16
        tile.yield %y : f16
      } -> !tile.fragment<64x64xf16, #acc>
      %on = tile.contract %pt, %vt, %scaled : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x256xf16>, !tile.fragment<64x256xf32, #acc>
      scf.yield %mn, %ln, %on : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x256xf32, #acc>
    }
    %out = tile.map ins(%r#2, %r#1 : !tile.fragment<64x256xf32, #acc>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %column: index, %a: f32, %b: f32):
      %e = arith.divf %a, %b : f32
      %y = arith.truncf %e : f32 to f16
      tile.yield %y : f16
    } -> !tile.fragment<64x256xf16, #acc>
    tile.store %out, %o[%head, %i, %c0] along [1, 2] : !tile.fragment<64x256xf16, #acc>, memref<?x?x256xf16>
    %ends = tile.map ins(%r#0, %r#1 : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %a: f32, %b: f32):
      %log = math.log2 %b : f32
      %y = arith.addf %a, %log : f32
      tile.yield %y : f32
    } -> !tile.fragment<64xf32, #row>
    tile.store %ends, %lse[%head, %i] along [1] : !tile.fragment<64xf32, #row>, memref<?x?xf32>
    gpu.return
  }

  // O = softmax(Q K^T * scale, causal) V with its row sums, 64 features.
  gpu.func @attention_bf16_64(%q: memref<?x?x64xbf16>, %k: memref<?x?x64xbf16>, %v: memref<?x?x64xbf16>, %scale: f32, %o: memref<?x?x64xbf16>, %lse: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ck = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %inf = arith.constant 0xFF800000 : f32
    %keys = memref.dim %k, %c1 : memref<?x?x64xbf16>
    %head = gpu.block_id y
    %bi = gpu.block_id x
    %i = arith.muli %bi, %c64 : index
    %end = arith.addi %i, %c64 : index
    %last = arith.minsi %end, %keys : index
    %qt = tile.load %q[%head, %i, %c0] along [1, 2] : memref<?x?x64xbf16> -> !tile.shared<64x64xbf16>
    %m0 = tile.splat %inf : !tile.fragment<64xf32, #row>
    %l0 = tile.splat %zero : !tile.fragment<64xf32, #row>
    %o0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %r:3 = scf.for %j = %c0 to %last step %ck iter_args(%m = %m0, %l = %l0, %acc = %o0)
        -> (!tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x64xf32, #acc>) {
      %kt = tile.load %k[%head, %j, %c0] along [1, 2] : memref<?x?x64xbf16> -> !tile.shared<64x64xbf16>
      %vt = tile.load %v[%head, %j, %c0] along [1, 2] : memref<?x?x64xbf16> -> !tile.shared<64x64xbf16>
      %s = tile.contract %qt, %kt, %s0 transpose_rhs : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, !tile.fragment<64x64xf32, #acc>
      %x = tile.map ins(%s : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %qi = arith.addi %i, %row : index
        %ki = arith.addi %j, %column : index
        %causal = arith.cmpi sle, %ki, %qi : index
        %inside = arith.cmpi slt, %ki, %keys : index
        %keep = arith.andi %causal, %inside : i1
        %scaled = arith.mulf %e, %scale : f32
        %y = arith.select %keep, %scaled, %inf : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %tm = tile.reduce %x along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.maxnumf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #row>
      %mn, %factor = tile.map ins(%m, %tm : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %b: f32):
        %new = arith.maxnumf %a, %b : f32
        %d = arith.subf %a, %new : f32
        %f = math.exp2 %d : f32
        tile.yield %new, %f : f32, f32
      } -> !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>
      %p = tile.map ins(%x, %mn : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %e: f32, %b: f32):
        %d = arith.subf %e, %b : f32
        %y = math.exp2 %d : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %ps = tile.reduce %p along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.addf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #row>
      %ln = tile.map ins(%l, %factor, %ps : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %f: f32, %b: f32):
        %d = arith.mulf %a, %f : f32
        %y = arith.addf %d, %b : f32
        tile.yield %y : f32
      } -> !tile.fragment<64xf32, #row>
      %scaled = tile.map ins(%acc, %factor : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %a: f32, %f: f32):
        %y = arith.mulf %a, %f : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %pt = tile.map ins(%p : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %y = arith.truncf %e : f32 to bf16
        tile.yield %y : bf16
      } -> !tile.fragment<64x64xbf16, #acc>
      %on = tile.contract %pt, %vt, %scaled : !tile.fragment<64x64xbf16, #acc>, !tile.shared<64x64xbf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %mn, %ln, %on : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x64xf32, #acc>
    }
    %out = tile.map ins(%r#2, %r#1 : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %column: index, %a: f32, %b: f32):
      %e = arith.divf %a, %b : f32
      %y = arith.truncf %e : f32 to bf16
      tile.yield %y : bf16
    } -> !tile.fragment<64x64xbf16, #acc>
    tile.store %out, %o[%head, %i, %c0] along [1, 2] : !tile.fragment<64x64xbf16, #acc>, memref<?x?x64xbf16>
    %ends = tile.map ins(%r#0, %r#1 : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %a: f32, %b: f32):
      %log = math.log2 %b : f32
      %y = arith.addf %a, %log : f32
      tile.yield %y : f32
    } -> !tile.fragment<64xf32, #row>
    tile.store %ends, %lse[%head, %i] along [1] : !tile.fragment<64xf32, #row>, memref<?x?xf32>
    gpu.return
  }

  // O = softmax(Q K^T * scale, causal) V with its row sums, 64 features.
  gpu.func @attention_f32_64(%q: memref<?x?x64xf32>, %k: memref<?x?x64xf32>, %v: memref<?x?x64xf32>, %scale: f32, %o: memref<?x?x64xf32>, %lse: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %ck = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %inf = arith.constant 0xFF800000 : f32
    %keys = memref.dim %k, %c1 : memref<?x?x64xf32>
    %head = gpu.block_id y
    %bi = gpu.block_id x
    %i = arith.muli %bi, %c64 : index
    %end = arith.addi %i, %c64 : index
    %last = arith.minsi %end, %keys : index
    %qt = tile.load %q[%head, %i, %c0] along [1, 2] : memref<?x?x64xf32> -> !tile.shared<64x64xf32>
    %m0 = tile.splat %inf : !tile.fragment<64xf32, #row>
    %l0 = tile.splat %zero : !tile.fragment<64xf32, #row>
    %o0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s0 = tile.splat %zero : !tile.fragment<64x32xf32, #acc>
    %r:3 = scf.for %j = %c0 to %last step %ck iter_args(%m = %m0, %l = %l0, %acc = %o0)
        -> (!tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x64xf32, #acc>) {
      %kt = tile.load %k[%head, %j, %c0] along [1, 2] : memref<?x?x64xf32> -> !tile.shared<32x64xf32>
      %vt = tile.load %v[%head, %j, %c0] along [1, 2] : memref<?x?x64xf32> -> !tile.shared<32x64xf32>
      %s = tile.contract %qt, %kt, %s0 transpose_rhs : !tile.shared<64x64xf32>, !tile.shared<32x64xf32>, !tile.fragment<64x32xf32, #acc>
      %x = tile.map ins(%s : !tile.fragment<64x32xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %qi = arith.addi %i, %row : index
        %ki = arith.addi %j, %column : index
        %causal = arith.cmpi sle, %ki, %qi : index
        %inside = arith.cmpi slt, %ki, %keys : index
        %keep = arith.andi %causal, %inside : i1
        %scaled = arith.mulf %e, %scale : f32
        %y = arith.select %keep, %scaled, %inf : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x32xf32, #acc>
      %tm = tile.reduce %x along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.maxnumf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x32xf32, #acc> -> !tile.fragment<64xf32, #row>
      %mn, %factor = tile.map ins(%m, %tm : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %b: f32):
        %new = arith.maxnumf %a, %b : f32
        %d = arith.subf %a, %new : f32
        %f = math.exp2 %d : f32
        tile.yield %new, %f : f32, f32
      } -> !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>
      %p = tile.map ins(%x, %mn : !tile.fragment<64x32xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %e: f32, %b: f32):
        %d = arith.subf %e, %b : f32
        %y = math.exp2 %d : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x32xf32, #acc>
      %ps = tile.reduce %p along 1 {
      ^bb0(%a: f32, %b: f32):
        %y = arith.addf %a, %b : f32
        tile.yield %y : f32
      } : !tile.fragment<64x32xf32, #acc> -> !tile.fragment<64xf32, #row>
      %ln = tile.map ins(%l, %factor, %ps : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %a: f32, %f: f32, %b: f32):
        %d = arith.mulf %a, %f : f32
        %y = arith.addf %d, %b : f32
        tile.yield %y : f32
      } -> !tile.fragment<64xf32, #row>
      %scaled = tile.map ins(%acc, %factor : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
      ^bb0(%row: index, %column: index, %a: f32, %f: f32):
        %y = arith.mulf %a, %f : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x64xf32, #acc>
      %pt = tile.map ins(%p : !tile.fragment<64x32xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %y = arith.addf %e, %zero : f32
        tile.yield %y : f32
      } -> !tile.fragment<64x32xf32, #acc>
      %on = tile.contract %pt, %vt, %scaled : !tile.fragment<64x32xf32, #acc>, !tile.shared<32x64xf32>, !tile.fragment<64x64xf32, #acc>
      scf.yield %mn, %ln, %on : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>, !tile.fragment<64x64xf32, #acc>
    }
    %out = tile.map ins(%r#2, %r#1 : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %column: index, %a: f32, %b: f32):
      %e = arith.divf %a, %b : f32
      %y = arith.addf %e, %zero : f32
      tile.yield %y : f32
    } -> !tile.fragment<64x64xf32, #acc>
    tile.store %out, %o[%head, %i, %c0] along [1, 2] : !tile.fragment<64x64xf32, #acc>, memref<?x?x64xf32>
    %ends = tile.map ins(%r#0, %r#1 : !tile.fragment<64xf32, #row>, !tile.fragment<64xf32, #row>) {
    ^bb0(%row: index, %a: f32, %b: f32):
      %log = math.log2 %b : f32
      %y = arith.addf %a, %log : f32
      tile.yield %y : f32
    } -> !tile.fragment<64xf32, #row>
    tile.store %ends, %lse[%head, %i] along [1] : !tile.fragment<64xf32, #row>, memref<?x?xf32>
    gpu.return
  }
}

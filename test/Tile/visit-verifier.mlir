// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (I1) The shape is one that a fragment of this layout has.

func.func @i1_rank() {
  // expected-error @below {{expects a layout of rank 2, but got #tile.blocked<elements = [1], lanes = [32], warps = [4]> of rank 1}}
  tile.visit [128, 2] as #tile.blocked<elements = [1], lanes = [32], warps = [4]> {
  ^bb0(%i: index, %j: index):
    tile.yield
  }
  return
}

// -----

func.func @i1_size() {
  // expected-error @below {{expects dimension 0 to be a positive multiple of 128}}
  tile.visit [100] as #tile.blocked<elements = [1], lanes = [32], warps = [4]> {
  ^bb0(%i: index):
    tile.yield
  }
  return
}

// -----

/// (I2) The region takes the coordinates and yields nothing.

func.func @i2_arguments() {
  // expected-error @below {{expects a region of ('index'), but got ('index', 'index')}}
  tile.visit [128] as #tile.blocked<elements = [1], lanes = [32], warps = [4]> {
  ^bb0(%i: index, %j: index):
    tile.yield
  }
  return
}

// -----

func.func @i2_yield() {
  // expected-error @below {{expects the region to yield nothing, but got ('index')}}
  tile.visit [128] as #tile.blocked<elements = [1], lanes = [32], warps = [4]> {
  ^bb0(%i: index):
    tile.yield %i : index
  }
  return
}

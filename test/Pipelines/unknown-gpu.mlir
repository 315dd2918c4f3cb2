/// Pipelines to GPUs refuse a target that is not in the table, even where there
/// is nothing to lower.

// RUN: not stof-opt %s --stof-to-tile="chip=sm_999" 2>&1 | FileCheck %s
// RUN: not stof-opt %s --stof-to-nvvm="chip=sm_999" 2>&1 | FileCheck %s
// RUN: not stof-opt %s --stof-to-ptx="chip=sm_999" 2>&1 | FileCheck %s

// CHECK: error: 'builtin.module' op expects one of the GPUs sm_80, {{.*}}, but got 'sm_999'

module {}

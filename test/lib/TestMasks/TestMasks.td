#ifndef TESTMASKS_TESTMASKS_TD
#define TESTMASKS_TESTMASKS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "stof/IR/MaskInterfaces.td"

def TestMasks_Dialect : Dialect {
  let name = "test_masks";
  let cppNamespace = "::test_masks";
  let summary = "Masks that no pass knows by name";
  let dependentDialects = ["::stof::StofDialect"];
}

class TestMasks_Op<string mnemonic>
    : Op<TestMasks_Dialect, mnemonic,
         [Pure, DeclareOpInterfaceMethods<Stof_MaskOpInterface>]>;

def TestMasks_CheckerboardOp : TestMasks_Op<"checkerboard"> {
  let summary = "Every second block of keys, from the first or the second";
  let description = [{
    A position is unmasked if the number of its block of `side` queries and that of
    its block of `side` keys are both even or both odd.

             key 0 1 2 3
    query 0      x . x .
          1      . x . x
  }];
  // The type is that of a mask in valid IR only.
  let arguments = (ins I64Attr:$side);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$side attr-dict `:` type($result)";
}

def TestMasks_SegmentsOp : TestMasks_Op<"segments"> {
  let summary = "Keys of the query's segment that are not after the query";
  let description = [{
    `ids` has the number of a segment for each position; it may be a buffer.
  }];
  let arguments = (ins AnyTypeOf<[1DTensorOf<[I32]>, MemRefRankOf<[I32], [1]>]>:$ids);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$ids attr-dict `:` type($ids) `->` type($result)";
}

#endif // TESTMASKS_TESTMASKS_TD

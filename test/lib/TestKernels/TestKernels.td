#ifndef TESTKERNELS_TESTKERNELS_TD
#define TESTKERNELS_TESTKERNELS_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "stof/Conversion/KernelOpInterface.td"

def TestKernels_Dialect : Dialect {
  let name = "test_kernels";
  let cppNamespace = "::test_kernels";
  let summary = "Operations with kernels that no pass knows by name";
}

def TestKernels_NegateOp : Op<TestKernels_Dialect, "negate", [
    DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<KernelOpInterface>
  ]> {
  let summary = "The negative of each element of a vector";
  let description = "Added to what is in `out`, if that is asked for.";
  let arguments = (ins
    AnyTypeOf<[1DTensorOf<[F32]>, MemRefRankOf<[F32], [1]>]>:$input,
    AnyTypeOf<[1DTensorOf<[F32]>, MemRefRankOf<[F32], [1]>]>:$out,
    UnitAttr:$added);
  let results = (outs Optional<1DTensorOf<[F32]>>:$result);
  let assemblyFormat = [{
    $input `into` $out (`added` $added^)? attr-dict `:` type($input) `,` type($out)
    (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutMutable(); }
  }];
}

#endif // TESTKERNELS_TESTKERNELS_TD

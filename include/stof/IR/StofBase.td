#ifndef STOF_IR_STOFBASE_TD
#define STOF_IR_STOFBASE_TD

include "mlir/IR/OpBase.td"

def Stof_Dialect : Dialect {
  let name = "stof";
  let cppNamespace = "::stof";
  let summary = "Masked attention and the operators fused around it";
  let description = [{
    The dialect says *what* a transformer with masked attention computes. A mask
    is a predicate on (batch, head, query, key), a value of its own that several
    attentions may share. Which keys a kernel visits, how tiles lie in memory and
    which operators share a kernel are decided by passes and written down as
    attributes; no operation decides any of it.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"
  ];
}

class Stof_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stof_Dialect, mnemonic, traits>;

#endif // STOF_IR_STOFBASE_TD

#ifndef STOF_IR_STOFBASE_TD
#define STOF_IR_STOFBASE_TD

include "mlir/IR/OpBase.td"

def Stof_Dialect : Dialect {
  let name = "stof";
  let cppNamespace = "::stof";
  let summary = "Masked attention and the operators fused around it";
  let description = [{
    The dialect describes *what* a transformer with masked attention computes. A
    mask is a predicate on (batch, head, query, key) and a value of its own, which
    several attentions may share. The keys that a kernel visits, the layout of tiles
    in memory and the operations that share a kernel are decided by passes and
    recorded as attributes; no operation decides any of them.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

class Stof_Op<string mnemonic, list<Trait> traits = []>
    : Op<Stof_Dialect, mnemonic, traits>;

#endif // STOF_IR_STOFBASE_TD

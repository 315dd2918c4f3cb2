//===----------------------------------------------------------------------===//
// Names the kernels of each operation that has some, and allocates the buffers
// that they pass to each other.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/KernelOpInterface.h"
#include "stof/Conversion/Passes.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/IR/Stof.h"
#include "stof/Support/ResolveTarget.h"
#include "stof/Support/SymbolName.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

namespace stof {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

/// Moves `op` into a stof.launch; `symbol` and `number` make the names of its
/// kernels distinct.
LogicalResult outline(KernelOpInterface op, gpu::GPUModuleOp kernels,
                      StringRef symbol, unsigned &number,
                      const TargetInfo *target) {
  FailureOr<SmallVector<std::string>> words = op.nameKernels(target);
  if (failed(words))
    return failure();
  OpBuilder builder(op);
  SmallVector<Attribute> names;
  for (StringRef word : *words)
    names.push_back(SymbolRefAttr::get(
        kernels.getSymNameAttr(),
        SymbolRefAttr::get(
            builder.getContext(),
            (symbol + "_" + Twine(number++) + "_" + word).str())));
  SmallVector<Value> temporaries = op.allocateTemporaries(builder);
  auto launch = LaunchOp::create(builder, op.getLoc(),
                                 builder.getArrayAttr(names), temporaries);
  Block &body = launch.getBody().emplaceBlock();
  op->moveBefore(&body, body.end());
  return success();
}

struct OutlineKernelsPass
    : stof::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerKernelModels(registry);
  }

  LogicalResult outlineKernels(func::FuncOp function, SymbolTable &symbols,
                               const TargetInfo *target) {
    OpBuilder builder(function);
    builder.setInsertionPointAfter(function);
    auto kernels = gpu::GPUModuleOp::create(
        builder, function.getLoc(), (function.getName() + "_kernels").str());
    // Inserted first: launches refer to the name that the insertion makes
    // unique.
    symbols.insert(kernels);
    std::string symbol = sanitizeSymbolName(function.getName());
    unsigned number = 0;
    for (Operation &op : llvm::make_early_inc_range(function.getBody().front()))
      if (auto computed = dyn_cast<KernelOpInterface>(op);
          computed &&
          failed(outline(computed, kernels, symbol, number, target)))
        return failure();
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<const TargetInfo *> target = resolveTarget(module, chip);
    if (failed(target))
      return signalPassFailure();
    SymbolTable symbols(module);
    SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (!inputsAttr.isOn(function))
        continue;
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      UnitAttr::get(&getContext()));
      if (failed(outlineKernels(function, symbols, *target)))
        return signalPassFailure();
    }
  }
};

} // namespace

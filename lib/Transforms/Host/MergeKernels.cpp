//===----------------------------------------------------------------------===//
// Merges equal kernels. The layers of a network differ only in their weights,
// which are arguments: most of their kernels are equal.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Host/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"

namespace stof {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

DictionaryAttr getAttributesWithoutName(gpu::GPUFuncOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(kernel.getContext());
}

/// A hash of the operations in order, by name, attributes and types.
llvm::hash_code hashKernel(gpu::GPUFuncOp kernel) {
  llvm::hash_code hash = hash_value(getAttributesWithoutName(kernel));
  kernel.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

bool areEqual(gpu::GPUFuncOp lhs, gpu::GPUFuncOp rhs) {
  return getAttributesWithoutName(lhs) == getAttributesWithoutName(rhs) &&
         OperationEquivalence::isRegionEquivalentTo(
             &lhs.getBody(), &rhs.getBody(),
             OperationEquivalence::IgnoreLocations);
}

struct MergeKernelsPass : stof::impl::MergeKernelsPassBase<MergeKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    // Maps references to erased kernels to those of their replacements.
    DenseMap<Attribute, SymbolRefAttr> merged;
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      mergeIn(module, merged);
    if (merged.empty())
      return;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (SymbolRefAttr kept = merged.lookup(launch.getKernelAttr()))
        launch.setKernelAttr(kept);
    });
  }

private:
  static void mergeIn(gpu::GPUModuleOp module,
                      DenseMap<Attribute, SymbolRefAttr> &merged) {
    DenseMap<size_t, SmallVector<gpu::GPUFuncOp>> seen;
    unsigned before = 0, after = 0;
    for (auto kernel :
         llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>())) {
      ++before;
      SmallVector<gpu::GPUFuncOp> &alike = seen[hashKernel(kernel)];
      auto equal = llvm::find_if(
          alike, [&](gpu::GPUFuncOp other) { return areEqual(other, kernel); });
      if (equal == alike.end()) {
        alike.push_back(kernel);
        ++after;
        continue;
      }
      auto reference = [&](gpu::GPUFuncOp function) {
        return SymbolRefAttr::get(module.getNameAttr(),
                                  SymbolRefAttr::get(function.getNameAttr()));
      };
      merged[reference(kernel)] = reference(*equal);
      kernel.erase();
    }
    remark::analysis(module.getLoc(), remark::RemarkOpts::name("MergedKernels")
                                          .category("stof-merge-kernels"))
        << llvm::formatv("{0} of {1} kernels are different", after, before)
               .str();
  }
};

} // namespace

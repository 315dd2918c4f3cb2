//===----------------------------------------------------------------------===//
// The pass that lowers tile operations to per-thread code.
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "stof/Conversion/Passes.h"
#include "stof/Conversion/TileToNVVM/PatternInterface.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Support/WarpShape.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace stof {
#define GEN_PASS_DEF_TILETONVVMPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;
using namespace stof::tile;

/// Declares the dynamic shared memory, whose size is given at launch.
static void declareSharedMemory(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(sharedMemorySymbol))
    return;
  // The largest alignment that asynchronous copies of the hardware require.
  constexpr unsigned alignment = 1024;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                         LLVM::Linkage::External, sharedMemorySymbol,
                         Attribute(), alignment,
                         static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
}

/// Tiles are distributed over the threads of a kernel, hence need a parent
/// kernel.
static LogicalResult checkParents(gpu::GPUModuleOp module) {
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    if (!isa_and_nonnull<TileDialect>(op->getDialect()) ||
        op->getParentOfType<gpu::GPUFuncOp>())
      return WalkResult::advance();
    return op->emitOpError() << "expects to be inside a gpu.func";
  });
  return failure(result.wasInterrupted());
}

/// Accumulators in flight are registers that wgmma updates in place: with two
/// uses, they would have to be copied while they are written.
static LogicalResult checkInFlight(gpu::GPUFuncOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    for (Value value : op->getResults())
      if (isa<InFlightType>(value.getType()) && !value.hasOneUse())
        return op->emitOpError()
               << "expects one use of accumulators in flight, but got "
               << value.getNumUses();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Checks the preconditions established by earlier passes.
static LogicalResult checkKernel(gpu::GPUFuncOp kernel) {
  if (failed(checkSharedOffsets(kernel)) || failed(checkInFlight(kernel)))
    return failure();
  int64_t threads = getNumThreads(kernel);
  if (threads == 0 || threads % lanesPerWarp != 0)
    return kernel.emitOpError()
           << "expects 'known_block_size' to be whole warps along x, but got "
           << threads << " threads";
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    for (Type type : op->getResultTypes())
      if (auto fragment = dyn_cast<FragmentType>(type)) {
        int64_t used = fragment.getLayout().getNumWarps();
        int64_t warps = getNumThreads(op) / lanesPerWarp;
        if (used != warps)
          return op->emitOpError()
                 << "expects tiles distributed over the " << warps
                 << " warps of the "
                 << (getRole(op->getBlock()) ? "role" : "CTA") << ", but got "
                 << fragment << " distributed over " << used;
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct TileToNVVMPass : stof::impl::TileToNVVMPassBase<TileToNVVMPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (failed(checkParents(module)))
      return signalPassFailure();
    for (auto kernel : module.getOps<gpu::GPUFuncOp>())
      if (failed(checkKernel(kernel)))
        return signalPassFailure();
    declareSharedMemory(module);

    MLIRContext *context = &getContext();
    DeviceTypeConverter converter;
    ConversionTarget target(*context);
    target.addIllegalDialect<TileDialect>();
    // Patterns ask which role they are in.
    target.addLegalOp<WarpSpecializeOp>();
    target.addDynamicallyLegalOp<YieldOp>(
        [](YieldOp op) { return isa<WarpSpecializeOp>(op->getParentOp()); });
    target.addDynamicallyLegalOp<arith::SelectOp>(
        [&](arith::SelectOp op) { return converter.isLegal(op.getType()); });
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // Patterns look at one operation only.
    AccessDivisors divisors(module);
    RewritePatternSet patterns(context);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    populateLoadPatterns(converter, divisors, patterns);
    populateChannelPatterns(converter, divisors, patterns);
    populateClaimPatterns(converter, patterns);
    populateRolePatterns(converter, patterns);
    populateStorePatterns(converter, divisors, patterns);
    populateMapPatterns(converter, patterns);
    populateReducePatterns(converter, patterns);
    populateConvertPatterns(converter, patterns);
    populateContractPatterns(converter, patterns);
    populateWgmmaPatterns(converter, patterns);
    for (Dialect *dialect : context->getLoadedDialects())
      if (auto *other = dyn_cast<TileToNVVMPatternInterface>(dialect))
        other->populateTileToNVVMPatterns(converter, patterns, target);
    module.walk(giveFirstTurns);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    module.walk(lowerWarpSpecialize);

    RewritePatternSet cleanup(context);
    populatePairTruncationPatterns(cleanup);
    vector::FromElementsOp::getCanonicalizationPatterns(cleanup, context);
    vector::ToElementsOp::getCanonicalizationPatterns(cleanup, context);
    if (failed(applyPatternsGreedily(module, std::move(cleanup))))
      signalPassFailure();
  }
};
} // namespace

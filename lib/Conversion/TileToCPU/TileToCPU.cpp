//===----------------------------------------------------------------------===//
// The pass that lowers tile kernels to CPU functions.
//
//   1. Each gpu.func becomes a func.func with the CTA's coordinates as last
//      arguments.
//   2. Each launch becomes a parallel loop nest over the grid that calls it.
//   3. Tiles become tensors, tile operations linalg.
//   4. Each loop-carried tensor is materialised in its iteration argument, for
//      which bufferization then needs only one buffer.
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "stof/Conversion/Passes.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stof {
#define GEN_PASS_DEF_TILETOCPUPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// Dimensions of a grid, each an additional argument of a kernel's function.
static constexpr unsigned numGridDims = 3;

static FailureOr<func::FuncOp> convertKernel(gpu::GPUFuncOp kernel,
                                             SymbolTable &symbols) {
  ImplicitLocOpBuilder builder(kernel.getLoc(), kernel.getContext());
  SmallVector<Type> types(kernel.getArgumentTypes());
  types.append(numGridDims, builder.getIndexType());
  auto function = func::FuncOp::create(builder.getLoc(), kernel.getName(),
                                       builder.getFunctionType(types, {}));
  function.setPrivate();
  symbols.insert(function);

  Region &body = function.getBody();
  body.takeBody(kernel.getBody());
  SmallVector<Location> locations(numGridDims, kernel.getLoc());
  SmallVector<Type> indices(numGridDims, builder.getIndexType());
  body.front().addArguments(indices, locations);
  ValueRange position = body.getArguments().take_back(numGridDims);
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    builder.setInsertionPoint(op);
    builder.setLoc(op->getLoc());
    if (auto block = dyn_cast<gpu::BlockIdOp>(op)) {
      block.replaceAllUsesWith(
          position[static_cast<unsigned>(block.getDimension())]);
      block.erase();
      return WalkResult::skip();
    }
    if (isa<gpu::ReturnOp>(op)) {
      func::ReturnOp::create(builder);
      op->erase();
      return WalkResult::skip();
    }
    if (isa<gpu::GPUDialect>(op->getDialect()))
      return op->emitOpError("expects only 'gpu.block_id' and 'gpu.return' of "
                             "the gpu dialect in a kernel");
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return function;
}

static void convertLaunch(gpu::LaunchFuncOp launch, func::FuncOp function) {
  ImplicitLocOpBuilder builder(launch.getLoc(), launch);
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value one = arith::ConstantIndexOp::create(builder, 1);
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  SmallVector<Value> first(numGridDims, zero), step(numGridDims, one);
  scf::ParallelOp::create(
      builder, first, ValueRange{grid.z, grid.y, grid.x}, step,
      [&](OpBuilder &inner, Location loc, ValueRange position) {
        SmallVector<Value> operands(launch.getKernelOperands());
        llvm::append_range(operands, llvm::reverse(position));
        func::CallOp::create(inner, loc, function, operands);
      });
  launch.erase();
}

/// Step 4 for one loop.
static void copyCarried(Block &body, ValueRange arguments) {
  Operation *yield = body.getTerminator();
  ImplicitLocOpBuilder builder(yield->getLoc(), yield);
  for (auto [carried, next] : llvm::zip(arguments, yield->getOpOperands()))
    if (isa<TensorType>(carried.getType()) && next.get() != carried)
      next.set(bufferization::MaterializeInDestinationOp::create(
                   builder, carried.getType(), next.get(), carried)
                   .getResult());
}

static LogicalResult convertTiles(Operation *root) {
  MLIRContext *context = root->getContext();
  TypeConverter converter;
  tile::populateTileTypeConversion(converter);
  RewritePatternSet patterns(context);
  tile::populateTileMemoryPatterns(patterns, converter);
  tile::populateTileComputePatterns(patterns, converter);
  ConversionTarget target(*context);
  target.addIllegalDialect<tile::TileDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  return applyPartialConversion(root, target, std::move(patterns));
}

namespace {

struct TileToCPUPass : stof::impl::TileToCPUPassBase<TileToCPUPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    DenseMap<Operation *, func::FuncOp> functions;
    for (auto kernels : module.getOps<gpu::GPUModuleOp>())
      for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
        FailureOr<func::FuncOp> function = convertKernel(kernel, symbols);
        if (failed(function))
          return signalPassFailure();
        functions[kernel] = *function;
      }
    WalkResult launches = module.walk([&](gpu::LaunchFuncOp launch) {
      auto function = functions.find(
          SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernel()));
      if (function == functions.end()) {
        launch.emitOpError("expects a kernel of this module, but got ")
            << launch.getKernel();
        return WalkResult::interrupt();
      }
      convertLaunch(launch, function->second);
      return WalkResult::advance();
    });
    if (launches.wasInterrupted())
      return signalPassFailure();
    for (auto kernels :
         llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
      kernels.erase();
    if (failed(convertTiles(module)))
      return signalPassFailure();
    module.walk([](scf::ForOp loop) {
      copyCarried(*loop.getBody(), loop.getRegionIterArgs());
    });
    module.walk([](scf::WhileOp loop) {
      copyCarried(*loop.getAfterBody(), loop.getAfterArguments());
    });
  }
};

} // namespace

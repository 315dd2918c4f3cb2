//===----------------------------------------------------------------------===//
// A plugin with an operation of another dialect that a kernel computes.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/KernelOpInterface.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#include "TestKernelsDialect.h.inc"

#define GET_OP_CLASSES
#include "TestKernels.h.inc"

using namespace mlir;
using namespace mlir::bufferization;
using namespace stof;
using namespace test_kernels;

#include "TestKernelsDialect.cpp.inc"

#define GET_OP_CLASSES
#include "TestKernels.cpp.inc"

namespace {
struct NegateBufferization
    : DstBufferizableOpInterfaceExternalModel<NegateBufferization, NegateOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto negate = cast<NegateOp>(op);
    return !negate.isDpsInit(&operand) || negate.getAdded();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto negate = cast<NegateOp>(op);
    FailureOr<Value> input =
        getBuffer(rewriter, negate.getInput(), options, state);
    FailureOr<Value> out = getBuffer(rewriter, negate.getOut(), options, state);
    if (failed(input) || failed(out))
      return failure();
    NegateOp::create(rewriter, op->getLoc(), TypeRange(), *input, *out,
                     negate.getAddedAttr());
    replaceOpWithBufferizedValues(rewriter, op, *out);
    return success();
  }
};
} // namespace

void TestKernelsDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TestKernels.cpp.inc"
      >();
  NegateOp::attachInterface<NegateBufferization>(*getContext());
}

void NegateOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (getResult())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  if (getAdded())
    effects.emplace_back(MemoryEffects::Read::get(), &getOutMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getOutMutable());
}

FailureOr<SmallVector<std::string>>
NegateOp::nameKernels(const TargetInfo *target) {
  return SmallVector<std::string>{"negate"};
}

LogicalResult NegateOp::emitKernel(unsigned number, KernelBuilder &kernel,
                                   ValueRange temporaries,
                                   const TargetInfo *target) {
  constexpr int64_t warps = 4, size = warps * lanesPerWarp;
  kernel.setNumWarps(warps);
  kernel.setSchedule("negate", {{"elements", size}});
  OpBuilder &body = kernel.body();
  Location loc = kernel.loc();
  auto type = tile::FragmentType::get(
      getContext(), {size}, body.getF32Type(),
      tile::BlockedAttr::get(getContext(), {1}, {lanesPerWarp}, {warps}));
  Value first = arith::MulIOp::create(
      body, loc, kernel.getBlockId(gpu::Dimension::x), kernel.index(size));
  auto along = body.getDenseI64ArrayAttr({0});
  auto load = [&](Value buffer) -> Value {
    return tile::LoadOp::create(body, loc, type, kernel.getArgument(buffer),
                                first, along);
  };
  SmallVector<Value> tiles{load(getInput())};
  if (getAdded())
    tiles.push_back(load(getOut()));
  auto negated = tile::MapOp::create(
      body, loc, TypeRange(type), tiles,
      [&](OpBuilder &inner, Location, ValueRange, ValueRange elements) {
        Value result = arith::NegFOp::create(inner, loc, elements[0]);
        if (getAdded())
          result = arith::AddFOp::create(inner, loc, elements[1], result);
        return SmallVector<Value>{result};
      });
  tile::StoreOp::create(body, loc, negated.getResult(0),
                        kernel.getArgument(getOut()), first, along);
  return kernel.launch(
      ceilDiv(kernel.host(), loc, kernel.getHostSize(getOut(), 0), size));
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TestKernels", "1",
          [](DialectRegistry *registry) {
            registry->insert<TestKernelsDialect>();
          }};
}

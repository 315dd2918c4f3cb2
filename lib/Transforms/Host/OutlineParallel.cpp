//===----------------------------------------------------------------------===//
// Outlines parallel loops into functions that the runtime calls for every index
// on its threads (include/stof/Support/NativeAbi.h). The function that
// scf::outlineSingleBlockRegion makes has the captured values and all induction
// variables as its arguments, constants included; the runtime passes a closure
// and an index, so that a second function would have to unpack them.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Host/Passes.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

namespace stof {
#define GEN_PASS_DEF_OUTLINEPARALLELPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

/// The fields of stof_native_api.
enum ApiField : int32_t { ContextField, ParallelForField };

/// Outlines loops of one module.
class Outliner {
public:
  explicit Outliner(ModuleOp module)
      : symbols(module), converter(module.getContext()),
        pointer(LLVM::LLVMPointerType::get(module.getContext())) {}

  LogicalResult outline(scf::ParallelOp loop);

private:
  Value field(ImplicitLocOpBuilder &builder, Type type, Value base,
              int32_t index);
  func::FuncOp createBody(scf::ParallelOp loop, ArrayRef<Value> captured,
                          Type closure);
  Value findApi(func::FuncOp function);

  SymbolTable symbols;
  LLVMTypeConverter converter;
  Type pointer;
  DenseMap<Operation *, Value> apis;
};

Value castTo(ImplicitLocOpBuilder &builder, Type type, Value value) {
  return UnrealizedConversionCastOp::create(builder, type, value).getResult(0);
}

/// The trip count of dimension `dim`.
Value countSteps(ImplicitLocOpBuilder &builder, scf::ParallelOp loop,
                 unsigned dim) {
  Value distance = arith::SubIOp::create(builder, loop.getUpperBound()[dim],
                                         loop.getLowerBound()[dim]);
  Value steps =
      arith::CeilDivSIOp::create(builder, distance, loop.getStep()[dim]);
  Value none = arith::ConstantIndexOp::create(builder, 0);
  return arith::MaxSIOp::create(builder, steps, none);
}

} // namespace

/// The address of a field of the structure at `base`.
Value Outliner::field(ImplicitLocOpBuilder &builder, Type type, Value base,
                      int32_t index) {
  return LLVM::GEPOp::create(builder, pointer, type, base,
                             ArrayRef<LLVM::GEPArg>{0, index});
}

/// The runtime's table, an additional argument of `function`.
Value Outliner::findApi(func::FuncOp function) {
  Value &api = apis[function];
  if (!api) {
    unsigned position = function.getNumArguments();
    (void)function.insertArgument(position, pointer, {}, function.getLoc());
    api = function.getArgument(position);
  }
  return api;
}

/// The function of one index: unpacks the closure, delinearizes the index,
/// innermost loop fastest, and executes the body of the loop.
func::FuncOp Outliner::createBody(scf::ParallelOp loop,
                                  ArrayRef<Value> captured, Type closure) {
  auto parent = loop->getParentOfType<func::FuncOp>();
  ImplicitLocOpBuilder builder(loop.getLoc(), loop.getContext());
  auto body = func::FuncOp::create(
      builder, (parent.getName() + "_parallel").str(),
      builder.getFunctionType({pointer, builder.getI64Type()}, {}));
  body.setPrivate();
  symbols.insert(body);
  builder.setInsertionPointToStart(body.addEntryBlock());

  IRMapping mapping;
  auto types = cast<LLVM::LLVMStructType>(closure).getBody();
  for (auto [index, value] : llvm::enumerate(captured)) {
    Value loaded = LLVM::LoadOp::create(
        builder, types[index],
        field(builder, closure, body.getArgument(0), index));
    mapping.map(value, castTo(builder, value.getType(), loaded));
  }
  // Constants are cloned rather than captured.
  visitUsedValuesDefinedAbove(loop->getRegions(), [&](OpOperand *use) {
    Operation *constant = use->get().getDefiningOp();
    if (!mapping.contains(use->get()) && constant)
      builder.clone(*constant, mapping);
  });
  auto here = [&](Value value) {
    if (!mapping.contains(value))
      builder.clone(*value.getDefiningOp(), mapping);
    return mapping.lookup(value);
  };

  Value rest = arith::IndexCastOp::create(builder, builder.getIndexType(),
                                          body.getArgument(1));
  auto last = static_cast<unsigned>(loop.getNumLoops() - 1);
  for (unsigned dim = last + 1; dim-- > 0;) {
    Value position = rest;
    if (dim > 0) {
      Value count = here(loop.getUpperBound()[dim]);
      Value first = here(loop.getLowerBound()[dim]);
      Value step = here(loop.getStep()[dim]);
      Value distance = arith::SubIOp::create(builder, count, first);
      Value steps = arith::CeilDivSIOp::create(builder, distance, step);
      position = arith::RemUIOp::create(builder, rest, steps);
      rest = arith::DivUIOp::create(builder, rest, steps);
    }
    Value scaled =
        arith::MulIOp::create(builder, position, here(loop.getStep()[dim]));
    mapping.map(loop.getInductionVars()[dim],
                arith::AddIOp::create(builder, scaled,
                                      here(loop.getLowerBound()[dim])));
  }
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
  func::ReturnOp::create(builder);
  return body;
}

LogicalResult Outliner::outline(scf::ParallelOp loop) {
  if (loop.getNumReductions() != 0)
    return loop.emitOpError("expects a loop without results, but got ")
           << loop.getResultTypes();
  llvm::SetVector<Value> captured;
  auto capture = [&](Value value) {
    if (!matchPattern(value, m_Constant()))
      captured.insert(value);
  };
  visitUsedValuesDefinedAbove(loop->getRegions(),
                              [&](OpOperand *use) { capture(use->get()); });
  for (Value bound : loop->getOperands())
    capture(bound);
  SmallVector<Type> types;
  for (Value value : captured) {
    Type type = converter.convertType(value.getType());
    if (!type)
      return loop.emitOpError(
                 "expects values that a closure can hold, but got ")
             << value.getType();
    types.push_back(type);
  }
  Type closure = LLVM::LLVMStructType::getLiteral(loop.getContext(), types);
  func::FuncOp body = createBody(loop, captured.getArrayRef(), closure);

  Value api = findApi(loop->getParentOfType<func::FuncOp>());
  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  Value one = LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(1));
  Value storage = LLVM::AllocaOp::create(builder, pointer, closure, one);
  for (auto [index, value] : llvm::enumerate(captured))
    LLVM::StoreOp::create(builder, castTo(builder, types[index], value),
                          field(builder, closure, storage, index));
  Value count = countSteps(builder, loop, 0);
  for (unsigned dim = 1; dim < loop.getNumLoops(); ++dim)
    count =
        arith::MulIOp::create(builder, count, countSteps(builder, loop, dim));
  count = arith::IndexCastOp::create(builder, builder.getI64Type(), count);

  Type table =
      LLVM::LLVMStructType::getLiteral(loop.getContext(), {pointer, pointer});
  Value context = LLVM::LoadOp::create(
      builder, pointer, field(builder, table, api, ContextField));
  Value parallelFor = LLVM::LoadOp::create(
      builder, pointer, field(builder, table, api, ParallelForField));
  Value address = castTo(builder, pointer,
                         func::ConstantOp::create(
                             builder, body.getFunctionType(), body.getName()));
  auto callee = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(loop.getContext()),
      {pointer, builder.getI64Type(), pointer, pointer});
  LLVM::CallOp::create(
      builder, callee,
      ValueRange{parallelFor, context, count, address, storage});
  loop.erase();
  return success();
}

namespace {

struct OutlineParallelPass
    : stof::impl::OutlineParallelPassBase<OutlineParallelPass> {
  using Base::Base;
  void runOnOperation() override {
    Outliner outliner(getOperation());
    SmallVector<scf::ParallelOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ParallelOp loop : loops)
      if (failed(outliner.outline(loop)))
        return signalPassFailure();
  }
};

} // namespace

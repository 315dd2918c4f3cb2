//===----------------------------------------------------------------------===//
// Bufferization of functions, with results as additional buffer arguments: the
// calling convention of packages.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"
#include "stof/IR/Donation.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace stof {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;

/// Emits an error if one of `types` is not a ranked tensor.
static LogicalResult verifyTensors(func::FuncOp function, TypeRange types,
                                   StringRef what) {
  for (auto [position, type] : llvm::enumerate(types))
    if (!isa<RankedTensorType>(type))
      return function.emitOpError()
             << "expects " << what << " " << position
             << " to be a ranked tensor, but got " << type;
  return success();
}

static bool isOnTensors(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(function.getArgumentTypes(), isTensor) ||
         llvm::any_of(function.getResultTypes(), isTensor);
}

static MemRefType bufferOf(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Duplicates initial values per use: results that share one would otherwise
/// compete for its buffer.
static void divideInits(func::FuncOp function) {
  auto divide = [](Operation *op) {
    if (op->use_empty())
      return;
    OpBuilder builder(op);
    for (OpOperand &use : llvm::make_early_inc_range(
             llvm::drop_begin(op->getResult(0).getUses())))
      use.set(builder.clone(*op)->getResult(0));
  };
  SmallVector<Operation *> fills, empties;
  function.walk([&](Operation *op) {
    if (isa<linalg::FillOp>(op) && op->getNumResults() == 1)
      fills.push_back(op);
  });
  llvm::for_each(fills, divide);
  function.walk([&](tensor::EmptyOp op) { empties.push_back(op); });
  llvm::for_each(empties, divide);
}

/// Whether `value` is `argument` after updates in place and reshapes.
static bool isUpdated(Value value, Value argument) {
  while (value != argument) {
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                        tensor::CastOp>(op))
      value = op->getOperand(0);
    else if (auto scatter = dyn_cast_if_present<stof::ScatterOp>(op))
      value = scatter.getOriginal();
    else
      return false;
  }
  return true;
}

/// Writes each result of `end` to its own buffer or to that of a donated
/// argument. Donated arguments are written last, since all results may depend
/// on their old contents; for the same reason a result that is not an update
/// of its argument is first copied to a temporary.
static void writeResults(Operation *end, ArrayRef<Value> destinations,
                         ArrayRef<Value> takenOver) {
  OpBuilder builder(end);
  auto write = [&](Value result, Value buffer) {
    auto op = bufferization::MaterializeInDestinationOp::create(
        builder, end->getLoc(), result, buffer);
    op.setRestrict(true);
    op.setWritable(true);
  };
  SmallVector<std::pair<Value, Value>> last;
  for (auto [result, buffer, argument] :
       llvm::zip_equal(end->getOperands(), destinations, takenOver)) {
    if (!argument) {
      write(result, buffer);
      continue;
    }
    Value value = result;
    if (!isUpdated(value, argument))
      value = bufferization::AllocTensorOp::create(
          builder, end->getLoc(), cast<RankedTensorType>(value.getType()),
          ValueRange(), value);
    last.emplace_back(value, buffer);
  }
  for (auto [result, buffer] : last)
    write(result, buffer);
  end->setOperands({});
}

/// Converts arguments and results of `function` to buffer arguments.
static LogicalResult passBuffers(func::FuncOp function) {
  if (failed(
          verifyTensors(function, function.getArgumentTypes(), "argument")) ||
      failed(verifyTensors(function, function.getResultTypes(), "result")))
    return failure();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expects a body of one block, but got ")
           << function.getBody().getBlocks().size();

  auto donations = stof::readDonations(function);
  if (failed(donations))
    return failure();
  divideInits(function);
  Block &body = function.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Builder attributes(function.getContext());
  unsigned numInputs = body.getNumArguments();
  SmallVector<Value> inputs;
  for (BlockArgument argument : body.getArguments()) {
    auto tensor = cast<RankedTensorType>(argument.getType());
    argument.setType(bufferOf(tensor));
    auto read = bufferization::ToTensorOp::create(
        builder, argument.getLoc(), tensor, argument, /*restrict=*/true);
    read.setWritable(llvm::is_contained(
        *donations, std::optional<unsigned>(argument.getArgNumber())));
    argument.replaceAllUsesExcept(read, read);
    inputs.push_back(read);
  }

  Operation *end = body.getTerminator();
  SmallVector<Value> destinations, takenOver;
  for (auto [result, argument] :
       llvm::zip_equal(end->getOperands(), *donations)) {
    BlockArgument buffer =
        body.addArgument(bufferOf(result.getType()), result.getLoc());
    destinations.push_back(argument ? body.getArgument(*argument) : buffer);
    takenOver.push_back(argument ? inputs[*argument] : Value());
  }
  writeResults(end, destinations, takenOver);

  stof::inputsAttr.set(function, attributes.getI64IntegerAttr(numInputs));
  stof::resultsAttr.set(function, attributes.getI64IntegerAttr(
                                      body.getNumArguments() - numInputs));
  // Attributes of arguments and results refer to the tensors.
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  function.setFunctionType(
      attributes.getFunctionType(body.getArgumentTypes(), {}));
  return success();
}

/// Bufferizes function bodies. Copies are linalg.copy, since memref.copy may
/// need a runtime library.
static LogicalResult bufferizeBody(Operation *module) {
  IRRewriter rewriter(module->getContext());
  if (failed(bufferization::eliminateEmptyTensors(rewriter, module)))
    return failure();
  bufferization::OneShotBufferizationOptions options;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  options.memCpyFn = [](OpBuilder &builder, Location loc, Value from,
                        Value to) {
    linalg::CopyOp::create(builder, loc, from, to);
    return success();
  };
  bufferization::BufferizationState state;
  return bufferization::runOneShotBufferize(module, options, state);
}

namespace {

struct BufferizePass : stof::impl::BufferizePassBase<BufferizePass> {
  using Base::Base;
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && isOnTensors(function) &&
          failed(passBuffers(function)))
        return signalPassFailure();
    if (failed(bufferizeBody(getOperation())))
      signalPassFailure();
  }
};

} // namespace

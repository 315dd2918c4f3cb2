//===----------------------------------------------------------------------===//
// Lowers a function on tensors to a host function on buffers, and kernels for
// groups, attention, tile lists and scatters.
//
//   1. Arguments become buffers, results become further arguments.
//   2. Operations are visited in order. Reshapes become views, groups and
//      attentions a buffer, a kernel and its launch; arithmetic on sizes stays.
//   3. A returned value is computed in the buffer of its result.
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "KernelBuilder.h"
#include "stof/Conversion/Passes.h"
#include "stof/Fusion/TensorView.h"
#include "stof/IR/Donation.h"
#include "stof/Support/ResolveTarget.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace stof {
#define GEN_PASS_DEF_LOWERTOTILEPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

MemRefType stof::bufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

LogicalResult FunctionLowering::checkSignature() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError()
           << "cannot be compiled: expects one block, but got "
           << function.getBody().getBlocks().size();
  for (Type type : function.getResultTypes())
    if (!isa<RankedTensorType>(type))
      return function.emitOpError() << "cannot be compiled: expects results to "
                                       "be ranked tensors, but got "
                                    << type;
  for (Type type : function.getArgumentTypes())
    if (isa<ShapedType>(type) && !isa<RankedTensorType>(type))
      return function.emitOpError() << "cannot be compiled: expects arguments "
                                       "to be ranked tensors or scalars, but "
                                       "got "
                                    << type;
  return success();
}

Value stof::skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ReshapeOp>(op))
      return value;
    value = op->getOperand(0);
  }
  return value;
}

LogicalResult FunctionLowering::planScatters() {
  auto read = readDonations(function);
  if (failed(read))
    return failure();
  donations = *read;
  llvm::SmallBitVector donated(function.getNumArguments());
  for (std::optional<unsigned> argument : donations)
    if (argument)
      donated.set(*argument);
  scatters.emplace(function, donated);
  return success();
}

void FunctionLowering::planResults() {
  Operation *end = function.getBody().front().getTerminator();
  for (auto [position, value] : llvm::enumerate(end->getOperands())) {
    // A donated buffer may still be read while results are computed.
    if (donations[position])
      continue;
    Value root = findMaker(value);
    if (isa_and_nonnull<GroupOp, AttentionOp, ScatterOp>(root.getDefiningOp()))
      returned.try_emplace(root, position);
  }
}

LogicalResult FunctionLowering::run() {
  if (failed(checkSignature()) || failed(planScatters()))
    return failure();
  planResults();
  MLIRContext *context = function.getContext();
  auto module = function->getParentOfType<ModuleOp>();
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(context));

  SmallVector<Type> types;
  for (Type type : function.getArgumentTypes())
    types.push_back(isa<RankedTensorType>(type) ? Type(bufferType(type))
                                                : type);
  for (Type type : function.getResultTypes())
    types.push_back(bufferType(type));
  host.setInsertionPoint(function);
  hostFunction =
      func::FuncOp::create(host, function.getLoc(), function.getName(),
                           host.getFunctionType(types, {}));
  hostFunction.setVisibility(function.getVisibility());
  hostFunction->setAttr("stof.inputs",
                        host.getI64IntegerAttr(function.getNumArguments()));
  hostFunction->setAttr("stof.results",
                        host.getI64IntegerAttr(function.getNumResults()));
  Block *entry = hostFunction.addEntryBlock();
  kernels = gpu::GPUModuleOp::create(host, function.getLoc(),
                                     (function.getName() + "_kernels").str());
  // Inserted first: launches refer to the name that the insertion makes unique.
  symbols.insert(kernels);
  host.setInsertionPointToStart(entry);
  for (auto [argument, buffer] :
       llvm::zip(function.getArguments(), entry->getArguments()))
    values.map(argument, buffer);
  for (Operation &op : function.getBody().front())
    if (failed(lower(op)))
      return failure();
  symbols.erase(function);
  symbols.insert(hostFunction);
  return success();
}

LogicalResult FunctionLowering::lower(Operation &op) {
  if (auto group = dyn_cast<GroupOp>(op))
    return lowerGroup(group);
  if (auto attention = dyn_cast<AttentionOp>(op))
    return lowerAttention(attention);
  if (auto list = dyn_cast<ListTilesOp>(op))
    return lowerListTiles(list);
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return lowerScatter(scatter);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return lowerConstant(constant);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return lowerReturn(end);
  // Masks are emitted by their users.
  if (isa<MaskOpInterface>(op))
    return success();
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    // Destinations of attention are not read, so they need no buffer.
    bool isRead = llvm::any_of(op.getUses(), [](OpOperand &use) {
      auto attention = dyn_cast<AttentionOp>(use.getOwner());
      return !attention || !attention.isDpsInit(&use);
    });
    if (!isRead)
      return success();
    SmallVector<Value> sizes;
    for (Value size : empty.getDynamicSizes())
      sizes.push_back(values.lookup(size));
    values.map(empty.getResult(),
               memref::AllocOp::create(host, op.getLoc(),
                                       bufferType(empty.getType()), sizes)
                   .getResult());
    return success();
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!isReadInPlace(slice))
      return op.emitOpError() << "cannot be compiled: expects a slice that "
                                 "kernels can read in place";
    return lowerView(op);
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op))
    return lowerView(op);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return lowerReshape(reshape);
  // The operand of tensor.reshape; its elements are looked up there.
  if (isa<tensor::FromElementsOp>(op) &&
      llvm::all_of(op.getUsers(), [](Operation *user) {
        return isa<tensor::ReshapeOp>(user);
      }))
    return success();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    values.map(dim.getResult(),
               memref::DimOp::create(host, op.getLoc(),
                                     values.lookup(dim.getSource()),
                                     values.lookup(dim.getIndex()))
                   .getResult());
    return success();
  }
  // Host scalars: sizes and assertions on them.
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  bool scalar = llvm::all_of(op.getOperandTypes(), isScalar) &&
                llvm::all_of(op.getResultTypes(), isScalar) &&
                op.getNumRegions() == 0;
  if (scalar && (isMemoryEffectFree(&op) || isa<cf::AssertOp>(op))) {
    host.clone(op, values);
    return success();
  }
  if (isa<tensor::ExtractOp>(op))
    return op.emitOpError()
           << "cannot be compiled: expects sizes of tensors that follow from "
              "the sizes of inputs, but got one that is read from a tensor, as "
              "boolean masks and nonzero need it; torch.where or a fixed "
              "number of elements does not";
  return op.emitOpError()
         << "cannot be compiled: no kernel computes it and the host cannot";
}

namespace {
/// Whether `function` has tensors to lower.
bool usesTensors(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  WalkResult found = function.walk([&](Operation *op) {
    bool tensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                   llvm::any_of(op->getResultTypes(), isTensor);
    return tensors ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted() ||
         llvm::any_of(function.getArgumentTypes(), isTensor);
}

struct LowerToTilePass : stof::impl::LowerToTilePassBase<LowerToTilePass> {
  using Base::Base;
  void runOnOperation() override {
    FailureOr<const TargetInfo *> target = resolveTarget(getOperation(), chip);
    if (failed(target))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (!function.isExternal() && usesTensors(function) &&
          failed(FunctionLowering(function, symbols, *target).run()))
        return signalPassFailure();
  }
};

} // namespace

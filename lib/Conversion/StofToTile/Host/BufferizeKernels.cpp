//===----------------------------------------------------------------------===//
// Bufferizes functions whose kernels are chosen: groups, attention, tile lists
// and scatters, with reshapes and slices between them.
//
//   1. Arguments become buffers, results become further arguments.
//   2. Operations are visited in order. Each operation with kernels gets a
//      destination: the buffer of a result that it is returned as, that of the
//      original where a scatter may update it in place, or a new one. Reshapes,
//      and transpositions next to attention, become views; arithmetic on sizes
//      stays.
//   3. Upstream's interfaces put the operations, and the masks and scores that
//      read captured tensors, on these buffers.
//
// Upstream's one-shot analysis, which `stof-bufferize` uses, would decide 2 as
// well. It looks through no reshape for the buffer of a result, knows no
// updates that are disjoint from a slice by their position, and gives no reason
// for a copy, which users have to be told (`CopiedOriginal`).
//===----------------------------------------------------------------------===//

#include "../Scatter/ScatterPlan.h"
#include "TableSizes.h"
#include "stof/Conversion/KernelOpInterface.h"
#include "stof/Conversion/Passes.h"
#include "stof/Fusion/TensorView.h"
#include "stof/IR/Donation.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Bufferize.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

namespace stof {
#define GEN_PASS_DEF_BUFFERIZEKERNELSPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

#define DEBUG_TYPE "stof-bufferize-kernels"

/// The type of the contiguous buffer of a tensor.
static MemRefType bufferType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return MemRefType::get(tensor.getShape(), tensor.getElementType());
}

/// Whether `operand` is a destination of kernels that do not read it, so that
/// it needs no buffer.
static bool isOnlyWritten(OpOperand &operand) {
  auto op = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  if (!op || !isa<KernelOpInterface>(operand.getOwner()) ||
      !op.isDpsInit(&operand))
    return false;
  bufferization::BufferizationOptions options;
  return !bufferization::AnalysisState(options).bufferizesToMemoryRead(operand);
}

/// The source of `value` through reshapes.
static Value skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ReshapeOp>(op))
      return value;
    value = op->getOperand(0);
  }
  return value;
}

static Value transpose(OpBuilder &builder, Location loc, Value buffer,
                       ArrayRef<int64_t> permutation) {
  AffineMap order =
      AffineMap::getPermutationMap(permutation, builder.getContext());
  return memref::TransposeOp::create(builder, loc, buffer,
                                     AffineMapAttr::get(order));
}

namespace {

/// Bufferizes one function.
class FunctionBufferizer {
public:
  FunctionBufferizer(func::FuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols), host(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkSignature();
  LogicalResult planScatters();
  void planResults();
  void createHostFunction();

  LogicalResult visit(Operation &op);
  LogicalResult visitGroup(GroupOp op);
  LogicalResult visitListTiles(ListTilesOp op);
  LogicalResult visitScatter(ScatterOp op);
  /// Any other operation with kernels, by its destinations.
  void visitDestinationStyle(DestinationStyleOpInterface op);
  LogicalResult visitConstant(arith::ConstantOp op);
  LogicalResult visitEmpty(tensor::EmptyOp op);
  /// Turns a reshape or slice into a view of its buffer.
  LogicalResult visitView(Operation &op);
  LogicalResult visitReshape(tensor::ReshapeOp op);
  void visitTransposition(Operation &op);
  LogicalResult visitReturn(func::ReturnOp op);
  void visitDim(tensor::DimOp op);
  LogicalResult visitScalar(Operation &op);

  /// The buffer of `value`: that of the caller if the function returns it, else
  /// a new one.
  Value allocate(Value value, ArrayRef<OpFoldResult> sizes);

  /// The buffer of a result: a function argument of its own, or that of the
  /// argument that is donated to it.
  Value getResultBuffer(unsigned position);

  /// The value whose buffer `value` occupies, looking through reshapes,
  /// transpositions of what an attention writes, and scatters in place.
  Value findMaker(Value value) const;

  /// Whether `value`, returned as result `position`, is in the buffer of that
  /// result.
  bool isInResultBuffer(unsigned position, Value value);

  /// Copies `from` to a new buffer.
  Value copyAside(Location loc, Value from);

  /// The host sizes of a result in `group`: those of the tensor.empty that
  /// initializes it.
  FailureOr<SmallVector<OpFoldResult>> sizesOfResult(GroupOp group,
                                                     unsigned position);

  /// The host sizes of a destination on tensors.
  SmallVector<OpFoldResult> sizesOfInit(Value init);

  /// `buffer` as a tensor, until upstream's interfaces take the buffer.
  Value asTensor(Value buffer, Type type);
  /// Copies `op` to the host function, with operands as tensors.
  Operation *cloneOnTensors(Operation &op);
  /// Puts what cloneOnTensors copied on buffers.
  LogicalResult bufferizeClones();

  func::FuncOp function;
  SymbolTable &symbols;
  func::FuncOp hostFunction;
  OpBuilder host;
  IRMapping values;
  DenseMap<Value, unsigned> returned;
  /// The donated argument of each result, if there is one.
  SmallVector<std::optional<unsigned>> donations;
  std::optional<ScatterPlan> scatters;
};

} // namespace

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

LogicalResult FunctionBufferizer::checkSignature() {
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

LogicalResult FunctionBufferizer::planScatters() {
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

void FunctionBufferizer::planResults() {
  Operation *end = function.getBody().front().getTerminator();
  for (auto [position, value] : llvm::enumerate(end->getOperands())) {
    // A donated buffer may still be read while results are computed.
    if (donations[position])
      continue;
    Value root = findMaker(value);
    if (isa_and_nonnull<KernelOpInterface>(root.getDefiningOp()))
      returned.try_emplace(root, position);
  }
}

void FunctionBufferizer::createHostFunction() {
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
  inputsAttr.set(hostFunction,
                 host.getI64IntegerAttr(function.getNumArguments()));
  resultsAttr.set(hostFunction,
                  host.getI64IntegerAttr(function.getNumResults()));
  Block *entry = hostFunction.addEntryBlock();
  host.setInsertionPointToStart(entry);
  for (auto [argument, buffer] :
       llvm::zip(function.getArguments(), entry->getArguments()))
    values.map(argument, buffer);
}

LogicalResult FunctionBufferizer::run() {
  if (failed(checkSignature()) || failed(planScatters()))
    return failure();
  planResults();
  createHostFunction();
  for (Operation &op : function.getBody().front())
    if (failed(visit(op)))
      return failure();
  symbols.erase(function);
  symbols.insert(hostFunction);
  return bufferizeClones();
}

Value FunctionBufferizer::asTensor(Value buffer, Type type) {
  return bufferization::ToTensorOp::create(host, buffer.getLoc(), type, buffer,
                                           /*restrict=*/true,
                                           /*writable=*/true);
}

Operation *FunctionBufferizer::cloneOnTensors(Operation &op) {
  IRMapping tensors;
  for (Value operand : op.getOperands()) {
    // Destinations that are not read have no buffer yet.
    Value known = values.lookupOrNull(operand);
    if (known && !tensors.contains(operand))
      tensors.map(operand, isa<RankedTensorType>(operand.getType())
                               ? asTensor(known, operand.getType())
                               : known);
  }
  return host.clone(op, tensors);
}

LogicalResult FunctionBufferizer::bufferizeClones() {
  bufferization::BufferizationOptions options;
  // The region of a group is a function of values.
  options.opFilter.denyOperation(
      [](Operation *op) { return op->getParentOfType<GroupOp>() != nullptr; });
  bufferization::BufferizationState state;
  if (failed(bufferization::bufferizeOp(hostFunction, options, state)))
    return failure();
  hostFunction.walk([](bufferization::ToTensorOp op) {
    if (op->use_empty())
      op->erase();
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult FunctionBufferizer::visit(Operation &op) {
  if (auto group = dyn_cast<GroupOp>(op))
    return visitGroup(group);
  if (auto list = dyn_cast<ListTilesOp>(op))
    return visitListTiles(list);
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return visitScatter(scatter);
  if (auto target = dyn_cast<DestinationStyleOpInterface>(op);
      target && isa<KernelOpInterface>(op)) {
    visitDestinationStyle(target);
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return visitConstant(constant);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return visitReturn(end);
  // Masks are evaluated by their users, in kernels.
  if (isa<MaskOpInterface>(op)) {
    values.map(op.getResult(0), cloneOnTensors(op)->getResult(0));
    return success();
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return visitEmpty(empty);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!isReadInPlace(slice))
      return op.emitOpError() << "cannot be compiled: expects a slice that "
                                 "kernels can read in place";
    return visitView(op);
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp>(op))
    return visitView(op);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return visitReshape(reshape);
  // The operand of tensor.reshape; its elements are looked up there.
  if (isa<tensor::FromElementsOp>(op) &&
      llvm::all_of(op.getUsers(), llvm::IsaPred<tensor::ReshapeOp>))
    return success();
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    visitDim(dim);
    return success();
  }
  if (isTransposedInPlace(&op)) {
    visitTransposition(op);
    return success();
  }
  return visitScalar(op);
}

void FunctionBufferizer::visitDim(tensor::DimOp op) {
  Value buffer = values.lookup(op.getSource());
  Value index = values.lookup(op.getIndex());
  if (std::optional<int64_t> dim = op.getConstantIndex()) {
    OpFoldResult size = sizeOf(host, op.getLoc(), buffer, *dim);
    values.map(op.getResult(),
               getValueOrCreateConstantIndexOp(host, op.getLoc(), size));
    return;
  }
  values.map(
      op.getResult(),
      memref::DimOp::create(host, op.getLoc(), buffer, index).getResult());
}

LogicalResult FunctionBufferizer::visitScalar(Operation &op) {
  // Sizes and assertions on them.
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

//===----------------------------------------------------------------------===//
// Operations with kernels
//===----------------------------------------------------------------------===//

Value FunctionBufferizer::allocate(Value value, ArrayRef<OpFoldResult> sizes) {
  Location loc = value.getLoc();
  MemRefType type = bufferType(value.getType());
  if (auto found = returned.find(value); found != returned.end()) {
    Value result =
        hostFunction.getArgument(function.getNumArguments() + found->second);
    // An attention writes what is returned transposed where it is returned.
    Operation *user = *value.user_begin();
    std::optional<SmallVector<int64_t>> order;
    if (isTransposedInPlace(user))
      order = getPermutation(user);
    SmallVector<OpFoldResult> stored =
        order ? applyPermutation(sizes, *order) : llvm::to_vector(sizes);
    MemRefType storedType =
        order ? bufferType(user->getResult(0).getType()) : type;
    if (result.getType() != storedType)
      result = reshapeBuffer(host, loc, result, stored);
    return order ? transpose(host, loc, result, invertPermutationVector(*order))
                 : result;
  }
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamic.push_back(getValueOrCreateConstantIndexOp(host, loc, size));
  return memref::AllocOp::create(host, loc, type, dynamic);
}

FailureOr<SmallVector<OpFoldResult>>
FunctionBufferizer::sizesOfResult(GroupOp group, unsigned position) {
  Value init = group.getBody().front().getTerminator()->getOperand(position);
  auto type = cast<RankedTensorType>(init.getType());
  if (type.hasStaticShape())
    return getMixedValues(type.getShape(), {}, host);
  while (auto op = init.getDefiningOp<linalg::LinalgOp>())
    init = op.getDpsInits()[cast<OpResult>(init).getResultNumber()];
  auto toHost = [&](Value value) {
    return values.lookup(
        group.getInputs()[cast<BlockArgument>(value).getArgNumber()]);
  };
  if (isa<BlockArgument>(init))
    return memref::getMixedSizes(host, group.getLoc(), toHost(init));
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return group.emitOpError() << "cannot be compiled: the sizes of result "
                               << position << " are not known";
  SmallVector<OpFoldResult> sizes;
  for (OpFoldResult size : empty.getMixedSizes()) {
    auto value = dyn_cast<Value>(size);
    if (value && !isa<BlockArgument>(value))
      return group.emitOpError() << "cannot be compiled: the sizes of result "
                                 << position << " are not known to the host";
    sizes.push_back(value ? OpFoldResult(toHost(value)) : size);
  }
  return sizes;
}

LogicalResult FunctionBufferizer::visitGroup(GroupOp group) {
  SmallVector<Value> outs;
  for (OpResult result : group.getResults()) {
    FailureOr<SmallVector<OpFoldResult>> sizes =
        sizesOfResult(group, result.getResultNumber());
    if (failed(sizes))
      return failure();
    Value buffer = allocate(result, *sizes);
    values.map(result, buffer);
    outs.push_back(asTensor(buffer, result.getType()));
  }
  cast<GroupOp>(cloneOnTensors(*group)).getOutsMutable().assign(outs);
  return success();
}

SmallVector<OpFoldResult> FunctionBufferizer::sizesOfInit(Value init) {
  SmallVector<OpFoldResult> sizes;
  if (auto empty = init.getDefiningOp<tensor::EmptyOp>()) {
    for (OpFoldResult size : empty.getMixedSizes())
      sizes.push_back(isa<Value>(size)
                          ? OpFoldResult(values.lookup(cast<Value>(size)))
                          : size);
    return sizes;
  }
  return memref::getMixedSizes(host, init.getLoc(), values.lookup(init));
}

void FunctionBufferizer::visitDestinationStyle(DestinationStyleOpInterface op) {
  SmallVector<Value> buffers;
  for (auto [result, init] :
       llvm::zip(op->getResults(), op.getDpsInitsMutable())) {
    buffers.push_back(allocate(result, sizesOfInit(init.get())));
    values.map(result, buffers.back());
    if (!isOnlyWritten(init))
      linalg::CopyOp::create(host, op.getLoc(), values.lookup(init.get()),
                             buffers.back());
  }
  auto copy = cast<DestinationStyleOpInterface>(cloneOnTensors(*op));
  host.setInsertionPoint(copy);
  for (auto [init, buffer] : llvm::zip(copy.getDpsInitsMutable(), buffers))
    init.set(asTensor(buffer, init.get().getType()));
  host.setInsertionPointAfter(copy);
}

LogicalResult FunctionBufferizer::visitListTiles(ListTilesOp op) {
  auto sizes = llvm::map_to_vector(op.getSizes(), [&](Value size) {
    return getAsOpFoldResult(values.lookup(size));
  });
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> extents = sizesOfTiles(host, op, sizes);
  Value ranges =
      allocate(op.getRanges(), {extents[0], extents[1], extents[2],
                                host.getIndexAttr(LayoutAttr::rangeSize)});
  // Capacity for every tile, and one more entry for a mainloop that reads
  // ahead.
  AffineExpr count = getAffineSymbolExpr(0, host.getContext());
  OpFoldResult capacity = affine::makeComposedFoldedAffineApply(
      host, loc, count + 1, {productOf(host, loc, extents)});
  Value entries = allocate(op.getEntries(), capacity);
  values.map(op.getRanges(), ranges);
  values.map(op.getEntries(), entries);
  SmallVector<Value> outs{asTensor(ranges, op.getRanges().getType()),
                          asTensor(entries, op.getEntries().getType())};
  cast<ListTilesOp>(cloneOnTensors(*op)).getOutsMutable().assign(outs);
  return success();
}

LogicalResult FunctionBufferizer::visitScatter(ScatterOp op) {
  Location loc = op.getLoc();
  Value buffer = values.lookup(op.getOriginal());
  if (scatters->isInPlace(op)) {
    remark::passed(
        loc, remark::RemarkOpts::name("UpdatedInPlace").category(DEBUG_TYPE))
        << remark::add("{0} is updated in place", op.getOriginalType());
  } else {
    Value original = buffer;
    buffer =
        allocate(op.getResult(), memref::getMixedSizes(host, loc, original));
    remark::missed(
        loc, remark::RemarkOpts::name("CopiedOriginal").category(DEBUG_TYPE))
        << remark::reason("{0}", scatters->getReason(op));
    linalg::CopyOp::create(host, loc, original, buffer);
  }
  auto copy = cast<ScatterOp>(cloneOnTensors(*op));
  host.setInsertionPoint(copy);
  copy.getOriginalMutable().assign(
      asTensor(buffer, copy.getOriginal().getType()));
  host.setInsertionPointAfter(copy);
  values.map(op.getResult(), buffer);
  return success();
}

//===----------------------------------------------------------------------===//
// Constants and views
//===----------------------------------------------------------------------===//

LogicalResult FunctionBufferizer::visitConstant(arith::ConstantOp op) {
  if (!isa<ShapedType>(op.getType())) {
    host.clone(*op, values);
    return success();
  }
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return op.emitOpError() << "cannot be compiled: expects a ranked tensor, "
                               "but got "
                            << op.getType();
  OpBuilder builder(hostFunction);
  auto global = memref::GlobalOp::create(
      builder, op.getLoc(), (function.getName() + "_constant").str(),
      builder.getStringAttr("private"), bufferType(type), op.getValue(),
      /*constant=*/true, /*alignment=*/IntegerAttr());
  symbols.insert(global);
  values.map(op.getResult(),
             memref::GetGlobalOp::create(host, op.getLoc(), bufferType(type),
                                         global.getSymName())
                 .getResult());
  return success();
}

LogicalResult FunctionBufferizer::visitEmpty(tensor::EmptyOp op) {
  if (llvm::all_of(op->getUses(), isOnlyWritten))
    return success();
  SmallVector<Value> sizes;
  for (Value size : op.getDynamicSizes())
    sizes.push_back(values.lookup(size));
  values.map(op.getResult(),
             memref::AllocOp::create(host, op.getLoc(),
                                     bufferType(op.getType()), sizes)
                 .getResult());
  return success();
}

LogicalResult FunctionBufferizer::visitView(Operation &op) {
  Location loc = op.getLoc();
  if (!isa<RankedTensorType>(op.getResult(0).getType()) ||
      !isa<RankedTensorType>(op.getOperand(0).getType()))
    return op.emitOpError() << "cannot be compiled: expects ranked tensors";
  Value source = values.lookup(op.getOperand(0));
  // isReadInPlace guarantees a view for all reshapes of a slice.
  MemRefType type = *viewThrough(&op, cast<MemRefType>(source.getType()));
  auto toHost = [&](ArrayRef<OpFoldResult> sizes) {
    return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
      auto value = dyn_cast<Value>(size);
      return value ? OpFoldResult(values.lookup(value)) : size;
    });
  };
  Value view =
      llvm::TypeSwitch<Operation *, Value>(&op)
          .Case([&](tensor::ExtractSliceOp slice) {
            return memref::SubViewOp::create(
                host, loc, type, source, toHost(slice.getMixedOffsets()),
                toHost(slice.getMixedSizes()), toHost(slice.getMixedStrides()));
          })
          .Case([&](tensor::CollapseShapeOp collapse) {
            return memref::CollapseShapeOp::create(
                host, loc, type, source, collapse.getReassociationIndices());
          })
          .Case([&](tensor::ExpandShapeOp expand) {
            return memref::ExpandShapeOp::create(
                host, loc, type, source, expand.getReassociationIndices(),
                toHost(expand.getMixedOutputShape()));
          })
          .Default([&](Operation *) {
            return memref::CastOp::create(host, loc, type, source);
          });
  values.map(op.getResult(0), view);
  return success();
}

void FunctionBufferizer::visitTransposition(Operation &op) {
  Value source = values.lookup(op.getOperand(0));
  // What an attention has written is a transposed view of the result.
  auto view = source.getDefiningOp<memref::TransposeOp>();
  values.map(op.getResult(0),
             view ? view.getIn()
                  : transpose(host, op.getLoc(), source, *getPermutation(&op)));
}

LogicalResult FunctionBufferizer::visitReshape(tensor::ReshapeOp reshape) {
  auto shape = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
  auto type = dyn_cast<RankedTensorType>(reshape.getType());
  if (!shape || !type)
    return reshape.emitOpError() << "cannot be compiled: expects a shape made "
                                    "of sizes and a ranked result";
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(shape.getElements())) {
    if (!type.isDynamicDim(dim)) {
      sizes.push_back(host.getIndexAttr(type.getDimSize(dim)));
      continue;
    }
    Value known = values.lookup(size);
    if (!known.getType().isIndex())
      known = arith::IndexCastOp::create(host, reshape.getLoc(),
                                         host.getIndexType(), known);
    sizes.push_back(known);
  }
  values.map(reshape.getResult(),
             reshapeBuffer(host, reshape.getLoc(),
                           values.lookup(reshape.getSource()), sizes));
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value FunctionBufferizer::getResultBuffer(unsigned position) {
  if (std::optional<unsigned> argument = donations[position])
    return hostFunction.getArgument(*argument);
  return hostFunction.getArgument(function.getNumArguments() + position);
}

Value FunctionBufferizer::findMaker(Value value) const {
  for (;;) {
    value = skipReshapes(value);
    Operation *op = value.getDefiningOp();
    if (op && isTransposedInPlace(op) &&
        op->getOperand(0).getDefiningOp<AttentionOp>())
      value = op->getOperand(0);
    auto scatter = value.getDefiningOp<ScatterOp>();
    if (!scatter || !scatters->isInPlace(scatter))
      return value;
    value = scatter.getOriginal();
  }
}

bool FunctionBufferizer::isInResultBuffer(unsigned position, Value value) {
  Value maker = findMaker(value);
  if (std::optional<unsigned> argument = donations[position])
    return maker == function.getArgument(*argument);
  auto found = returned.find(maker);
  return found != returned.end() && found->second == position;
}

Value FunctionBufferizer::copyAside(Location loc, Value from) {
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(memref::getMixedSizes(host, loc, from), dynamic,
                             shape);
  Type element = cast<MemRefType>(from.getType()).getElementType();
  Value aside = memref::AllocOp::create(
      host, loc, MemRefType::get(shape, element), dynamic);
  linalg::CopyOp::create(host, loc, from, aside);
  return aside;
}

LogicalResult FunctionBufferizer::visitReturn(func::ReturnOp op) {
  Location loc = op.getLoc();
  SmallVector<std::pair<unsigned, Value>> others, donated;
  for (auto [position, value] : llvm::enumerate(op.getOperands()))
    if (!isInResultBuffer(position, value))
      (donations[position] ? donated : others)
          .emplace_back(position, values.lookup(value));
  for (auto &[position, buffer] : donated) {
    remark::missed(
        loc, remark::RemarkOpts::name("CopiedResult").category(DEBUG_TYPE))
        << remark::reason("result {0} is not argument {1} updated in place",
                          position, *donations[position]);
    // Several donated results may permute arguments, so they go through copies.
    Value first = scatters->getFirst(op.getOperand(position));
    if (donated.size() == 1 || !isa<BlockArgument>(first))
      continue;
    buffer = copyAside(loc, buffer);
  }
  // Donated buffers are overwritten last, as other results may still read them.
  llvm::append_range(others, donated);
  for (auto [position, buffer] : others)
    linalg::CopyOp::create(host, loc, buffer, getResultBuffer(position));
  func::ReturnOp::create(host, loc);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

/// Whether `function` has tensors to bufferize.
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

struct BufferizeKernelsPass
    : stof::impl::BufferizeKernelsPassBase<BufferizeKernelsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerKernelModels(registry);
    tensor::registerBufferizableOpInterfaceExternalModels(registry);
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (!function.isExternal() && usesTensors(function) &&
          failed(FunctionBufferizer(function, symbols).run()))
        return signalPassFailure();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// A function on tensors becomes a host function on buffers and one kernel for
// each group and attention.
//
//   1. Arguments become buffers, results become further arguments.
//   2. Operations are visited in order. Reshapes become views, groups and
//      attentions a buffer, a kernel and its launch; arithmetic on sizes stays.
//   3. A value that the function returns is computed where the caller wants it.
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "GroupKernels.h"
#include "stof/Conversion/Passes.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

namespace stof {
#define GEN_PASS_DEF_LOWERTOTILEPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

/// Lowers one function.
class FunctionLowering {
public:
  FunctionLowering(func::FuncOp function, SymbolTable &symbols)
      : function(function), symbols(symbols), host(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkSignature();
  void planResults();
  LogicalResult lower(Operation &op);
  LogicalResult lowerGroup(GroupOp op);
  LogicalResult lowerAttention(AttentionOp op);
  LogicalResult lowerConstant(arith::ConstantOp op);
  LogicalResult lowerReturn(func::ReturnOp op);

  /// A buffer of the given type for `value`: where the caller wants it if the
  /// function returns it, else a new one.
  Value allocate(Value value, ArrayRef<OpFoldResult> sizes);

  /// Copies `from` to `to` by a kernel.
  LogicalResult copy(Location loc, Value from, Value to);

  /// The host's sizes of a result, as the tensor.empty that it is written into
  /// has them.
  FailureOr<SmallVector<OpFoldResult>> sizesOfResult(OpResult result);

  std::string nextKernelName(StringRef what) {
    return (function.getName() + "_" + Twine(numKernels++) + "_" + what).str();
  }

  func::FuncOp function;
  SymbolTable &symbols;
  func::FuncOp hostFunction;
  gpu::GPUModuleOp kernels;
  OpBuilder host;
  IRMapping values;
  llvm::DenseMap<Value, unsigned> returned;
  unsigned numKernels = 0;
};

MemRefType bufferType(Type type) {
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

/// The value that `value` is only another view of.
Value skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ReshapeOp>(op))
      return value;
    value = op->getOperand(0);
  }
  return value;
}

void FunctionLowering::planResults() {
  Operation *end = function.getBody().front().getTerminator();
  for (auto [position, value] : llvm::enumerate(end->getOperands())) {
    Value root = skipReshapes(value);
    if (isa_and_nonnull<GroupOp, AttentionOp>(root.getDefiningOp()))
      returned.try_emplace(root, position);
  }
}

LogicalResult FunctionLowering::run() {
  if (failed(checkSignature()))
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
  host.setInsertionPointToStart(entry);
  for (auto [argument, buffer] :
       llvm::zip(function.getArguments(), entry->getArguments()))
    values.map(argument, buffer);
  for (Operation &op : function.getBody().front())
    if (failed(lower(op)))
      return failure();
  symbols.erase(function);
  symbols.insert(hostFunction);
  symbols.insert(kernels);
  return success();
}

LogicalResult FunctionLowering::lower(Operation &op) {
  if (auto group = dyn_cast<GroupOp>(op))
    return lowerGroup(group);
  if (auto attention = dyn_cast<AttentionOp>(op))
    return lowerAttention(attention);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return lowerConstant(constant);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return lowerReturn(end);
  // A mask is built where it is used; an empty tensor holds nothing.
  if (isa<MaskOp, BlockMaskOp, tensor::EmptyOp>(op))
    return success();
  if (auto reshape = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Value source = values.lookup(reshape.getSrc());
    values.map(reshape.getResult(),
               memref::CollapseShapeOp::create(
                   host, op.getLoc(), bufferType(reshape.getType()), source,
                   reshape.getReassociationIndices())
                   .getResult());
    return success();
  }
  if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<OpFoldResult> sizes;
    for (OpFoldResult size : reshape.getMixedOutputShape())
      sizes.push_back(isa<Value>(size)
                          ? OpFoldResult(values.lookup(cast<Value>(size)))
                          : size);
    values.map(reshape.getResult(),
               memref::ExpandShapeOp::create(
                   host, op.getLoc(), bufferType(reshape.getType()),
                   values.lookup(reshape.getSrc()),
                   reshape.getReassociationIndices(), sizes)
                   .getResult());
    return success();
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (!isa<RankedTensorType>(cast.getType()) ||
        !isa<RankedTensorType>(cast.getSource().getType()))
      return op.emitOpError() << "cannot be compiled: expects ranked tensors";
    values.map(cast.getResult(),
               memref::CastOp::create(host, op.getLoc(),
                                      bufferType(cast.getType()),
                                      values.lookup(cast.getSource()))
                   .getResult());
    return success();
  }
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    auto shape = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
    auto type = dyn_cast<RankedTensorType>(reshape.getType());
    if (!shape || !type)
      return op.emitOpError() << "cannot be compiled: expects a shape made of "
                                 "sizes and a ranked result";
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, size] : llvm::enumerate(shape.getElements())) {
      if (!type.isDynamicDim(dim)) {
        sizes.push_back(host.getIndexAttr(type.getDimSize(dim)));
        continue;
      }
      Value known = values.lookup(size);
      if (!known.getType().isIndex())
        known = arith::IndexCastOp::create(host, op.getLoc(),
                                           host.getIndexType(), known);
      sizes.push_back(known);
    }
    values.map(reshape.getResult(),
               reshapeBuffer(host, op.getLoc(),
                             values.lookup(reshape.getSource()), sizes));
    return success();
  }
  // The elements have been looked up by tensor.reshape.
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
  // Scalars on the host: sizes and what is checked of them.
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  bool scalar = llvm::all_of(op.getOperandTypes(), isScalar) &&
                llvm::all_of(op.getResultTypes(), isScalar) &&
                op.getNumRegions() == 0;
  if (scalar && (isMemoryEffectFree(&op) || isa<cf::AssertOp>(op))) {
    host.clone(op, values);
    return success();
  }
  return op.emitOpError()
         << "cannot be compiled: no kernel computes it and the host cannot";
}

FailureOr<SmallVector<OpFoldResult>>
FunctionLowering::sizesOfResult(OpResult result) {
  auto type = cast<RankedTensorType>(result.getType());
  if (type.hasStaticShape())
    return getMixedValues(type.getShape(), {}, host);
  auto group = cast<GroupOp>(result.getOwner());
  Block &body = group.getBody().front();
  Value yielded = body.getTerminator()->getOperand(result.getResultNumber());
  auto op = yielded.getDefiningOp<linalg::LinalgOp>();
  Value init = op ? op.getDpsInits()[cast<OpResult>(yielded).getResultNumber()]
                  : yielded;
  while (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.output();
  auto toHost = [&](Value value) {
    return values.lookup(
        group.getInputs()[cast<BlockArgument>(value).getArgNumber()]);
  };
  if (isa<BlockArgument>(init))
    return memref::getMixedSizes(host, group.getLoc(), toHost(init));
  auto empty = init.getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return group.emitOpError() << "cannot be compiled: the sizes of result "
                               << result.getResultNumber() << " are not known";
  SmallVector<OpFoldResult> sizes;
  for (OpFoldResult size : empty.getMixedSizes()) {
    auto value = dyn_cast<Value>(size);
    if (value && !isa<BlockArgument>(value))
      return group.emitOpError()
             << "cannot be compiled: the sizes of result "
             << result.getResultNumber() << " are not known to the host";
    sizes.push_back(value ? OpFoldResult(toHost(value)) : size);
  }
  return sizes;
}

Value FunctionLowering::allocate(Value value, ArrayRef<OpFoldResult> sizes) {
  Location loc = value.getLoc();
  MemRefType type = bufferType(value.getType());
  if (auto found = returned.find(value); found != returned.end()) {
    Value result =
        hostFunction.getArgument(function.getNumArguments() + found->second);
    return result.getType() == type ? result
                                    : reshapeBuffer(host, loc, result, sizes);
  }
  SmallVector<Value> dynamic;
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (type.isDynamicDim(dim))
      dynamic.push_back(getValueOrCreateConstantIndexOp(host, loc, size));
  return memref::AllocOp::create(host, loc, type, dynamic);
}

LogicalResult FunctionLowering::lowerGroup(GroupOp group) {
  // The operations that compute: fills only say where results begin.
  SmallVector<linalg::LinalgOp> roots;
  for (auto op : group.getBody().front().getOps<linalg::LinalgOp>())
    if (!isa<linalg::FillOp>(op))
      roots.push_back(op);
  if (roots.empty() || roots.size() > 2)
    return group.emitOpError()
           << "cannot be compiled: expects one operation or a contraction and "
              "its epilogue, but got "
           << roots.size() << " operations";
  linalg::GenericOp epilogue;
  if (roots.size() == 2)
    epilogue = dyn_cast<linalg::GenericOp>(roots[1].getOperation());

  SmallVector<Value> results;
  for (OpResult result : group.getResults()) {
    FailureOr<SmallVector<OpFoldResult>> sizes = sizesOfResult(result);
    if (failed(sizes))
      return failure();
    results.push_back(allocate(result, *sizes));
    values.map(result, results.back());
  }
  linalg::LinalgOp root = roots.front();
  std::string what = root->getName().stripDialect().str();
  KernelBuilder kernel(kernels, nextKernelName(what), group.getLoc(),
                       /*numWarps=*/4, host);
  GroupContext context(kernel, group, values, results);
  auto emit = [&]() -> LogicalResult {
    if (isTileContraction(root))
      return emitContractionKernel(context, root, epilogue);
    if (roots.size() == 2)
      return group.emitOpError() << "cannot be compiled: '" << root->getName()
                                 << "' has no kernel that takes an epilogue";
    auto generic = dyn_cast<linalg::GenericOp>(root.getOperation());
    if (!generic) {
      IRRewriter rewriter(group.getContext());
      rewriter.setInsertionPoint(root);
      FailureOr<linalg::GenericOp> general =
          linalg::generalizeNamedOp(rewriter, root);
      if (failed(general))
        return root->emitOpError() << "cannot be compiled: it has no kernel";
      generic = *general;
    }
    return isRowReduction(generic) ? emitReductionKernel(context, generic)
                                   : emitElementwiseKernel(context, generic);
  };
  LogicalResult emitted = emit();
  if (failed(emitted))
    kernel.abandon();
  return emitted;
}

LogicalResult FunctionLowering::lowerAttention(AttentionOp op) {
  if (op.getNumResults() == 0)
    return op.emitOpError() << "cannot be compiled: expects tensors";
  SmallVector<Value> results;
  for (auto [result, init] : llvm::zip(op.getResults(), op.getDpsInits())) {
    auto empty = init.getDefiningOp<tensor::EmptyOp>();
    SmallVector<OpFoldResult> sizes;
    auto type = cast<RankedTensorType>(result.getType());
    if (empty) {
      for (OpFoldResult size : empty.getMixedSizes())
        sizes.push_back(isa<Value>(size)
                            ? OpFoldResult(values.lookup(cast<Value>(size)))
                            : size);
    } else if (Value buffer = values.lookupOrNull(init)) {
      sizes = memref::getMixedSizes(host, op.getLoc(), buffer);
    } else {
      sizes = getMixedValues(type.getShape(), {}, host);
    }
    results.push_back(allocate(result, sizes));
    values.map(result, results.back());
  }
  KernelBuilder kernel(kernels, nextKernelName("attention"), op.getLoc(),
                       attentionWarps(op), host);
  LogicalResult emitted = emitAttentionKernel(kernel, op, values, results);
  if (failed(emitted))
    kernel.abandon();
  return emitted;
}

LogicalResult FunctionLowering::lowerConstant(arith::ConstantOp op) {
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

LogicalResult FunctionLowering::copy(Location loc, Value from, Value to) {
  KernelBuilder kernel(kernels, nextKernelName("copy"), loc, /*numWarps=*/4,
                       host);
  emitCopyKernel(kernel, from, to);
  return success();
}

LogicalResult FunctionLowering::lowerReturn(func::ReturnOp op) {
  for (auto [position, value] : llvm::enumerate(op.getOperands())) {
    auto found = returned.find(skipReshapes(value));
    if (found != returned.end() && found->second == position)
      continue;
    Value result =
        hostFunction.getArgument(function.getNumArguments() + position);
    if (failed(copy(op.getLoc(), values.lookup(value), result)))
      return failure();
  }
  func::ReturnOp::create(host, op.getLoc());
  return success();
}

struct LowerToTilePass : stof::impl::LowerToTilePassBase<LowerToTilePass> {
  using Base::Base;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (!function.isExternal() &&
          failed(FunctionLowering(function, symbols).run()))
        return signalPassFailure();
  }
};

} // namespace

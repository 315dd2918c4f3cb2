//===----------------------------------------------------------------------===//
// Splits complex tensors into pairs of real ones.
//
//   1. Arithmetic on complex scalars becomes arithmetic on their parts, by
//      upstream's patterns.
//   2. Operations are visited in order: each with a complex result is cloned
//      for the real and for the imaginary part.
//   3. The complex operations, now unused, are erased.
//===----------------------------------------------------------------------===//

#include "stof/Support/CloneWithBlocks.h"
#include "stof/Support/ElementBytes.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

namespace stof {
#define GEN_PASS_DEF_SPLITCOMPLEXPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

/// Whether `type` or its element type is complex.
static bool isComplex(Type type) {
  return isa<ComplexType>(getElementTypeOrSelf(type));
}

/// The type of either part of a value of `type`.
static Type getPartType(Type type) {
  Type element = cast<ComplexType>(getElementTypeOrSelf(type)).getElementType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(element)) : element;
}

/// Whether `op` or a nested operation has complex operands or results.
static bool usesComplex(Operation *op) {
  WalkResult found = op->walk([](Operation *inner) {
    bool uses = llvm::any_of(inner->getOperandTypes(), isComplex) ||
                llvm::any_of(inner->getResultTypes(), isComplex);
    return uses ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

namespace {

enum Part : unsigned { Real = 0, Imaginary = 1 };
using Parts = std::array<Value, 2>;

/// Splits the complex values of one function.
class ComplexSplitter {
public:
  explicit ComplexSplitter(func::FuncOp function)
      : function(function), rewriter(function) {}

  LogicalResult run();

private:
  LogicalResult checkSignature();
  LogicalResult lowerScalars();
  LogicalResult split(Operation *op);
  LogicalResult splitConstant(arith::ConstantOp op);
  LogicalResult splitGeneric(linalg::GenericOp op);
  FailureOr<Value> buildPart(linalg::GenericOp op, unsigned result, Part part);
  void copyPerPart(Operation *op);
  /// Splits a complex scalar operation, copies another; `values` maps the real
  /// ones.
  LogicalResult splitScalar(OpBuilder &builder, Operation &op,
                            IRMapping &values);
  LogicalResult copyBlock(OpBuilder &builder, Block &block, IRMapping &values);

  func::FuncOp function;
  IRRewriter rewriter;
  llvm::DenseMap<Value, Parts> parts;
  SmallVector<Operation *> replaced;
};

} // namespace

LogicalResult ComplexSplitter::checkSignature() {
  auto check = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (auto [position, type] : llvm::enumerate(types))
      if (isComplex(type))
        return function.emitOpError()
               << "cannot be compiled: expects " << what << " " << position
               << " to be real, with the parts of a complex number as last "
                  "dimension, but got "
               << type;
    return success();
  };
  return success(succeeded(check(function.getArgumentTypes(), "argument")) &&
                 succeeded(check(function.getResultTypes(), "result")));
}

LogicalResult ComplexSplitter::lowerScalars() {
  RewritePatternSet patterns(function.getContext());
  populateComplexToStandardConversionPatterns(patterns);
  ConversionTarget target(*function.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addDynamicallyLegalDialect<complex::ComplexDialect>([](Operation *op) {
    return isa<complex::CreateOp, complex::ReOp, complex::ImOp,
               complex::ConstantOp>(op);
  });
  return applyPartialConversion(function, target, std::move(patterns));
}

/// The real or imaginary parts of the elements of `value`; null if the elements
/// are unavailable.
static DenseElementsAttr readPart(ElementsAttr value, Part part) {
  auto type = cast<RankedTensorType>(getPartType(value.getType()));
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    size_t bytes = stof::getElementBytes(type);
    if (!blob || blob->getData().size() != 2 * bytes * type.getNumElements())
      return {};
    std::vector<char> own;
    own.reserve(bytes * type.getNumElements());
    for (const char *element = blob->getData().begin() + part * bytes;
         own.size() < bytes * type.getNumElements(); element += 2 * bytes)
      own.insert(own.end(), element, element + bytes);
    return DenseElementsAttr::getFromRawBuffer(type, own);
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return {};
  SmallVector<APFloat> own;
  for (std::complex<APFloat> element :
       dense.getValues<std::complex<APFloat>>()) {
    own.push_back(part == Real ? element.real() : element.imag());
    if (dense.isSplat())
      break;
  }
  return DenseElementsAttr::get(type, own);
}

LogicalResult ComplexSplitter::splitConstant(arith::ConstantOp op) {
  Parts &own = parts[op.getResult()];
  for (Part part : {Real, Imaginary}) {
    auto elements = dyn_cast<ElementsAttr>(op.getValue());
    DenseElementsAttr value =
        elements ? readPart(elements, part) : DenseElementsAttr();
    if (!value)
      return op.emitOpError() << "cannot be compiled: expects complex elements "
                                 "known at compile time";
    own[part] = arith::ConstantOp::create(rewriter, op.getLoc(), value);
  }
  return success();
}

LogicalResult ComplexSplitter::copyBlock(OpBuilder &builder, Block &block,
                                         IRMapping &values) {
  for (Operation &op : block)
    if (failed(splitScalar(builder, op, values)))
      return failure();
  return success();
}

LogicalResult ComplexSplitter::splitScalar(OpBuilder &builder, Operation &op,
                                           IRMapping &values) {
  Location loc = op.getLoc();
  auto own = [&](Value value) { return values.lookupOrDefault(value); };
  if (auto create = dyn_cast<complex::CreateOp>(op)) {
    parts[create] = {own(create.getReal()), own(create.getImaginary())};
    return success();
  }
  if (auto constant = dyn_cast<complex::ConstantOp>(op)) {
    auto numbers = constant.getValue().getAsRange<FloatAttr>();
    for (auto [part, number] : llvm::enumerate(numbers))
      parts[constant][part] = arith::ConstantOp::create(builder, loc, number);
    return success();
  }
  if (isa<complex::ReOp, complex::ImOp>(op)) {
    values.map(op.getResult(0),
               parts.lookup(op.getOperand(0))[isa<complex::ImOp>(op)]);
    return success();
  }
  if (auto select = dyn_cast<arith::SelectOp>(op);
      select && isComplex(select.getType())) {
    for (Part part : {Real, Imaginary})
      parts[select][part] =
          arith::SelectOp::create(builder, loc, own(select.getCondition()),
                                  parts.lookup(select.getTrueValue())[part],
                                  parts.lookup(select.getFalseValue())[part]);
    return success();
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op);
      extract && isComplex(extract.getType())) {
    auto indices = llvm::map_to_vector(extract.getIndices(), own);
    for (Part part : {Real, Imaginary})
      parts[extract][part] = tensor::ExtractOp::create(
          builder, loc, parts.lookup(extract.getTensor())[part], indices);
    return success();
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op);
      dim && isComplex(dim.getSource().getType())) {
    values.map(dim.getResult(),
               tensor::DimOp::create(builder, loc,
                                     parts.lookup(dim.getSource())[Real],
                                     own(dim.getIndex()))
                   .getResult());
    return success();
  }
  if (llvm::any_of(op.getOperandTypes(), isComplex) ||
      llvm::any_of(op.getResultTypes(), isComplex))
    return op.emitOpError()
           << "cannot be compiled: does not support complex numbers";
  return stof::cloneWithBlocks(builder, op, values, [&](Block &block) {
    return copyBlock(builder, block, values);
  });
}

/// Erases the dead operations of `block`, from its end.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Builds one result of `op`, or one part of it, by a copy that computes
/// nothing else.
FailureOr<Value> ComplexSplitter::buildPart(linalg::GenericOp op,
                                            unsigned result, Part part) {
  Location loc = op.getLoc();
  // The initial values of other results and parts become inputs: without a
  // reduction, these are the values that the body reads.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  struct Source {
    BlockArgument argument;
    Part part;
  };
  SmallVector<Source> sources;
  Source output;
  Value init;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    bool isSplit = isComplex(operand.get().getType());
    bool isOwn = op.isDpsInit(&operand) &&
                 op.getTiedOpResult(&operand).getResultNumber() == result;
    for (Part each : {Real, Imaginary}) {
      if (!isSplit && each == Imaginary)
        continue;
      Value value = isSplit ? parts.lookup(operand.get())[each] : operand.get();
      if (isOwn && each == part) {
        output = {argument, each};
        init = value;
        continue;
      }
      inputs.push_back(value);
      maps.push_back(op.getMatchingIndexingMap(&operand));
      sources.push_back({argument, each});
    }
  }
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(result)));
  sources.push_back(output);

  LogicalResult copied = success();
  auto generic = linalg::GenericOp::create(
      rewriter, loc, init.getType(), inputs, init, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &builder, Location, ValueRange elements) {
        IRMapping values;
        for (auto [source, element] : llvm::zip(sources, elements)) {
          if (isComplex(source.argument.getType()))
            parts[source.argument][source.part] = element;
          else
            values.map(source.argument, element);
        }
        for (Operation &inner : op.getBlock()->without_terminator())
          if (succeeded(copied))
            copied = splitScalar(builder, inner, values);
        Value yielded = op.getBlock()->getTerminator()->getOperand(result);
        Value own = isComplex(yielded.getType())
                        ? parts.lookup(yielded)[part]
                        : values.lookupOrDefault(yielded);
        linalg::YieldOp::create(builder, loc, own);
      });
  if (failed(copied))
    return failure();
  eraseUnused(*generic.getBlock());
  for (auto [number, source] : llvm::enumerate(sources)) {
    bool isCarried =
        llvm::is_contained(op.getRegionOutputArgs(), source.argument) &&
        number + 1 != sources.size();
    if (isCarried && op.getNumReductionLoops() > 0 &&
        !generic.getBlock()->getArgument(number).use_empty())
      return op.emitOpError() << "cannot be compiled: expects the parts of "
                                 "complex numbers to be combined separately";
  }
  return generic.getResult(0);
}

LogicalResult ComplexSplitter::splitGeneric(linalg::GenericOp op) {
  for (OpResult result : op->getResults()) {
    bool isSplit = isComplex(result.getType());
    for (Part part : {Real, Imaginary}) {
      if (!isSplit && part == Imaginary)
        continue;
      FailureOr<Value> own = buildPart(op, result.getResultNumber(), part);
      if (failed(own))
        return failure();
      if (isSplit)
        parts[result][part] = *own;
      else
        rewriter.replaceAllUsesWith(result, *own);
    }
  }
  return success();
}

/// Clones an operation that only moves elements, once per part.
void ComplexSplitter::copyPerPart(Operation *op) {
  for (Part part : {Real, Imaginary}) {
    IRMapping values;
    for (Value operand : op->getOperands())
      if (isComplex(operand.getType()))
        values.map(operand, parts.lookup(operand)[part]);
    Operation *copied = rewriter.clone(*op, values);
    for (auto [from, to] : llvm::zip(op->getResults(), copied->getResults())) {
      to.setType(getPartType(from.getType()));
      parts[from][part] = to;
    }
  }
}

LogicalResult ComplexSplitter::split(Operation *op) {
  rewriter.setInsertionPoint(op);
  replaced.push_back(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return splitConstant(constant);
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    for (Part part : {Real, Imaginary})
      parts[fill.getResult(0)][part] =
          linalg::FillOp::create(rewriter, op->getLoc(),
                                 parts.lookup(fill.value())[part],
                                 parts.lookup(fill.output())[part])
              .getResult(0);
    return success();
  }
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return splitGeneric(generic);
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ConcatOp,
          tensor::EmptyOp, tensor::ExpandShapeOp, tensor::ExtractSliceOp,
          tensor::FromElementsOp, tensor::InsertOp, tensor::InsertSliceOp,
          tensor::ReshapeOp, tensor::SplatOp>(op)) {
    copyPerPart(op);
    return success();
  }
  IRMapping values;
  if (failed(splitScalar(rewriter, *op, values)))
    return failure();
  for (Value result : op->getResults())
    if (Value own = values.lookupOrNull(result))
      rewriter.replaceAllUsesWith(result, own);
  return success();
}

LogicalResult ComplexSplitter::run() {
  if (failed(checkSignature()))
    return failure();
  if (!usesComplex(function))
    return success();
  if (failed(lowerScalars()))
    return failure();
  SmallVector<linalg::LinalgOp> named;
  function.walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && usesComplex(op) &&
        !isa<linalg::GenericOp, linalg::FillOp>(op))
      named.push_back(op);
  });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return op.emitOpError()
             << "cannot be compiled: does not support complex numbers";
  }
  // The bodies of generalized operations have complex arithmetic.
  if (!named.empty() && failed(lowerScalars()))
    return failure();
  SmallVector<Operation *> worklist;
  for (Block &block : function.getBody())
    for (Operation &op : block)
      if (usesComplex(&op))
        worklist.push_back(&op);
  for (Operation *op : worklist)
    if (failed(split(op)))
      return failure();
  for (Operation *op : llvm::reverse(replaced))
    rewriter.eraseOp(op);
  return success();
}

namespace {

struct SplitComplexPass : stof::impl::SplitComplexPassBase<SplitComplexPass> {
  using Base::Base;
  void runOnOperation() override {
    if (!getOperation().isExternal() &&
        failed(ComplexSplitter(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Indices of reads and offsets of slices are proven in bounds, left to the host
// or checked.
//
//   1. The arguments of bodies are bound to expressions of the tensors around
//      them (Scalar/TensorElement.h).
//   2. Checks that hold for every coordinate are erased.
//   3. Indices whose bounds follow from sizes are left to the host
//      (Size/BodyBounds.h). The others are compared with the size of the
//      dimension that they index; conditions of existing checks on them are
//      facts, and predicates of coordinates are evaluated for all of them.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Mask/MaskIntervalEvaluator.h"
#include "stof/Scalar/EveryCoordinate.h"
#include "stof/Scalar/TensorElement.h"
#include "stof/Size/BodyBounds.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stof {
#define GEN_PASS_DEF_CHECKREADSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

namespace {

class ReadChecker {
public:
  explicit ReadChecker(func::FuncOp function)
      : function(function), facts(function), context(function.getContext()),
        elements(context) {}

  void run();

private:
  void bind(linalg::LinalgOp op);
  void bind(Block &body, unsigned firstCoordinate, ArrayRef<int64_t> extents,
            ValueRange captures);
  const Expr *findExtent(linalg::LinalgOp op, unsigned loop);
  void findReadsOfHost();
  bool holds(const Expr *predicate, const SmallPtrSetImpl<const Expr *> &facts);
  bool isInside(Value index, Value tensor, unsigned dim);
  void check(tensor::ExtractOp read, unsigned dim);
  bool isOfHost(OffsetSizeAndStrideOpInterface slice, Value whole,
                unsigned dim);
  bool isInside(OffsetSizeAndStrideOpInterface slice, Value whole,
                unsigned dim);
  void check(OffsetSizeAndStrideOpInterface slice, Value whole, unsigned dim);

  func::FuncOp function;
  SizeFacts facts;
  /// Dimensions of reads whose bounds the host checks.
  DenseSet<std::pair<Operation *, unsigned>> ofHost;
  ExprContext context;
  TensorElement elements;
};

} // namespace

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// The size of a loop, a constant if it is static in any operand.
const Expr *ReadChecker::findExtent(linalg::LinalgOp op, unsigned loop) {
  const Expr *extent = context.integer(mostPositions);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (expr != getAffineDimExpr(loop, op.getContext()))
        continue;
      extent = elements.size(operand.get(), dim);
      if (extent->getInt())
        return extent;
    }
  }
  return extent;
}

void ReadChecker::bind(linalg::LinalgOp op) {
  SmallVector<const Expr *> loops;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    loops.push_back(context.variable(findExtent(op, loop)));
  op->walk([&](linalg::IndexOp index) {
    elements.bind(index.getResult(), loops[index.getDim()]);
  });
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value tensor = input->get();
    BlockArgument element = op.getMatchingBlockArgument(input);
    if (!isa<RankedTensorType>(tensor.getType())) {
      elements.bind(element, tensor);
      continue;
    }
    if (!element.getType().isIntOrIndex())
      continue;
    SmallVector<const Expr *> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
      indices.push_back(elements.ofAffine(expr, loops, {}));
    elements.bind(element, elements.at(tensor, indices));
  }
}

/// A predicate or a score region: four coordinates, then captures.
void ReadChecker::bind(Block &body, unsigned firstCoordinate,
                       ArrayRef<int64_t> extents, ValueRange captures) {
  auto arguments = body.getArguments().drop_front(firstCoordinate);
  for (auto [coordinate, extent] : llvm::zip(arguments, extents))
    elements.bind(coordinate,
                  context.variable(context.integer(
                      ShapedType::isDynamic(extent) ? mostPositions : extent)));
  for (auto [argument, captured] :
       llvm::zip_equal(arguments.drop_front(extents.size()), captures))
    elements.bind(argument, captured);
}

/// The ranges of the coordinates of `attention`.
static SmallVector<int64_t> listExtents(AttentionOp attention) {
  using Dim = AttentionOp::Dim;
  ShapedType query = attention.getQueryType();
  return {query.getDimSize(Dim::Batch), query.getDimSize(Dim::Head),
          query.getDimSize(Dim::Position),
          attention.getKeyType().getDimSize(Dim::Position)};
}

/// The ranges of the coordinates of a mask: the maximum over its users.
static SmallVector<int64_t> listExtents(MaskOpInterface mask) {
  SmallVector<int64_t> greatest(MaskOp::numCoordinates, 0);
  for (Operation *user : mask->getUsers()) {
    auto attention = dyn_cast<AttentionOp>(user);
    if (!attention)
      return SmallVector<int64_t>(MaskOp::numCoordinates, ShapedType::kDynamic);
    for (auto [most, extent] : llvm::zip(greatest, listExtents(attention)))
      most = ShapedType::isDynamic(extent) || ShapedType::isDynamic(most)
                 ? ShapedType::kDynamic
                 : std::max(most, extent);
  }
  return greatest;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// Whether `root` depends only on coordinates, sizes and constants.
static bool isCoordinate(const Expr *root) {
  bool isData = false;
  walkExpr(root, [&](const Expr *expr) {
    isData |= expr->op == ScalarOp::Element || expr->op == ScalarOp::Scalar ||
              expr->op == ScalarOp::Other || expr->op == ScalarOp::Reduce;
  });
  return !isData;
}

/// Whether `index` is an element of a constant whose elements are all in
/// [0, size).
static bool isInsideConstant(const Expr *index, const Expr *size) {
  while (index->op == ScalarOp::FromInt)
    index = index->operands[0];
  std::optional<int64_t> end = size->getInt();
  if (index->op != ScalarOp::Element || !end)
    return false;
  std::shared_ptr<std::vector<int64_t>> values = readIntegers(index->value);
  return values && llvm::all_of(*values, [&](int64_t value) {
           return value >= 0 && value < *end;
         });
}

/// The conjuncts of `predicate`.
static void collectFacts(const Expr *predicate,
                         SmallPtrSetImpl<const Expr *> &facts) {
  if (facts.insert(predicate).second && predicate->op == ScalarOp::And)
    for (const Expr *operand : predicate->operands)
      collectFacts(operand, facts);
}

/// The host checks the bounds of operations that are executed unconditionally;
/// a read of a mask counts if it is checked for every user.
void ReadChecker::findReadsOfHost() {
  Block &block = function.getBody().front();
  auto forEachOfHost = [&](BodyBounds bounds, auto &&visit) {
    bounds.forEachRead([&](tensor::ExtractOp read, unsigned dim, Value index,
                           const CountExpr &size) {
      if (facts.isOfInputs(facts.simplify(size)) &&
          isDecidedByHost(bounds.of(index), facts))
        visit(std::pair(read.getOperation(), dim));
    });
  };
  auto insert = [&](std::pair<Operation *, unsigned> read) {
    ofHost.insert(read);
  };
  // Sizes of buffers are not known.
  auto isOnTensors = [](AttentionOp attention) {
    return isa<TensorType>(attention.getQuery().getType());
  };
  for (auto structured : block.getOps<linalg::LinalgOp>())
    forEachOfHost(BodyBounds(structured, facts), insert);
  for (auto attention : block.getOps<AttentionOp>())
    if (attention.hasScore() && isOnTensors(attention))
      forEachOfHost(BodyBounds::ofScore(attention, facts), insert);
  for (auto mask : block.getOps<MaskOpInterface>()) {
    if (!mask.getPredicateRegion())
      continue;
    DenseMap<std::pair<Operation *, unsigned>, size_t> uses;
    for (Operation *user : mask->getUsers())
      if (auto attention = dyn_cast<AttentionOp>(user))
        if (user->getBlock() == &block && isOnTensors(attention))
          forEachOfHost(BodyBounds::ofMask(mask, attention, facts),
                        [&](auto read) { ++uses[read]; });
    for (auto [read, count] : uses)
      if (count == llvm::range_size(mask->getUsers()))
        ofHost.insert(read);
  }
}

bool ReadChecker::holds(const Expr *predicate,
                        const SmallPtrSetImpl<const Expr *> &facts) {
  return predicate->getBool() == true || facts.contains(predicate) ||
         (isCoordinate(predicate) &&
          holdsForEveryCoordinate(context, predicate));
}

bool ReadChecker::isInside(Value index, Value tensor, unsigned dim) {
  SmallPtrSet<const Expr *, 8> facts;
  while (auto check = index.getDefiningOp<CheckOp>()) {
    collectFacts(elements.scalar(check.getHolds()), facts);
    index = check.getValue();
  }
  const Expr *number = context.fromInt(elements.scalar(index));
  const Expr *size = elements.size(tensor, dim);
  return isInsideConstant(number, size) ||
         (holds(context.cmpI(CmpIPredicate::sge, number, context.integer(0)),
                facts) &&
          holds(context.cmpI(CmpIPredicate::slt, number, size), facts));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void ReadChecker::check(tensor::ExtractOp read, unsigned dim) {
  Value tensor = read.getTensor(), index = read.getIndices()[dim];
  Location loc = read.getLoc();
  OpBuilder builder(read);
  int64_t known = read.getTensor().getType().getDimSize(dim);
  Value size;
  if (ShapedType::isDynamic(known)) {
    // The size of a captured tensor is captured, too.
    OpBuilder::InsertionGuard guard(builder);
    if (auto around = read->getParentOfType<linalg::LinalgOp>())
      builder.setInsertionPoint(around);
    size = tensor::DimOp::create(builder, loc, tensor, dim);
  } else {
    size = arith::ConstantIndexOp::create(builder, loc, known);
  }
  Value holds =
      arith::CmpIOp::create(builder, loc, CmpIPredicate::ult, index, size);
  std::string message = ("index must be within dimension " + Twine(dim) +
                         " of the tensor that it reads")
                            .str();
  read.getIndicesMutable()[dim].set(
      CheckOp::create(builder, loc, index, holds, message));
}

/// Whether the host checks the bounds of a slice.
bool ReadChecker::isOfHost(OffsetSizeAndStrideOpInterface slice, Value whole,
                           unsigned dim) {
  auto isOfInputs = [&](OpFoldResult value) {
    return facts.isOfInputs(facts.simplify(facts.valueOf(value)));
  };
  return slice->getBlock() == &function.getBody().front() &&
         isOfInputs(slice.getMixedOffsets()[dim]) &&
         isOfInputs(slice.getMixedSizes()[dim]) &&
         isOfInputs(slice.getMixedStrides()[dim]) &&
         facts.isOfInputs(facts.simplify(facts.sizeOf(whole, dim)));
}

bool ReadChecker::isInside(OffsetSizeAndStrideOpInterface slice, Value whole,
                           unsigned dim) {
  auto read = [&](OpFoldResult value) {
    std::optional<int64_t> known = getConstantIntValue(value);
    return known ? context.integer(*known)
                 : context.fromInt(elements.scalar(cast<Value>(value)));
  };
  const Expr *offset = read(slice.getMixedOffsets()[dim]);
  const Expr *steps = context.mul(
      context.sub(read(slice.getMixedSizes()[dim]), context.integer(1)),
      read(slice.getMixedStrides()[dim]));
  SmallPtrSet<const Expr *, 1> none;
  return holds(context.cmpI(CmpIPredicate::sge, offset, context.integer(0)),
               none) &&
         holds(context.cmpI(CmpIPredicate::slt, context.add(offset, steps),
                            elements.size(whole, dim)),
               none);
}

void ReadChecker::check(OffsetSizeAndStrideOpInterface slice, Value whole,
                        unsigned dim) {
  OpFoldResult size = slice.getMixedSizes()[dim];
  if (!slice.isDynamicOffset(dim) || isZeroInteger(size))
    return;
  ImplicitLocOpBuilder builder(slice.getLoc(), slice);
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, builder.getLoc(), number);
  };
  Value offset = slice.getDynamicOffset(dim);
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value one = arith::ConstantIndexOp::create(builder, 1);
  Value steps = builder.createOrFold<arith::MulIOp>(
      builder.createOrFold<arith::SubIOp>(value(size), one),
      value(slice.getMixedStrides()[dim]));
  Value last = builder.createOrFold<arith::AddIOp>(offset, steps);
  Value end =
      value(tensor::getMixedSize(builder, builder.getLoc(), whole, dim));
  Value inside = arith::AndIOp::create(
      builder, arith::CmpIOp::create(builder, CmpIPredicate::sge, offset, zero),
      arith::CmpIOp::create(builder, CmpIPredicate::slt, last, end));
  std::string message =
      ("slice must be within dimension " + Twine(dim) + " of its tensor").str();
  slice->setOperand(slice.getIndexOfDynamicOffset(dim),
                    CheckOp::create(builder, offset, inside, message));
}

void ReadChecker::run() {
  findReadsOfHost();
  SmallVector<tensor::ExtractOp> reads;
  SmallVector<CheckOp> checks;
  SmallVector<std::pair<OffsetSizeAndStrideOpInterface, Value>> slices;
  function.walk([&](Operation *op) {
    if (auto read = dyn_cast<tensor::ExtractOp>(op))
      reads.push_back(read);
    else if (auto taken = dyn_cast<tensor::ExtractSliceOp>(op))
      slices.emplace_back(taken, taken.getSource());
    else if (auto put = dyn_cast<tensor::InsertSliceOp>(op))
      slices.emplace_back(put, put.getDest());
    else if (auto known = dyn_cast<CheckOp>(op))
      checks.push_back(known);
  });
  llvm::SmallPtrSet<Operation *, 16> bound;
  auto bindAround = [&](Operation *op) {
    for (Operation *around = op->getParentOp(); around != function;
         around = around->getParentOp()) {
      if (!bound.insert(around).second)
        continue;
      if (auto structured = dyn_cast<linalg::LinalgOp>(around))
        bind(structured);
      else if (auto mask = dyn_cast<MaskOpInterface>(around);
               mask && mask.getPredicateRegion())
        bind(mask.getPredicateRegion()->front(), 0, listExtents(mask),
             mask->getOperands());
      else if (auto attention = dyn_cast<AttentionOp>(around))
        bind(attention.getScore().front(), 1, listExtents(attention),
             attention.getCaptures());
    }
  };
  SmallVector<CheckOp> proven;
  for (CheckOp known : checks) {
    bindAround(known);
    if (!holds(elements.scalar(known.getHolds()),
               SmallPtrSet<const Expr *, 1>()))
      continue;
    known.replaceAllUsesWith(known.getValue());
    proven.push_back(known);
  }
  for (tensor::ExtractOp read : reads) {
    bindAround(read);
    for (unsigned dim = 0; dim < read.getIndices().size(); ++dim)
      if (!ofHost.contains({read, dim}) &&
          !isInside(read.getIndices()[dim], read.getTensor(), dim))
        check(read, dim);
  }
  for (auto [slice, whole] : slices)
    for (unsigned dim = 0; dim < slice.getMixedOffsets().size(); ++dim)
      if (!isOfHost(slice, whole, dim) && !isInside(slice, whole, dim))
        check(slice, whole, dim);
  // Expressions refer to these values until here.
  for (CheckOp known : proven)
    known.erase();
}

namespace {

struct CheckReadsPass : stof::impl::CheckReadsPassBase<CheckReadsPass> {
  using Base::Base;
  void runOnOperation() override {
    if (!getOperation().isExternal())
      ReadChecker(getOperation()).run();
  }
};

} // namespace

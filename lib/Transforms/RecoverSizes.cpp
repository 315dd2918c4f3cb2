//===----------------------------------------------------------------------===//
// Recovers dynamic sizes that an exporter took to be 1:
//
// 1. In a class of equal dimensions with a dynamic size of an input, dimensions
//    of size 1 are lost dimensions.
// 2. These become dynamic. Reshapes that grouped one with the wrong neighbour
//    group it with the other.
// 3. Destinations of linalg are rebuilt if their sizes equal those of the
//    operands only for lost sizes of 1. Assertions are erased if a lost size
//    is a factor of only one side.
//
// The original program is defined only for lost sizes of 1, for which nothing
// changes.
//===----------------------------------------------------------------------===//

#include "RecoverSizes/DimClasses.h"
#include "RecoverSizes/LostIndex.h"
#include "stof/Size/SizeFacts.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace stof {
#define GEN_PASS_DEF_RECOVERSIZESPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;
using Groups = SmallVector<ReassociationIndices>;

namespace {

class Recovery {
public:
  explicit Recovery(func::FuncOp function)
      : function(function), facts(function) {}

  LogicalResult run();

private:
  LogicalResult findLost();
  LogicalResult verifyUses(DimClasses::Dim one, StringRef size);
  bool isLost(Value tensor, int64_t dim) const;
  RankedTensorType typeOf(Value tensor) const;
  LogicalResult retype(Operation *op);
  void rebuildEmpty(tensor::EmptyOp op);
  LogicalResult rebuildView(tensor::CollapseShapeOp op);
  LogicalResult rebuildView(tensor::ExpandShapeOp op);
  void replace(Operation *op, Value by);
  SmallVector<OpFoldResult> sizesOf(OpBuilder &builder, Value tensor,
                                    ArrayRef<OpFoldResult> known);

  bool isLostDifference(const CountExpr &lhs, const CountExpr &rhs) const;
  bool isLostFactor(const CountExpr &lhs, const CountExpr &rhs) const;
  void resizeInits(linalg::LinalgOp op);
  void rebuildInit(OpOperand &init, ArrayRef<CountExpr> sizes);
  void dropAssertions();

  func::FuncOp function;
  SizeFacts facts;
  /// The size of each lost dimension, as the name of an input size.
  DenseMap<std::pair<Value, int64_t>, std::string> lost;
  /// The lost sizes, with the location of one occurrence each.
  llvm::MapVector<StringRef, Location> names;
};

} // namespace

//===----------------------------------------------------------------------===//
// Lost dimensions
//===----------------------------------------------------------------------===//

bool Recovery::isLost(Value tensor, int64_t dim) const {
  return lost.contains({tensor, dim});
}

static bool isOne(DimClasses::Dim dim) {
  return cast<RankedTensorType>(dim.tensor.getType()).getDimSize(dim.dim) == 1;
}

/// Whether `op` can be rebuilt for other sizes of operands and results.
static bool canResize(Operation *op) {
  return isa<linalg::LinalgOp, tensor::EmptyOp, tensor::CastOp,
             tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::ConcatOp,
             tensor::PadOp>(op) ||
         op->hasTrait<OpTrait::Elementwise>();
}

/// The loop of `op` that indexes a dimension of an operand, if it is a single
/// one.
static std::optional<unsigned> loopOf(linalg::LinalgOp op, OpOperand &operand,
                                      int64_t dim) {
  auto loop = dyn_cast<AffineDimExpr>(
      op.getMatchingIndexingMap(&operand).getResult(dim));
  return loop ? std::optional(loop.getPosition()) : std::nullopt;
}

/// An error unless the definition and the users of `one` can be resized.
LogicalResult Recovery::verifyUses(DimClasses::Dim one, StringRef size) {
  auto reject = [&](Operation *op) {
    InFlightDiagnostic error = op->emitOpError("expects dimension ")
                               << one.dim << " to be " << size
                               << ", which is dynamic, but got size 1: the "
                                  "exporter lost the size, and it cannot be "
                                  "recovered here";
    error.attachNote(function.getLoc())
        << "torch-mlir keeps the size with fewer decompositions "
           "(decomposition_table={})";
    return error;
  };
  Operation *made = one.tensor.getDefiningOp();
  if (!canResize(made) || made->hasTrait<OpTrait::ConstantLike>() ||
      made->getParentOp() != function)
    return reject(made);
  if (auto op = dyn_cast<linalg::LinalgOp>(made)) {
    OpOperand *init = cast<DestinationStyleOpInterface>(made).getTiedOpOperand(
        cast<OpResult>(one.tensor));
    std::optional<unsigned> loop = loopOf(op, *init, one.dim);
    if (!loop || mayHaveLostIndex(op, *loop))
      return reject(made);
  }
  for (OpOperand &use : one.tensor.getUses()) {
    Operation *user = use.getOwner();
    if (isa<tensor::DimOp, tensor::ReshapeOp>(user))
      continue;
    if (!canResize(user) || user->getParentOp() != function)
      return reject(user);
    if (auto op = dyn_cast<linalg::LinalgOp>(user)) {
      std::optional<unsigned> loop = loopOf(op, use, one.dim);
      if (!loop || mayHaveLostIndex(op, *loop))
        return reject(user);
    }
  }
  return success();
}

LogicalResult Recovery::findLost() {
  for (ArrayRef<DimClasses::Dim> members : DimClasses(function).list()) {
    std::optional<std::string> size;
    for (DimClasses::Dim member : members) {
      CountExpr expr = facts.sizeOf(member.tensor, member.dim);
      std::vector<std::string> inputs = facts.listInputs(expr);
      if (!size && inputs.size() == 1 &&
          expr == CountExpr::symbol(inputs.front()))
        size = inputs.front();
    }
    SmallVector<DimClasses::Dim> ones(llvm::make_filter_range(members, isOne));
    // Static sizes in the function type are part of its interface.
    bool isDeclared = llvm::any_of(ones, [](DimClasses::Dim one) {
      return isa<BlockArgument>(one.tensor) ||
             llvm::any_of(one.tensor.getUsers(), llvm::IsaPred<func::ReturnOp>);
    });
    if (!size || isDeclared)
      continue;
    for (DimClasses::Dim one : ones) {
      if (failed(verifyUses(one, *size)))
        return failure();
      auto known = lost.try_emplace({one.tensor, one.dim}, *size).first;
      names.try_emplace(known->second, one.tensor.getLoc());
    }
  }
  return success();
}

/// The type of `tensor` with lost sizes made dynamic.
RankedTensorType Recovery::typeOf(Value tensor) const {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, size] : llvm::enumerate(shape))
    if (isLost(tensor, dim))
      size = ShapedType::kDynamic;
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

//===----------------------------------------------------------------------===//
// Types and views
//===----------------------------------------------------------------------===//

void Recovery::replace(Operation *op, Value by) {
  Value old = op->getResult(0);
  for (int64_t dim = 0, rank = typeOf(old).getRank(); dim < rank; ++dim)
    if (auto size = lost.find({old, dim}); size != lost.end()) {
      std::string name = size->second;
      lost.try_emplace({by, dim}, name);
    }
  old.replaceAllUsesWith(by);
  op->erase();
}

/// The sizes `known` with the lost sizes of `tensor` filled in.
SmallVector<OpFoldResult> Recovery::sizesOf(OpBuilder &builder, Value tensor,
                                            ArrayRef<OpFoldResult> known) {
  SmallVector<OpFoldResult> sizes(known);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (auto name = lost.find({tensor, dim}); name != lost.end())
      size = facts.build(builder, tensor.getLoc(),
                         CountExpr::symbol(name->second));
  return sizes;
}

void Recovery::rebuildEmpty(tensor::EmptyOp op) {
  OpBuilder builder(op);
  replace(op, tensor::EmptyOp::create(builder, op.getLoc(),
                                      sizesOf(builder, op, op.getMixedSizes()),
                                      op.getType().getElementType()));
}

/// Moves each dynamic dimension of `many` from a group with a static dimension
/// of `few` to a neighbouring group with a dynamic one. Fails if there is none.
static LogicalResult regroup(Groups &groups, RankedTensorType many,
                             RankedTensorType few) {
  for (size_t at = 0; at < groups.size(); ++at) {
    ReassociationIndices &group = groups[at];
    if (few.isDynamicDim(at))
      continue;
    while (!group.empty() && many.isDynamicDim(group.front()) && at > 0 &&
           few.isDynamicDim(at - 1)) {
      groups[at - 1].push_back(group.front());
      group.erase(group.begin());
    }
    while (!group.empty() && many.isDynamicDim(group.back()) &&
           at + 1 < groups.size() && few.isDynamicDim(at + 1)) {
      groups[at + 1].insert(groups[at + 1].begin(), group.back());
      group.pop_back();
    }
    if (group.empty() || llvm::any_of(group, [&](int64_t dim) {
          return many.isDynamicDim(dim);
        }))
      return failure();
  }
  return success();
}

static LogicalResult rejectView(Operation *op) {
  return op->emitOpError("expects a dynamic dimension next to the one whose "
                         "size the exporter lost, but got ")
         << op->getOperand(0).getType() << " and "
         << op->getResult(0).getType();
}

LogicalResult Recovery::rebuildView(tensor::CollapseShapeOp op) {
  Groups groups = op.getReassociationIndices();
  RankedTensorType type = typeOf(op);
  if (failed(regroup(groups, op.getSrcType(), type)))
    return rejectView(op);
  OpBuilder builder(op);
  replace(op, tensor::CollapseShapeOp::create(builder, op.getLoc(), type,
                                              op.getSrc(), groups));
  return success();
}

LogicalResult Recovery::rebuildView(tensor::ExpandShapeOp op) {
  Groups groups = op.getReassociationIndices();
  RankedTensorType type = typeOf(op);
  if (failed(regroup(groups, type, op.getSrcType())))
    return rejectView(op);
  OpBuilder builder(op);
  replace(op, tensor::ExpandShapeOp::create(
                  builder, op.getLoc(), type, op.getSrc(), groups,
                  sizesOf(builder, op, op.getMixedOutputShape())));
  return success();
}

LogicalResult Recovery::retype(Operation *op) {
  auto touches = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (isLost(value, dim))
        return true;
    return false;
  };
  if (llvm::none_of(op->getOperands(), touches) &&
      llvm::none_of(op->getResults(), touches))
    return success();
  if (auto made = dyn_cast<tensor::EmptyOp>(op)) {
    rebuildEmpty(made);
    return success();
  }
  if (auto view = dyn_cast<tensor::CollapseShapeOp>(op))
    return rebuildView(view);
  if (auto view = dyn_cast<tensor::ExpandShapeOp>(op))
    return rebuildView(view);
  for (Value result : op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      result.setType(typeOf(result));
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    if (cast.getType() == cast.getSource().getType())
      replace(cast, cast.getSource());
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes and assertions
//===----------------------------------------------------------------------===//

/// Whether the two differ, but are equal if all lost sizes are 1.
bool Recovery::isLostDifference(const CountExpr &lhs,
                                const CountExpr &rhs) const {
  if (!facts.isOfInputs(lhs) || !facts.isOfInputs(rhs) || lhs == rhs)
    return false;
  CountExpr difference = lhs - rhs;
  for (const auto &[name, loc] : names)
    difference = SizeFacts::substitute(difference, name, 1);
  return difference.constant() == 0;
}

/// Rebuilds a destination with `sizes` if it is empty or filled with a scalar.
void Recovery::rebuildInit(OpOperand &init, ArrayRef<CountExpr> sizes) {
  Operation *op = init.getOwner(), *before = op->getPrevNode();
  SmallVector<linalg::FillOp> fills;
  Value value = init.get();
  while (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    fills.push_back(fill);
    value = fill.getDpsInits().front();
  }
  auto made = value.getDefiningOp<tensor::EmptyOp>();
  if (!made)
    return;
  OpBuilder builder(op);
  SmallVector<OpFoldResult> dims = made.getMixedSizes();
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    if (isa<Value>(dim))
      dim = facts.build(builder, op->getLoc(), size);
  value = tensor::EmptyOp::create(builder, made.getLoc(), dims,
                                  made.getType().getElementType());
  for (linalg::FillOp fill : llvm::reverse(fills))
    value =
        linalg::FillOp::create(builder, fill.getLoc(), fill.getInputs(), value)
            .getResult(0);
  init.set(value);
  Operation *next = before ? before->getNextNode() : &op->getBlock()->front();
  for (; next != op; next = next->getNextNode())
    facts.read(next);
}

/// Resizes destinations to the loop ranges that the inputs imply.
void Recovery::resizeInits(linalg::LinalgOp op) {
  SmallVector<std::optional<CountExpr>> loops(op.getNumLoops());
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(index))
        if (!loops[loop.getPosition()])
          loops[loop.getPosition()] = facts.sizeOf(input->get(), dim);
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!isa<RankedTensorType>(init.get().getType()))
      continue;
    SmallVector<CountExpr> sizes;
    bool differs = false;
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (auto [dim, index] : llvm::enumerate(map.getResults())) {
      CountExpr size = facts.sizeOf(init.get(), dim);
      auto loop = dyn_cast<AffineDimExpr>(index);
      if (loop && loops[loop.getPosition()] &&
          isLostDifference(size, *loops[loop.getPosition()])) {
        size = *loops[loop.getPosition()];
        differs = true;
      }
      sizes.push_back(size);
    }
    if (differs && llvm::all_of(sizes, [&](const CountExpr &size) {
          return facts.isOfInputs(size);
        }))
      rebuildInit(init, sizes);
  }
}

/// Whether a lost size is a factor of only one side of an equation: the
/// exporter computed the other side as if the size were 1.
bool Recovery::isLostFactor(const CountExpr &lhs, const CountExpr &rhs) const {
  CountExpr difference = lhs - rhs;
  if (!facts.isOfInputs(difference))
    return false;
  for (const auto &[name, loc] : names) {
    CountExpr without = SizeFacts::substitute(difference, name, 0);
    CountExpr factor = SizeFacts::substitute(difference, name, 1) - without;
    bool isProduct = !factor.constant();
    if (isProduct && !(without == 0))
      return true;
  }
  return false;
}

/// Erases equations with a lost size on one side only. The preconditions of
/// operations are asserted independently.
void Recovery::dropAssertions() {
  Block &body = function.getBody().front();
  for (auto assertion :
       llvm::make_early_inc_range(body.getOps<cf::AssertOp>())) {
    auto compared = assertion.getArg().getDefiningOp<arith::CmpIOp>();
    if (compared && compared.getPredicate() == arith::CmpIPredicate::eq &&
        isLostFactor(facts.valueOf(compared.getLhs()),
                     facts.valueOf(compared.getRhs())))
      assertion.erase();
  }
}

LogicalResult Recovery::run() {
  if (!function.getBody().hasOneBlock())
    return success();
  if (failed(findLost()))
    return failure();
  if (lost.empty())
    return success();
  for (const auto &[name, loc] : names)
    remark::passed(loc, remark::RemarkOpts::name("RecoveredSize")
                            .category("stof-recover-sizes"))
        << remark::add("{0} is made dynamic: the exporter took it to be 1",
                       name);
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(body))
    if (failed(retype(&op)))
      return failure();
  facts = SizeFacts(function);
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (auto linalg = dyn_cast<linalg::LinalgOp>(op))
      resizeInits(linalg);
    facts.read(&op);
  }
  dropAssertions();
  return success();
}

namespace {

struct RecoverSizesPass : stof::impl::RecoverSizesPassBase<RecoverSizesPass> {
  using Base::Base;
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getOps<func::CallOp>().empty())
      return;
    if (failed(Recovery(getOperation()).run()))
      signalPassFailure();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Splits a contraction into one for each slice of its result.
//
//   1. Elementwise uses of the contraction are followed until each path ends in
//      a slice.
//   2. Each slice is traced back to the contraction and its operands; it has to
//      be one slice of the contraction, and no two may overlap.
//   3. The followed operations are cloned per slice. Slices of other operands
//      move towards the function arguments past operations without other uses.
//===----------------------------------------------------------------------===//

#include "SplitContractions/Slice.h"
#include "stof/Fusion/GroupOperations.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_SPLITCONTRACTIONSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-split-contractions");
}

/// A slice of a value.
struct Part {
  Value value;
  Slice slice;

  bool operator==(const Part &other) const {
    return value == other.value && slice == other.slice;
  }
};

/// A contraction and its elementwise uses up to slices.
class SlicedContraction {
public:
  explicit SlicedContraction(linalg::LinalgOp contraction)
      : contraction(contraction) {}

  bool isSliced() const { return !slices.empty(); }
  StringRef getReason() const { return reason; }
  ArrayRef<Slice> getSlices() const { return ofContraction; }

  /// Finds elementwise uses and slices, and the reason not to split.
  void follow();
  /// Computes each slice separately. Expects no reason against it.
  void split(IRRewriter &rewriter);

private:
  void refuse(StringRef why) {
    if (reason.empty())
      reason = why;
  }
  /// `part` and the slices that it depends on, in topological order.
  SmallVector<Part> trace(const Part &part);
  void checkSlices();
  /// Whether slices are concatenated after elementwise operations, as in
  /// rotations of halves: one contraction is as good then.
  bool areJoinedAgain() const;
  void findOperands();
  /// Computes the last of `parts` from the others.
  Value build(IRRewriter &rewriter, ArrayRef<Part> parts);
  Value lookup(const Part &part) const {
    const auto *known = llvm::find_if(
        built, [&](const auto &entry) { return entry.first == part; });
    return known == built.end() ? Value() : known->second;
  }

  linalg::LinalgOp contraction;
  std::string reason;
  /// The contraction and its elementwise uses.
  llvm::SetVector<Operation *> followed;
  /// Operations that are only used to compute those.
  llvm::SetVector<Operation *> operands;
  SmallVector<tensor::ExtractSliceOp> slices;
  SmallVector<Slice> ofContraction;
  SmallVector<std::pair<Part, Value>> built;
};

void SlicedContraction::follow() {
  followed.insert(contraction);
  for (size_t next = 0; next < followed.size(); ++next) {
    for (Operation *user : followed[next]->getUsers()) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
        if (!llvm::is_contained(slices, slice))
          slices.push_back(slice);
      } else if (user->getBlock() == contraction->getBlock() &&
                 isElementwise(user)) {
        followed.insert(user);
      } else {
        refuse((describeOperation(user) + " uses the result unsliced"));
      }
    }
  }
  if (isSliced() && reason.empty())
    checkSlices();
  if (isSliced() && reason.empty() && areJoinedAgain())
    refuse("slices are joined again after elementwise operations");
}

bool SlicedContraction::areJoinedAgain() const {
  llvm::SetVector<Operation *> reached(slices.begin(), slices.end());
  for (size_t next = 0; next < reached.size(); ++next)
    for (Operation *user : reached[next]->getUsers())
      if (isElementwise(user) ||
          isa<tensor::ConcatOp, tensor::InsertSliceOp>(user))
        reached.insert(user);
  return llvm::any_of(reached, [&](Operation *op) {
    return isa<tensor::ConcatOp, tensor::InsertSliceOp>(op) &&
           llvm::count_if(op->getOperands(), [&](Value operand) {
             return reached.contains(operand.getDefiningOp());
           }) > 1;
  });
}

SmallVector<Part> SlicedContraction::trace(const Part &part) {
  llvm::SmallVector<Part> parts{part};
  for (size_t next = 0; next < parts.size(); ++next) {
    Operation *op = parts[next].value.getDefiningOp();
    bool mustMove = followed.contains(op);
    if (!mustMove && !operands.contains(op))
      continue;
    Needs needs = findNeeds(op, parts[next].slice);
    if (!needs.reason.empty()) {
      if (mustMove)
        refuse(needs.reason);
      continue;
    }
    for (auto [operand, slice] : llvm::zip(op->getOperands(), needs.operands)) {
      if (slice && !llvm::is_contained(parts, Part{operand, *slice}))
        parts.push_back({operand, *slice});
      else if (!slice && followed.contains(operand.getDefiningOp()))
        refuse("an elementwise use needs the whole result for each slice");
    }
  }
  auto definitionOf = [&](const Part &part) {
    Operation *op = part.value.getDefiningOp();
    return op && op->getBlock() == contraction->getBlock() ? op : nullptr;
  };
  llvm::sort(parts, [&](const Part &lhs, const Part &rhs) {
    Operation *left = definitionOf(lhs), *right = definitionOf(rhs);
    if (left == right)
      return lhs.slice < rhs.slice;
    return left && right ? left->isBeforeInBlock(right) : !left;
  });
  return parts;
}

void SlicedContraction::checkSlices() {
  for (tensor::ExtractSliceOp op : slices) {
    SliceOrReason read = readSlice(op);
    if (!read.slice)
      return refuse(read.reason);
    std::optional<Slice> own;
    for (const Part &part : trace({op.getSource(), *read.slice})) {
      if (part.value != contraction->getResult(0))
        continue;
      if (own)
        return refuse("a slice depends on two slices of the result");
      own = part.slice;
    }
    if (!reason.empty())
      return;
    // Each slice is of a followed operation, which depends on the contraction.
    if (!llvm::is_contained(ofContraction, *own))
      ofContraction.push_back(*own);
  }
  llvm::sort(ofContraction);
  for (auto [number, slice] : llvm::enumerate(ofContraction))
    for (const Slice &other : ArrayRef(ofContraction).drop_front(number + 1)) {
      if (slice.dim != other.dim)
        return refuse("slices cut different dims");
      if (slice.overlaps(other))
        return refuse("slices overlap");
    }
}

void SlicedContraction::findOperands() {
  // Users come after their operands.
  for (Operation &op : llvm::reverse(*contraction->getBlock())) {
    if (op.getNumResults() != 1 || followed.contains(&op))
      continue;
    bool isOnlyOperand = llvm::all_of(op.getUsers(), [&](Operation *user) {
      return followed.contains(user) || operands.contains(user);
    });
    if (isa<tensor::EmptyOp, linalg::FillOp>(op) ||
        (isElementwise(&op) && isOnlyOperand))
      operands.insert(&op);
  }
}

Value SlicedContraction::build(IRRewriter &rewriter, ArrayRef<Part> parts) {
  for (const Part &part : parts) {
    if (lookup(part))
      continue;
    Operation *op = part.value.getDefiningOp();
    rewriter.setInsertionPointAfterValue(part.value);
    Value value;
    Needs needs;
    if (followed.contains(op) || operands.contains(op))
      needs = findNeeds(op, part.slice);
    else
      needs.reason = "it is not computed per slice";
    if (needs.reason.empty()) {
      SmallVector<Value> sliced(op->getOperands());
      for (auto [operand, slice] : llvm::zip(sliced, needs.operands))
        if (slice)
          operand = lookup({operand, *slice});
      value = computeSlice(rewriter, op, part.slice, sliced);
    } else {
      value = extractSlice(rewriter, part.value, part.slice);
    }
    built.push_back({part, value});
  }
  return lookup(parts.back());
}

void SlicedContraction::split(IRRewriter &rewriter) {
  findOperands();
  for (tensor::ExtractSliceOp op : slices) {
    Slice slice = *readSlice(op).slice;
    SmallVector<Part> parts = trace({op.getSource(), slice});
    Value value = build(rewriter, parts);
    rewriter.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() != op.getType().getRank())
      value = tensor::CollapseShapeOp::create(
          rewriter, op.getLoc(), op.getType(), value,
          *getReassociationIndicesForCollapse(type.getShape(),
                                              op.getType().getShape()));
    else if (type != op.getType())
      value =
          tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), value);
    rewriter.replaceOp(op, value);
  }
  // Dead operations would count as readers of other contractions.
  SmallVector<Operation *> old(followed.begin(), followed.end());
  llvm::append_range(old, operands);
  llvm::sort(old, [](Operation *lhs, Operation *rhs) {
    return rhs->isBeforeInBlock(lhs);
  });
  for (Operation *op : old)
    if (op->use_empty())
      rewriter.eraseOp(op);
}

struct SplitContractionsPass
    : stof::impl::SplitContractionsPassBase<SplitContractionsPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> contractions;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && getContractionLoops(op))
        contractions.push_back(op);
    });
    // Splitting a later contraction may expose slices of an earlier one.
    for (linalg::LinalgOp op : llvm::reverse(contractions)) {
      SlicedContraction contraction(op);
      contraction.follow();
      if (!contraction.isSliced())
        continue;
      if (!contraction.getReason().empty()) {
        remark::missed(op.getLoc(), named("NotSplitContraction"))
            << describeOperation(op)
            << remark::reason("{0}", contraction.getReason());
        continue;
      }
      std::string sizes;
      for (const Slice &slice : contraction.getSlices())
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(slice.size);
      remark::passed(op.getLoc(), named("SplitContraction"))
          << describeOperation(op) + " into slices of " + sizes;
      contraction.split(rewriter);
    }
  }
};

} // namespace

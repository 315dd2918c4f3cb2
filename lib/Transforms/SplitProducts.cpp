//===----------------------------------------------------------------------===//
// A product for each slice of a product.
//
//   1. From the product on, everything elementwise is followed until each path
//      ends in a slice.
//   2. Each slice is traced back to the product, and there to its operands; it
//      has to be one slice of the product, and no two may overlap.
//   3. What was followed is computed of each slice on its own. Slices of other
//      operands move on where nobody but what is replaced uses these.
//===----------------------------------------------------------------------===//

#include "SplitProducts/Slice.h"
#include "stof/Fusion/GroupPlan.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_SPLITPRODUCTSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-split-products");
}

/// A slice of a value.
struct Part {
  Value value;
  Slice slice;

  bool operator==(const Part &other) const {
    return value == other.value && slice == other.slice;
  }
};

/// One product and what is computed of it up to slices.
class SlicedProduct {
public:
  explicit SlicedProduct(linalg::LinalgOp product) : product(product) {}

  /// Whether slices of the product are read at all.
  bool isSliced() const { return !slices.empty(); }
  StringRef getReason() const { return reason; }
  ArrayRef<Slice> getSlices() const { return ofProduct; }

  /// Finds what is computed of the product, and why it stays whole.
  void follow();
  /// Computes each slice on its own. Expects no reason not to.
  void split(IRRewriter &rewriter);

private:
  void refuse(StringRef why) {
    if (reason.empty())
      reason = why;
  }
  /// What `part` is computed from, before which everything that it is computed
  /// from stands.
  SmallVector<Part> trace(const Part &part);
  void checkSlices();
  /// Whether what is computed of slices is put together again, as rotations of
  /// halves are: one product is then as good.
  bool areJoinedAgain() const;
  void findOperands();
  /// Computes the last of `parts`, from the others.
  Value build(IRRewriter &rewriter, ArrayRef<Part> parts);
  Value lookup(const Part &part) const {
    const auto *known = llvm::find_if(
        built, [&](const auto &entry) { return entry.first == part; });
    return known == built.end() ? Value() : known->second;
  }

  linalg::LinalgOp product;
  std::string reason;
  /// The product and what is computed of it.
  llvm::SetVector<Operation *> followed;
  /// What only serves to compute those.
  llvm::SetVector<Operation *> operands;
  SmallVector<tensor::ExtractSliceOp> slices;
  SmallVector<Slice> ofProduct;
  SmallVector<std::pair<Part, Value>> built;
};

void SlicedProduct::follow() {
  followed.insert(product);
  for (size_t next = 0; next < followed.size(); ++next) {
    for (Operation *user : followed[next]->getUsers()) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
        if (!llvm::is_contained(slices, slice))
          slices.push_back(slice);
      } else if (user->getBlock() == product->getBlock() &&
                 isElementwise(user)) {
        followed.insert(user);
      } else {
        refuse((describeOperation(user) + " reads all of it"));
      }
    }
  }
  if (isSliced() && reason.empty())
    checkSlices();
  if (isSliced() && reason.empty() && areJoinedAgain())
    refuse("what is computed of slices is put together again");
}

bool SlicedProduct::areJoinedAgain() const {
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

SmallVector<Part> SlicedProduct::trace(const Part &part) {
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
        refuse("what is computed of it reads all of it for each slice");
    }
  }
  auto definitionOf = [&](const Part &part) {
    Operation *op = part.value.getDefiningOp();
    return op && op->getBlock() == product->getBlock() ? op : nullptr;
  };
  llvm::sort(parts, [&](const Part &lhs, const Part &rhs) {
    Operation *left = definitionOf(lhs), *right = definitionOf(rhs);
    if (left == right)
      return lhs.slice < rhs.slice;
    return left && right ? left->isBeforeInBlock(right) : !left;
  });
  return parts;
}

void SlicedProduct::checkSlices() {
  for (tensor::ExtractSliceOp op : slices) {
    SliceOrReason read = readSlice(op);
    if (!read.slice)
      return refuse(read.reason);
    std::optional<Slice> own;
    for (const Part &part : trace({op.getSource(), *read.slice})) {
      if (part.value != product->getResult(0))
        continue;
      if (own)
        return refuse("what is computed of it reads a slice at two places");
      own = part.slice;
    }
    if (!reason.empty())
      return;
    // Each slice is computed of what is followed, which is of the product.
    if (!llvm::is_contained(ofProduct, *own))
      ofProduct.push_back(*own);
  }
  llvm::sort(ofProduct);
  for (auto [number, slice] : llvm::enumerate(ofProduct))
    for (const Slice &other : ArrayRef(ofProduct).drop_front(number + 1)) {
      if (slice.dim != other.dim)
        return refuse("slices are of two dimensions");
      if (slice.overlaps(other))
        return refuse("slices overlap");
    }
}

void SlicedProduct::findOperands() {
  // Users stand behind.
  for (Operation &op : llvm::reverse(*product->getBlock())) {
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

Value SlicedProduct::build(IRRewriter &rewriter, ArrayRef<Part> parts) {
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
      needs.reason = "it is computed as a whole";
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

void SlicedProduct::split(IRRewriter &rewriter) {
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
  // What is left of the product would be taken for a reader of others.
  SmallVector<Operation *> old(followed.begin(), followed.end());
  llvm::append_range(old, operands);
  llvm::sort(old, [](Operation *lhs, Operation *rhs) {
    return rhs->isBeforeInBlock(lhs);
  });
  for (Operation *op : old)
    if (op->use_empty())
      rewriter.eraseOp(op);
}

struct SplitProductsPass
    : stof::impl::SplitProductsPassBase<SplitProductsPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> products;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && getContractionLoops(op))
        products.push_back(op);
    });
    // What is computed of a later one may be what hides slices of this.
    for (linalg::LinalgOp op : llvm::reverse(products)) {
      SlicedProduct product(op);
      product.follow();
      if (!product.isSliced())
        continue;
      if (!product.getReason().empty()) {
        remark::missed(op.getLoc(), named("KeptProduct"))
            << describeOperation(op)
            << remark::reason("{0}", product.getReason());
        continue;
      }
      std::string sizes;
      for (const Slice &slice : product.getSlices())
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(slice.size);
      remark::passed(op.getLoc(), named("SplitProduct"))
          << describeOperation(op) + " into products of " + sizes;
      product.split(rewriter);
    }
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The pass that finds attention. From each contraction of weights and values it
// follows the result forward, as long as it is only scaled, cast and reshaped,
// to where it is a whole attention; RaiseAttention/ recognises and builds it.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "RaiseAttention/BuildAttention.h"
#include "RaiseAttention/PlainSoftmax.h"
#include "stof/IR/Stof.h"
#include "stof/Scalar/EmitScalar.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"

namespace stof {
#define GEN_PASS_DEF_RAISEATTENTIONPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

#define DEBUG_TYPE "stof-raise-attention"

using namespace mlir;
using namespace stof;

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category(DEBUG_TYPE);
}

//===----------------------------------------------------------------------===//
// Following the result
//===----------------------------------------------------------------------===//

/// Whether `op` moves or casts the elements of its tensor and does no more.
static bool isMovement(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ReshapeOp, linalg::TransposeOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic.getNumReductionLoops() != 0)
    return false;
  return llvm::all_of(
      generic.getBody()->without_terminator(),
      [](Operation &o) { return isa<arith::ExtFOp, arith::TruncFOp>(o); });
}

/// The value that alone comes out of `value`, if its elements are those of
/// `value` in a row of elementwise operations and movements.
static Value getNext(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  Operation *user = *value.user_begin();
  if (user->getNumResults() != 1 ||
      !isa<RankedTensorType>(user->getResult(0).getType()))
    return nullptr;
  if (isMovement(user))
    return user->getResult(0);
  auto structured = dyn_cast<linalg::LinalgOp>(user);
  bool elementwise = structured && structured.getNumReductionLoops() == 0;
  return elementwise || OpTrait::hasElementwiseMappableTraits(user)
             ? user->getResult(0)
             : nullptr;
}

/// `value` and what follows from it alone.
static SmallVector<Value> getChain(Value value) {
  constexpr unsigned longest = 12;
  SmallVector<Value> chain;
  while (value && chain.size() < longest) {
    chain.push_back(value);
    value = getNext(value);
  }
  return chain;
}

/// The operation with an exponential that is on a way back from `value` which
/// meets no contraction, so that most contractions are passed over at little
/// cost; null if there is none.
static Operation *findExponential(Value value) {
  constexpr unsigned farthest = 256;
  SmallVector<Value> open{value};
  DenseSet<Operation *> seen;
  while (!open.empty() && seen.size() < farthest) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<linalg::SoftmaxOp>(op) || isExponential(op))
      return op;
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (structured &&
        (isContraction(structured) || isSumOfProducts(structured)))
      continue;
    bool found = false;
    if (structured)
      structured->walk([&](Operation *inner) {
        found |= isExponential(inner);
        if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
          open.push_back(extract.getTensor());
      });
    if (found)
      return op;
    llvm::append_range(open, op->getOperands());
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

static std::string print(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", number);
  return text;
}

static std::string join(ArrayRef<Type> types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(types, os);
  return text;
}

static void reportRaised(AttentionOp attention, const AttentionMatch &match) {
  int64_t heads = attention.getQueryType().getDimSize(AttentionOp::head);
  int64_t keyHeads = attention.getKeyType().getDimSize(AttentionOp::head);
  bool dynamic =
      ShapedType::isDynamic(heads) || ShapedType::isDynamic(keyHeads);
  std::string group = dynamic ? "?" : std::to_string(heads / keyHeads);
  std::string rows = attention.getMask()
                         ? stringifyEmptyRows(attention.getEmptyRows()).str()
                         : "none";
  remark::passed(attention.getLoc(), remarkNamed("RaisedAttention"))
      << remark::metric("Heads",
                        dynamic ? std::string("?") : std::to_string(heads))
      << remark::metric("Group", group)
      << remark::metric("Mask", attention.getMaskOrigin().str())
      << remark::metric("EmptyRows", rows)
      << remark::metric("Roundings",
                        match.roundings.empty()
                            ? std::string("none")
                            : "dropped to " + join(match.roundings));
}

/// Says why a large finite number is a mask, or is none.
static void reportRange(Location loc, const AttentionMatch &match) {
  std::string range = "[" + print(match.split.range.lo) + ", " +
                      print(match.split.range.hi) + "]";
  std::string source = match.split.isProven ? "as the score is computed"
                                            : "by the assumed bound of scores";
  for (const MaskCondition &mask : match.split.masks) {
    if (mask.kind == MaskCondition::Infinite)
      continue;
    std::string number = print(mask.value);
    StringRef how = mask.kind == MaskCondition::Added    ? "added"
                    : mask.kind == MaskCondition::Filled ? "filled in"
                                                         : "at most";
    remark::analysis(loc, remarkNamed("FiniteMask"))
        << remark::add("{0} {1} is a mask: its exponential is zero beside a "
                       "score in {2}, {3}",
                       number, how, range, source);
  }
  if (match.split.refused) {
    std::string number = print(*match.split.refused);
    remark::missed(loc, remarkNamed("FiniteMask"))
        << remark::reason("{0} stays in the score: its exponential need not be "
                          "zero beside a score in {1}, {2}",
                          number, range, source);
  }
  unsigned finite =
      llvm::count_if(match.split.masks, [](const MaskCondition &mask) {
        return mask.kind != MaskCondition::Infinite;
      });
  if (finite > 0 && match.split.masks.size() > 1 &&
      match.emptyRow != EmptyRow::Zero)
    remark::analysis(loc, remarkNamed("EmptyRows"))
        << remark::add("a row without a key is taken as if one mask of several "
                       "had dropped every key of it");
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
/// Raises the attentions of one function.
class Raiser {
public:
  Raiser(Operation *function, double scoreBound)
      : context(function->getContext()), elements(context),
        exponentials(function), scoreBound(scoreBound) {}

  /// Raises the attention that `product` belongs to, if any.
  void raise(linalg::LinalgOp product);

  /// Erases what no longer has a use.
  void eraseDead();

  /// Names the softmaxes of `function` of which nothing was said.
  void reportSoftmaxes(Operation *function);

private:
  std::optional<AttentionMatch> find(Value result, std::string &reason);
  /// Builds what `match` is and returns a value to use instead.
  Value build(OpBuilder &builder, const AttentionMatch &match);
  /// Raises the sum of attentions that `result` belongs to, if any.
  bool raiseSum(Value result);
  void replace(Value root, Value replacement);

  ExprContext context;
  ElementAt elements;
  /// Those of the function before anything is raised.
  Exponentials exponentials;
  double scoreBound;
  SmallVector<Operation *> replaced;
  /// The exponentials of attentions, and of what a remark says why it is none.
  DenseSet<Operation *> reported;
};
} // namespace

std::optional<AttentionMatch> Raiser::find(Value result, std::string &reason) {
  SmallVector<Value> chain = getChain(result);
  std::optional<AttentionMatch> found;
  size_t position = 0;
  for (; position < chain.size() && !found; ++position) {
    AttentionMatcher matcher(context, elements, scoreBound);
    found = matcher.match(chain[position]);
    if (!found && !matcher.isCandidate)
      break;
    if (!found && reason.empty() && matcher.isLikely)
      reason = matcher.reason;
  }
  if (!found)
    return std::nullopt;
  // A cast to the type of the operands that follows belongs to it.
  Type type = getSourceType(*found);
  Type rootType = getElementTypeOrSelf(found->root);
  for (; rootType != type && position < chain.size(); ++position) {
    if (!isMovement(chain[position].getDefiningOp()))
      break;
    if (getElementTypeOrSelf(chain[position]) != type)
      continue;
    AttentionMatcher matcher(context, elements, scoreBound);
    if (std::optional<AttentionMatch> cast = matcher.match(chain[position])) {
      cast->roundings = found->roundings;
      return cast;
    }
    break;
  }
  return found;
}

void Raiser::raise(linalg::LinalgOp product) {
  Value result = product->getResult(0);
  if (result.use_empty())
    return;
  Operation *exponential = nullptr;
  for (Value input : product.getDpsInputs())
    if (!exponential)
      exponential = findExponential(input);
  if (!exponential)
    return;
  std::string reason;
  std::optional<AttentionMatch> match = find(result, reason);
  bool gaveUp = elements.gaveUp();
  if (!match) {
    if (raiseSum(result)) {
      reported.insert(exponential);
      return;
    }
    if (reason.empty() && gaveUp)
      reason =
          "more operations lie between it and the first contraction than are "
          "followed";
    bool hasWeights = llvm::any_of(product.getDpsInputs(), [&](Value input) {
      return exponentials.areWeights(input);
    });
    if (reason.empty() || !hasWeights)
      return;
    reported.insert(exponential);
    remark::missed(product.getLoc(), remarkNamed("RaisedAttention"))
        << remark::reason("{0}", reason);
    return;
  }
  reported.insert(exponential);
  OpBuilder builder(match->root.getDefiningOp());
  replace(match->root, build(builder, *match));
}

Value Raiser::build(OpBuilder &builder, const AttentionMatch &match) {
  Value replacement;
  AttentionOp attention =
      buildAttention(builder, context, elements, match, replacement);
  reportRaised(attention, match);
  reportRange(attention.getLoc(), match);
  return replacement;
}

void Raiser::replace(Value root, Value replacement) {
  root.replaceAllUsesWith(replacement);
  replaced.push_back(root.getDefiningOp());
}

bool Raiser::raiseSum(Value result) {
  for (Value root : getChain(result)) {
    AttentionMatcher matcher(context, elements, scoreBound);
    SmallVector<AttentionMatch, 0> matches = matcher.matchSum(root);
    if (matches.empty() && !matcher.isCandidate)
      break;
    if (matches.empty())
      continue;
    OpBuilder builder(root.getDefiningOp());
    auto values =
        llvm::map_to_vector(matches, [&](const AttentionMatch &match) {
          return build(builder, match);
        });
    replace(root, buildSum(builder, matches, values));
    remark::passed(root.getLoc(), remarkNamed("SummedAttention"))
        << remark::metric("Attentions", matches.size())
        << remark::add("weights that are a sum of softmaxes, each times a "
                       "factor of its row, are an attention for each");
    return true;
  }
  return false;
}

/// Whether nothing but assertions in it keep a structured operation alive.
static bool isDead(Operation *op) {
  if (!op->use_empty())
    return false;
  if (isOpTriviallyDead(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics())
    return false;
  bool plain = true;
  structured->walk([&](Operation *inner) {
    if (inner != op)
      plain &= isMemoryEffectFree(inner) ||
               isa<cf::AssertOp, linalg::YieldOp>(inner);
  });
  return plain;
}

void Raiser::eraseDead() {
  SetVector<Operation *> open(replaced.begin(), replaced.end());
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!isDead(op))
      continue;
    SetVector<Operation *> producers;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          if (!op->isAncestor(producer))
            producers.insert(producer);
    });
    open.remove(op);
    op->erase();
    open.insert(producers.begin(), producers.end());
  }
}

void Raiser::reportSoftmaxes(Operation *function) {
  for (const PlainSoftmax &softmax : Exponentials(function).findSoftmaxes()) {
    bool isReported = llvm::any_of(softmax.operations, [&](Operation *op) {
      return reported.contains(op);
    });
    if (!isReported)
      remark::missed(softmax.exponential->getLoc(),
                     remarkNamed("RaisedAttention"))
          << remark::reason("no contraction over its keys multiplies the "
                            "weights of this softmax");
  }
}

namespace {
struct RaiseAttentionPass
    : stof::impl::RaiseAttentionPassBase<RaiseAttentionPass> {
  using Base::Base;

  void runOnOperation() override {
    // Functions one after the other: what is known of one is of no use in the
    // next, and nothing is erased while it is known.
    llvm::MapVector<Operation *, SmallVector<linalg::LinalgOp>> products;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (!op.hasPureTensorSemantics())
        return;
      SmallVector<linalg::LinalgOp> &ops =
          products[op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>()];
      if (isContraction(op) || isSumOfProducts(op))
        ops.push_back(op);
    });
    for (auto &[function, ops] : products) {
      Raiser raiser(function, scoreBound);
      for (linalg::LinalgOp op : ops)
        raiser.raise(op);
      raiser.eraseDead();
      raiser.reportSoftmaxes(function);
    }
  }
};
} // namespace

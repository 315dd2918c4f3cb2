//===----------------------------------------------------------------------===//
// The pass that raises attention. The result of each contraction of weights and
// values is followed through elementwise operations, casts and reshapes until
// it matches a complete attention; RaiseAttention/ has the matcher and builder.
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

/// Whether `op` only moves or casts the elements of its tensor.
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

/// The result of the only user of `value`, if that is a movement or an
/// elementwise operation.
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

/// The chain of single users from `value` on, including it.
static SmallVector<Value> getChain(Value value) {
  constexpr unsigned longest = 12;
  SmallVector<Value> chain;
  while (value && chain.size() < longest) {
    chain.push_back(value);
    value = getNext(value);
  }
  return chain;
}

/// An operation with an exponential in the backward slice of `value` up to
/// contractions; null if there is none. A cheap filter, as most contractions
/// are not part of an attention.
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
  int64_t heads = attention.getQueryType().getDimSize(AttentionOp::Head);
  int64_t keyHeads = attention.getKeyType().getDimSize(AttentionOp::Head);
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

/// Reports why large finite numbers were or were not taken as masks.
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
        << remark::add("{0} {1} is a mask: its exponential is zero next to a "
                       "score in {2}, {3}",
                       number, how, range, source);
  }
  if (match.split.refused) {
    std::string number = print(*match.split.refused);
    remark::missed(loc, remarkNamed("FiniteMask"))
        << remark::reason("{0} stays in the score: its exponential need not be "
                          "zero next to a score in {1}, {2}",
                          number, range, source);
  }
  unsigned finite =
      llvm::count_if(match.split.masks, [](const MaskCondition &mask) {
        return mask.kind != MaskCondition::Infinite;
      });
  if (finite > 0 && match.split.masks.size() > 1 &&
      match.emptyRows.kind != EmptyRows::Zero)
    remark::analysis(loc, remarkNamed("EmptyRows")) << remark::add(
        match.emptyRows.keep
            ? "a fully masked row is over the keys of a second mask, those "
              "that several masks lower least"
            : "a fully masked row is computed as if one of several masks had "
              "masked all of its keys");
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

  /// Raises the attention whose second contraction is `contraction`, if any.
  void raise(linalg::LinalgOp contraction);

  /// Erases replaced operations and their dead producers.
  void eraseDead();

  /// Emits a missed remark for each softmax of `function` without a remark.
  void reportSoftmaxes(Operation *function);

private:
  std::optional<AttentionMatch> find(Value result, std::string &reason);
  /// Builds the attention and returns the replacement of its root.
  Value build(OpBuilder &builder, const AttentionMatch &match);
  /// Raises the sum of attentions computed from `result`, if any.
  bool raiseSum(Value result);
  void replace(Value root, Value replacement);

  ExprContext context;
  TensorElement elements;
  /// Collected before any rewrite.
  Exponentials exponentials;
  double scoreBound;
  SmallVector<Operation *> replaced;
  /// The exponentials of raised attentions and of missed remarks.
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
  // A subsequent cast to the type of the operands is part of the attention.
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

void Raiser::raise(linalg::LinalgOp contraction) {
  Value result = contraction->getResult(0);
  if (result.use_empty())
    return;
  Operation *exponential = nullptr;
  for (Value input : contraction.getDpsInputs())
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
      reason = "too many operations between it and the first contraction";
    bool hasWeights =
        llvm::any_of(contraction.getDpsInputs(), [&](Value input) {
          return exponentials.areWeights(input);
        });
    if (reason.empty() || !hasWeights)
      return;
    reported.insert(exponential);
    remark::missed(contraction.getLoc(), remarkNamed("RaisedAttention"))
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
        << remark::add("weights are a sum of softmaxes, each times a factor "
                       "per row: each became an attention");
    return true;
  }
  return false;
}

/// Whether `op` is unused and trivially dead, or kept only by assertions in its
/// body.
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
          << remark::reason("the weights of this softmax are not contracted "
                            "over its keys");
  }
}

namespace {
struct RaiseAttentionPass
    : stof::impl::RaiseAttentionPassBase<RaiseAttentionPass> {
  using Base::Base;

  void runOnOperation() override {
    // One Raiser per function: cached expressions refer to its operations,
    // which are erased only after the last match.
    llvm::MapVector<Operation *, SmallVector<linalg::LinalgOp>> contractions;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (!op.hasPureTensorSemantics())
        return;
      SmallVector<linalg::LinalgOp> &ops =
          contractions[op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>()];
      if (isContraction(op) || isSumOfProducts(op))
        ops.push_back(op);
    });
    for (auto &[function, ops] : contractions) {
      Raiser raiser(function, scoreBound);
      for (linalg::LinalgOp op : ops)
        raiser.raise(op);
      raiser.eraseDead();
      raiser.reportSoftmaxes(function);
    }
  }
};
} // namespace

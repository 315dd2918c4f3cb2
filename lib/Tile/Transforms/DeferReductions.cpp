//===----------------------------------------------------------------------===//
// The pass that defers what crosses threads in the sums of a mainloop.
//
// A loop that adds a sum along a dimension to what it carries needs that sum
// after its last iteration only. If the carried sums are just scaled by factors
// that all threads of a row have, each thread can carry a sum of its own
// elements (FlashAttention-2, section 3.1, does so for the row sum):
//
//   for: l = l * a + sum(p)   =>   for: t = t * a + part(p)
//                                  l = sum(t)
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "ConstantFragments.h"
#include "LoopSlice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_DEFERREDUCTIONSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

/// Whether the reduction is a sum whose threads have several elements each, and
/// share rows with others.
static bool isSumAcrossThreads(ReduceOp reduce) {
  FragmentType source = reduce.getSource().getType();
  unsigned dim = reduce.getDim();
  LayoutInterface layout = source.getLayout();
  bool isShared =
      !layout.getLaneBitsAlong(dim).empty() || layout.getWarpsAlong(dim) > 1;
  Block &combiner = reduce.getCombiner().front();
  auto add =
      combiner.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  bool isSum = add && add.getLhs() != add.getRhs() &&
               isa<BlockArgument>(add.getLhs()) &&
               isa<BlockArgument>(add.getRhs());
  return !reduce.isPartial() && isShared && isSum &&
         source.getShape()[dim] > layout.getUnitAlong(dim);
}

namespace {
/// A carried sum: `update` computes it from that of the iteration before, from
/// `reduce`, and from factors.
struct CarriedSum {
  ReduceOp reduce;
  MapOp update;
  /// The number among the carried values.
  unsigned number;
  /// The inputs of `update` that are the carried sum and the result of
  /// `reduce`.
  unsigned before, added;
};

/// Defers the reductions of one loop.
class Deferrer {
public:
  Deferrer(Operation *loop, DenseMap<Value, Value> &parts)
      : slice(loop), parts(parts) {}

  /// Returns the number of deferred reductions.
  int64_t run();

private:
  std::optional<CarriedSum> match(ReduceOp reduce) const;
  void defer(const CarriedSum &sum);

  /// The update of what each thread has summed up, `part`.
  Value updatePart(const CarriedSum &sum, Value part) const;
  /// The update of the carried sum itself, without what is added.
  Value scale(const CarriedSum &sum) const;

  LoopSlice slice;
  /// For each deferred sum after its loop, those of the threads.
  DenseMap<Value, Value> &parts;
};
} // namespace

/// Whether `update` yields before * f + added or before + added, where f
/// depends on neither.
static bool isLinear(MapOp update, unsigned before, unsigned added) {
  Block &body = update.getBody().front();
  ValueRange elements =
      body.getArguments().take_back(update.getInputs().size());
  Value carried = elements[before], term = elements[added];
  if (!carried.hasOneUse() || !term.hasOneUse())
    return false;
  Operation *result = body.getTerminator()->getOperand(0).getDefiningOp();
  if (auto fused = dyn_cast_or_null<math::FmaOp>(result))
    return fused.getC() == term &&
           (fused.getA() == carried || fused.getB() == carried);
  auto add = dyn_cast_or_null<arith::AddFOp>(result);
  return add && llvm::is_contained(add->getOperands(), carried) &&
         llvm::is_contained(add->getOperands(), term);
}

std::optional<CarriedSum> Deferrer::match(ReduceOp reduce) const {
  if (!isSumAcrossThreads(reduce) || !reduce.getResult().hasOneUse())
    return {};
  OpOperand &use = *reduce.getResult().use_begin();
  auto update = dyn_cast<MapOp>(use.getOwner());
  if (!update || update.getNumResults() != 1 ||
      update->getBlock() != reduce->getBlock() ||
      !update.getResult(0).hasOneUse())
    return {};
  OpOperand &next = *update.getResult(0).use_begin();
  if (next.getOwner() != slice.getBody().getTerminator())
    return {};
  MutableArrayRef<OpOperand> nexts = slice.getNexts();
  unsigned number = next.getOperandNumber();
  // A while loop has to hand the sum from its condition to its body.
  Value carried =
      slice.getBody().getArguments().take_back(nexts.size())[number];
  if (auto loop = dyn_cast<scf::WhileOp>(slice.getLoop()))
    if (loop.getConditionOp().getArgs().size() != nexts.size() ||
        loop.getConditionOp().getArgs()[number] !=
            loop.getBeforeArguments()[number] ||
        !loop.getBeforeArguments()[number].hasOneUse())
      return {};
  auto input = llvm::find(update.getInputs(), carried);
  if (!carried.hasOneUse() || input == update.getInputs().end())
    return {};
  CarriedSum sum{reduce, update, number,
                 static_cast<unsigned>(input.getIndex()),
                 use.getOperandNumber()};
  return isLinear(update, sum.before, sum.added) ? std::optional(sum)
                                                 : std::nullopt;
}

/// The type of what each thread has of the sum.
static FragmentType getPartType(ReduceOp reduce) {
  FragmentType type = reduce.getSource().getType();
  SmallVector<int64_t> shape(type.getShape());
  shape[reduce.getDim()] = type.getLayout().getUnitAlong(reduce.getDim());
  return FragmentType::get(type.getContext(), shape, type.getElementType(),
                           type.getLayout());
}

/// `reduce` of another source, to another result.
static Value reduceTo(OpBuilder &builder, ReduceOp reduce, Value source,
                      Type result) {
  auto other = cast<ReduceOp>(builder.clone(*reduce));
  other.getSourceMutable().assign(source);
  other.getResult().setType(cast<FragmentType>(result));
  return other.getResult();
}

Value Deferrer::updatePart(const CarriedSum &sum, Value part) const {
  MapOp update = sum.update;
  ReduceOp reduce = sum.reduce;
  OpBuilder builder(update);
  FragmentType type = getPartType(reduce);
  SmallVector<Value> inputs(update.getInputs());
  inputs[sum.before] = part;
  inputs[sum.added] = reduceTo(builder, reduce, reduce.getSource(), type);
  return MapOp::create(builder, update.getLoc(), TypeRange(type), inputs,
                       [&](OpBuilder &inner, Location, ValueRange coordinates,
                           ValueRange elements) {
                         Block &body = update.getBody().front();
                         IRMapping map;
                         map.map(body.getArgument(0),
                                 coordinates[1 - reduce.getDim()]);
                         map.map(body.getArguments().drop_front(), elements);
                         for (Operation &op : body.without_terminator())
                           inner.clone(op, map);
                         Value result = body.getTerminator()->getOperand(0);
                         return SmallVector<Value>{map.lookupOrDefault(result)};
                       })
      .getResult(0);
}

Value Deferrer::scale(const CarriedSum &sum) const {
  MapOp update = sum.update;
  OpBuilder builder(update);
  auto scaled = cast<MapOp>(builder.clone(*update));
  Block &body = scaled.getBody().front();
  Operation *result = body.getTerminator()->getOperand(0).getDefiningOp();
  OpBuilder inner(result);
  Value carried =
      body.getArguments().take_back(scaled.getInputs().size())[sum.before];
  Value product = carried;
  if (auto fused = dyn_cast<math::FmaOp>(result))
    product = arith::MulFOp::create(inner, fused.getLoc(), fused.getA(),
                                    fused.getB(), fused.getFastmath());
  body.getTerminator()->setOperand(0, product);
  result->erase();
  unsigned offset = body.getNumArguments() - scaled.getInputs().size();
  body.eraseArgument(offset + sum.added);
  scaled.getInputsMutable().erase(sum.added);
  return scaled.getResult(0);
}

void Deferrer::defer(const CarriedSum &sum) {
  MapOp update = sum.update;
  ReduceOp reduce = sum.reduce;
  OpBuilder builder(slice.getLoop());
  Location loc = reduce.getLoc();
  FragmentType type = getPartType(reduce);
  OpOperand &init =
      cast<LoopLikeOpInterface>(slice.getLoop()).getInitsMutable()[sum.number];
  auto zeroOf = [&](Type fragment) {
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(getElementTypeOrSelf(fragment)));
    return SplatOp::create(builder, loc, fragment, zero);
  };
  // A loop after another one goes on with what each thread has.
  Value start = parts.lookup(init.get());
  if (start && start.getType() == type)
    init.set(zeroOf(init.get().getType()));
  else
    start = zeroOf(type);
  bool startsAtZero = isZero(init.get());

  Value part = slice.carry(start).front();
  MutableArrayRef<OpOperand> nexts = slice.getNexts();
  nexts.back().set(updatePart(sum, part));
  nexts[sum.number].set(startsAtZero ? slice.getBody().getArguments().take_back(
                                           nexts.size())[sum.number]
                                     : scale(sum));
  update.erase();

  Operation *loop = slice.getLoop();
  builder.setInsertionPointAfter(loop);
  Value rest = loop->getResult(sum.number), last = loop->getResults().back();
  Value total = reduceTo(builder, reduce, last, rest.getType());
  reduce.erase();
  Value result = total;
  if (startsAtZero)
    parts[total] = last;
  else
    result = MapOp::create(builder, loc, TypeRange(rest.getType()),
                           ValueRange{rest, total},
                           [](OpBuilder &inner, Location at, ValueRange,
                              ValueRange elements) -> SmallVector<Value> {
                             return {arith::AddFOp::create(
                                 inner, at, elements[0], elements[1])};
                           })
                 .getResult(0);
  rest.replaceUsesWithIf(result, [&](OpOperand &use) {
    return use.getOwner() != result.getDefiningOp();
  });
}

int64_t Deferrer::run() {
  int64_t count = 0;
  for (auto reduce :
       llvm::make_early_inc_range(slice.getBody().getOps<ReduceOp>()))
    if (std::optional<CarriedSum> sum = match(reduce)) {
      defer(*sum);
      ++count;
    }
  return count;
}

namespace {
struct DeferReductionsPass
    : stof::impl::DeferReductionsPassBase<DeferReductionsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<scf::ForOp, scf::WhileOp>(op))
        loops.push_back(op);
    });
    DenseMap<Value, Value> parts;
    for (Operation *loop : loops) {
      Location loc = loop->getLoc();
      if (int64_t count = Deferrer(loop, parts).run())
        remark::passed(loc, remark::RemarkOpts::name("DeferredReductions")
                                .category("stof-defer-reductions"))
            << remark::metric("Reductions", count);
    }
  }
};
} // namespace

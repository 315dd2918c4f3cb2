//===----------------------------------------------------------------------===//
// The tiles of a contraction operand.
//===----------------------------------------------------------------------===//

#include "MatmulOperand.h"

#include "MatmulMainloop.h"

using namespace mlir;
using namespace stof;

/// The layout of a computed tile: per thread, as many contiguous columns, up to
/// `mostElements`, as the shape allows.
static tile::LayoutInterface layoutOf(MLIRContext *context,
                                      ArrayRef<int64_t> shape, int64_t warps,
                                      int64_t mostElements) {
  for (int64_t elements = mostElements; elements > 0; elements /= 2)
    for (int64_t lanes = lanesPerWarp; lanes > 0; lanes /= 2)
      for (int64_t rowWarps = warps; rowWarps > 0; rowWarps /= 2) {
        auto layout = tile::BlockedAttr::get(context, {1, elements},
                                             {lanesPerWarp / lanes, lanes},
                                             {rowWarps, warps / rowWarps});
        if (shape[0] % layout.getUnitAlong(0) == 0 &&
            shape[1] % layout.getUnitAlong(1) == 0)
          return layout;
      }
  llvm_unreachable(
      "every tile of a contraction has an element for each thread");
}

MatmulOperand::MatmulOperand(GroupContext &context, OpOperand &operand,
                             ArrayRef<unsigned> outer, int64_t outerSize,
                             const MatmulTile &matmulTile,
                             const GroupTile &tile)
    : loc(context.kernel().loc()) {
  const GroupPlan &plan = context.getPlan();
  auto contraction = cast<linalg::LinalgOp>(operand.getOwner());
  ArrayRef<unsigned> kFactors = plan.getReductionFactors(contraction).steps;
  element = getElementTypeOrSelf(operand.get().getType());
  isKContiguous = stof::isKContiguous(plan, operand, outer, kFactors);
  shape = {outerSize, matmulTile.blockK};
  ContractionAxes axes{DimFactors(outer), DimFactors(kFactors)};
  if (!isKContiguous) {
    std::swap(shape[0], shape[1]);
    std::swap(axes.rows, axes.columns);
  }
  prologue = plan.getPrologue(operand);
  if (prologue.empty()) {
    // GroupPlan only picks rows and columns that are contiguous in the operand.
    view = *context.viewOperand(operand, {axes.rows, axes.columns},
                                /*hasUnitColumns=*/true);
    assert(view.dims[0] && view.dims[1] &&
           "rows and columns are dimensions of the operand");
    return;
  }
  computed = getOrigin(operand.get());
  constexpr int64_t accessBits = 128;
  operandTile = tile;
  operandTile.rows = shape[0];
  operandTile.columns = shape[1];
  operandTile.layout =
      layoutOf(contraction->getContext(), shape, matmulTile.getNumWarps(),
               accessBits / element.getIntOrFloatBitWidth());
  addBackToBack(context, operand, axes, matmulTile);
  program.emplace(context, operandTile,
                  FragmentScope{axes.rows,
                                axes.columns,
                                SmallVector<linalg::LinalgOp>(prologue),
                                {},
                                /*hasContractions=*/!backToBack.empty()});
}

MatmulOperand::~MatmulOperand() = default;

void MatmulOperand::addBackToBack(GroupContext &context, OpOperand &operand,
                                  ContractionAxes axes,
                                  const MatmulTile &around) {
  const GroupPlan &plan = context.getPlan();
  SmallVector<linalg::LinalgOp> left;
  llvm::copy_if(prologue, std::back_inserter(left),
                [&](linalg::LinalgOp op) { return plan.isBackToBack(op); });
  while (!left.empty()) {
    linalg::LinalgOp first = left.front();
    axes.left = *plan.findLeftOperand(first, axes.rows, axes.columns);
    MatmulTile own = *getBackToBackTile(plan, operand, first, around);
    // Contractions with the same reduction dims and tiles share a mainloop.
    auto sharesLoop = [&](linalg::LinalgOp op) {
      return plan.getReductionFactors(op) == plan.getReductionFactors(first) &&
             *plan.findLeftOperand(op, axes.rows, axes.columns) == axes.left &&
             *getBackToBackTile(plan, operand, op, around) == own;
    };
    backToBack.push_back(std::make_unique<MatmulMainloop>(
        context, llvm::filter_to_vector(left, sharesLoop), axes, own,
        operandTile));
    operandTile.layout =
        tile::MmaAttr::get(first->getContext(), own.rowWarps, own.columnWarps);
    llvm::erase_if(left, sharesLoop);
  }
}

void MatmulOperand::evaluatePrologue(OpBuilder &builder) {
  llvm::SmallDenseMap<Operation *, Value> accumulators;
  for (const std::unique_ptr<MatmulMainloop> &mainloop : backToBack)
    for (auto [op, accumulator] : llvm::zip_equal(
             mainloop->getContractions(),
             mainloop->emit(builder, operandTile.firstRow,
                            operandTile.firstColumn, operandTile.batch)))
      accumulators[op] = accumulator;
  for (linalg::LinalgOp op : prologue)
    if (Value accumulator = accumulators.lookup(op))
      program->finishContraction(builder, op, accumulator);
    else
      program->evaluate(builder, op);
}

bool MatmulOperand::isSameAs(const MatmulOperand &other) const {
  return computed == other.computed && view == other.view &&
         shape == other.shape && isKContiguous == other.isKContiguous;
}

Value MatmulOperand::getTile(
    OpBuilder &builder, Value outerAt, Value kAt,
    const llvm::SmallDenseMap<unsigned, Value> &others) {
  auto type = tile::SharedType::get(builder.getContext(), shape, element);
  Value rowAt = isKContiguous ? outerAt : kAt;
  Value columnAt = isKContiguous ? kAt : outerAt;
  if (!program) {
    SmallVector<Value> at;
    for (std::optional<unsigned> dimFactor : view.dimFactors)
      at.push_back(dimFactor ? others.lookup(*dimFactor) : Value());
    at[*view.dims[0]] = rowAt;
    at[*view.dims[1]] = columnAt;
    return tile::LoadOp::create(
        builder, loc, type, view.memory, at,
        builder.getDenseI64ArrayAttr({*view.dims[0], *view.dims[1]}));
  }
  operandTile.firstRow = rowAt;
  operandTile.firstColumn = columnAt;
  operandTile.batch = others;
  program->moveTo(operandTile);
  evaluatePrologue(builder);
  // Out-of-bounds elements along K must not contribute to accumulators.
  Value tile = program->getCleared(builder, computed,
                                   isKContiguous ? FragmentProgram::columnAxis
                                                 : FragmentProgram::rowAxis);
  return tile::ConvertOp::create(builder, loc, type, tile);
}

//===----------------------------------------------------------------------===//
// The tiles of what a product multiplies.
//===----------------------------------------------------------------------===//

#include "ProductWalk.h"

using namespace mlir;
using namespace stof;

/// How the threads of a block divide a tile that they compute: runs of columns,
/// as long as the shape allows.
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
  llvm_unreachable("every tile of a product has an element for each thread");
}

ProductOperand::ProductOperand(GroupContext &context, OpOperand &operand,
                               ArrayRef<unsigned> outer, int64_t outerSize,
                               const ContractionShape &contraction,
                               const GroupTile &tile)
    : loc(context.kernel().loc()) {
  const GroupPlan &plan = context.getPlan();
  auto product = cast<linalg::LinalgOp>(operand.getOwner());
  ArrayRef<unsigned> inner = plan.getSummed(product).steps;
  element = getElementTypeOrSelf(operand.get().getType());
  isInnerLast = stof::isInnerLast(plan, operand, outer, inner);
  shape = {outerSize, contraction.depth};
  ProductAxes axes{Digits(outer), Digits(inner)};
  if (!isInnerLast) {
    std::swap(shape[0], shape[1]);
    std::swap(axes.rows, axes.columns);
  }
  prologue = plan.getPrologue(operand);
  if (prologue.empty()) {
    // Rows and columns have been chosen so that they lie in one piece.
    view = *context.viewOperand(operand, {axes.rows, axes.columns},
                                /*hasUnitColumns=*/true);
    return;
  }
  computed = plan.getOrigin(operand.get());
  constexpr int64_t accessBits = 128;
  place = tile;
  place.rows = shape[0];
  place.columns = shape[1];
  place.layout =
      layoutOf(product->getContext(), shape, contraction.getNumWarps(),
               accessBits / element.getIntOrFloatBitWidth());
  addChained(context, operand, axes, contraction);
  program.emplace(context, place,
                  FragmentScope{axes.rows,
                                axes.columns,
                                SmallVector<linalg::LinalgOp>(prologue),
                                {},
                                /*hasProducts=*/!chained.empty()});
}

ProductOperand::~ProductOperand() = default;

void ProductOperand::addChained(GroupContext &context, OpOperand &operand,
                                ProductAxes axes,
                                const ContractionShape &around) {
  const GroupPlan &plan = context.getPlan();
  SmallVector<linalg::LinalgOp> left;
  llvm::copy_if(prologue, std::back_inserter(left),
                [&](linalg::LinalgOp op) { return plan.isChained(op); });
  while (!left.empty()) {
    linalg::LinalgOp first = left.front();
    axes.left = *plan.findLeftOperand(first, axes.rows, axes.columns);
    ContractionShape own = *shapeOfChained(plan, operand, first, around);
    // Those that sum over the same do so together.
    auto isBeside = [&](linalg::LinalgOp op) {
      return plan.getSummed(op) == plan.getSummed(first) &&
             *plan.findLeftOperand(op, axes.rows, axes.columns) == axes.left &&
             *shapeOfChained(plan, operand, op, around) == own;
    };
    chained.push_back(std::make_unique<ProductWalk>(
        context, llvm::filter_to_vector(left, isBeside), axes, own, place));
    place.layout =
        tile::MmaAttr::get(first->getContext(), own.rowWarps, own.columnWarps);
    llvm::erase_if(left, isBeside);
  }
}

void ProductOperand::evaluatePrologue(OpBuilder &builder) {
  llvm::SmallDenseMap<Operation *, Value> sums;
  for (const std::unique_ptr<ProductWalk> &walk : chained)
    for (auto [op, sum] : llvm::zip_equal(
             walk->getProducts(), walk->emit(builder, place.firstRow,
                                             place.firstColumn, place.batch)))
      sums[op] = sum;
  for (linalg::LinalgOp op : prologue)
    if (Value sum = sums.lookup(op))
      program->finishProduct(builder, op, sum);
    else
      program->evaluate(builder, op);
}

bool ProductOperand::isSameAs(const ProductOperand &other) const {
  return computed == other.computed && view == other.view &&
         shape == other.shape && isInnerLast == other.isInnerLast;
}

Value ProductOperand::getTile(
    OpBuilder &builder, Value outerAt, Value innerAt,
    const llvm::SmallDenseMap<unsigned, Value> &others) {
  auto type = tile::SharedType::get(builder.getContext(), shape, element);
  Value rowAt = isInnerLast ? outerAt : innerAt;
  Value columnAt = isInnerLast ? innerAt : outerAt;
  if (!program) {
    SmallVector<Value> at;
    for (std::optional<unsigned> digit : view.digits)
      at.push_back(digit ? others.lookup(*digit) : Value());
    at[*view.dims[0]] = rowAt;
    at[*view.dims[1]] = columnAt;
    return tile::LoadOp::create(
        builder, loc, type, view.memory, at,
        builder.getDenseI64ArrayAttr({*view.dims[0], *view.dims[1]}));
  }
  place.firstRow = rowAt;
  place.firstColumn = columnAt;
  place.batch = others;
  program->moveTo(place);
  evaluatePrologue(builder);
  // Elements that do not exist are not summed.
  Value tile = program->getCleared(builder, computed,
                                   isInnerLast ? FragmentProgram::columnAxis
                                               : FragmentProgram::rowAxis);
  return tile::ConvertOp::create(builder, loc, type, tile);
}

//===----------------------------------------------------------------------===//
// Which digits of a group's domain are rows, columns and batch.
//
// Two digits that lie next to each other in every tensor that has them are as
// good as one. So columns are the longest such run at the end of the first
// result, rows the one before it; a product's are the last runs of its own rows
// and columns. Everything else is batch.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"
#include "stof/Fusion/TensorView.h"

using namespace mlir;
using namespace stof;

GroupPlan::Role GroupPlan::getRole(linalg::LinalgOp op) const {
  if (llvm::is_contained(products, op) || isChained(op))
    return Role::Product;
  // Where there is but one element nothing is combined.
  bool combines =
      !getAllDigits(op, /*parallel=*/false, /*reduced=*/true).empty();
  return combines && getCombiner(op) ? Role::Reduction : Role::Map;
}

OpResult GroupPlan::getOrigin(Value value) const {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return cast<OpResult>(value);
}

std::optional<Digits> GroupPlan::getLoopDigits(linalg::LinalgOp op,
                                               unsigned loop) const {
  Digits digits = table.flatten(loops.at(op)[loop]);
  if (!digits.empty() && getRole(op) == Role::Map &&
      op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction)
    return std::nullopt;
  return digits;
}

Digits GroupPlan::getAllDigits(linalg::LinalgOp op, bool parallel,
                               bool reduced) const {
  Digits all;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel ? parallel : reduced)
      llvm::append_range(all, table.flatten(loops.at(op)[loop]));
  return all;
}

std::optional<SmallVector<Digits>>
GroupPlan::getOperandDims(OpOperand &operand) const {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  auto type = dyn_cast<ShapedType>(operand.get().getType());
  if (!type)
    return std::nullopt;
  SmallVector<Digits> dims;
  llvm::SmallDenseSet<unsigned> seen;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    dims.emplace_back();
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      std::optional<Digits> own = getLoopDigits(op, loop.getPosition());
      if (!own)
        return std::nullopt;
      dims.back() = *own;
    } else if (!isa<AffineConstantExpr>(expr) || type.getDimSize(dim) != 1) {
      return std::nullopt;
    }
    for (unsigned digit : dims.back())
      if (!seen.insert(digit).second)
        return std::nullopt;
  }
  return dims;
}

std::optional<Digits> GroupPlan::getOperandDigits(OpOperand &operand) const {
  std::optional<SmallVector<Digits>> dims = getOperandDims(operand);
  if (!dims)
    return std::nullopt;
  Digits digits;
  for (const Digits &dim : *dims)
    llvm::append_range(digits, dim);
  return digits;
}

Digits GroupPlan::getResultDigits(OpResult result) const {
  Digits digits;
  for (const Digits &dim : computed.at(result))
    llvm::append_range(digits, table.flatten(dim));
  return digits;
}

bool GroupPlan::isRowValued(linalg::LinalgOp op,
                            ArrayRef<unsigned> columns) const {
  if (getRole(op) == Role::Reduction)
    return true;
  if (columns.empty())
    return kind == GroupTemplate::Rows;
  return llvm::none_of(
      getAllDigits(op, /*parallel=*/true, /*reduced=*/false),
      [&](unsigned digit) { return llvm::is_contained(columns, digit); });
}

/// Stands between digits of a slice that are no neighbours in memory.
static constexpr unsigned gap = ~0U;

/// The digits of `dims` as they lie in the memory of `tensor`.
static Digits orderInMemory(Value tensor, ArrayRef<Digits> dims) {
  std::optional<MemRefType> type = getMemoryType(tensor);
  Digits order;
  for (auto [dim, digits] : llvm::enumerate(dims)) {
    if (!digits.empty() && !order.empty() && (!type || !findJoined(*type)[dim]))
      order.push_back(gap);
    llvm::append_range(order, digits);
  }
  return order;
}

SmallVector<Digits> GroupPlan::collectOrders() const {
  SmallVector<Digits> orders;
  for (OpResult result : results)
    orders.push_back(getResultDigits(result));
  for (linalg::LinalgOp op : operations)
    for (OpOperand &operand : op->getOpOperands()) {
      // What finishes a product reads a little at any place; its own operands,
      // and what they are computed of, are loaded in tiles.
      if (isInner(operand.get()) || op.isDpsInit(&operand) ||
          (!products.empty() && getRole(op) != Role::Product &&
           !isInPrologue(op)))
        continue;
      if (std::optional<SmallVector<Digits>> dims = getOperandDims(operand))
        orders.push_back(orderInMemory(operand.get(), *dims));
    }
  return orders;
}

/// Whether `second` follows `first` wherever there is one of them.
static bool areJoined(ArrayRef<Digits> orders, unsigned first,
                      unsigned second) {
  return llvm::all_of(orders, [&](const Digits &order) {
    const unsigned *at = llvm::find(order, first);
    const unsigned *next = llvm::find(order, second);
    return at == order.end() ? next == order.end() : next == at + 1;
  });
}

/// Moves the longest joined run at the end of `from` to `run`.
static void takeRun(Digits &from, Digits &run, ArrayRef<Digits> orders) {
  run.clear();
  while (!from.empty() &&
         (run.empty() || areJoined(orders, from.back(), run.front())))
    run.insert(run.begin(), from.pop_back_val());
}

bool GroupPlan::chooseAxes() {
  SmallVector<Digits> orders = collectOrders();
  // All digits, in the order of the first result that has them all.
  Digits order = domain;
  for (const Digits &candidate : llvm::reverse(orders)) {
    auto inDomain = [&](unsigned digit) {
      return llvm::is_contained(domain, digit);
    };
    if (candidate.size() == domain.size() && llvm::all_of(candidate, inDomain))
      order = candidate;
  }
  auto select = [&](ArrayRef<unsigned> wanted) {
    return Digits(llvm::make_filter_range(order, [&](unsigned digit) {
      return llvm::is_contained(wanted, digit);
    }));
  };
  auto without = [&](ArrayRef<unsigned> taken) {
    return Digits(llvm::make_filter_range(order, [&](unsigned digit) {
      return !llvm::is_contained(taken, digit);
    }));
  };

  if (kind == GroupTemplate::Rows) {
    columns = select(combined);
    for (OpResult result : results) {
      Digits digits = getResultDigits(result);
      const unsigned *first =
          columns.empty() ? digits.end() : llvm::find(digits, columns.front());
      size_t left = digits.end() - first;
      if (first != digits.end() &&
          (left < columns.size() ||
           !std::equal(columns.begin(), columns.end(), first)))
        return refuse(result.getOwner(),
                      "its result does not hold rows in one piece");
    }
    batch = without(columns);
    takeRun(batch, rows, orders);
    return true;
  }
  if (kind == GroupTemplate::Elementwise) {
    batch = order;
    takeRun(batch, columns, orders);
    takeRun(batch, rows, orders);
    return true;
  }
  ContractionLoops loopsOf = *getContractionLoops(products.front());
  Digits outerRows = select(getDigits(products.front(), loopsOf.rows));
  takeRun(outerRows, rows, orders);
  if (!chooseColumns(select(getDigits(products.front(), loopsOf.columns)),
                     orders))
    return false;
  chooseSummed(products.front(), orders);
  for (linalg::LinalgOp op : chained)
    chooseSummed(op, orders);
  Digits tile(rows);
  llvm::append_range(tile, columns);
  batch = without(tile);
  spread = findSpread();
  return checkChained();
}

std::optional<unsigned> GroupPlan::findSpread() const {
  auto isStatic = [&](unsigned digit) { return getExtent(digit).isStatic(); };
  if (heldWhole || columns.empty() || !llvm::all_of(columns, isStatic))
    return std::nullopt;
  std::optional<unsigned> found;
  for (linalg::LinalgOp op : products) {
    if (isInner(op.getDpsInputOperand(1)->get()))
      return std::nullopt;
    Digits lhs = *getOperandDigits(*op.getDpsInputOperand(0));
    OpOperand &right = *op.getDpsInputOperand(1);
    Digits rhs = orderInMemory(right.get(), *getOperandDims(right));
    const unsigned *first = llvm::find(rhs, columns.front());
    if (first == rhs.begin())
      return std::nullopt;
    unsigned before = first[-1];
    if (!llvm::is_contained(batch, before) || !isStatic(before) ||
        llvm::is_contained(lhs, before) || (found && *found != before))
      return std::nullopt;
    found = before;
  }
  return found;
}

void GroupPlan::chooseSummed(linalg::LinalgOp product,
                             ArrayRef<Digits> orders) {
  // What is summed over is taken as the left operand has it.
  SummedDigits &own = summed[product];
  Digits all = getDigits(product, getContractionLoops(product)->inner);
  Digits lhs = *getOperandDigits(*product.getDpsInputOperand(0));
  for (unsigned digit : lhs)
    if (llvm::is_contained(all, digit))
      own.outer.push_back(digit);
  takeRun(own.outer, own.steps, orders);
}

bool GroupPlan::chooseColumns(Digits available, ArrayRef<Digits> orders) {
  Digits together;
  for (unsigned digit : available)
    if (llvm::is_contained(held, digit))
      together.push_back(digit);
  held = together;
  takeRun(available, columns, orders);
  HeldTile usual;
  columnUnit = 1;
  for (unsigned digit : held)
    columnUnit *= getExtent(digit).size;
  // Tiles of the usual width end where what belongs together does, or there is
  // one tile of it.
  bool ends = held.size() <= columns.size() &&
              ArrayRef(columns).take_back(held.size()) == ArrayRef(held);
  heldWhole = !combined.empty() || !ends || columnUnit == 0 ||
              usual.columns % columnUnit != 0;
  if (heldWhole) {
    // A tile of any width is loaded, but threads divide what they compute.
    for (linalg::LinalgOp op : products)
      if (isInner(op.getDpsInputOperand(1)->get()))
        return refuse(op, "its right operand is computed, and its columns "
                          "belong together");
    for (size_t i = 1; i < held.size(); ++i)
      if (!areJoined(orders, held[i - 1], held[i]))
        return refuse(products.front(),
                      "the columns that belong together do not lie so");
    columns = held;
  }
  Value operand = products.front().getDpsInputOperand(0)->get();
  bool isWide = getElementTypeOrSelf(operand.getType()).isF32();
  heldTiles = findHeldTiles(
      heldWhole ? std::max<int64_t>(columnUnit, 1) : usual.columns,
      products.size(),
      /*isCrowded=*/!reads.empty() || (isWide && !combined.empty()));
  if (heldTiles.empty())
    return refuse(products.front(), "registers do not hold " +
                                        Twine(columnUnit) + " columns of " +
                                        Twine(products.size()) +
                                        " products at once");
  for (const ElementRead &read : reads)
    if (isRowValued(
            cast<linalg::LinalgOp>(getOrigin(read.getTensor()).getOwner())))
      return refuse(read.reader, "it reads rows at places that it computes");
  return true;
}

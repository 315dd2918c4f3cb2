//===----------------------------------------------------------------------===//
// Assignment of dim factors to rows, columns and batch.
//
// Two dim factors that are adjacent in every tensor that has them are as good
// as one. Columns are the longest such sequence at the end of the first result,
// rows the one before; those of a contraction are the last sequences of its M
// and N dims. All others are batch.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupPlan.h"
#include "stof/Fusion/TensorView.h"

using namespace mlir;
using namespace stof;

GroupPlan::Role GroupPlan::getRole(linalg::LinalgOp op) const {
  if (llvm::is_contained(contractions, op) || isBackToBack(op))
    return Role::Contraction;
  // Loops of one iteration reduce nothing.
  bool combines =
      !getAllDimFactors(op, /*parallel=*/false, /*reduced=*/true).empty();
  return combines && getCombiner(op) ? Role::Reduction : Role::Map;
}

OpResult GroupPlan::getOrigin(Value value) const {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return cast<OpResult>(value);
}

std::optional<DimFactors> GroupPlan::getLoopDimFactors(linalg::LinalgOp op,
                                                       unsigned loop) const {
  DimFactors dimFactors = table.flatten(loops.at(op)[loop]);
  if (!dimFactors.empty() && getRole(op) == Role::Map &&
      op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction)
    return std::nullopt;
  return dimFactors;
}

DimFactors GroupPlan::getAllDimFactors(linalg::LinalgOp op, bool parallel,
                                       bool reduced) const {
  DimFactors all;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel ? parallel : reduced)
      llvm::append_range(all, table.flatten(loops.at(op)[loop]));
  return all;
}

std::optional<SmallVector<DimFactors>>
GroupPlan::getOperandDims(OpOperand &operand) const {
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  auto type = dyn_cast<ShapedType>(operand.get().getType());
  if (!type)
    return std::nullopt;
  SmallVector<DimFactors> dims;
  llvm::SmallDenseSet<unsigned> seen;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    dims.emplace_back();
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      std::optional<DimFactors> own = getLoopDimFactors(op, loop.getPosition());
      if (!own)
        return std::nullopt;
      dims.back() = *own;
    } else if (!isa<AffineConstantExpr>(expr) || type.getDimSize(dim) != 1) {
      return std::nullopt;
    }
    for (unsigned dimFactor : dims.back())
      if (!seen.insert(dimFactor).second)
        return std::nullopt;
  }
  return dims;
}

std::optional<DimFactors>
GroupPlan::getOperandDimFactors(OpOperand &operand) const {
  std::optional<SmallVector<DimFactors>> dims = getOperandDims(operand);
  if (!dims)
    return std::nullopt;
  DimFactors dimFactors;
  for (const DimFactors &dim : *dims)
    llvm::append_range(dimFactors, dim);
  return dimFactors;
}

DimFactors GroupPlan::getResultDimFactors(OpResult result) const {
  DimFactors dimFactors;
  for (const DimFactors &dim : computed.at(result))
    llvm::append_range(dimFactors, table.flatten(dim));
  return dimFactors;
}

bool GroupPlan::isRowValued(linalg::LinalgOp op,
                            ArrayRef<unsigned> columns) const {
  if (getRole(op) == Role::Reduction)
    return true;
  if (columns.empty())
    return kind == GroupTemplate::Rows;
  return llvm::none_of(
      getAllDimFactors(op, /*parallel=*/true, /*reduced=*/false),
      [&](unsigned dimFactor) {
        return llvm::is_contained(columns, dimFactor);
      });
}

/// Separates dim factors of a slice that are not contiguous in memory.
static constexpr unsigned gap = ~0U;

/// The dim factors of `dims` in the memory order of `tensor`.
static DimFactors orderInMemory(Value tensor, ArrayRef<DimFactors> dims) {
  std::optional<MemRefType> type = getMemoryType(tensor);
  DimFactors order;
  for (auto [dim, dimFactors] : llvm::enumerate(dims)) {
    if (!dimFactors.empty() && !order.empty() &&
        (!type || !findJoined(*type)[dim]))
      order.push_back(gap);
    llvm::append_range(order, dimFactors);
  }
  return order;
}

SmallVector<DimFactors> GroupPlan::collectOrders() const {
  SmallVector<DimFactors> orders;
  for (OpResult result : results)
    orders.push_back(getResultDimFactors(result));
  for (linalg::LinalgOp op : operations)
    for (OpOperand &operand : op->getOpOperands()) {
      // Only operands of contractions and inputs of their producers are loaded
      // in tiles; epilogues read little, at any index.
      if (isInner(operand.get()) || op.isDpsInit(&operand) ||
          (!contractions.empty() && getRole(op) != Role::Contraction &&
           !isInPrologue(op)))
        continue;
      if (std::optional<SmallVector<DimFactors>> dims = getOperandDims(operand))
        orders.push_back(orderInMemory(operand.get(), *dims));
    }
  return orders;
}

/// Whether `second` directly follows `first` in every order that has either.
static bool areJoined(ArrayRef<DimFactors> orders, unsigned first,
                      unsigned second) {
  return llvm::all_of(orders, [&](const DimFactors &order) {
    const unsigned *at = llvm::find(order, first);
    const unsigned *next = llvm::find(order, second);
    return at == order.end() ? next == order.end() : next == at + 1;
  });
}

/// Moves the longest joined sequence at the end of `from` to `sequence`.
static void takeJoined(DimFactors &from, DimFactors &sequence,
                       ArrayRef<DimFactors> orders) {
  sequence.clear();
  while (!from.empty() &&
         (sequence.empty() || areJoined(orders, from.back(), sequence.front())))
    sequence.insert(sequence.begin(), from.pop_back_val());
}

bool GroupPlan::chooseAxes() {
  SmallVector<DimFactors> orders = collectOrders();
  // All dim factors, in the order of the first result that has all of them.
  DimFactors order = domain;
  for (const DimFactors &candidate : llvm::reverse(orders)) {
    auto inDomain = [&](unsigned dimFactor) {
      return llvm::is_contained(domain, dimFactor);
    };
    if (candidate.size() == domain.size() && llvm::all_of(candidate, inDomain))
      order = candidate;
  }
  auto select = [&](ArrayRef<unsigned> wanted) {
    return DimFactors(llvm::make_filter_range(order, [&](unsigned dimFactor) {
      return llvm::is_contained(wanted, dimFactor);
    }));
  };
  auto without = [&](ArrayRef<unsigned> taken) {
    return DimFactors(llvm::make_filter_range(order, [&](unsigned dimFactor) {
      return !llvm::is_contained(taken, dimFactor);
    }));
  };

  if (kind == GroupTemplate::Rows) {
    columns = select(combined);
    for (OpResult result : results) {
      DimFactors dimFactors = getResultDimFactors(result);
      const unsigned *first = columns.empty()
                                  ? dimFactors.end()
                                  : llvm::find(dimFactors, columns.front());
      size_t left = dimFactors.end() - first;
      if (first != dimFactors.end() &&
          (left < columns.size() ||
           !std::equal(columns.begin(), columns.end(), first)))
        return refuse(result.getOwner(),
                      "its result does not store rows contiguously");
    }
    batch = without(columns);
    takeJoined(batch, rows, orders);
    return true;
  }
  if (kind == GroupTemplate::Elementwise) {
    batch = order;
    takeJoined(batch, columns, orders);
    takeJoined(batch, rows, orders);
    return true;
  }
  ContractionLoops loopsOf = *getContractionLoops(contractions.front());
  DimFactors outerRows =
      select(getDimFactors(contractions.front(), loopsOf.rows));
  takeJoined(outerRows, rows, orders);
  if (!chooseColumns(
          select(getDimFactors(contractions.front(), loopsOf.columns)), orders))
    return false;
  chooseSummed(contractions.front(), orders);
  for (linalg::LinalgOp op : backToBack)
    chooseSummed(op, orders);
  DimFactors tile(rows);
  llvm::append_range(tile, columns);
  batch = without(tile);
  foldedBatch = findFoldedBatch();
  return checkBackToBack();
}

std::optional<unsigned> GroupPlan::findFoldedBatch() const {
  auto isStatic = [&](unsigned dimFactor) {
    return getExtent(dimFactor).isStatic();
  };
  if (mustBeFullN || columns.empty() || !llvm::all_of(columns, isStatic))
    return std::nullopt;
  std::optional<unsigned> found;
  for (linalg::LinalgOp op : contractions) {
    if (isInner(op.getDpsInputOperand(1)->get()))
      return std::nullopt;
    DimFactors lhs = *getOperandDimFactors(*op.getDpsInputOperand(0));
    OpOperand &right = *op.getDpsInputOperand(1);
    DimFactors rhs = orderInMemory(right.get(), *getOperandDims(right));
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

void GroupPlan::chooseSummed(linalg::LinalgOp contraction,
                             ArrayRef<DimFactors> orders) {
  // K is iterated in the order of the left operand.
  ReductionFactors &own = summed[contraction];
  DimFactors all =
      getDimFactors(contraction, getContractionLoops(contraction)->inner);
  DimFactors lhs = *getOperandDimFactors(*contraction.getDpsInputOperand(0));
  for (unsigned dimFactor : lhs)
    if (llvm::is_contained(all, dimFactor))
      own.outer.push_back(dimFactor);
  takeJoined(own.outer, own.steps, orders);
}

bool GroupPlan::chooseColumns(DimFactors available,
                              ArrayRef<DimFactors> orders) {
  DimFactors together;
  for (unsigned dimFactor : available)
    if (llvm::is_contained(unsplitColumns, dimFactor))
      together.push_back(dimFactor);
  unsplitColumns = together;
  takeJoined(available, columns, orders);
  FullNTile standard;
  columnUnit = 1;
  for (unsigned dimFactor : unsplitColumns)
    columnUnit *= getExtent(dimFactor).size;
  // If the default tile width is a multiple of the unsplit columns, no tile
  // cuts them; otherwise one tile must have all columns.
  bool ends = unsplitColumns.size() <= columns.size() &&
              ArrayRef(columns).take_back(unsplitColumns.size()) ==
                  ArrayRef(unsplitColumns);
  mustBeFullN = !combined.empty() || !ends || columnUnit == 0 ||
                standard.columns % columnUnit != 0;
  if (mustBeFullN) {
    // Loads handle tiles of any width, but the elements of a computed tile are
    // divided evenly among threads.
    for (linalg::LinalgOp op : contractions)
      if (isInner(op.getDpsInputOperand(1)->get()))
        return refuse(op, "its right operand has a producer, but its epilogue "
                          "needs a full-N tile");
    for (size_t i = 1; i < unsplitColumns.size(); ++i)
      if (!areJoined(orders, unsplitColumns[i - 1], unsplitColumns[i]))
        return refuse(
            contractions.front(),
            "columns that must share a tile are not contiguous in memory");
    columns = unsplitColumns;
  }
  Value operand = contractions.front().getDpsInputOperand(0)->get();
  bool isWide = getElementTypeOrSelf(operand.getType()).isF32();
  fullNTiles = findFullNTiles(
      mustBeFullN ? std::max<int64_t>(columnUnit, 1) : standard.columns,
      contractions.size(),
      /*isCrowded=*/!reads.empty() || (isWide && !combined.empty()));
  if (fullNTiles.empty())
    return refuse(contractions.front(),
                  "registers cannot hold the accumulators of " +
                      Twine(columnUnit) + " columns and " +
                      Twine(contractions.size()) + " contractions");
  for (const ElementRead &read : reads)
    if (isRowValued(
            cast<linalg::LinalgOp>(getOrigin(read.getTensor()).getOwner())))
      return refuse(read.reader,
                    "it reads a value per row at computed indices");
  return true;
}

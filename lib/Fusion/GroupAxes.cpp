//===----------------------------------------------------------------------===//
// Assignment of dim factors to rows, columns and batch.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupAxes.h"
#include "stof/Fusion/TensorView.h"

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Orders in memory
//===----------------------------------------------------------------------===//

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

/// The orders of all results, and of the inputs that are loaded in tiles: those
/// of contractions and their producers, since epilogues read little, at any
/// index.
static SmallVector<DimFactors> collectOrders(const AxisInputs &inputs) {
  SmallVector<DimFactors> orders;
  for (OpResult result : inputs.members.results)
    orders.push_back(inputs.loops.getValueDimFactors(result));
  for (linalg::LinalgOp op : inputs.members.operations) {
    bool isLoaded = inputs.roles.contractions.empty() ||
                    inputs.roles.getRole(op) == OperationRole::Contraction ||
                    inputs.prologues.contains(op);
    if (!isLoaded)
      continue;
    for (OpOperand &operand : op->getOpOperands()) {
      if (inputs.loops.isInner(operand.get()) || op.isDpsInit(&operand))
        continue;
      if (std::optional<SmallVector<DimFactors>> dims =
              inputs.loops.getOperandDims(operand))
        orders.push_back(orderInMemory(operand.get(), *dims));
    }
  }
  return orders;
}

/// The domain in the order of the first result or input that has all of it.
static DimFactors orderDomain(ArrayRef<unsigned> domain,
                              ArrayRef<DimFactors> orders) {
  for (const DimFactors &candidate : orders)
    if (candidate.size() == domain.size() &&
        llvm::all_of(candidate, [&](unsigned dimFactor) {
          return llvm::is_contained(domain, dimFactor);
        }))
      return candidate;
  return DimFactors(domain);
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

/// Removes the longest joined sequence at the end of `from`.
static DimFactors takeJoined(DimFactors &from, ArrayRef<DimFactors> orders) {
  DimFactors sequence;
  while (!from.empty() &&
         (sequence.empty() || areJoined(orders, from.back(), sequence.front())))
    sequence.insert(sequence.begin(), from.pop_back_val());
  return sequence;
}

/// The dim factors of `order` that are among `wanted`.
static DimFactors select(ArrayRef<unsigned> order, ArrayRef<unsigned> wanted) {
  return DimFactors(llvm::make_filter_range(order, [&](unsigned dimFactor) {
    return llvm::is_contained(wanted, dimFactor);
  }));
}

static DimFactors exclude(ArrayRef<unsigned> order, ArrayRef<unsigned> taken) {
  return DimFactors(llvm::make_filter_range(order, [&](unsigned dimFactor) {
    return !llvm::is_contained(taken, dimFactor);
  }));
}

//===----------------------------------------------------------------------===//
// Elementwise operations and rows
//===----------------------------------------------------------------------===//

static GroupAxes chooseElementwise(ArrayRef<unsigned> order,
                                   ArrayRef<DimFactors> orders) {
  GroupAxes axes;
  axes.batch = DimFactors(order);
  axes.column.columns = takeJoined(axes.batch, orders);
  axes.rows = takeJoined(axes.batch, orders);
  return axes;
}

/// Whether a tensor of these dim factors has all of `columns` in order, or not
/// the first one.
static bool storesRows(ArrayRef<unsigned> dimFactors,
                       ArrayRef<unsigned> columns) {
  if (columns.empty())
    return true;
  const unsigned *first = llvm::find(dimFactors, columns.front());
  return first == dimFactors.end() ||
         ArrayRef(first, dimFactors.end()).take_front(columns.size()) ==
             columns;
}

static PlanResult<GroupAxes> chooseRows(const AxisInputs &inputs,
                                        ArrayRef<unsigned> order,
                                        ArrayRef<DimFactors> orders) {
  GroupAxes axes;
  axes.column.columns = select(order, inputs.domain.reduced);
  for (OpResult result : inputs.members.results)
    if (!storesRows(inputs.loops.getValueDimFactors(result),
                    axes.column.columns))
      return Refusal(result.getOwner(),
                     "its result does not store rows contiguously");
  axes.batch = exclude(order, axes.column.columns);
  axes.rows = takeJoined(axes.batch, orders);
  return axes;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// The reason why no tile can have all of `unsplit`.
static std::optional<Refusal> refuseFullN(const AxisInputs &inputs,
                                          ArrayRef<unsigned> unsplit,
                                          ArrayRef<DimFactors> orders) {
  // Loads handle tiles of any width, but the elements of a computed tile are
  // divided evenly among threads.
  for (linalg::LinalgOp op : inputs.roles.contractions)
    if (inputs.loops.isInner(op.getDpsInputOperand(1)->get()))
      return Refusal(op, "its right operand has a producer, but its epilogue "
                         "needs a full-N tile");
  for (size_t i = 1; i < unsplit.size(); ++i)
    if (!areJoined(orders, unsplit[i - 1], unsplit[i]))
      return Refusal(
          inputs.roles.contractions.front(),
          "columns that must share a tile are not contiguous in memory");
  return std::nullopt;
}

/// The tiles that hold the accumulators of `column`.
static SmallVector<FullNTile, 2> findTiles(const AxisInputs &inputs,
                                           const ColumnAxis &column) {
  linalg::LinalgOp first = inputs.roles.contractions.front();
  Value operand = first.getDpsInputOperand(0)->get();
  bool isWide = getElementTypeOrSelf(operand.getType()).isF32();
  return findFullNTiles(column.needsFullN ? std::max<int64_t>(column.unit, 1)
                                          : FullNTile().columns,
                        inputs.roles.contractions.size(),
                        /*isCrowded=*/!inputs.loops.getElementReads().empty() ||
                            (isWide && !inputs.domain.reduced.empty()));
}

/// The columns among `available`, the dim factors of N.
static PlanResult<ColumnAxis> chooseColumns(const AxisInputs &inputs,
                                            DimFactors available,
                                            ArrayRef<DimFactors> orders) {
  ColumnAxis column;
  column.unsplit = select(available, inputs.unsplitColumns);
  column.columns = takeJoined(available, orders);
  assert(inputs.loops.areStatic(column.unsplit) &&
         "columns that a tile must not split are static");
  for (unsigned dimFactor : column.unsplit)
    column.unit *= inputs.loops.getExtent(dimFactor).size;
  // If the default tile width is a multiple of the unsplit columns, no tile
  // cuts them; otherwise one tile must have all columns.
  bool areLast = ArrayRef(column.columns).take_back(column.unsplit.size()) ==
                 ArrayRef(column.unsplit);
  column.needsFullN = !inputs.domain.reduced.empty() || !areLast ||
                      column.unit == 0 ||
                      FullNTile().columns % column.unit != 0;
  if (column.needsFullN) {
    if (std::optional<Refusal> refusal =
            refuseFullN(inputs, column.unsplit, orders))
      return *refusal;
    column.columns = column.unsplit;
  }
  column.fullNTiles = findTiles(inputs, column);
  linalg::LinalgOp first = inputs.roles.contractions.front();
  if (column.fullNTiles.empty())
    return Refusal(first, "registers cannot hold the accumulators of " +
                              Twine(column.unit) + " columns and " +
                              Twine(inputs.roles.contractions.size()) +
                              " contractions");
  for (const ElementRead &read : inputs.loops.getElementReads())
    if (auto source =
            cast<linalg::LinalgOp>(getOrigin(read.getTensor()).getOwner());
        isRowValued(source, column.columns, inputs.loops, inputs.roles))
      return Refusal(read.reader,
                     "it reads a value per row at computed indices");
  return column;
}

/// K of `contraction`, in the order of the left operand.
static ReductionFactors chooseReduction(const GroupLoops &loops,
                                        linalg::LinalgOp contraction,
                                        ArrayRef<DimFactors> orders) {
  DimFactors lhs =
      *loops.getOperandDimFactors(*contraction.getDpsInputOperand(0));
  ReductionFactors reduction;
  reduction.outer = select(
      lhs, loops.getDimFactors(contraction,
                               getContractionLoops(contraction)->reduction));
  reduction.steps = takeJoined(reduction.outer, orders);
  return reduction;
}

/// The batch dim factor of GroupAxes::foldedBatch.
static std::optional<unsigned> findFoldedBatch(const AxisInputs &inputs,
                                               const GroupAxes &axes) {
  const GroupLoops &loops = inputs.loops;
  ArrayRef<unsigned> columns = axes.column.columns;
  if (axes.column.needsFullN || columns.empty() || !loops.areStatic(columns))
    return std::nullopt;
  std::optional<unsigned> found;
  for (linalg::LinalgOp op : inputs.roles.contractions) {
    OpOperand &left = *op.getDpsInputOperand(0);
    OpOperand &right = *op.getDpsInputOperand(1);
    if (loops.isInner(right.get()))
      return std::nullopt;
    DimFactors lhs = *loops.getOperandDimFactors(left);
    DimFactors rhs = orderInMemory(right.get(), *loops.getOperandDims(right));
    const unsigned *first = llvm::find(rhs, columns.front());
    if (first == rhs.begin())
      return std::nullopt;
    unsigned before = first[-1];
    if (!llvm::is_contained(axes.batch, before) || !loops.areStatic(before) ||
        llvm::is_contained(lhs, before) || (found && *found != before))
      return std::nullopt;
    found = before;
  }
  return found;
}

/// Tiles of back-to-back contractions are tiles of the operands that they
/// compute.
static std::optional<Refusal> refuseBackToBack(const AxisInputs &inputs,
                                               const GroupAxes &axes) {
  for (linalg::LinalgOp contraction : inputs.roles.contractions)
    for (OpOperand *operand : contraction.getDpsInputOperands())
      for (linalg::LinalgOp op :
           inputs.prologues.get(operand->get(), inputs.loops)) {
        bool isLeft = operand->getOperandNumber() == 0;
        ArrayRef<unsigned> outer = isLeft ? axes.rows : axes.column.columns;
        linalg::LinalgOp first = inputs.roles.contractions.front();
        if (inputs.roles.isBackToBack(op) &&
            !findLeftOperand(inputs.loops, op, outer,
                             axes.reductions.at(first).steps))
          return Refusal(
              contraction,
              "tiles of its operand do not map to rows and columns of " +
                  describeOperation(op));
      }
  return std::nullopt;
}

static PlanResult<GroupAxes> chooseContraction(const AxisInputs &inputs,
                                               ArrayRef<unsigned> order,
                                               ArrayRef<DimFactors> orders) {
  const GroupLoops &loops = inputs.loops;
  linalg::LinalgOp first = inputs.roles.contractions.front();
  ContractionLoops loopsOf = *getContractionLoops(first);
  auto selectLoops = [&](ArrayRef<unsigned> which) {
    return select(order, loops.getDimFactors(first, which));
  };
  GroupAxes axes;
  DimFactors outerRows = selectLoops(loopsOf.rows);
  axes.rows = takeJoined(outerRows, orders);
  PlanResult<ColumnAxis> column =
      chooseColumns(inputs, selectLoops(loopsOf.columns), orders);
  if (!column)
    return column.getRefusal();
  axes.column = *column;
  axes.reductions[first] = chooseReduction(loops, first, orders);
  for (linalg::LinalgOp op : inputs.roles.backToBack)
    axes.reductions[op] = chooseReduction(loops, op, orders);
  axes.batch = exclude(exclude(order, axes.rows), axes.column.columns);
  axes.foldedBatch = findFoldedBatch(inputs, axes);
  if (std::optional<Refusal> refusal = refuseBackToBack(inputs, axes))
    return *refusal;
  return axes;
}

std::optional<unsigned> stof::findLeftOperand(const GroupLoops &loops,
                                              linalg::LinalgOp contraction,
                                              ArrayRef<unsigned> rows,
                                              ArrayRef<unsigned> columns) {
  ContractionLoops own = *getContractionLoops(contraction);
  auto isAmong = [&](ArrayRef<unsigned> axis, ArrayRef<unsigned> which) {
    DimFactors all = loops.getDimFactors(contraction, which);
    return select(axis, all).size() == axis.size();
  };
  if (isAmong(rows, own.rows) && isAmong(columns, own.columns))
    return 0;
  if (isAmong(rows, own.columns) && isAmong(columns, own.rows))
    return 1;
  return std::nullopt;
}

PlanResult<GroupAxes> stof::chooseAxes(const AxisInputs &inputs) {
  SmallVector<DimFactors> orders = collectOrders(inputs);
  DimFactors order = orderDomain(inputs.domain.all, orders);
  if (inputs.roles.kind == GroupTemplate::Contraction)
    return chooseContraction(inputs, order, orders);
  if (inputs.roles.kind == GroupTemplate::Rows)
    return chooseRows(inputs, order, orders);
  return chooseElementwise(order, orders);
}

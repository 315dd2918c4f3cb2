//===----------------------------------------------------------------------===//
// The operations of a group evaluated one after another on tiles.
//===----------------------------------------------------------------------===//

#include "FragmentProgram.h"
#include "../Scalar/ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof;

/// Whether tiles of `size` end where `digits` do.
static bool dividesExactly(const GroupPlan &plan, ArrayRef<unsigned> digits,
                           int64_t size) {
  int64_t count = 1;
  for (unsigned digit : digits) {
    if (!plan.getExtent(digit).isStatic())
      return false;
    count *= plan.getExtent(digit).size;
  }
  return count > 0 && count % size == 0;
}

FragmentScope FragmentScope::ofResults(const GroupPlan &plan) {
  FragmentScope scope{Digits(plan.getRows()),
                      Digits(plan.getColumns()),
                      {},
                      SmallVector<OpResult>(plan.getResults()),
                      !plan.getProducts().empty()};
  llvm::copy_if(plan.getOperations(), std::back_inserter(scope.operations),
                [&](linalg::LinalgOp op) { return !plan.isInPrologue(op); });
  return scope;
}

FragmentProgram::FragmentProgram(GroupContext &context, const GroupTile &tile,
                                 FragmentScope scope)
    : context(context), plan(context.getPlan()), scope(std::move(scope)),
      tile(tile), loc(context.kernel().loc()),
      rowsExist(dividesExactly(plan, this->scope.rows, tile.rows)),
      columnsExist(dividesExactly(plan, this->scope.columns, tile.columns)) {
  findExactOperations();
  // Arguments and views are made before the first operation on tiles.
  numRows = context.getSize(this->scope.rows);
  numColumns = context.getSize(this->scope.columns);
  for (linalg::LinalgOp op : this->scope.operations) {
    for (unsigned digit : plan.getIterationDigits(op))
      sizes[digit] = context.getSize(digit);
    context.bindCaptured(op->getRegion(0), scalars);
    for (OpOperand &operand : op->getOpOperands())
      bind(op, operand);
  }
  Digits axes[] = {this->scope.rows, this->scope.columns};
  for (OpResult result : this->scope.results)
    views.try_emplace(result, *context.viewTile(context.getResultBuffer(result),
                                                plan.getResultDigits(result),
                                                axes, hasUnitColumns()));
}

void FragmentProgram::bind(linalg::LinalgOp op, OpOperand &operand) {
  Value value = operand.get();
  bool isRead = plan.getRole(op) == GroupPlan::Role::Product
                    ? op.isDpsInit(&operand)
                    : op.payloadUsesValueFromOperand(&operand);
  if (!isRead || plan.isInner(value))
    return;
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    context.lookup(fill.value());
    return;
  }
  // Beyond the end a tile is zero, by which integers may not be divided.
  auto type = dyn_cast<ShapedType>(value.getType());
  Digits axes[] = {scope.rows, scope.columns};
  if (type && isa<FloatType>(type.getElementType()) &&
      !needsElements.contains(op))
    if (std::optional<TileView> view =
            context.viewOperand(operand, axes, hasUnitColumns());
        view && (view->dims[rowAxis] || view->dims[columnAxis])) {
      loaded[&operand] = *view;
      return;
    }
  context.lookup(value);
}

/// Whether `op` reads tensors that its group does not compute, or finds out
/// from elements where to read.
static bool readsElsewhere(const GroupPlan &plan, linalg::LinalgOp op) {
  llvm::SmallPtrSet<Operation *, 4> known;
  for (const ElementRead &read : plan.getElementReads())
    if (!read.isFound)
      known.insert(read.extract);
  WalkResult walk = op->getRegion(0).walk([&](Operation *inner) {
    bool reads =
        !isa<tensor::DimOp>(inner) && !known.contains(inner) &&
        llvm::any_of(inner->getOperandTypes(), llvm::IsaPred<TensorType>);
    return reads ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// Whether `op` divides integers by what may be 0, or -1, or checks numbers:
/// neither must be done for points that do not exist.
static bool mayFail(linalg::LinalgOp op) {
  WalkResult walk = op->getRegion(0).walk([](Operation *inner) {
    if (isa<CheckOp>(inner))
      return WalkResult::interrupt();
    if (!isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
             arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
             arith::RemUIOp>(inner))
      return WalkResult::advance();
    APInt divisor;
    bool isSafe = matchPattern(inner->getOperand(1), m_ConstantInt(&divisor)) &&
                  !divisor.isZero() && !divisor.isAllOnes();
    return isSafe ? WalkResult::advance() : WalkResult::interrupt();
  });
  return walk.wasInterrupted();
}

void FragmentProgram::findExactOperations() {
  for (linalg::LinalgOp op : llvm::reverse(scope.operations)) {
    bool isExact = readsElsewhere(plan, op) || mayFail(op);
    if (!isExact && !needsElements.contains(op))
      continue;
    // Sums of products do not exist for points that do not.
    if (isExact && scope.hasProducts && !(rowsExist && columnsExist))
      guarded.insert(op);
    needsElements.insert(op);
    for (OpOperand &operand : op->getOpOperands())
      if (plan.isInner(operand.get()))
        needsElements.insert(plan.getOrigin(operand.get()).getOwner());
  }
}

void FragmentProgram::moveTo(Value firstColumn) {
  tile.firstColumn = firstColumn;
  fragments.clear();
  tiles.clear();
}

void FragmentProgram::moveTo(const GroupTile &other) {
  tile = other;
  fragments.clear();
  tiles.clear();
  rowFragments.clear();
  rowTiles.clear();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

SmallVector<Value> FragmentProgram::getIndices(OpBuilder &builder,
                                               const TileView &view) const {
  SmallVector<Value> indices;
  for (auto [dim, digit] : llvm::enumerate(view.digits)) {
    bool isRow = view.dims[rowAxis] == static_cast<int64_t>(dim);
    indices.push_back(digit   ? tile.batch.lookup(*digit)
                      : isRow ? tile.firstRow
                              : tile.firstColumn);
  }
  return indices;
}

DenseI64ArrayAttr FragmentProgram::getAlong(OpBuilder &builder,
                                            const TileView &view) const {
  SmallVector<int64_t> along;
  for (std::optional<int64_t> dim : view.dims)
    if (dim)
      along.push_back(*dim);
  return builder.getDenseI64ArrayAttr(along);
}

Value FragmentProgram::load(OpBuilder &builder, const TileView &view) {
  bool hasColumns = view.dims[columnAxis].has_value();
  auto &loads = hasColumns ? tiles : rowTiles;
  for (const auto &[known, tile] : loads)
    if (known == view)
      return tile;
  Type element = cast<MemRefType>(view.memory.getType()).getElementType();
  Type type = getType(element, /*rowValued=*/!hasColumns);
  if (!view.dims[rowAxis])
    type = tile::FragmentType::get(
        builder.getContext(), {tile.columns}, element,
        tile::SliceAttr::get(builder.getContext(), rowAxis, tile.layout));
  Value loadedTile =
      tile::LoadOp::create(builder, loc, type, view.memory,
                           getIndices(builder, view), getAlong(builder, view));
  loads.emplace_back(view, loadedTile);
  return loadedTile;
}

void FragmentProgram::loadRows(OpBuilder &builder) {
  for (linalg::LinalgOp op : scope.operations)
    for (OpOperand &operand : op->getOpOperands())
      if (auto view = loaded.find(&operand);
          view != loaded.end() && !view->second.dims[columnAxis])
        load(builder, view->second);
}

void FragmentProgram::storeResults(OpBuilder &builder, bool rowValued) {
  for (OpResult result : scope.results) {
    if (isRowValued(cast<linalg::LinalgOp>(result.getOwner())) != rowValued)
      continue;
    const TileView &view = views.at(result);
    Value fragment = (rowValued ? rowFragments : fragments).lookup(result);
    tile::StoreOp::create(builder, loc, fragment, view.memory,
                          getIndices(builder, view), getAlong(builder, view));
  }
}

bool FragmentProgram::isOnlyReadAs(BlockArgument argument,
                                   const TileView &view) const {
  Value buffer = context.getHostBuffer(argument);
  return llvm::all_of(
      argument.getOwner()->getArguments(), [&](BlockArgument other) {
        return context.getHostBuffer(other) != buffer ||
               llvm::all_of(other.getUses(), [&](OpOperand &use) {
                 auto known = loaded.find(&use);
                 return known != loaded.end() &&
                        known->second.memory.getType() ==
                            view.memory.getType() &&
                        known->second.digits == view.digits &&
                        known->second.dims == view.dims;
               });
      });
}

void FragmentProgram::findInPlace() {
  size_t domain =
      plan.getBatch().size() + scope.rows.size() + scope.columns.size();
  llvm::SmallPtrSet<Value, 4> taken;
  for (OpResult result : scope.results) {
    // Else several blocks or threads store an element.
    if (plan.getResultDigits(result).size() != domain)
      continue;
    const TileView &view = views.at(result);
    for (linalg::LinalgOp op : scope.operations)
      for (OpOperand &operand : op->getOpOperands()) {
        auto read = loaded.find(&operand);
        // A slice is a view that the kernel makes of the whole.
        if (read == loaded.end() || !isa<BlockArgument>(read->second.memory) ||
            taken.contains(operand.get()) || taken.contains(result) ||
            plan.getOperandDigits(operand) != plan.getResultDigits(result) ||
            !isOnlyReadAs(cast<BlockArgument>(operand.get()), view))
          continue;
        taken.insert(operand.get());
        taken.insert(result);
        context.kernel().allowInPlace(read->second.memory, view.memory);
      }
  }
}

Type FragmentProgram::getType(Type element, bool rowValued) const {
  MLIRContext *context = element.getContext();
  if (!rowValued)
    return tile::FragmentType::get(context, {tile.rows, tile.columns}, element,
                                   tile.layout);
  return tile::FragmentType::get(
      context, {tile.rows}, element,
      tile::SliceAttr::get(context, columnAxis, tile.layout));
}

Value FragmentProgram::isBelow(OpBuilder &builder, unsigned axis,
                               Value inTile) const {
  bool isRow = axis == rowAxis;
  if (isRow ? rowsExist : columnsExist)
    return {};
  Value number = arith::AddIOp::create(
      builder, loc, isRow ? tile.firstRow : tile.firstColumn, inTile,
      arith::IntegerOverflowFlags::nsw);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, number,
                               isRow ? numRows : numColumns);
}

Value FragmentProgram::exists(OpBuilder &builder, ValueRange inTile) const {
  Value all;
  for (auto [axis, at] : llvm::enumerate(inTile))
    if (Value one = isBelow(builder, axis, at))
      all =
          all ? arith::AndIOp::create(builder, loc, all, one).getResult() : one;
  return all;
}

Value FragmentProgram::getCleared(OpBuilder &builder, OpResult value,
                                  unsigned axis) {
  Value computed = fragments.lookup(value);
  if (axis == rowAxis ? rowsExist : columnsExist)
    return computed;
  auto map = tile::MapOp::create(
      builder, loc, TypeRange(computed.getType()), computed,
      [&](OpBuilder &body, Location, ValueRange in, ValueRange elements) {
        Value element = elements.front();
        Value zero = arith::ConstantOp::create(
            body, loc, body.getZeroAttr(element.getType()));
        return SmallVector<Value>{arith::SelectOp::create(
            body, loc, isBelow(body, axis, in[axis]), element, zero)};
      });
  return map.getResult(0);
}

//===----------------------------------------------------------------------===//
// Points of a tile
//===----------------------------------------------------------------------===//

Value FragmentProgram::getNumber(OpBuilder &builder, unsigned axis,
                                 Value inTile) const {
  Value at = arith::AddIOp::create(
      builder, loc, axis == rowAxis ? tile.firstRow : tile.firstColumn, inTile,
      arith::IntegerOverflowFlags::nsw);
  if (axis == rowAxis ? rowsExist : columnsExist)
    return at;
  Value size = axis == rowAxis ? numRows : numColumns;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value last = arith::SubIOp::create(builder, loc, size, one);
  return arith::MinUIOp::create(builder, loc, at, last);
}

SmallVector<Value> FragmentProgram::getCoordinates(OpBuilder &builder,
                                                   linalg::LinalgOp op,
                                                   ValueRange inTile) const {
  ArrayRef<unsigned> axes[] = {scope.rows, scope.columns};
  llvm::SmallDenseMap<unsigned, Value> values(tile.batch);
  SmallVector<Value> numbers;
  for (auto [axis, at] : llvm::enumerate(inTile)) {
    numbers.push_back(getNumber(builder, axis, at));
    SmallVector<Value> radix = llvm::map_to_vector(
        axes[axis], [&](unsigned digit) { return sizes.lookup(digit); });
    for (auto [digit, value] :
         llvm::zip(axes[axis], delinearize(builder, loc, numbers[axis], radix)))
      values[digit] = value;
  }
  SmallVector<Value> coordinates(op.getNumLoops());
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    std::optional<Digits> digits = plan.getLoopDigits(op, loop);
    if (!digits)
      continue;
    ArrayRef<unsigned> rest(*digits);
    Value &sum = coordinates[loop];
    auto append = [&](Value value, ArrayRef<unsigned> run) {
      if (sum) {
        for (unsigned digit : run)
          sum = arith::MulIOp::create(builder, loc, sum, sizes.lookup(digit));
        value = arith::AddIOp::create(builder, loc, sum, value);
      }
      sum = value;
      rest = rest.drop_front(run.size());
    };
    while (!rest.empty()) {
      bool isWhole = false;
      for (auto [axis, number] : llvm::enumerate(numbers))
        if (!axes[axis].empty() &&
            rest.take_front(axes[axis].size()) == axes[axis]) {
          append(number, axes[axis]);
          isWhole = true;
          break;
        }
      if (!isWhole)
        append(values.lookup(rest.front()), rest.take_front());
    }
    if (!sum)
      sum = arith::ConstantIndexOp::create(builder, loc, 0);
  }
  return coordinates;
}

//===----------------------------------------------------------------------===//
// Evaluates the operations of a group in program order on the tile of a CTA.
//===----------------------------------------------------------------------===//

#include "FragmentProgram.h"
#include "../Scalar/ScalarBody.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof;

/// Whether the product of the extents of `dimFactors` is a multiple of `size`.
static bool dividesExactly(const GroupPlan &plan, ArrayRef<unsigned> dimFactors,
                           int64_t size) {
  int64_t count = 1;
  for (unsigned dimFactor : dimFactors) {
    if (!plan.getExtent(dimFactor).isStatic())
      return false;
    count *= plan.getExtent(dimFactor).size;
  }
  return count > 0 && count % size == 0;
}

FragmentScope FragmentScope::ofResults(const GroupPlan &plan) {
  FragmentScope scope{DimFactors(plan.getRows()),
                      DimFactors(plan.getColumns()),
                      {},
                      SmallVector<OpResult>(plan.getResults()),
                      !plan.getContractions().empty()};
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
  // Arguments and views must dominate the first operation on tiles.
  numRows = context.getSize(this->scope.rows);
  numColumns = context.getSize(this->scope.columns);
  for (linalg::LinalgOp op : this->scope.operations) {
    for (unsigned dimFactor : plan.getIterationDimFactors(op))
      sizes[dimFactor] = context.getSize(dimFactor);
    context.bindCaptured(op->getRegion(0), scalars);
    for (OpOperand &operand : op->getOpOperands())
      bind(op, operand);
  }
  DimFactors axes[] = {this->scope.rows, this->scope.columns};
  for (OpResult result : this->scope.results)
    views.try_emplace(result,
                      *context.viewTile(context.getResultBuffer(result),
                                        plan.getResultDimFactors(result), axes,
                                        hasUnitColumns()));
}

void FragmentProgram::bind(linalg::LinalgOp op, OpOperand &operand) {
  Value value = operand.get();
  bool isRead = plan.getRole(op) == OperationRole::Contraction
                    ? op.isDpsInit(&operand)
                    : op.payloadUsesValueFromOperand(&operand);
  if (!isRead || plan.isInner(value))
    return;
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    context.lookup(fill.value());
    return;
  }
  // Tiles are zero out of bounds, which integer divisions do not tolerate.
  auto type = dyn_cast<ShapedType>(value.getType());
  DimFactors axes[] = {scope.rows, scope.columns};
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

/// Whether `op` reads tensors from outside its group, or at indices that depend
/// on elements.
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

/// Whether `op` has a check, or an integer division by a value that may be 0 or
/// -1: it must not run at out-of-bounds points.
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
    // Accumulators are undefined at out-of-bounds points.
    if (isExact && scope.hasContractions && !(rowsExist && columnsExist))
      guarded.insert(op);
    needsElements.insert(op);
    for (OpOperand &operand : op->getOpOperands())
      if (plan.isInner(operand.get()))
        needsElements.insert(getOrigin(operand.get()).getOwner());
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
  for (auto [dim, dimFactor] : llvm::enumerate(view.dimFactors)) {
    bool isRow = view.dims[rowAxis] == static_cast<int64_t>(dim);
    indices.push_back(dimFactor ? tile.batch.lookup(*dimFactor)
                      : isRow   ? tile.firstRow
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
    assert(fragment && "results are computed before they are stored");
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
                        known->second.dimFactors == view.dimFactors &&
                        known->second.dims == view.dims;
               });
      });
}

void FragmentProgram::findInPlace() {
  size_t domain =
      plan.getBatch().size() + scope.rows.size() + scope.columns.size();
  llvm::SmallPtrSet<Value, 4> taken;
  for (OpResult result : scope.results) {
    // Otherwise several CTAs or threads store the same element.
    if (plan.getResultDimFactors(result).size() != domain)
      continue;
    const TileView &view = views.at(result);
    for (linalg::LinalgOp op : scope.operations)
      for (OpOperand &operand : op->getOpOperands()) {
        auto read = loaded.find(&operand);
        // A slice is a view inside of the kernel, not an argument.
        if (read == loaded.end() || !isa<BlockArgument>(read->second.memory) ||
            taken.contains(operand.get()) || taken.contains(result) ||
            plan.getOperandDimFactors(operand) !=
                plan.getResultDimFactors(result) ||
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
    SmallVector<Value> radix =
        llvm::map_to_vector(axes[axis], [&](unsigned dimFactor) {
          return sizes.lookup(dimFactor);
        });
    for (auto [dimFactor, value] :
         llvm::zip(axes[axis], delinearize(builder, loc, numbers[axis], radix)))
      values[dimFactor] = value;
  }
  SmallVector<Value> coordinates(op.getNumLoops());
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    std::optional<DimFactors> dimFactors = plan.getLoopDimFactors(op, loop);
    if (!dimFactors)
      continue;
    ArrayRef<unsigned> rest(*dimFactors);
    Value &linear = coordinates[loop];
    auto append = [&](Value value, ArrayRef<unsigned> counted) {
      if (linear) {
        for (unsigned dimFactor : counted)
          linear = arith::MulIOp::create(builder, loc, linear,
                                         sizes.lookup(dimFactor));
        value = arith::AddIOp::create(builder, loc, linear, value);
      }
      linear = value;
      rest = rest.drop_front(counted.size());
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
    if (!linear)
      linear = arith::ConstantIndexOp::create(builder, loc, 0);
  }
  return coordinates;
}

//===----------------------------------------------------------------------===//
// Operations on the fragments of a group: one tile.map each; for a reduction a
// tile.map and a tile.reduce.
//===----------------------------------------------------------------------===//

/// The operands of an operation in a tile.map: elements of its inputs, or of
/// memory.
class FragmentProgram::Operands {
public:
  Operands(FragmentProgram &program, OpBuilder &builder, linalg::LinalgOp op,
           ArrayRef<OpOperand *> operands)
      : program(program), op(op), operands(operands) {
    for (OpOperand *operand : operands) {
      Value tile = find(builder, *operand);
      if (!tile)
        continue;
      numbers[operand] = inputs.size();
      inputs.push_back(tile);
    }
  }

  SmallVector<Value> &getInputs() { return inputs; }

  /// Whether the body or an operand needs the coordinates of a point.
  bool needCoordinates() {
    WalkResult walk = op->walk([](Operation *inner) {
      return isa<linalg::IndexOp, tensor::ExtractOp>(inner)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    return walk.wasInterrupted() ||
           llvm::any_of(operands, [&](OpOperand *operand) {
             return isRead(*operand) && !numbers.contains(operand) &&
                    isa<BlockArgument>(operand->get()) &&
                    isa<ShapedType>(operand->get().getType());
           });
  }

  bool isRead(OpOperand &operand) {
    return program.plan.getRole(op) == OperationRole::Contraction
               ? op.isDpsInit(&operand)
               : op.payloadUsesValueFromOperand(&operand);
  }

  Value get(OpBuilder &builder, OpOperand &operand, ValueRange elements,
            ValueRange coordinates) {
    if (auto number = numbers.find(&operand); number != numbers.end())
      return elements[number->second];
    if (auto fill = operand.get().getDefiningOp<linalg::FillOp>())
      return program.context.lookup(fill.value());
    Value source = program.context.lookup(operand.get());
    if (!isa<MemRefType>(source.getType()))
      return source;
    SmallVector<Value> indices;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
      indices.push_back(affine::expandAffineExpr(
          builder, program.loc, expr, coordinates, /*symbolValues=*/{}));
    return memref::LoadOp::create(builder, program.loc, source, indices);
  }

private:
  Value find(OpBuilder &builder, OpOperand &operand) {
    if (!isRead(operand))
      return {};
    if (auto view = program.loaded.find(&operand); view != program.loaded.end())
      return program.load(builder, view->second);
    if (!program.plan.isInner(operand.get()))
      return {};
    OpResult origin = getOrigin(operand.get());
    Value rows = program.rowFragments.lookup(origin);
    return rows ? rows : program.fragments.lookup(origin);
  }

  FragmentProgram &program;
  linalg::LinalgOp op;
  SmallVector<OpOperand *> operands;
  SmallVector<Value> inputs;
  llvm::SmallDenseMap<OpOperand *, unsigned> numbers;
};

static SmallVector<OpOperand *> allOperands(linalg::LinalgOp op) {
  return llvm::map_to_vector(op->getOpOperands(),
                             [](OpOperand &operand) { return &operand; });
}

SmallVector<Value> FragmentProgram::computePoint(OpBuilder &builder,
                                                 linalg::LinalgOp op,
                                                 Operands &operands,
                                                 ValueRange inTile,
                                                 ValueRange elements) {
  SmallVector<unsigned> inside;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!plan.getLoopDimFactors(op, loop))
      inside.push_back(loop);
  SmallVector<Value> coordinates;
  if (!inside.empty() || operands.needCoordinates())
    coordinates = getCoordinates(builder, op, inTile);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> atStart(coordinates);
  for (Value &coordinate : atStart)
    if (!coordinate)
      coordinate = zero;
  SmallVector<Value> carried;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Type element = getElementTypeOrSelf(init.get().getType());
    carried.push_back(operands.isRead(init)
                          ? operands.get(builder, init, elements, atStart)
                          : arith::ConstantOp::create(
                                builder, loc, builder.getZeroAttr(element)));
  }
  auto compute = [&](OpBuilder &body, ValueRange sofar, ValueRange point) {
    SmallVector<Value> values;
    for (OpOperand *input : op.getDpsInputOperands())
      values.push_back(operands.isRead(*input)
                           ? operands.get(body, *input, elements, point)
                           : Value());
    return copyBody(body, op, values, sofar, point, inTile);
  };
  if (inside.empty())
    return compute(builder, carried, coordinates);
  SmallVector<Value> lower(inside.size(), zero), upper;
  SmallVector<Value> step(inside.size(),
                          arith::ConstantIndexOp::create(builder, loc, 1));
  for (unsigned loop : inside)
    upper.push_back(productOf(builder, loc,
                              llvm::map_to_vector(plan.flattenLoop(op, loop),
                                                  [&](unsigned dimFactor) {
                                                    return sizes.lookup(
                                                        dimFactor);
                                                  })));
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, lower, upper, step, carried,
      [&](OpBuilder &inner, Location, ValueRange at, ValueRange sofar) {
        SmallVector<Value> point(coordinates);
        for (auto [loop, value] : llvm::zip(inside, at))
          point[loop] = value;
        SmallVector<Value> updated = compute(inner, sofar, point);
        return scf::ValueVector(updated.begin(), updated.end());
      });
  return SmallVector<Value>(nest.results);
}

void FragmentProgram::evaluate(OpBuilder &builder, linalg::LinalgOp op) {
  shareElements(builder, op);
  Operands operands(*this, builder, op, allOperands(op));
  bool rowValued = isRowValued(op);
  SmallVector<Type> types;
  for (Value init : op.getDpsInits())
    types.push_back(
        getType(cast<ShapedType>(init.getType()).getElementType(), rowValued));
  auto map = tile::MapOp::create(
      builder, loc, types, operands.getInputs(),
      [&](OpBuilder &body, Location, ValueRange in, ValueRange elements) {
        Value here = guarded.contains(op) ? exists(body, in) : Value();
        if (!here)
          return computePoint(body, op, operands, in, elements);
        auto branch = scf::IfOp::create(
            body, loc, here,
            [&](OpBuilder &inner, Location) {
              scf::YieldOp::create(
                  inner, loc, computePoint(inner, op, operands, in, elements));
            },
            [&](OpBuilder &inner, Location) {
              SmallVector<Value> zeros;
              for (Value init : op.getDpsInits())
                zeros.push_back(arith::ConstantOp::create(
                    inner, loc,
                    inner.getZeroAttr(getElementTypeOrSelf(init.getType()))));
              scf::YieldOp::create(inner, loc, zeros);
            });
        return SmallVector<Value>(branch.getResults());
      });
  for (auto [result, fragment] : llvm::zip(op->getResults(), map.getResults()))
    (rowValued ? rowFragments : fragments)[result] = fragment;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Clones the combiner with other operands.
static Value combine(OpBuilder &builder, Operation *combiner, Value lhs,
                     Value rhs) {
  Operation *copy = builder.clone(*combiner);
  copy->setOperands({lhs, rhs});
  return copy->getResult(0);
}

Value FragmentProgram::beginReduction(OpBuilder &builder, linalg::LinalgOp op) {
  Operation *combiner = getCombiner(op);
  assert(combiner && "expects a row reduction");
  Value neutral = arith::ConstantOp::create(
      builder, loc, *arith::getNeutralElement(combiner));
  return tile::SplatOp::create(
      builder, loc, getType(neutral.getType(), /*rowValued=*/false), neutral);
}

Value FragmentProgram::accumulate(OpBuilder &builder, linalg::LinalgOp op,
                                  Value partial) {
  // finishReduction combines the initial value once per row.
  shareElements(builder, op);
  Operands operands(*this, builder, op, op.getDpsInputOperands());
  SmallVector<Value> inputs(operands.getInputs());
  inputs.push_back(partial);
  auto map = tile::MapOp::create(
      builder, loc, TypeRange(partial.getType()), inputs,
      [&](OpBuilder &body, Location, ValueRange in, ValueRange elements) {
        SmallVector<Value> coordinates;
        if (operands.needCoordinates())
          coordinates = getCoordinates(body, op, in);
        SmallVector<Value> values;
        for (OpOperand *input : op.getDpsInputOperands())
          values.push_back(
              operands.isRead(*input)
                  ? operands.get(body, *input, elements, coordinates)
                  : Value());
        Value updated =
            copyBody(body, op, values, elements.back(), coordinates, in)
                .front();
        Value exists = isBelow(body, columnAxis, in[columnAxis]);
        if (!exists)
          return SmallVector<Value>{updated};
        return SmallVector<Value>{arith::SelectOp::create(
            body, loc, exists, updated, elements.back())};
      });
  return map.getResult(0);
}

void FragmentProgram::finishReduction(OpBuilder &builder, linalg::LinalgOp op,
                                      Value partial) {
  Operation *combiner = getCombiner(op);
  Value row = tile::ReduceOp::create(
      builder, loc, partial, columnAxis,
      [&](OpBuilder &body, Location, Value lhs, Value rhs) {
        return combine(body, combiner, lhs, rhs);
      });
  OpOperand &init = *op.getDpsInitOperand(0);
  Operands operands(*this, builder, op, &init);
  SmallVector<Value> inputs(operands.getInputs());
  inputs.push_back(row);
  auto map = tile::MapOp::create(
      builder, loc, TypeRange(row.getType()), inputs,
      [&](OpBuilder &body, Location, ValueRange in, ValueRange elements) {
        SmallVector<Value> coordinates;
        if (operands.needCoordinates())
          coordinates = getCoordinates(body, op, in);
        Value initial = operands.get(body, init, elements, coordinates);
        return SmallVector<Value>{
            combine(body, combiner, initial, elements.back())};
      });
  rowFragments[op->getResult(0)] = map.getResult(0);
}

void FragmentProgram::reduce(OpBuilder &builder, linalg::LinalgOp op) {
  Value start = beginReduction(builder, op);
  finishReduction(builder, op, accumulate(builder, op, start));
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

void FragmentProgram::finishContraction(OpBuilder &builder, linalg::LinalgOp op,
                                        Value accumulator) {
  OpOperand &init = *op.getDpsInitOperand(0);
  auto fill = init.get().getDefiningOp<linalg::FillOp>();
  bool startsAtZero = fill && matchPattern(fill.value(), m_AnyZeroFloat());
  Type element = getElementTypeOrSelf(init.get().getType());
  if (startsAtZero && element.isF32()) {
    fragments[op->getResult(0)] = accumulator;
    return;
  }
  Operands operands(*this, builder, op, &init);
  SmallVector<Value> inputs(operands.getInputs());
  inputs.push_back(accumulator);
  auto map = tile::MapOp::create(
      builder, loc, TypeRange(getType(element, /*rowValued=*/false)), inputs,
      [&](OpBuilder &body, Location, ValueRange in, ValueRange elements) {
        Value value = elements.back();
        if (!startsAtZero) {
          SmallVector<Value> coordinates;
          if (operands.needCoordinates())
            coordinates = getCoordinates(body, op, in);
          Value before = operands.get(body, init, elements, coordinates);
          if (!element.isF32())
            before =
                arith::ExtFOp::create(body, loc, body.getF32Type(), before);
          value = arith::AddFOp::create(body, loc, value, before);
        }
        if (!element.isF32())
          value = arith::TruncFOp::create(body, loc, element, value);
        return SmallVector<Value>{value};
      });
  fragments[op->getResult(0)] = map.getResult(0);
}

//===----------------------------------------------------------------------===//
// Reads of a fragment at other columns. The fragment is converted to a shared
// tile with all unsplit columns.
//===----------------------------------------------------------------------===//

void FragmentProgram::shareElements(OpBuilder &builder, linalg::LinalgOp op) {
  for (const ElementRead &read : plan.getElementReads()) {
    if (read.reader != op)
      continue;
    OpResult origin = getOrigin(read.getTensor());
    Value &tile = shared[origin];
    if (tile)
      continue;
    Value fragment = fragments.lookup(origin);
    auto type = cast<tile::FragmentType>(fragment.getType());
    tile = tile::ConvertOp::create(builder, loc,
                                   tile::SharedType::get(builder.getContext(),
                                                         type.getShape(),
                                                         type.getElementType()),
                                   fragment);
  }
}

Value FragmentProgram::readElement(OpBuilder &builder, const ElementRead &read,
                                   ValueRange indices,
                                   ValueRange inTile) const {
  auto sizesOf = [&](ArrayRef<unsigned> dimFactors) {
    return llvm::map_to_vector(dimFactors, [&](unsigned dimFactor) {
      return sizes.lookup(dimFactor);
    });
  };
  Value column = getNumber(builder, columnAxis, inTile[columnAxis]);
  Value all = productOf(builder, loc, sizesOf(plan.getUnsplitColumns()));
  Value own = arith::RemUIOp::create(builder, loc, column, all);
  llvm::SmallDenseMap<unsigned, Value> values;
  for (auto [dimFactor, value] : llvm::zip(
           plan.getUnsplitColumns(),
           delinearize(builder, loc, own, sizesOf(plan.getUnsplitColumns()))))
    values[dimFactor] = value;
  for (unsigned dim : read.moved) {
    DimFactors dimFactors = plan.getReadDimFactors(read, dim);
    Value index = indices[dim];
    if (read.isFound) {
      // Out-of-bounds rows may compute any index.
      Value size = productOf(builder, loc, sizesOf(dimFactors));
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      Value last = arith::SubIOp::create(builder, loc, size, one);
      index = arith::MinUIOp::create(builder, loc, index, last);
    }
    for (auto [dimFactor, value] : llvm::zip(
             dimFactors, delinearize(builder, loc, index, sizesOf(dimFactors))))
      values[dimFactor] = value;
  }
  // The first of the unsplit columns, relative to the tile.
  Value at = arith::SubIOp::create(builder, loc, column, own);
  at = arith::SubIOp::create(builder, loc, at, tile.firstColumn);
  Value moved = arith::ConstantIndexOp::create(builder, loc, 0);
  for (unsigned dimFactor : plan.getUnsplitColumns()) {
    moved = arith::MulIOp::create(builder, loc, moved, sizes.lookup(dimFactor));
    moved =
        arith::AddIOp::create(builder, loc, moved, values.lookup(dimFactor));
  }
  at = arith::AddIOp::create(builder, loc, at, moved);
  OpResult origin = getOrigin(read.getTensor());
  return tile::ExtractOp::create(builder, loc, shared.lookup(origin),
                                 inTile[rowAxis], at);
}

SmallVector<Value>
FragmentProgram::copyBody(OpBuilder &builder, linalg::LinalgOp op,
                          ValueRange inputs, ValueRange carried,
                          ValueRange coordinates, ValueRange inTile) const {
  IRMapping values = scalars;
  for (auto [operand, value] : llvm::zip(op.getDpsInputOperands(), inputs))
    if (value)
      values.map(op.getMatchingBlockArgument(operand), value);
  values.map(op.getRegionOutputArgs(), carried);
  return copyScalarBody(
      builder, *op.getBlock(), values, coordinates,
      [&](OpBuilder &inner, tensor::ExtractOp extract, ValueRange indices) {
        const ElementRead *read =
            llvm::find_if(plan.getElementReads(), [&](const ElementRead &one) {
              return one.extract == extract;
            });
        assert(read != plan.getElementReads().end() &&
               "the plan has all reads of values of the group");
        return readElement(inner, *read, indices, inTile);
      });
}

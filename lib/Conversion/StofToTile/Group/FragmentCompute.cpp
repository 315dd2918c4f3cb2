//===----------------------------------------------------------------------===//
// Operations on the fragments of a group: each is one map, a reduction a map
// and a reduction of what it leaves.
//===----------------------------------------------------------------------===//

#include "../Scalar/ScalarBody.h"
#include "FragmentProgram.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof;

/// The operands of an operation inside a map: elements of the map's inputs, or
/// of memory.
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

  /// Whether the coordinates of a point have to be known.
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
    return program.plan.getRole(op) == GroupPlan::Role::Product
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
    OpResult origin = program.plan.getOrigin(operand.get());
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
    if (!plan.getLoopDigits(op, loop))
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
    upper.push_back(productOf(
        builder, loc,
        llvm::map_to_vector(plan.flattenLoop(op, loop), [&](unsigned digit) {
          return sizes.lookup(digit);
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

/// Copies the combiner onto other operands.
static Value combine(OpBuilder &builder, Operation *combiner, Value lhs,
                     Value rhs) {
  Operation *copy = builder.clone(*combiner);
  copy->setOperands({lhs, rhs});
  return copy->getResult(0);
}

Value FragmentProgram::beginReduction(OpBuilder &builder, linalg::LinalgOp op) {
  Operation *combiner = getCombiner(op);
  Value neutral = arith::ConstantOp::create(
      builder, loc, *arith::getNeutralElement(combiner));
  return tile::SplatOp::create(
      builder, loc, getType(neutral.getType(), /*rowValued=*/false), neutral);
}

Value FragmentProgram::accumulate(OpBuilder &builder, linalg::LinalgOp op,
                                  Value partial) {
  // The initial value is combined with the row.
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
// Products
//===----------------------------------------------------------------------===//

void FragmentProgram::finishProduct(OpBuilder &builder, linalg::LinalgOp op,
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

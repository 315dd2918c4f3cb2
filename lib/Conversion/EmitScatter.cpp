//===----------------------------------------------------------------------===//
// Code generation for one update of a scatter.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/EmitScatter.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace stof;

/// Loads the indices of the update at `coordinates`.
static SmallVector<Value> loadIndices(OpBuilder &builder, Location loc,
                                      ScatterOp op,
                                      const ScatterBuffers &buffers,
                                      ValueRange coordinates) {
  SmallVector<Value> numbers;
  for (auto [number, index] : llvm::enumerate(buffers.indices)) {
    SmallVector<Value> at;
    for (AffineExpr expr : op.getIndexingMap(number).getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        at.push_back(coordinates[dim.getPosition()]);
      else
        at.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
    }
    Value loaded = memref::LoadOp::create(builder, loc, index, at);
    if (!loaded.getType().isIndex())
      loaded = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                          loaded);
    numbers.push_back(loaded);
  }
  return numbers;
}

static Value getSize(OpBuilder &builder, Location loc, Value buffer,
                     unsigned dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.isDynamicDim(dim))
    return memref::DimOp::create(builder, loc, buffer, dim);
  return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
}

/// Adds the size of `buffer` to negative coordinates of `destination`.
static SmallVector<Value> wrap(OpBuilder &builder, Location loc, ScatterOp op,
                               Value buffer, ValueRange destination) {
  SmallVector<Value> wrapped(destination);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [dim, at] : llvm::enumerate(wrapped)) {
    if (isa<AffineDimExpr>(op.getPosition().getResult(dim)))
      continue;
    Value isNegative = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt, at, zero);
    Value fromEnd = arith::AddIOp::create(builder, loc, at,
                                          getSize(builder, loc, buffer, dim));
    at = arith::SelectOp::create(builder, loc, isNegative, fromEnd, at);
  }
  return wrapped;
}

/// Whether `destination` is in bounds of `buffer`; null if it always is.
static Value isInside(OpBuilder &builder, Location loc, ScatterOp op,
                      Value buffer, ValueRange destination) {
  auto type = cast<MemRefType>(buffer.getType());
  Value inside;
  for (auto [dim, at] : llvm::enumerate(destination)) {
    // A coordinate is below the size of the updates.
    auto coordinate = dyn_cast<AffineDimExpr>(op.getPosition().getResult(dim));
    if (coordinate && !type.isDynamicDim(dim)) {
      int64_t size = op.getUpdatesType().getDimSize(coordinate.getPosition());
      if (!ShapedType::isDynamic(size) && size <= type.getDimSize(dim))
        continue;
    }
    // Unsigned, a negative coordinate exceeds any size.
    Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                        at, getSize(builder, loc, buffer, dim));
    inside =
        inside ? arith::AndIOp::create(builder, loc, inside, below).getResult()
               : below;
  }
  return inside;
}

/// Combines an update with the old element, if needed, and stores it.
static void emitWrite(OpBuilder &builder, Location loc, ScatterOp op,
                      const ScatterBuffers &buffers, ValueRange coordinates,
                      ValueRange destination) {
  Block &body = op.getCombine().front();
  IRMapping mapping;
  mapping.map(body.getArgument(0),
              memref::LoadOp::create(builder, loc, buffers.updates, coordinates)
                  .getResult());
  if (op.combinesOld())
    mapping.map(
        body.getArgument(1),
        memref::LoadOp::create(builder, loc, buffers.original, destination)
            .getResult());
  for (Operation &inner : body.without_terminator())
    builder.clone(inner, mapping);
  memref::StoreOp::create(
      builder, loc,
      mapping.lookupOrDefault(body.getTerminator()->getOperand(0)),
      buffers.original, destination);
}

void stof::emitUpdate(OpBuilder &builder, Location loc, ScatterOp op,
                      const ScatterBuffers &buffers, ValueRange coordinates,
                      TakesUpdate takes) {
  SmallVector<Value> operands(coordinates);
  llvm::append_range(operands,
                     loadIndices(builder, loc, op, buffers, coordinates));
  ArrayRef<Value> all = operands;
  AffineMap position = op.getPosition();
  auto destination =
      llvm::map_to_vector(position.getResults(), [&](AffineExpr expr) -> Value {
        return affine::expandAffineExpr(builder, loc, expr,
                                        all.take_front(position.getNumDims()),
                                        all.drop_front(position.getNumDims()));
      });
  if (op.getWrapped())
    destination = wrap(builder, loc, op, buffers.original, destination);
  Value taken = isInside(builder, loc, op, buffers.original, destination);
  if (taken && op.getChecked())
    taken = CheckOp::create(
        builder, loc, arith::ConstantIntOp::create(builder, loc, 1, 1), taken,
        "an update must be inside the tensor that it is written to");
  if (takes) {
    Value more = takes(builder, loc, destination);
    taken = taken ? arith::AndIOp::create(builder, loc, taken, more).getResult()
                  : more;
  }
  if (!taken)
    return emitWrite(builder, loc, op, buffers, coordinates, destination);
  scf::IfOp::create(builder, loc, taken, [&](OpBuilder &inner, Location) {
    emitWrite(inner, loc, op, buffers, coordinates, destination);
    scf::YieldOp::create(inner, loc);
  });
}

void stof::emitLoops(OpBuilder &builder, Location loc, ValueRange sizes,
                     function_ref<void(OpBuilder &, ValueRange)> body) {
  SmallVector<Value> position;
  OpBuilder::InsertionGuard guard(builder);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (Value size : sizes) {
    auto loop = scf::ForOp::create(builder, loc, zero, size, one);
    builder.setInsertionPointToStart(loop.getBody());
    position.push_back(loop.getInductionVar());
  }
  body(builder, position);
}

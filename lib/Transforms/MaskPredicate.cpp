//===----------------------------------------------------------------------===//
// Inlining of mask predicates.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/MaskPredicate.h"

#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace stof;

SmallVector<Value> stof::inlineBody(OpBuilder &builder, Region &body,
                                    ValueRange arguments) {
  Block &block = body.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// Element `position` of a list of i32, as an index.
static Value readList(OpBuilder &builder, Location loc, Value list,
                      Value position) {
  Value element =
      isa<MemRefType>(list.getType())
          ? memref::LoadOp::create(builder, loc, list, position).getResult()
          : tensor::ExtractOp::create(builder, loc, list, position).getResult();
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    element);
}

/// Whether the list of the query's block contains the key's block.
static Value searchBlockList(OpBuilder &builder, Location loc, BlockMaskOp mask,
                             Value query, Value key) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value).getResult();
  };
  Value zero = constant(0), one = constant(1);
  Value length =
      isa<MemRefType>(mask.getColIdx().getType())
          ? memref::DimOp::create(builder, loc, mask.getColIdx(), zero)
                .getResult()
          : tensor::DimOp::create(builder, loc, mask.getColIdx(), zero)
                .getResult();
  // Clamp out-of-bounds pointers to the list.
  auto pointer = [&](Value at) -> Value {
    Value entry = readList(builder, loc, mask.getRowPtr(), at);
    entry = arith::MaxSIOp::create(builder, loc, entry, zero);
    return arith::MinSIOp::create(builder, loc, entry, length);
  };
  Value row = arith::DivUIOp::create(builder, loc, query,
                                     constant(mask.getQueryBlock()));
  Value column =
      arith::DivUIOp::create(builder, loc, key, constant(mask.getKeyBlock()));
  Value next = arith::AddIOp::create(builder, loc, row, one);
  Value first = pointer(row), last = pointer(next);
  Value absent = arith::ConstantIntOp::create(builder, loc, 0, 1);
  auto search = scf::ForOp::create(
      builder, loc, first, last, one, absent,
      [&](OpBuilder &b, Location at, Value position, ValueRange found) {
        Value listed = readList(b, at, mask.getColIdx(), position);
        Value equal = arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq,
                                            listed, column);
        Value either = arith::OrIOp::create(b, at, found.front(), equal);
        scf::YieldOp::create(b, at, either);
      });
  return search.getResult(0);
}

bool stof::hasPredicate(Value mask) {
  return isa_and_nonnull<MaskOp, BlockMaskOp>(mask.getDefiningOp());
}

Value stof::inlinePredicate(OpBuilder &builder, Location loc, Value mask,
                            ValueRange coordinates) {
  if (auto list = mask.getDefiningOp<BlockMaskOp>())
    return searchBlockList(builder, loc, list, coordinates[2], coordinates[3]);
  auto predicate = mask.getDefiningOp<MaskOp>();
  SmallVector<Value> arguments(coordinates);
  llvm::append_range(arguments, predicate.getCaptures());
  return inlineBody(builder, predicate.getPredicate(), arguments).front();
}

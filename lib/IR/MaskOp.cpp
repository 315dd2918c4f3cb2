//===----------------------------------------------------------------------===//
// stof.mask and stof.block_mask: predicates, verification and canonicalisation.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "stof/IR/MaskPredicate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

#define GET_OP_CLASSES
#include "stof/IR/StofOps.cpp.inc"

void MaskOp::build(
    OpBuilder &builder, OperationState &state, MaskType type,
    ValueRange captures,
    function_ref<Value(OpBuilder &, Location, ValueRange)> predicate) {
  state.addOperands(captures);
  state.addTypes(type);
  SmallVector<Type> types(numCoordinates, builder.getIndexType());
  llvm::append_range(types, captures.getTypes());
  SmallVector<Location> locations(types.size(), state.location);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion(), {}, types, locations);
  Value keep = predicate(builder, state.location, body->getArguments());
  YieldOp::create(builder, state.location, keep);
}

Region *MaskOp::getPredicateRegion() { return &getPredicate(); }

Value MaskOp::emitPredicate(OpBuilder &builder, Location,
                            ValueRange coordinates, ValueRange captured) {
  SmallVector<Value> arguments(coordinates);
  llvm::append_range(arguments, captured);
  return inlineBody(builder, getPredicate(), arguments).front();
}

namespace {
struct SimplifyMaskCaptures : OpRewritePattern<MaskOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaskOp op,
                                PatternRewriter &rewriter) const override {
    return simplifyCaptures(rewriter, op, op.getCapturesMutable(),
                            op.getPredicate().front(), MaskOp::numCoordinates);
  }
};
} // namespace

void MaskOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<SimplifyMaskCaptures>(context);
}

LogicalResult BlockMaskOp::verify() {
  // (B2)
  if (int64_t queries = getQueryBlock(), keys = getKeyBlock();
      queries <= 0 || keys <= 0)
    return emitOpError() << "expects a block of positive sides, but got "
                         << queries << " x " << keys;
  auto rows = cast<ShapedType>(getRowPtr().getType());
  // (B3)
  int64_t pointers = rows.getShape().back();
  if (getLengths()) {
    auto lengths = cast<ShapedType>(getLengths().getType());
    SmallVector<int64_t> blocks(rows.getShape());
    if (!ShapedType::isDynamic(pointers))
      --blocks.back();
    if (failed(verifyCompatibleShape(blocks, lengths.getShape())))
      return emitOpError() << "expects a length for each query block of "
                           << rows << ", but got " << lengths;
  }
  // (B1)
  int64_t queries = getType().getQueries();
  if (ShapedType::isDynamic(pointers) || ShapedType::isDynamic(queries))
    return success();
  int64_t expected = llvm::divideCeil(queries, getQueryBlock()) + 1;
  if (pointers != expected)
    return emitOpError() << "expects row_ptr of " << expected
                         << " elements for " << queries
                         << " queries in blocks of " << getQueryBlock()
                         << ", but got " << pointers;
  return success();
}

MaskOrigin BlockMaskOp::getOrigin() { return MaskOrigin::BlockList; }

/// Whether the list of the query's block contains the key's block.
Value BlockMaskOp::emitPredicate(OpBuilder &builder, Location loc,
                                 ValueRange coordinates, ValueRange captured) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value rowPointers = captured[0], columnIndices = captured[1];
  auto read = [](OpBuilder &b, Location at, Value list, ValueRange position) {
    Value entry = emitElement(b, at, list, position);
    return arith::IndexCastOp::create(b, at, b.getIndexType(), entry)
        .getResult();
  };
  Value row = arith::DivUIOp::create(builder, loc, coordinates[2],
                                     constant(getQueryBlock()));
  Value column = arith::DivUIOp::create(builder, loc, coordinates[3],
                                        constant(getKeyBlock()));
  Value zero = constant(0), one = constant(1);
  Value length = emitSize(builder, loc, columnIndices, 0);
  auto ofRow = [&](Value at) {
    return hasBatches() ? SmallVector<Value>{coordinates[0], at}
                        : SmallVector<Value>{at};
  };
  // Out-of-bounds pointers are clamped to the list.
  auto pointer = [&](Value at) -> Value {
    Value entry = read(builder, loc, rowPointers, ofRow(at));
    entry = arith::MaxSIOp::create(builder, loc, entry, zero);
    return arith::MinSIOp::create(builder, loc, entry, length);
  };
  Value begin = pointer(row);
  Value end = pointer(arith::AddIOp::create(builder, loc, row, one));
  Value inBlock, keys;
  if (getLengths()) {
    inBlock = arith::RemUIOp::create(builder, loc, coordinates[3],
                                     constant(getKeyBlock()));
    keys = read(builder, loc, captured[2], ofRow(row));
  }
  Value absent = arith::ConstantIntOp::create(builder, loc, 0, 1);
  auto search = scf::ForOp::create(
      builder, loc, begin, end, one, absent,
      [&](OpBuilder &b, Location at, Value position, ValueRange found) {
        Value listed = read(b, at, columnIndices, position);
        Value equal = arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq,
                                            listed, column);
        if (keys) {
          Value before = arith::SubIOp::create(b, at, position, begin);
          Value first =
              arith::MulIOp::create(b, at, before, constant(getKeyBlock()));
          Value key = arith::AddIOp::create(b, at, first, inBlock);
          Value isCounted = arith::CmpIOp::create(
              b, at, arith::CmpIPredicate::slt, key, keys);
          equal = arith::AndIOp::create(b, at, equal, isCounted);
        }
        Value either = arith::OrIOp::create(b, at, found.front(), equal);
        scf::YieldOp::create(b, at, either);
      });
  return search.getResult(0);
}

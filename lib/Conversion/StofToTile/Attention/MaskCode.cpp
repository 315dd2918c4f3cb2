//===----------------------------------------------------------------------===//
// Evaluates predicates and block lists at one position.
//===----------------------------------------------------------------------===//

#include "MaskCode.h"
#include "../Scalar/ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

/// Maximum operations of a predicate that is evaluated per element: the time to
/// assemble a kernel is quadratic in them.
static constexpr int64_t maxOperations = 2048;

LogicalResult MaskCode::verify(Operation *op, Value mask, bool isEvaluated) {
  Operation *made = mask.getDefiningOp();
  if (!isa_and_nonnull<MaskOp, BlockMaskOp>(made))
    return op->emitOpError() << "cannot be compiled: expects a mask from "
                                "stof.mask or stof.block_mask";
  auto predicate = dyn_cast<MaskOp>(made);
  if (!isEvaluated || !predicate)
    return success();
  int64_t operations =
      llvm::count_if(predicate.getPredicate().front(), [](Operation &inner) {
        return !inner.hasTrait<OpTrait::ConstantLike>();
      });
  if (operations <= maxOperations)
    return success();
  InFlightDiagnostic error =
      op->emitOpError() << "cannot be compiled: expects a mask of at most "
                        << maxOperations
                        << " operations where kernels evaluate it, but got "
                        << operations;
  error.attachNote(made->getLoc()) << "the mask";
  return error;
}

MaskCode::MaskCode(KernelBuilder &kernel, Value value,
                   const IRMapping &hostValues)
    : loc(kernel.loc()), mask(value.getDefiningOp()) {
  auto host = [&](Value outer) {
    return kernel.getArgument(hostValues.lookup(outer));
  };
  if (auto predicate = dyn_cast<MaskOp>(mask)) {
    for (auto [argument, outer] :
         llvm::zip(predicate.getPredicate().front().getArguments().drop_front(
                       MaskOp::numCoordinates),
                   predicate.getCaptures()))
      captured.map(argument, host(outer));
    return;
  }
  auto blocks = cast<BlockMaskOp>(mask);
  rowPointers = host(blocks.getRowPtr());
  columnIndices = host(blocks.getColIdx());
}

Value MaskCode::keepsBlock(OpBuilder &builder, BlockMaskOp blocks,
                           ArrayRef<PairCoordinate> coordinates) const {
  auto constantIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value row =
      arith::DivUIOp::create(builder, loc, coordinates[2].getIndex(builder),
                             constantIndex(blocks.getQueryBlock()));
  Value column =
      arith::DivUIOp::create(builder, loc, coordinates[3].getIndex(builder),
                             constantIndex(blocks.getKeyBlock()));
  Value zero = constantIndex(0), one = constantIndex(1);
  Value length = memref::DimOp::create(builder, loc, columnIndices, zero);
  // Row pointers are clamped to the list.
  auto pointer = [&](Value at) -> Value {
    Value entry = memref::LoadOp::create(builder, loc, rowPointers, at);
    Value index =
        arith::IndexCastOp::create(builder, loc, builder.getIndexType(), entry);
    index = arith::MaxSIOp::create(builder, loc, index, zero);
    return arith::MinSIOp::create(builder, loc, index, length);
  };
  Value begin = pointer(row);
  Value end = pointer(arith::AddIOp::create(builder, loc, row, one));
  Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
  auto search = scf::ForOp::create(
      builder, loc, begin, end, one, no,
      [&](OpBuilder &inner, Location, Value at, ValueRange found) {
        Value entry = memref::LoadOp::create(inner, loc, columnIndices, at);
        Value listed =
            arith::IndexCastOp::create(inner, loc, inner.getIndexType(), entry);
        Value same = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq,
                                           listed, column);
        Value either = arith::OrIOp::create(inner, loc, found[0], same);
        scf::YieldOp::create(inner, loc, either);
      });
  return search.getResult(0);
}

bool MaskCode::readsTensors() const {
  auto predicate = dyn_cast<MaskOp>(mask);
  return !predicate || stof::readsTensors(predicate.getPredicate());
}

Value MaskCode::keeps(OpBuilder &builder,
                      ArrayRef<PairCoordinate> coordinates) const {
  auto predicate = dyn_cast<MaskOp>(mask);
  if (!predicate)
    return keepsBlock(builder, cast<BlockMaskOp>(mask), coordinates);
  Block &body = predicate.getPredicate().front();
  IRMapping values = captured;
  return copyPairBody(builder, body, values,
                      body.getArguments().take_front(MaskOp::numCoordinates),
                      coordinates)
      .front();
}

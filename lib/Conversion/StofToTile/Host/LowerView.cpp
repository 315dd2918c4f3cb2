//===----------------------------------------------------------------------===//
// Lowers reshapes and slices to views of buffers.
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "KernelBuilder.h"
#include "stof/Fusion/TensorView.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;

LogicalResult FunctionLowering::lowerView(Operation &op) {
  Location loc = op.getLoc();
  if (!isa<RankedTensorType>(op.getResult(0).getType()) ||
      !isa<RankedTensorType>(op.getOperand(0).getType()))
    return op.emitOpError() << "cannot be compiled: expects ranked tensors";
  Value source = values.lookup(op.getOperand(0));
  // isReadInPlace guarantees a view for all reshapes of a slice.
  MemRefType type = *viewThrough(&op, cast<MemRefType>(source.getType()));
  auto toHost = [&](ArrayRef<OpFoldResult> sizes) {
    return llvm::map_to_vector(sizes, [&](OpFoldResult size) {
      auto value = dyn_cast<Value>(size);
      return value ? OpFoldResult(values.lookup(value)) : size;
    });
  };
  Value view =
      llvm::TypeSwitch<Operation *, Value>(&op)
          .Case([&](tensor::ExtractSliceOp slice) {
            return memref::SubViewOp::create(
                host, loc, type, source, toHost(slice.getMixedOffsets()),
                toHost(slice.getMixedSizes()), toHost(slice.getMixedStrides()));
          })
          .Case([&](tensor::CollapseShapeOp collapse) {
            return memref::CollapseShapeOp::create(
                host, loc, type, source, collapse.getReassociationIndices());
          })
          .Case([&](tensor::ExpandShapeOp expand) {
            return memref::ExpandShapeOp::create(
                host, loc, type, source, expand.getReassociationIndices(),
                toHost(expand.getMixedOutputShape()));
          })
          .Default([&](Operation *) {
            return memref::CastOp::create(host, loc, type, source);
          });
  values.map(op.getResult(0), view);
  return success();
}

LogicalResult FunctionLowering::lowerReshape(tensor::ReshapeOp reshape) {
  auto shape = reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
  auto type = dyn_cast<RankedTensorType>(reshape.getType());
  if (!shape || !type)
    return reshape.emitOpError() << "cannot be compiled: expects a shape made "
                                    "of sizes and a ranked result";
  SmallVector<OpFoldResult> sizes;
  for (auto [dim, size] : llvm::enumerate(shape.getElements())) {
    if (!type.isDynamicDim(dim)) {
      sizes.push_back(host.getIndexAttr(type.getDimSize(dim)));
      continue;
    }
    Value known = values.lookup(size);
    if (!known.getType().isIndex())
      known = arith::IndexCastOp::create(host, reshape.getLoc(),
                                         host.getIndexType(), known);
    sizes.push_back(known);
  }
  values.map(reshape.getResult(),
             reshapeBuffer(host, reshape.getLoc(),
                           values.lookup(reshape.getSource()), sizes));
  return success();
}

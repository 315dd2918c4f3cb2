//===----------------------------------------------------------------------===//
// Expansion of scatters on buffers to loops over their updates.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/EmitScatter.h"
#include "stof/Conversion/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stof {
#define GEN_PASS_DEF_SCATTERTOLOOPSPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

static void expandToLoops(ScatterOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  ScatterBuffers buffers{op.getUpdates(), llvm::to_vector(op.getIndices()),
                         op.getOriginal()};
  auto sizes = llvm::map_to_vector(
      memref::getMixedSizes(builder, loc, op.getUpdates()),
      [&](OpFoldResult size) {
        return getValueOrCreateConstantIndexOp(builder, loc, size);
      });
  emitLoops(builder, loc, sizes, [&](OpBuilder &inner, ValueRange position) {
    emitUpdate(inner, loc, op, buffers, position);
  });
  op.erase();
}

namespace {

struct ScatterToLoopsPass
    : stof::impl::ScatterToLoopsPassBase<ScatterToLoopsPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([](ScatterOp op) {
      if (op.hasPureBufferSemantics())
        expandToLoops(op);
    });
  }
};

} // namespace

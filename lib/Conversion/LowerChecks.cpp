//===----------------------------------------------------------------------===//
// Lowering of checks to conditional stores of their numbers.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stof {
#define GEN_PASS_DEF_LOWERCHECKSPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// Stores by one predicated instruction, without a branch.
static void storePredicated(ImplicitLocOpBuilder &builder, CheckOp check,
                            Value fails) {
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, builder.getIndexType(), check.getStatus());
  address = arith::IndexCastOp::create(builder, builder.getI64Type(), address);
  LLVM::InlineAsmOp::create(
      builder, TypeRange{}, ValueRange{address, check.getNumber(), fails},
      "@$2 st.global.b32 [$0], $1;", "l,r,b", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
}

static void storeInBranch(ImplicitLocOpBuilder &builder, CheckOp check,
                          Value fails) {
  scf::IfOp::create(builder, fails, [&](OpBuilder &inner, Location loc) {
    Value zero = arith::ConstantIndexOp::create(inner, loc, 0);
    memref::StoreOp::create(inner, loc, check.getNumber(), check.getStatus(),
                            zero);
    scf::YieldOp::create(inner, loc);
  });
}

static LogicalResult lower(CheckOp check) {
  if (!check.getStatus())
    return check.emitOpError(
        "expects a number and a status word to report it to, but got none");
  ImplicitLocOpBuilder builder(check.getLoc(), check);
  Value yes = arith::ConstantIntOp::create(builder, 1, 1);
  Value fails = arith::XOrIOp::create(builder, check.getHolds(), yes);
  if (check->getParentOfType<gpu::GPUFuncOp>())
    storePredicated(builder, check, fails);
  else
    storeInBranch(builder, check, fails);
  Value zero = arith::ConstantOp::create(
      builder, builder.getZeroAttr(check.getResult().getType()));
  check.replaceAllUsesWith(
      arith::SelectOp::create(builder, check.getHolds(), check.getValue(), zero)
          .getResult());
  check.erase();
  return success();
}

namespace {

struct LowerChecksPass : stof::impl::LowerChecksPassBase<LowerChecksPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<CheckOp> checks;
    getOperation()->walk([&](CheckOp check) { checks.push_back(check); });
    for (CheckOp check : checks)
      if (failed(lower(check)))
        return signalPassFailure();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Disables unrolling of loops with barriers. The assembler unrolls loops of
// known trip count regardless of register pressure; LLVM lowers the annotation
// to `.pragma "nounroll"`.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Host/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stof {
#define GEN_PASS_DEF_DISABLEUNROLLPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

struct DisableUnrollPass
    : stof::impl::DisableUnrollPassBase<DisableUnrollPass> {
  using Base::Base;
  void runOnOperation() override {
    Builder builder(&getContext());
    auto unroll = LLVM::LoopUnrollAttr::get(
        &getContext(), /*disable=*/builder.getBoolAttr(true), /*count=*/{},
        /*runtimeDisable=*/{}, /*full=*/{}, /*followupUnrolled=*/{},
        /*followupRemainder=*/{}, /*followupAll=*/{});
    auto annotation = LLVM::LoopAnnotationAttr::get(
        &getContext(), /*disableNonforced=*/{}, /*vectorize=*/{},
        /*interleave=*/{}, unroll, /*unrollAndJam=*/{}, /*licm=*/{},
        /*distribute=*/{}, /*pipeline=*/{}, /*peeled=*/{}, /*unswitch=*/{},
        /*mustProgress=*/{}, /*isVectorized=*/{}, /*startLoc=*/{},
        /*endLoc=*/{}, /*parallelAccesses=*/{});
    getOperation()->walk([&](gpu::BarrierOp barrier) {
      for (auto loop = barrier->getParentOfType<scf::ForOp>(); loop;
           loop = loop->getParentOfType<scf::ForOp>())
        loop->setAttr("llvm.loop_annotation", annotation);
    });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The pass that converts kernels on scalars and memrefs to the LLVM and NVVM
// dialects.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/Passes.h"

#include "KernelSignature.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

namespace stof {
#define GEN_PASS_DEF_KERNELTOLLVMPASS
#include "stof/Conversion/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {
/// Lowers an f32 function to a hardware approximation.
template <typename Op>
struct LowerToInstruction : ConvertOpToLLVMPattern<Op> {
  LowerToInstruction(const LLVMTypeConverter &converter, StringRef intrinsic)
      : ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/10),
        intrinsic(intrinsic) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return rewriter.notifyMatchFailure(op, "not an f32 function");
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, op.getType(), rewriter.getStringAttr(intrinsic),
        ValueRange{adaptor.getOperand()});
    return success();
  }

private:
  StringRef intrinsic;
};

/// Lowers an assertion to a predicated trap; a message would need a call into
/// the driver.
struct LowerAssert : ConvertOpToLLVMPattern<cf::AssertOp> {
  explicit LowerAssert(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/10) {}

  LogicalResult
  matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    LLVM::InlineAsmOp::create(
        rewriter, op.getLoc(), TypeRange{}, ValueRange{adaptor.getArg()},
        "@!$0 trap;", "b", /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
        ArrayAttr());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

/// Whether the NVPTX backend or the patterns above lower `op` to instructions.
static bool isSelectable(Operation *op) {
  if (isa<math::Exp2Op, math::RsqrtOp>(op))
    return op->getResult(0).getType().isF32();
  return isa<math::SqrtOp, math::AbsFOp, math::AbsIOp, math::FloorOp,
             math::CeilOp, math::TruncOp, math::RoundEvenOp, math::RoundOp,
             math::FmaOp, math::CopySignOp, math::IsNaNOp, math::IsInfOp,
             math::IsFiniteOp, math::IsNormalOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp>(op);
}

/// Rejects functions that would become library calls.
static LogicalResult checkMath(gpu::GPUModuleOp module) {
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
        isSelectable(op))
      return WalkResult::advance();
    return op->emitOpError()
           << "expects a function with GPU instructions, but got none for "
           << op->getResult(0).getType();
  });
  return failure(result.wasInterrupted());
}

/// Adds upstream's patterns for the GPU dialect only: the same function adds
/// patterns that lower math operations to libdevice calls.
static void populateGPUPatterns(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns) {
  RewritePatternSet all(patterns.getContext());
  populateGpuToNVVMConversionPatterns(converter, all);
  for (std::unique_ptr<RewritePattern> &pattern : all.getNativePatterns()) {
    std::optional<OperationName> root = pattern->getRootKind();
    if (root &&
        root->getDialectNamespace() == gpu::GPUDialect::getDialectNamespace())
      patterns.add(std::move(pattern));
  }
}

/// Whether an operation of NVVM has an intrinsic; the others become inline PTX.
static bool hasIntrinsic(Operation *op) {
  auto ptx = dyn_cast<NVVM::BasicPtxBuilderInterface>(op);
  return !ptx || ptx.hasIntrinsic();
}

/// Moves loop annotations, which upstream's patterns keep as discardable
/// attributes, to the property read by the translation to LLVM IR.
static void placeLoopAnnotations(gpu::GPUModuleOp module) {
  constexpr StringLiteral name = "llvm.loop_annotation";
  module.walk([&](LLVM::BrOp branch) {
    if (auto annotation =
            branch->getAttrOfType<LLVM::LoopAnnotationAttr>(name)) {
      branch->removeAttr(name);
      branch.setLoopAnnotationAttr(annotation);
    }
  });
}

namespace {
struct KernelToLLVMPass : stof::impl::KernelToLLVMPassBase<KernelToLLVMPass> {
  using Base::Base;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (failed(checkMath(module)))
      return signalPassFailure();

    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter converter(context, options);
    configureGpuToNVVMTypeConverter(converter);
    for (auto kernel :
         llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>()))
      if (failed(convertSignature(kernel, converter)))
        return signalPassFailure();

    RewritePatternSet patterns(context);
    patterns.add<LowerAssert>(converter);
    patterns.add<LowerToInstruction<math::Exp2Op>>(
        converter, "llvm.nvvm.ex2.approx.ftz.f");
    patterns.add<LowerToInstruction<math::RsqrtOp>>(converter,
                                                    "llvm.nvvm.rsqrt.approx.f");
    populateGPUPatterns(converter, patterns);
    populateNVVMToLLVMConversionPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);

    LLVMConversionTarget target(*context);
    target.addDynamicallyLegalDialect<NVVM::NVVMDialect>(hasIntrinsic);
    target.addLegalOp<gpu::GPUModuleOp, UnrealizedConversionCastOp>();
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    placeLoopAnnotations(module);
  }
};
} // namespace

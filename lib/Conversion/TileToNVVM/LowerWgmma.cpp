//===----------------------------------------------------------------------===//
// Lowers the operations of warpgroups to those of NVVM. The accumulators of a
// thread are the fields of a struct while they are in flight.
//
// NVVM's operations do not serve in three places, which are inline PTX:
//   - fences and waits without operands would let LLVM move an access to an
//     accumulator past them, hence they take and return the accumulators;
//   - `nvvm.wgmma.mma_async` has no lhs in registers.
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "stof/Conversion/TileToNVVM/Coordinates.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace stof::tile;

/// Descriptors count in units of 16 bytes.
static constexpr int64_t descriptorUnit = 16;
/// Registers of the lhs for one wgmma: two MMA tiles of two registers.
static constexpr int64_t registersPerStep = 4;

//===----------------------------------------------------------------------===//
// Inline PTX
//===----------------------------------------------------------------------===//

/// Emits `text`, which updates `accumulators` in place: $0, $1, ... Further
/// operands, with their `constraints`, are numbered after these have been
/// counted twice, as results and as operands.
static Value updateInPlace(OpBuilder &builder, Location loc, StringRef text,
                           ValueRange accumulators, ValueRange others = {},
                           StringRef constraints = "") {
  std::string results, ties;
  for (size_t i = 0; i < accumulators.size(); ++i) {
    results += "=f,";
    ties += std::to_string(i) + ",";
  }
  auto registers = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), llvm::to_vector(accumulators.getTypes()));
  SmallVector<Value> operands(accumulators);
  llvm::append_range(operands, others);
  return LLVM::InlineAsmOp::create(
             builder, loc, registers, operands, text,
             results + ties + constraints.str() + "~{memory}",
             /*has_side_effects=*/true, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
             ArrayAttr())
      .getRes();
}

/// The fields of `registers`.
static SmallVector<Value> unpack(OpBuilder &builder, Location loc,
                                 Value registers) {
  SmallVector<Value> fields;
  size_t count =
      cast<LLVM::LLVMStructType>(registers.getType()).getBody().size();
  for (size_t i = 0; i < count; ++i)
    fields.push_back(LLVM::ExtractValueOp::create(builder, loc, registers, i));
  return fields;
}

/// The wgmma instructions of an lhs in registers, four for each step along K,
/// and of the descriptor that follows them. The fence is for the lhs: it may be
/// computed up to here.
static std::string writeWgmma(const WarpgroupOperand &rhs, int64_t columns,
                              int64_t depth, int64_t accumulators,
                              bool fromZero) {
  std::string text, list;
  llvm::raw_string_ostream out(text);
  for (int64_t i = 0; i < accumulators; ++i)
    list += (i ? ", $" : "$") + std::to_string(i);
  int64_t lhs = 2 * accumulators;
  int64_t descriptor = lhs + depth / stepOfK * registersPerStep;
  StringRef name = rhs.type.getElementType().isF16() ? "f16" : "bf16";
  out << "{\n.reg .pred first, accumulate;\n.reg .b64 rhs;\n"
      << "setp.ne.b32 first, " << !fromZero << ", 0;\n"
      << "setp.ne.b32 accumulate, 1, 0;\n"
         "wgmma.fence.sync.aligned;\n";
  for (int64_t k = 0; k < depth; k += stepOfK, lhs += registersPerStep)
    out << "add.s64 rhs, $" << descriptor << ", "
        << rhs.getOffsetOfK(k) / descriptorUnit << ";\n"
        << "wgmma.mma_async.sync.aligned.m64n" << columns << "k16.f32." << name
        << "." << name << " {" << list << "}, {$" << lhs << ", $" << lhs + 1
        << ", $" << lhs + 2 << ", $" << lhs + 3 << "}, rhs, "
        << (k == 0 ? "first" : "accumulate") << ", 1, 1, " << !rhs.isKMajor
        << ";\n";
  out << "}";
  return text;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The lower word (i32) of the matrix descriptor of a tile at `offset` in
/// shared memory: the address and the stride of panels.
static Value describeTile(OpBuilder &builder, Location loc,
                          const WarpgroupOperand &operand, Value offset) {
  constexpr int64_t addressBits = 14, panelBits = 16;
  Value pointer = getSharedPointer(builder, loc, offset, 0);
  Value address =
      LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), pointer);
  address = divI32(builder, loc, address, descriptorUnit);
  address = remI32(builder, loc, address, int64_t{1} << addressBits);
  int64_t panel = operand.getPanelBytes() / descriptorUnit;
  return arith::OrIOp::create(builder, loc, address,
                              constantI32(builder, loc, panel << panelBits));
}

/// The matrix descriptor (i64) of the part of `operand` from `k` on, given the
/// lower word of that of the whole. The upper word has the stride of windows
/// and the swizzle mode.
static Value describePart(OpBuilder &builder, Location loc,
                          const WarpgroupOperand &operand, Value lower,
                          int64_t k) {
  constexpr uint64_t windowBits = 32, swizzle128 = 1ull << 62;
  constexpr uint64_t window = WarpgroupOperand::windowBytes / descriptorUnit;
  lower = addI32(builder, loc, lower, operand.getOffsetOfK(k) / descriptorUnit);
  Value whole =
      arith::ExtUIOp::create(builder, loc, builder.getI64Type(), lower);
  Value upper = arith::ConstantOp::create(
      builder, loc,
      builder.getI64IntegerAttr(swizzle128 | window << windowBits));
  return arith::OrIOp::create(builder, loc, whole, upper);
}

/// The lower word of the descriptor of the lhs: each warpgroup reads its own
/// rows.
static Value describeRows(OpBuilder &builder, Location loc,
                          const WarpgroupOperand &lhs, Value offset,
                          int64_t groups) {
  if (groups > 1) {
    Value warp = ThreadPosition::get(builder, loc).warp;
    Value group = divI32(builder, loc, warp, warpsPerGroup);
    offset =
        addI32(builder, loc, offset,
               mulI32(builder, loc, group, lhs.getOffsetOfOuter(rowsPerGroup)));
  }
  return describeTile(builder, loc, lhs, offset);
}

/// One wgmma of operands in shared memory.
static Value multiplyShared(OpBuilder &builder, Location loc, Value registers,
                            Value lhs, Value rhs, Type element, int64_t columns,
                            bool isLhsKMajor, bool isRhsKMajor, bool fromZero) {
  MLIRContext *context = builder.getContext();
  auto shape = NVVM::MMAShapeAttr::get(context, rowsPerGroup, columns, stepOfK);
  auto type = element.isF16() ? NVVM::WGMMATypes::f16 : NVVM::WGMMATypes::bf16;
  // Rows of the lhs and columns of the rhs are those with contiguous K.
  auto lhsLayout = isLhsKMajor ? NVVM::MMALayout::row : NVVM::MMALayout::col;
  auto rhsLayout = isRhsKMajor ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  return NVVM::WgmmaMmaAsyncOp::create(
      builder, loc, registers.getType(), registers, lhs, rhs, shape, type, type,
      NVVM::WGMMATypes::f32,
      fromZero ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
      NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one, lhsLayout, rhsLayout,
      NVVM::MMAIntOverflowAttr());
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct LowerWgmmaFence : OpConversionPattern<WgmmaFenceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WgmmaFenceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getTiles().empty())
      NVVM::FenceProxyOp::create(
          rewriter, op.getLoc(), NVVM::ProxyKind::async_shared,
          NVVM::SharedSpaceAttr::get(getContext(),
                                     NVVM::SharedSpace::shared_cta));
    rewriter.replaceOp(op, updateInPlace(rewriter, op.getLoc(),
                                         "wgmma.fence.sync.aligned;",
                                         adaptor.getAccumulator()));
    return success();
  }
};

struct LowerWgmma : OpConversionPattern<WgmmaOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WgmmaOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragmentType result = op.getResult().getType().getFragment();
    int64_t groups = result.getShape()[0] / rowsPerGroup;
    int64_t columns = result.getShape()[1];
    WarpgroupOperand rhs{op.getRhs().getType(), op.getTransposeRhs()};
    int64_t depth = rhs.type.getShape()[rhs.isKMajor ? 1 : 0];
    Type element = rhs.type.getElementType();
    Value rhsTile = describeTile(rewriter, loc, rhs, adaptor.getRhs().front());
    Value registers = adaptor.getAccumulator().front();
    if (op.getFenced())
      NVVM::WgmmaFenceAlignedOp::create(rewriter, loc);

    if (auto shared = dyn_cast<SharedType>(op.getLhs().getType())) {
      WarpgroupOperand lhs{shared, !op.getTransposeLhs()};
      Value lhsTile =
          describeRows(rewriter, loc, lhs, adaptor.getLhs().front(), groups);
      for (int64_t k = 0; k < depth; k += stepOfK) {
        Value lhsStep = describePart(rewriter, loc, lhs, lhsTile, k);
        Value rhsStep = describePart(rewriter, loc, rhs, rhsTile, k);
        registers = multiplyShared(rewriter, loc, registers, lhsStep, rhsStep,
                                   element, columns, lhs.isKMajor, rhs.isKMajor,
                                   op.getFromZero() && k == 0);
      }
    } else {
      assert(static_cast<int64_t>(adaptor.getLhs().size()) ==
                 depth / stepOfK * registersPerStep &&
             "expects the registers of the lhs in pairs");
      SmallVector<Value> operands;
      std::string constraints;
      for (Value both : adaptor.getLhs()) {
        operands.push_back(LLVM::BitcastOp::create(
            rewriter, loc, rewriter.getI32Type(), both));
        constraints += "r,";
      }
      operands.push_back(describePart(rewriter, loc, rhs, rhsTile, 0));
      registers = updateInPlace(
          rewriter, loc,
          writeWgmma(rhs, columns, depth, getNumElements(result),
                     op.getFromZero()),
          unpack(rewriter, loc, registers), operands, constraints + "l,");
    }
    rewriter.replaceOp(op, registers);
    return success();
  }
};

struct LowerWgmmaCommit : OpConversionPattern<WgmmaCommitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WgmmaCommitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVM::WgmmaGroupSyncAlignedOp::create(rewriter, op.getLoc());
    rewriter.replaceOp(op, adaptor.getAccumulator());
    return success();
  }
};

struct LowerWgmmaWaitGroups : OpConversionPattern<WgmmaWaitGroupsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WgmmaWaitGroupsOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::WgmmaWaitGroupSyncOp>(op,
                                                            op.getPending());
    return success();
  }
};

struct LowerWgmmaWait : OpConversionPattern<WgmmaWaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WgmmaWaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    std::string wait = "wgmma.wait_group.sync.aligned " +
                       std::to_string(op.getPending()) + ";";
    Value registers = updateInPlace(
        rewriter, loc, wait, unpack(rewriter, loc, adaptor.getAccumulator()));
    rewriter.replaceOpWithMultiple(op, {unpack(rewriter, loc, registers)});
    return success();
  }
};
} // namespace

void stof::tile::populateWgmmaPatterns(const DeviceTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerWgmmaFence, LowerWgmma, LowerWgmmaCommit, LowerWgmmaWait,
               LowerWgmmaWaitGroups>(converter, patterns.getContext());
}

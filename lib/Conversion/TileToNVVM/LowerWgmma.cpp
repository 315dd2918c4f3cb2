//===----------------------------------------------------------------------===//
// Lowers the operations of warpgroups to those of NVVM. While they are in
// flight, the accumulators of a thread are the fields of structs: one for each
// block of 64 rows that its warpgroup computes.
//
// NVVM's operations do not serve in three places, which are inline PTX:
//   - fences and waits without operands would let LLVM move an access to an
//     accumulator past them, hence they take and return the accumulators;
//   - `nvvm.wgmma.mma_async` has no lhs in registers;
//   - of the two words of a descriptor LLVM would make sums of 64 bits, and
//     ptxas (13.0) may leave the upper word of their constants out.
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "stof/Conversion/TileToNVVM/Coordinates.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Tile/Roles.h"
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
  // What does not depend on the tile is computed once, not in each iteration.
  Value start = getSharedPointer(builder, loc, constantI32(builder, loc, 0), 0);
  start = LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), start);
  start = divI32(builder, loc, start, descriptorUnit);
  start = remI32(builder, loc, start, int64_t{1} << addressBits);
  int64_t panel = operand.getPanelBytes() / descriptorUnit;
  start = arith::OrIOp::create(builder, loc, start,
                               constantI32(builder, loc, panel << panelBits));
  return addI32(builder, loc, start,
                divI32(builder, loc, offset, descriptorUnit));
}

/// The matrix descriptor (i64) of the part of `operand` from `k` on, and from
/// row or column `outer` on, given the lower word of that of the whole. The
/// upper word has the stride of windows and the swizzle mode.
static Value describePart(OpBuilder &builder, Location loc,
                          const WarpgroupOperand &operand, Value lower,
                          int64_t k, int64_t outer = 0) {
  constexpr int64_t window = WarpgroupOperand::windowBytes / descriptorUnit;
  constexpr int64_t swizzle128 = 1 << 30;
  int64_t offset = operand.getOffsetOfK(k) + operand.getOffsetOfOuter(outer);
  lower = addI32(builder, loc, lower, offset / descriptorUnit);
  Value upper = constantI32(builder, loc, swizzle128 | window);
  return LLVM::InlineAsmOp::create(
             builder, loc, builder.getI64Type(), ValueRange{lower, upper},
             "mov.b64 $0, {$1, $2};", "=l,r,r",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
             ArrayAttr())
      .getRes();
}

/// The lower word of the descriptor of the lhs: each warpgroup reads its own
/// rows of the result.
static Value describeRows(OpBuilder &builder, Location loc,
                          const WarpgroupOperand &lhs, Value offset,
                          FragmentType result) {
  int64_t warps = result.getLayout().getNumWarps();
  if (warps > warpsPerGroup) {
    Value group = getWarpgroup(builder, loc);
    int64_t rows = countBlocks(result) * rowsPerGroup;
    offset = addI32(builder, loc, offset,
                    mulI32(builder, loc, group, lhs.getOffsetOfOuter(rows)));
  }
  return describeTile(builder, loc, lhs, offset);
}

/// One wgmma of operands in shared memory.
static Value multiplyOnce(OpBuilder &builder, Location loc, Value registers,
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

namespace {
/// The wgmma of one operation: all steps along K, for each block of rows.
struct Multiplication {
  OpBuilder &builder;
  Location loc;
  FragmentType result;
  WarpgroupOperand rhs;
  /// The lower word of the descriptor of the rhs.
  Value rhsTile;
  bool fromZero;
  /// The accumulators of each block.
  SmallVector<Value> blocks;

  int64_t getDepth() const { return rhs.type.getShape()[rhs.isKMajor ? 1 : 0]; }
  /// Multiplies the lhs in shared memory, whose descriptor has the lower word
  /// `lhsTile`.
  void multiplyShared(const WarpgroupOperand &lhs, Value lhsTile);
  /// Multiplies the lhs in `registers`, pairs of elements.
  void multiplyRegisters(ValueRange registers);
};
} // namespace

void Multiplication::multiplyShared(const WarpgroupOperand &lhs,
                                    Value lhsTile) {
  for (int64_t k = 0; k < getDepth(); k += stepOfK) {
    Value rhsStep = describePart(builder, loc, rhs, rhsTile, k);
    for (auto [number, registers] : llvm::enumerate(blocks))
      registers = multiplyOnce(
          builder, loc, registers,
          describePart(builder, loc, lhs, lhsTile, k, number * rowsPerGroup),
          rhsStep, rhs.type.getElementType(), result.getShape()[1],
          lhs.isKMajor, rhs.isKMajor, fromZero && k == 0);
  }
}

void Multiplication::multiplyRegisters(ValueRange registers) {
  int64_t perBlock = getDepth() / stepOfK * registersPerStep;
  int64_t count = blocks.size();
  assert(static_cast<int64_t>(registers.size()) == perBlock * count &&
         "expects the registers of the lhs in pairs");
  std::string text = writeWgmma(rhs, result.getShape()[1], getDepth(),
                                getNumElements(result) / count, fromZero);
  Value descriptor = describePart(builder, loc, rhs, rhsTile, 0);
  for (auto [number, block] : llvm::enumerate(blocks)) {
    SmallVector<Value> operands;
    std::string constraints;
    for (Value both : registers.slice(number * perBlock, perBlock)) {
      operands.push_back(
          LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), both));
      constraints += "r,";
    }
    operands.push_back(descriptor);
    block = updateInPlace(builder, loc, text, unpack(builder, loc, block),
                          operands, constraints + "l,");
  }
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
    FragmentType fragment = op.getResult().getType().getFragment();
    int64_t count = countBlocks(fragment);
    int64_t perBlock = getNumElements(fragment) / count;
    SmallVector<Value> blocks;
    for (int64_t number = 0; number < count; ++number)
      blocks.push_back(updateInPlace(
          rewriter, op.getLoc(), "wgmma.fence.sync.aligned;",
          adaptor.getAccumulator().slice(number * perBlock, perBlock)));
    rewriter.replaceOpWithMultiple(op, {blocks});
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
    WarpgroupOperand rhs{op.getRhs().getType(), op.getTransposeRhs()};
    Multiplication all{
        rewriter,
        loc,
        result,
        rhs,
        describeTile(rewriter, loc, rhs, adaptor.getRhs().front()),
        op.getFromZero(),
        llvm::to_vector(adaptor.getAccumulator())};
    if (op.getFenced())
      NVVM::WgmmaFenceAlignedOp::create(rewriter, loc);

    if (auto shared = dyn_cast<SharedType>(op.getLhs().getType())) {
      WarpgroupOperand lhs{shared, !op.getTransposeLhs()};
      all.multiplyShared(lhs, describeRows(rewriter, loc, lhs,
                                           adaptor.getLhs().front(), result));
    } else {
      all.multiplyRegisters(adaptor.getLhs());
    }
    rewriter.replaceOpWithMultiple(op, {all.blocks});
    return success();
  }
};

struct LowerWgmmaCommit : OpConversionPattern<WgmmaCommitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(WgmmaCommitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVM::WgmmaGroupSyncAlignedOp::create(rewriter, op.getLoc());
    rewriter.replaceOpWithMultiple(op, {adaptor.getAccumulator()});
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
  matchAndRewrite(WgmmaWaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    std::string wait = "wgmma.wait_group.sync.aligned " +
                       std::to_string(op.getPending()) + ";";
    SmallVector<Value> elements;
    for (Value block : adaptor.getAccumulator()) {
      Value registers =
          updateInPlace(rewriter, loc, wait, unpack(rewriter, loc, block));
      llvm::append_range(elements, unpack(rewriter, loc, registers));
    }
    rewriter.replaceOpWithMultiple(op, {elements});
    return success();
  }
};
} // namespace

void stof::tile::populateWgmmaPatterns(const DeviceTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<LowerWgmmaFence, LowerWgmma, LowerWgmmaCommit, LowerWgmmaWait,
               LowerWgmmaWaitGroups>(converter, patterns.getContext());
}

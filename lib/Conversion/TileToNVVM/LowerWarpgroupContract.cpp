//===----------------------------------------------------------------------===//
// Lowers `tile.contract` to wgmma (sm_90a): the four warps of a warpgroup
// compute MMA tiles of 64 rows and up to 256 columns from operands in shared
// memory.
//
// The wait for a contraction is placed after independent operations, such as
// the loads of a later iteration. wait_group takes the accumulators as tied
// operands, so nothing can read them while wgmma is in flight.
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

namespace {
struct LowerWarpgroupContract : OpConversionPattern<ContractOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ContractOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};
} // namespace

/// The matrix descriptor (i64) of a tile at `offset` in shared memory: address,
/// strides of panels and windows in units of 16 bytes, and the swizzle mode.
static Value describeTile(OpBuilder &builder, Location loc,
                          const WarpgroupOperand &operand, Value offset) {
  Type i64 = builder.getI64Type();
  Value pointer = getSharedPointer(builder, loc, offset, 0);
  Value address = LLVM::PtrToIntOp::create(builder, loc, i64, pointer);
  auto constant = [&](uint64_t value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getI64IntegerAttr(static_cast<int64_t>(value)));
  };
  constexpr uint64_t unit = 16, addressBits = 14, panelBits = 16,
                     windowBits = 32;
  constexpr uint64_t swizzle128 = 1ull << 62;
  address = arith::ShRUIOp::create(builder, loc, address, constant(4));
  address = arith::AndIOp::create(builder, loc, address,
                                  constant((1ull << addressBits) - 1));
  return arith::OrIOp::create(
      builder, loc, address,
      constant(swizzle128 |
               (WarpgroupOperand::windowBytes / unit) << windowBits |
               (operand.getPanelBytes() / unit) << panelBits));
}

/// The operation before which to wait for `op`: its first user, or an earlier
/// operation that may synchronise threads or overwrite operands of wgmma.
static Operation *findWait(ContractOp op) {
  Operation *next = op->getNextNode();
  auto isUsed = [&](Operation *other) {
    return llvm::is_contained(other->getOperands(), op.getResult());
  };
  while (!next->hasTrait<OpTrait::IsTerminator>() && !isUsed(next) &&
         (isa<LoadOp>(next) ||
          (isPure(next) && !isa<AwaitOp>(next) && getSharedBytes(next) == 0)))
    next = next->getNextNode();
  return next;
}

/// The instructions of one contraction. Operands are the accumulators, then
/// both descriptors.
static std::string writeInstructions(Type element, int64_t columns,
                                     int64_t depth, const WarpgroupOperand &lhs,
                                     const WarpgroupOperand &rhs) {
  constexpr int64_t unit = 16;
  int64_t accumulators = columns * rowsPerGroup / (warpsPerGroup * 32);
  std::string text, list;
  llvm::raw_string_ostream out(text);
  for (int64_t i = 0; i < accumulators; ++i)
    list += (i ? ", $" : "$") + std::to_string(i);
  StringRef name = element.isF16() ? "f16" : "bf16";
  out << "{\n.reg .pred accumulate;\n.reg .b64 lhs, rhs;\n"
         "setp.ne.b32 accumulate, 1, 0;\n"
         "fence.proxy.async.shared::cta;\n"
         "wgmma.fence.sync.aligned;\n";
  for (int64_t step = 0; step < depth / stepOfK; ++step) {
    out << "add.s64 lhs, $" << 2 * accumulators << ", "
        << lhs.getOffsetOfK(step * stepOfK) / unit << ";\n"
        << "add.s64 rhs, $" << 2 * accumulators + 1 << ", "
        << rhs.getOffsetOfK(step * stepOfK) / unit << ";\n"
        << "wgmma.mma_async.sync.aligned.m64n" << columns << "k16.f32." << name
        << "." << name << " {" << list << "}, lhs, rhs, accumulate, 1, 1, "
        << !lhs.isKMajor << ", " << !rhs.isKMajor << ";\n";
  }
  out << "wgmma.commit_group.sync.aligned;\n}";
  return text;
}

LogicalResult LowerWarpgroupContract::matchAndRewrite(
    ContractOp op, OneToNOpAdaptor adaptor,
    ConversionPatternRewriter &rewriter) const {
  auto operands = getWarpgroupOperands(op);
  if (!operands)
    return rewriter.notifyMatchFailure(
        op, "the operands are not readable by wgmma");
  auto [lhs, rhs] = *operands;
  Location loc = op.getLoc();
  FragmentType type = op.getResult().getType();
  ThreadPosition position = ThreadPosition::get(rewriter, loc);

  // Each warpgroup computes its own rows.
  Value first = adaptor.getLhs().front();
  int64_t groups = type.getShape()[0] / rowsPerGroup;
  if (groups > 1) {
    Value group = divI32(rewriter, loc, position.warp, warpsPerGroup);
    first = addI32(
        rewriter, loc, first,
        mulI32(rewriter, loc, group, lhs.getOffsetOfOuter(rowsPerGroup)));
  }
  SmallVector<Value> values(adaptor.getAccumulator());
  int64_t accumulators = values.size();
  values.push_back(describeTile(rewriter, loc, lhs, first));
  values.push_back(describeTile(rewriter, loc, rhs, adaptor.getRhs().front()));

  std::string outputs, ties;
  for (int64_t i = 0; i < accumulators; ++i) {
    outputs += "=f,";
    ties += std::to_string(i) + ",";
  }
  auto registers = LLVM::LLVMStructType::getLiteral(
      getContext(), SmallVector<Type>(accumulators, rewriter.getF32Type()));
  auto emit = [&](ValueRange operands, StringRef text, StringRef inputs) {
    auto assembly = LLVM::InlineAsmOp::create(
        rewriter, loc, registers, operands, text,
        outputs + ties + inputs.str() + "~{memory}",
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
        ArrayAttr());
    SmallVector<Value> results;
    for (int64_t i = 0; i < accumulators; ++i)
      results.push_back(
          LLVM::ExtractValueOp::create(rewriter, loc, assembly.getRes(), i));
    return results;
  };
  int64_t depth = lhs.type.getShape()[lhs.isKMajor ? 1 : 0];
  SmallVector<Value> inFlight =
      emit(values,
           writeInstructions(lhs.type.getElementType(), type.getShape()[1],
                             depth, lhs, rhs),
           "l,l,");
  rewriter.setInsertionPoint(findWait(op));
  SmallVector<Value> results =
      emit(inFlight, "wgmma.wait_group.sync.aligned 0;", "");
  rewriter.replaceOpWithMultiple(op, {results});
  return success();
}

void stof::tile::populateWarpgroupPatterns(const DeviceTypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<LowerWarpgroupContract>(converter, patterns.getContext(),
                                       /*benefit=*/2);
}

//===----------------------------------------------------------------------===//
// Lowers `tile.contract` to mma.sync: m16n8k16 for 16-bit floats; three m16n8k8
// of tf32 for f32, with each operand as the sum of a high and a low part (the
// product of both low parts is below the documented precision). Operands in
// shared memory are loaded by ldmatrix if the lanes need rows of 16 bytes, else
// by plain loads.
//
// Names follow the PTX ISA ("Matrix fragments for mma.m16n8k16"): lane = 4 * g
// + t.
//===----------------------------------------------------------------------===//

#include "ContractOperands.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace stof::tile;

/// One mma.sync, for the accumulator registers of one MMA tile.
static SmallVector<Value> multiply(OpBuilder &builder, Location loc,
                                   Type element, ValueRange lhs, ValueRange rhs,
                                   ValueRange accumulator) {
  Type f32 = builder.getF32Type();
  auto result = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(accumulator.size(), f32));
  auto type = element.isF16()    ? NVVM::MMATypes::f16
              : element.isBF16() ? NVVM::MMATypes::bf16
                                 : NVVM::MMATypes::tf32;
  std::array<NVVM::MMATypes, 2> types = {type, type};
  std::array<NVVM::MMALayout, 2> layouts = {NVVM::MMALayout::row,
                                            NVVM::MMALayout::col};
  Value updated =
      NVVM::MmaOp::create(builder, loc, result, lhs, rhs, accumulator,
                          ArrayRef<int64_t>{16, 8, getStepOfK(element)},
                          std::nullopt, std::nullopt, types, layouts);
  SmallVector<Value> registers;
  for (size_t i = 0; i < accumulator.size(); ++i)
    registers.push_back(LLVM::ExtractValueOp::create(builder, loc, updated, i));
  return registers;
}

/// Adds all products of one MMA tile and K step to `before`.
static SmallVector<Value>
addProducts(OpBuilder &builder, Location loc, Type element,
            ArrayRef<std::pair<ValueRange, ValueRange>> products,
            ArrayRef<Value> before) {
  // Tensor cores truncate accumulators towards zero, which for f32 over a long
  // K exceeds the error of the products. So the products of a step are summed
  // separately, smallest first, and added with rounding (Ootomo and Yokota,
  // "Recovering single precision accuracy from Tensor Cores", section 3.3).
  bool isSeparate = element.isF32();
  SmallVector<Value> sum(before);
  if (isSeparate) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
    sum.assign(before.size(), zero);
  }
  for (const auto &[left, right] : products)
    sum = multiply(builder, loc, element, left, right, sum);
  if (isSeparate)
    for (auto [total, addend] : llvm::zip(sum, before))
      total = arith::AddFOp::create(builder, loc, addend, total);
  return sum;
}

namespace {
struct LowerContract : OpConversionPattern<ContractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ContractOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragmentType type = op.getResult().getType();
    auto layout = cast<MmaAttr>(type.getLayout());
    auto lhsType = cast<ShapedType>(op.getLhs().getType());
    Type element = lhsType.getElementType();
    int64_t depth = lhsType.getDimSize(op.getTransposeLhs() ? 0 : 1);
    int64_t step = getStepOfK(element);
    if (depth % step != 0)
      return op.emitOpError() << "expects K to be a multiple of " << step
                              << " for " << element << ", but got " << depth;

    int64_t rows = type.getShape()[0] / layout.getUnitAlong(0);
    int64_t columns = type.getShape()[1] / layout.getUnitAlong(1);
    bool isFragment = isa<FragmentType>(lhsType);
    ContractOperands operands(rewriter, loc, type, /*adjacentK=*/isFragment);
    SmallVector<Value> lhsElements;
    if (isFragment)
      lhsElements = unpackElements(rewriter, loc, cast<FragmentType>(lhsType),
                                   adaptor.getLhs());
    SmallVector<Value> accumulators = adaptor.getAccumulator();
    constexpr int64_t perMmaTile = 4;
    for (int64_t k = 0; k < depth; k += step) {
      SmallVector<OperandRegisters> lhs;
      for (int64_t row = 0; row < rows; ++row)
        lhs.push_back(
            isFragment ? operands.takeLhs(lhsElements, element, depth, row, k)
                       : operands.loadLhs(cast<SharedType>(lhsType),
                                          adaptor.getLhs().front(),
                                          op.getTransposeLhs(), row, k));
      for (int64_t column = 0; column < columns; column += 2) {
        int64_t count = std::min<int64_t>(2, columns - column);
        SmallVector<OperandRegisters> rhs = operands.loadRhs(
            cast<SharedType>(op.getRhs().getType()), adaptor.getRhs().front(),
            op.getTransposeRhs(), column, count, k);
        for (int64_t row = 0; row < rows; ++row)
          for (int64_t i = 0; i < count; ++i) {
            int64_t first = (row * columns + column + i) * perMmaTile;
            ArrayRef<Value> before =
                ArrayRef(accumulators).slice(first, perMmaTile);
            SmallVector<Value> sum = addProducts(
                rewriter, loc, element, getProducts(lhs[row], rhs[i]), before);
            llvm::copy(sum, accumulators.begin() + first);
          }
      }
    }
    rewriter.replaceOpWithMultiple(op, {accumulators});
    return success();
  }
};
} // namespace

void stof::tile::populateContractPatterns(const DeviceTypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<LowerContract>(converter, patterns.getContext());
}

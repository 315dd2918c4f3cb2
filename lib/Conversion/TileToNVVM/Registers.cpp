//===----------------------------------------------------------------------===//
// Conversion between fragments and registers.
//===----------------------------------------------------------------------===//

#include "stof/Conversion/TileToNVVM/Registers.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stof::tile;

/// 16-bit elements per register.
static constexpr int64_t pair = 2;

static bool isPaired(FragmentType type) {
  Type element = type.getElementType();
  return (element.isF16() || element.isBF16()) &&
         getNumElements(type) % pair == 0;
}

DeviceTypeConverter::DeviceTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](SharedType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  addConversion([](ChannelType type) -> Type {
    return IntegerType::get(type.getContext(), 32);
  });
  addConversion([](InFlightType type, SmallVectorImpl<Type> &blocks) {
    FragmentType fragment = type.getFragment();
    int64_t count = countBlocks(fragment);
    SmallVector<Type> registers(getNumElements(fragment) / count,
                                fragment.getElementType());
    blocks.append(
        count, LLVM::LLVMStructType::getLiteral(type.getContext(), registers));
    return success();
  });
  addConversion([](FragmentType type, SmallVectorImpl<Type> &registers) {
    int64_t count = getNumElements(type);
    if (isPaired(type))
      registers.append(count / pair,
                       VectorType::get(pair, type.getElementType()));
    else
      registers.append(count, type.getElementType());
    return success();
  });
}

SmallVector<Value> stof::tile::getSingleValues(ArrayRef<ValueRange> converted) {
  SmallVector<Value> values;
  for (ValueRange range : converted) {
    assert(range.size() == 1 && "expects values of one register");
    values.push_back(range.front());
  }
  return values;
}

int64_t stof::tile::getNumElements(FragmentType type) {
  int64_t count = 1;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    count *= type.getLayout().getRegistersAlong(dim, size);
  return count;
}

void stof::tile::forEachElement(
    FragmentType type,
    function_ref<void(ArrayRef<int64_t> indices, int64_t element)> callback) {
  LayoutInterface layout = type.getLayout();
  ArrayRef<int64_t> shape = type.getShape();
  int64_t last = shape.size() - 1;
  int64_t rows = last == 0 ? 1 : layout.getRegistersAlong(0, shape[0]);
  int64_t columns = layout.getRegistersAlong(last, shape[last]);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int64_t both[] = {row, column};
      ArrayRef<int64_t> indices = ArrayRef(both).take_back(shape.size());
      callback(indices, layout.getRegister(shape, indices));
    }
}

SmallVector<Value> stof::tile::unpackElements(OpBuilder &builder, Location loc,
                                              FragmentType type,
                                              ValueRange registers) {
  assert(static_cast<int64_t>(registers.size()) ==
             getNumElements(type) / (isPaired(type) ? pair : 1) &&
         "expects all registers of a fragment");
  if (!isPaired(type))
    return registers;
  SmallVector<Value> elements;
  for (Value both : registers)
    llvm::append_range(
        elements,
        vector::ToElementsOp::create(builder, loc, both).getResults());
  return elements;
}

SmallVector<Value> stof::tile::packElements(OpBuilder &builder, Location loc,
                                            FragmentType type,
                                            ValueRange elements) {
  assert(static_cast<int64_t>(elements.size()) == getNumElements(type) &&
         "expects all elements of a thread");
  if (!isPaired(type))
    return elements;
  auto both = VectorType::get(pair, type.getElementType());
  SmallVector<Value> registers;
  for (size_t first = 0; first < elements.size(); first += pair)
    registers.push_back(vector::FromElementsOp::create(
        builder, loc, both, elements.slice(first, pair)));
  return registers;
}

namespace {
/// (truncf a, truncf b) -> truncf (a, b)
struct PairTruncations : OpRewritePattern<vector::FromElementsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::FromElementsOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getElements().size() != pair)
      return rewriter.notifyMatchFailure(op, "does not join two elements");
    SmallVector<Value> wide;
    for (Value element : op.getElements()) {
      auto truncation = element.getDefiningOp<arith::TruncFOp>();
      if (!truncation || !truncation.getIn().getType().isF32())
        return rewriter.notifyMatchFailure(
            op, "an element is not truncated from f32");
      wide.push_back(truncation.getIn());
    }
    auto type = VectorType::get(pair, rewriter.getF32Type());
    Value joined =
        vector::FromElementsOp::create(rewriter, op.getLoc(), type, wide);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), joined);
    return success();
  }
};
} // namespace

void stof::tile::populatePairTruncationPatterns(RewritePatternSet &patterns) {
  patterns.add<PairTruncations>(patterns.getContext());
}

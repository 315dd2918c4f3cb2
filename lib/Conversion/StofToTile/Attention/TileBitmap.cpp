//===----------------------------------------------------------------------===//
// The bitmap of a partial tile in a kernel.
//===----------------------------------------------------------------------===//

#include "TileBitmap.h"
#include "MapElements.h"
#include "stof/IR/BitmapOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stof;

SmallVector<Value> stof::loadBitmap(OpBuilder &builder,
                                    const AttentionContext &context,
                                    Value bitmaps, Value bitmap) {
  auto type = context.getRowType(builder.getI32Type());
  SmallVector<Value> words;
  for (int64_t number = 0,
               count = BitmapOrder(context.tile.keys).getWordsOfRow();
       number < count; ++number)
    words.push_back(mapElements(
        builder, context.loc, type, {},
        [&](OpBuilder &inner, ValueRange at, ValueRange) -> Value {
          Value word =
              arith::ConstantIndexOp::create(inner, context.loc, number);
          return memref::LoadOp::create(inner, context.loc, bitmaps,
                                        ValueRange{bitmap, at[0], word});
        }));
  return words;
}

namespace {
/// An i32 value that is not negative, as an operand of BitmapOrder.
struct Computed {
  OpBuilder &builder;
  Value value;

  Value constant(int64_t number) const {
    return arith::ConstantIntOp::create(builder, value.getLoc(), number, 32);
  }
  template <typename OpTy>
  Computed apply(Value operand) const {
    return {builder, OpTy::create(builder, value.getLoc(), value, operand)};
  }
  Computed operator+(Computed other) const {
    return apply<arith::AddIOp>(other.value);
  }
  Computed operator*(int64_t factor) const {
    return apply<arith::MulIOp>(constant(factor));
  }
  Computed operator/(int64_t divisor) const {
    return apply<arith::DivUIOp>(constant(divisor));
  }
  Computed operator%(int64_t divisor) const {
    return apply<arith::RemUIOp>(constant(divisor));
  }
};
} // namespace

Value stof::testBitmap(OpBuilder &builder, const AttentionContext &context,
                       ValueRange words, Value column) {
  Location loc = context.loc;
  BitmapOrder order(context.tile.keys);
  Computed at{builder, arith::IndexCastOp::create(
                           builder, loc, builder.getI32Type(), column)};
  // The columns of a thread share `first`, so it is kept separate from `bit`.
  constexpr int64_t wordSize = BitmapOrder::bitsOfWord;
  Computed first = order.getFirstBit(at), bit = order.getBit(at);
  Computed word = first / wordSize + bit / wordSize;
  Value bits = words.front();
  for (auto [number, other] : llvm::drop_begin(llvm::enumerate(words))) {
    Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         word.value, word.constant(number));
    bits = arith::SelectOp::create(builder, loc, isHere, other, bits);
  }
  bits = arith::ShRUIOp::create(builder, loc, bits, (first % wordSize).value);
  bits = arith::ShRUIOp::create(builder, loc, bits, (bit % wordSize).value);
  return arith::TruncIOp::create(builder, loc, builder.getI1Type(), bits);
}

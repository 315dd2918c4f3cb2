//===----------------------------------------------------------------------===//
// Exchange of values between lanes.
//===----------------------------------------------------------------------===//

#include "Shuffle.h"
#include "stof/Conversion/TileToNVVM/Coordinates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stof::tile;

static constexpr unsigned wordBits = 32;

static Value shuffleWord(OpBuilder &builder, Location loc, Value word,
                         int64_t bit) {
  constexpr int64_t allLanes = -1, lastLane = 31;
  return NVVM::ShflOp::create(
      builder, loc, word.getType(), constantI32(builder, loc, allLanes), word,
      constantI32(builder, loc, bit), constantI32(builder, loc, lastLane),
      NVVM::ShflKind::bfly, UnitAttr());
}

Value stof::tile::shuffle(OpBuilder &builder, Location loc, Value value,
                          int64_t bit) {
  Type type = value.getType();
  Type word = builder.getIntegerType(wordBits);
  if (type.isF32() || type == word)
    return shuffleWord(builder, loc, value, bit);
  if (type.isIndex()) {
    Value wide =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    wide = shuffle(builder, loc, wide, bit);
    return arith::IndexCastOp::create(builder, loc, type, wide);
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits > wordBits) {
    auto parts = VectorType::get(bits / wordBits, word);
    Value split = LLVM::BitcastOp::create(builder, loc, parts, value);
    SmallVector<Value> shuffled;
    auto each = vector::ToElementsOp::create(builder, loc, split);
    for (Value part : each.getResults())
      shuffled.push_back(shuffleWord(builder, loc, part, bit));
    Value joined =
        vector::FromElementsOp::create(builder, loc, parts, shuffled);
    return LLVM::BitcastOp::create(builder, loc, type, joined);
  }
  Type same = builder.getIntegerType(bits);
  if (!type.isInteger())
    value = arith::BitcastOp::create(builder, loc, same, value);
  value = arith::ExtUIOp::create(builder, loc, word, value);
  value = shuffleWord(builder, loc, value, bit);
  value = arith::TruncIOp::create(builder, loc, same, value);
  if (!type.isInteger())
    value = arith::BitcastOp::create(builder, loc, type, value);
  return value;
}

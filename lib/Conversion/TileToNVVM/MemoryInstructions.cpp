//===----------------------------------------------------------------------===//
// Loads and stores as words: up to four of 32 bits, or one of 16 or 8 bits.
//===----------------------------------------------------------------------===//

#include "MemoryInstructions.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stof::tile;

static constexpr int64_t wordBytes = 4;

namespace {
/// The words of one memory instruction.
struct Words {
  Type type;
  int64_t count;
  /// The suffix of the instruction and the letter of an operand's constraint.
  std::string suffix;
  char constraint;

  Words(OpBuilder &builder, int64_t bytes) {
    // Register operands have at least 16 bits.
    unsigned bits = bytes >= wordBytes ? 32 : 16;
    type = builder.getIntegerType(bits);
    count = llvm::divideCeil(bytes, wordBytes);
    if (count > 1)
      suffix = (".v" + Twine(count)).str();
    suffix += bytes == 1 ? ".u8" : ".b" + std::to_string(bits);
    constraint = bits == 32 ? 'r' : 'h';
  }
};
} // namespace

/// The type of elements in memory.
static Type getStorageType(OpBuilder &builder, Type element) {
  if (element.isInteger(1))
    return builder.getI8Type();
  if (element.isIndex())
    return builder.getI64Type();
  return element;
}

static SmallVector<Value> fromStorage(OpBuilder &builder, Location loc,
                                      Type element, ValueRange stored) {
  SmallVector<Value> elements;
  for (Value value : stored) {
    if (element.isInteger(1)) {
      Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
      value = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                    value, zero);
    } else if (element.isIndex()) {
      value = arith::IndexCastOp::create(builder, loc, element, value);
    }
    elements.push_back(value);
  }
  return elements;
}

static SmallVector<Value> toStorage(OpBuilder &builder, Location loc,
                                    ValueRange elements) {
  SmallVector<Value> stored;
  for (Value value : elements) {
    Type storage = getStorageType(builder, value.getType());
    if (value.getType().isInteger(1))
      value = arith::ExtUIOp::create(builder, loc, storage, value);
    else if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, storage, value);
    stored.push_back(value);
  }
  return stored;
}

static Value castBits(OpBuilder &builder, Location loc, Type type,
                      Value value) {
  if (value.getType() == type)
    return value;
  return arith::BitcastOp::create(builder, loc, type, value);
}

/// Reads words as `count` values of `storage`.
static SmallVector<Value> fromWords(OpBuilder &builder, Location loc,
                                    Type storage, int64_t count,
                                    ValueRange words) {
  int64_t bytes = getElementBytes(storage);
  SmallVector<Value> values;
  // A single byte is loaded to a 16-bit register.
  if (bytes == 1 && count == 1)
    return {arith::TruncIOp::create(builder, loc, storage, words[0])};
  int64_t wordsPerValue = llvm::divideCeil(bytes, wordBytes);
  for (size_t first = 0; first < words.size(); first += wordsPerValue) {
    Value word = words[first];
    if (wordsPerValue > 1) {
      auto type = VectorType::get(wordsPerValue, builder.getI32Type());
      word = vector::FromElementsOp::create(builder, loc, type,
                                            words.slice(first, wordsPerValue));
      values.push_back(LLVM::BitcastOp::create(builder, loc, storage, word));
      continue;
    }
    int64_t perWord = word.getType().getIntOrFloatBitWidth() /
                      storage.getIntOrFloatBitWidth();
    if (perWord == 1) {
      values.push_back(castBits(builder, loc, storage, word));
      continue;
    }
    Value parts = LLVM::BitcastOp::create(
        builder, loc, VectorType::get(perWord, storage), word);
    llvm::append_range(
        values, vector::ToElementsOp::create(builder, loc, parts).getResults());
  }
  return values;
}

/// The reverse of `fromWords`.
static SmallVector<Value> toWords(OpBuilder &builder, Location loc,
                                  const Words &form, ValueRange values) {
  Type storage = values[0].getType();
  int64_t bytes = getElementBytes(storage);
  SmallVector<Value> words;
  if (bytes == 1 && values.size() == 1)
    return {arith::ExtUIOp::create(builder, loc, form.type, values[0])};
  int64_t perWord =
      form.type.getIntOrFloatBitWidth() / storage.getIntOrFloatBitWidth();
  if (perWord == 1) {
    for (Value value : values)
      words.push_back(castBits(builder, loc, form.type, value));
    return words;
  }
  if (bytes > wordBytes) {
    auto type = VectorType::get(bytes / wordBytes, form.type);
    for (Value value : values) {
      Value parts = LLVM::BitcastOp::create(builder, loc, type, value);
      llvm::append_range(
          words,
          vector::ToElementsOp::create(builder, loc, parts).getResults());
    }
    return words;
  }
  auto type = VectorType::get(perWord, storage);
  for (size_t first = 0; first < values.size(); first += perWord) {
    Value joined = vector::FromElementsOp::create(builder, loc, type,
                                                  values.slice(first, perWord));
    words.push_back(LLVM::BitcastOp::create(builder, loc, form.type, joined));
  }
  return words;
}

/// `$first, ..` for `count` operands, in braces if there are several.
static std::string operandList(int64_t first, int64_t count) {
  std::string list;
  for (int64_t i = 0; i < count; ++i)
    list += (i ? ", $" : "$") + std::to_string(first + i);
  return count > 1 ? "{" + list + "}" : list;
}

static SmallVector<Value> loadWordsIf(OpBuilder &builder, Location loc,
                                      const Words &form, Value pointer,
                                      Value inside) {
  std::string text, constraints;
  for (int64_t i = 0; i < form.count; ++i) {
    text += "mov.b" + std::to_string(form.type.getIntOrFloatBitWidth()) + " $" +
            std::to_string(i) + ", 0;\n\t";
    constraints += std::string("=&") + form.constraint + ",";
  }
  text += "@$" + std::to_string(form.count + 1) + " ld.global" + form.suffix +
          " " + operandList(0, form.count) + ", [$" +
          std::to_string(form.count) + "];";
  constraints += "l,b";
  SmallVector<Type> types(form.count, form.type);
  Type result =
      form.count == 1
          ? form.type
          : LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  auto load = LLVM::InlineAsmOp::create(
      builder, loc, result, ValueRange{pointer, inside}, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
  if (form.count == 1)
    return {load.getRes()};
  SmallVector<Value> words;
  for (int64_t i = 0; i < form.count; ++i)
    words.push_back(
        LLVM::ExtractValueOp::create(builder, loc, load.getRes(), i));
  return words;
}

static void storeWordsIf(OpBuilder &builder, Location loc, const Words &form,
                         ValueRange words, Value pointer, Value inside) {
  std::string text = "@$" + std::to_string(form.count + 1) + " st.global" +
                     form.suffix + " [$" + std::to_string(form.count) + "], " +
                     operandList(0, form.count) + ";";
  std::string constraints;
  for (int64_t i = 0; i < form.count; ++i)
    constraints += std::string(1, form.constraint) + ",";
  constraints += "l,b";
  SmallVector<Value> operands(words);
  operands.append({pointer, inside});
  LLVM::InlineAsmOp::create(builder, loc, TypeRange{}, operands, text,
                            constraints,
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
}

SmallVector<Value> stof::tile::loadElements(OpBuilder &builder, Location loc,
                                            Type element, Value pointer,
                                            int64_t count, Value inside) {
  Type storage = getStorageType(builder, element);
  int64_t bytes = count * getElementBytes(storage);
  if (inside) {
    Words form(builder, bytes);
    SmallVector<Value> words = loadWordsIf(builder, loc, form, pointer, inside);
    return fromStorage(builder, loc, element,
                       fromWords(builder, loc, storage, count, words));
  }
  if (count == 1) {
    Value value = LLVM::LoadOp::create(builder, loc, storage, pointer, bytes);
    return fromStorage(builder, loc, element, value);
  }
  Value all = LLVM::LoadOp::create(
      builder, loc, VectorType::get(count, storage), pointer, bytes);
  return fromStorage(
      builder, loc, element,
      vector::ToElementsOp::create(builder, loc, all).getResults());
}

void stof::tile::storeElements(OpBuilder &builder, Location loc,
                               ValueRange elements, Value pointer,
                               Value inside) {
  SmallVector<Value> stored = toStorage(builder, loc, elements);
  Type storage = stored[0].getType();
  int64_t bytes = stored.size() * getElementBytes(storage);
  if (inside) {
    Words form(builder, bytes);
    return storeWordsIf(builder, loc, form, toWords(builder, loc, form, stored),
                        pointer, inside);
  }
  Value all = stored[0];
  if (stored.size() > 1)
    all = vector::FromElementsOp::create(
        builder, loc,
        VectorType::get(static_cast<int64_t>(stored.size()), storage), stored);
  LLVM::StoreOp::create(builder, loc, all, pointer, bytes);
}

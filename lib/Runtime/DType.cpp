//===----------------------------------------------------------------------===//
// The table of element types and their properties.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/DType.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace stof::runtime;

namespace {

struct Row {
  DType dtype;
  StringLiteral name;
  StringLiteral safetensors;
  int64_t bytes;
};

constexpr Row table[] = {
    {DType::F64, "f64", "F64", 8},
    {DType::F32, "f32", "F32", 4},
    {DType::F16, "f16", "F16", 2},
    {DType::BF16, "bf16", "BF16", 2},
    {DType::I64, "i64", "I64", 8},
    {DType::I32, "i32", "I32", 4},
    {DType::I16, "i16", "I16", 2},
    {DType::I8, "i8", "I8", 1},
    {DType::I1, "i1", "BOOL", 1},
    {DType::F8E4M3FN, "f8E4M3FN", "F8_E4M3", 1},
    {DType::F8E5M2, "f8E5M2", "F8_E5M2", 1},
};

} // namespace

static const Row &getRow(DType dtype) {
  const Row &row = table[static_cast<unsigned>(dtype)];
  assert(row.dtype == dtype && "rows are in the order of the enumerators");
  return row;
}

template <typename T>
static T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}

/// f8E4M3FN has no infinities; NaN is all ones.
static double widenF8E4M3FN(uint8_t bits) {
  constexpr int mantissaBits = 3, bias = 7;
  int exponent = (bits >> mantissaBits) & 15, mantissa = bits & 7;
  double magnitude;
  if ((bits & 0x7F) == 0x7F)
    magnitude = NAN;
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, 1 - bias - mantissaBits);
  else
    magnitude = std::ldexp(mantissa + 8, exponent - bias - mantissaBits);
  return bits >> 7 ? -magnitude : magnitude;
}

static double widenF16(uint16_t bits) {
  constexpr int mantissaBits = 10, bias = 15, specialExponent = 31;
  int exponent = (bits >> mantissaBits) & specialExponent;
  int mantissa = bits & ((1 << mantissaBits) - 1);
  double magnitude;
  if (exponent == specialExponent)
    magnitude = mantissa ? NAN : INFINITY;
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, 1 - bias - mantissaBits);
  else
    magnitude = std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - bias - mantissaBits);
  return bits >> 15 ? -magnitude : magnitude;
}

static double widenBF16(uint16_t bits) {
  uint32_t wide = static_cast<uint32_t>(bits) << 16;
  return load<float>(&wide, 0);
}

StringRef stof::runtime::getName(DType dtype) { return getRow(dtype).name; }

StringRef stof::runtime::getSafetensorsName(DType dtype) {
  return getRow(dtype).safetensors;
}

std::optional<DType> stof::runtime::parseDType(StringRef name) {
  for (const Row &row : table)
    if (row.name == name)
      return row.dtype;
  return std::nullopt;
}

std::optional<DType> stof::runtime::parseSafetensorsDType(StringRef name) {
  if (name == "U8")
    return DType::I8;
  for (const Row &row : table)
    if (row.safetensors == name)
      return row.dtype;
  return std::nullopt;
}

int64_t stof::runtime::getByteSize(DType dtype) { return getRow(dtype).bytes; }

double stof::runtime::readElement(DType dtype, const void *data,
                                  int64_t index) {
  switch (dtype) {
  case DType::F64:
    return load<double>(data, index);
  case DType::F32:
    return load<float>(data, index);
  case DType::F16:
    return widenF16(load<uint16_t>(data, index));
  case DType::BF16:
    return widenBF16(load<uint16_t>(data, index));
  case DType::I64:
    return static_cast<double>(load<int64_t>(data, index));
  case DType::I32:
    return load<int32_t>(data, index);
  case DType::I16:
    return load<int16_t>(data, index);
  case DType::I8:
    return load<int8_t>(data, index);
  case DType::I1:
    return load<uint8_t>(data, index);
  case DType::F8E4M3FN:
    return widenF8E4M3FN(load<uint8_t>(data, index));
  case DType::F8E5M2:
    // f8E5M2 is the upper half of an f16.
    return widenF16(static_cast<uint16_t>(load<uint8_t>(data, index)) << 8);
  }
  llvm_unreachable("every element type has a row");
}

Expected<int64_t> stof::runtime::countBytes(DType dtype,
                                            ArrayRef<int64_t> shape) {
  int64_t bytes = getByteSize(dtype);
  for (int64_t size : shape) {
    if (size < 0)
      return createStringError("expects sizes of at least 0, but got shape " +
                               formatShape(shape));
    if (MulOverflow(bytes, size, bytes))
      return createStringError(
          "expects a tensor whose bytes fit 64 bits, but got " +
          getName(dtype) + " " + formatShape(shape));
  }
  return bytes;
}

std::string stof::runtime::formatShape(ArrayRef<int64_t> shape) {
  // The rank of an untrusted file is unbounded.
  constexpr size_t most = 16;
  std::string sizes = join(map_range(shape.take_front(most),
                                     [](int64_t size) { return itostr(size); }),
                           ", ");
  if (shape.size() > most)
    sizes += ", ... (" + utostr(shape.size()) + " dimensions)";
  return "[" + sizes + "]";
}

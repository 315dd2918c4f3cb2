//===----------------------------------------------------------------------===//
// Tables of the narrow dtypes, loops over the others.
//===----------------------------------------------------------------------===//

#include "Widener.h"

#include "llvm/Support/ErrorHandling.h"
#include <cstring>
#include <vector>

using namespace llvm;
using namespace stof::runtime;

static std::vector<float> makeTable(DType dtype) {
  uint32_t count = 1u << (8 * getByteSize(dtype));
  std::vector<float> table;
  for (uint32_t i = 0; i < count; ++i) {
    uint16_t bits = i;
    // f32 has every value of the narrow dtypes.
    table.push_back(static_cast<float>(readElement(dtype, &bits, 0)));
  }
  return table;
}

/// The table of a dtype, made once.
template <DType dtype>
static ArrayRef<float> getTable() {
  static const std::vector<float> table = makeTable(dtype);
  return table;
}

static ArrayRef<float> getTable(DType dtype) {
  switch (dtype) {
  case DType::F64:
  case DType::F32:
  case DType::I64:
  case DType::I32:
    return {};
  case DType::F16:
    return getTable<DType::F16>();
  case DType::BF16:
    return getTable<DType::BF16>();
  case DType::I16:
    return getTable<DType::I16>();
  case DType::I8:
    return getTable<DType::I8>();
  case DType::I1:
    return getTable<DType::I1>();
  case DType::F8E4M3FN:
    return getTable<DType::F8E4M3FN>();
  case DType::F8E5M2:
    return getTable<DType::F8E5M2>();
  }
  llvm_unreachable("every element type has a case");
}

Widener::Widener(DType dtype) : dtype(dtype), table(getTable(dtype)) {}

/// The elements from `first` on, each through `convert`.
template <typename T, typename Convert>
static void fill(MutableArrayRef<double> elements, const void *data,
                 int64_t first, Convert convert) {
  const char *next = static_cast<const char *>(data) + first * sizeof(T);
  for (double &element : elements) {
    T bits;
    std::memcpy(&bits, next, sizeof(T));
    element = convert(bits);
    next += sizeof(T);
  }
}

void Widener::widen(const void *data, int64_t first,
                    MutableArrayRef<double> elements) const {
  auto convert = [](auto value) { return static_cast<double>(value); };
  auto lookUp = [entries = table.data()](auto bits) -> double {
    return entries[bits];
  };
  switch (dtype) {
  case DType::F64:
    return fill<double>(elements, data, first, convert);
  case DType::F32:
    return fill<float>(elements, data, first, convert);
  case DType::I64:
    return fill<int64_t>(elements, data, first, convert);
  case DType::I32:
    return fill<int32_t>(elements, data, first, convert);
  case DType::F16:
  case DType::BF16:
  case DType::I16:
    return fill<uint16_t>(elements, data, first, lookUp);
  case DType::I8:
  case DType::I1:
  case DType::F8E4M3FN:
  case DType::F8E5M2:
    return fill<uint8_t>(elements, data, first, lookUp);
  }
  llvm_unreachable("every element type has a case");
}

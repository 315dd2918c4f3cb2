//===----------------------------------------------------------------------===//
// Element types of inputs and results of a package, and the sizes of tensors in
// bytes.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_DTYPE_H
#define STOF_RUNTIME_DTYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace stof::runtime {

/// An element type. An `I1` is stored as one byte, 0 or 1.
enum class DType : uint8_t {
  F64,
  F32,
  F16,
  BF16,
  I64,
  I32,
  I16,
  I8,
  I1,
  F8E4M3FN,
  F8E5M2
};

/// The manifest's name of a type, such as `f16`.
llvm::StringRef getName(DType dtype);
std::optional<DType> parseDType(llvm::StringRef name);

/// The safetensors format's name of a type, such as `F16` or `BOOL`. Integers
/// are signless, so `U8` is read as `I8`.
llvm::StringRef getSafetensorsName(DType dtype);
std::optional<DType> parseSafetensorsDType(llvm::StringRef name);

/// The bytes of one element.
int64_t getByteSize(DType dtype);

/// The element at `index` of a contiguous array, converted to f64.
double readElement(DType dtype, const void *data, int64_t index);

/// The bytes of a contiguous tensor; an error if a dimension is negative or the
/// product does not fit 64 bits.
llvm::Expected<int64_t> countBytes(DType dtype, llvm::ArrayRef<int64_t> shape);

/// A shape as messages print it: `[2, 128, 64]`.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace stof::runtime

#endif // STOF_RUNTIME_DTYPE_H

//===----------------------------------------------------------------------===//
// Files of named tensors in the safetensors format
// (https://github.com/huggingface/safetensors): an 8-byte little-endian length,
// a JSON header of that length, then the tensors' bytes.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_SAFETENSORS_H
#define STOF_RUNTIME_SAFETENSORS_H

#include "stof/Runtime/DType.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace stof::runtime {

/// A contiguous row-major tensor whose elements live elsewhere, with no promise
/// of alignment.
struct HostTensor {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  llvm::StringRef bytes;

  int64_t countElements() const { return bytes.size() / getByteSize(dtype); }
  /// `f16 [2, 5, 64]`
  std::string format() const;
};

/// A file opened for reading. It is mapped, so a large one costs no more memory
/// than the tensors that are touched.
class SafetensorsFile {
public:
  /// Opens and checks `path`: each tensor has a known type and the bytes that
  /// its shape takes, inside the file, and no two of them overlap.
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path);

  /// The tensors, sorted by name; they live as long as the file is open.
  llvm::ArrayRef<HostTensor> getTensors() const { return tensors; }
  const HostTensor *find(llvm::StringRef name) const;

private:
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::vector<HostTensor> tensors;
};

/// Writes the file of `tensors` to `os`.
void writeSafetensors(llvm::raw_ostream &os,
                      llvm::ArrayRef<HostTensor> tensors);

} // namespace stof::runtime

#endif // STOF_RUNTIME_SAFETENSORS_H

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

/// A contiguous row-major tensor that does not own its elements. Their
/// alignment is unspecified.
struct HostTensor {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  llvm::StringRef bytes;

  int64_t countElements() const { return bytes.size() / getByteSize(dtype); }
  /// `f16 [2, 5, 64]`
  std::string format() const;
};

/// A file opened for reading. It is memory-mapped: only tensors that are
/// accessed are loaded.
class SafetensorsFile {
public:
  /// Opens and verifies `path`: tensors have known types, sizes that match
  /// their shapes, and disjoint ranges of bytes within the file.
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path);

  /// The tensors, sorted by name. They refer to the mapped file.
  llvm::ArrayRef<HostTensor> getTensors() const { return tensors; }
  const HostTensor *find(llvm::StringRef name) const;

private:
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::vector<HostTensor> tensors;
};

/// Writes `tensors` to `os` in the safetensors format.
void writeSafetensors(llvm::raw_ostream &os,
                      llvm::ArrayRef<HostTensor> tensors);

} // namespace stof::runtime

#endif // STOF_RUNTIME_SAFETENSORS_H

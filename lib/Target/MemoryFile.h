//===----------------------------------------------------------------------===//
// Files that lie in memory: what assemblers and linkers read and write by name
// and nobody else should find. They need no folder, they cannot be left behind,
// and no disk is full.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_MEMORYFILE_H
#define STOF_LIB_TARGET_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace stof {

class MemoryFile {
public:
  /// A file of these bytes. `name` is for messages.
  static llvm::Expected<MemoryFile> create(llvm::StringRef name,
                                           llvm::StringRef bytes = "");
  MemoryFile(MemoryFile &&other) : descriptor(other.descriptor) {
    other.descriptor = -1;
  }
  MemoryFile &operator=(MemoryFile &&) = delete;
  ~MemoryFile();

  /// A path by which this process and those that it starts open the file.
  std::string getPath() const;

  /// What is in it now.
  llvm::Expected<std::string> read() const;

private:
  explicit MemoryFile(int descriptor) : descriptor(descriptor) {}

  int descriptor;
};

} // namespace stof

#endif // STOF_LIB_TARGET_MEMORYFILE_H

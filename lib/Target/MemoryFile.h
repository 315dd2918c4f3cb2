//===----------------------------------------------------------------------===//
// In-memory files for assemblers and linkers, which read and write by name.
// Unlike temporary files they are private, need no folder or disk space, and
// cannot be left over.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_MEMORYFILE_H
#define STOF_LIB_TARGET_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace stof {

class MemoryFile {
public:
  /// A file with these bytes. `name` is for messages.
  static llvm::Expected<MemoryFile> create(llvm::StringRef name,
                                           llvm::StringRef bytes = "");
  MemoryFile(MemoryFile &&other) : descriptor(other.descriptor) {
    other.descriptor = -1;
  }
  MemoryFile &operator=(MemoryFile &&) = delete;
  ~MemoryFile();

  /// A path of the file for this process and its children.
  std::string getPath() const;

  /// The current contents.
  llvm::Expected<std::string> read() const;

private:
  explicit MemoryFile(int descriptor) : descriptor(descriptor) {}

  int descriptor;
};

} // namespace stof

#endif // STOF_LIB_TARGET_MEMORYFILE_H

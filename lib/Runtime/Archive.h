//===----------------------------------------------------------------------===//
// A package in memory: a tar archive of the compiler, or one that tar has made
// of a folder.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_ARCHIVE_H
#define STOF_LIB_RUNTIME_ARCHIVE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace stof::runtime {

/// The files in an archive, by their names without folders.
class Archive {
public:
  /// Parses `bytes`, which must outlive the result. Errors are a damaged or
  /// compressed archive, members other than files and folders, and two files of
  /// one name.
  static llvm::Expected<Archive> parse(llvm::StringRef bytes);

  std::error_code findSize(llvm::StringRef name, uint64_t &size) const;

  /// The contents of a file, followed by a null character; not copied if there
  /// is one in the archive.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  read(llvm::StringRef name) const;

private:
  Archive(llvm::StringRef bytes, llvm::StringMap<llvm::StringRef> files)
      : bytes(bytes), files(std::move(files)) {}

  llvm::StringRef bytes;
  llvm::StringMap<llvm::StringRef> files;
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_ARCHIVE_H

//===----------------------------------------------------------------------===//
// A look at a file before SQLite opens it, which may change what it opens.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_DATABASE_INSPECTFILE_H
#define STOF_LIB_SEARCH_DATABASE_INSPECTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace stof {

/// In the header of a tuning database: the application, 'stof' in ASCII, and
/// the format of its tables.
constexpr uint32_t tuningApplication = 0x73746f66;
constexpr uint32_t tuningFormat = 1;

enum class FileState {
  Missing,
  /// Without a byte, as a file that was made to be filled.
  Empty,
  /// A tuning database, by its header.
  Database
};

/// Fails if `path` is anything else, and says what.
llvm::Expected<FileState> inspectFile(llvm::StringRef path);

} // namespace stof

#endif // STOF_LIB_SEARCH_DATABASE_INSPECTFILE_H

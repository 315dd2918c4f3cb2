//===----------------------------------------------------------------------===//
// A folder for packages that are measured, which is removed at the end.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_TEMPORARYFOLDER_H
#define STOF_LIB_SEARCH_TEMPORARYFOLDER_H

#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace stof {

class TemporaryFolder {
public:
  static llvm::Expected<TemporaryFolder> create();

  TemporaryFolder(TemporaryFolder &&other);
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();

  /// The path of entry `number`.
  std::string name(unsigned number) const;

  /// Removes a package. One that stays is no reason to fail: the folder is the
  /// system's.
  void remove(const std::string &folder) const;

private:
  explicit TemporaryFolder(std::string path) : path(std::move(path)) {}

  std::string path;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_TEMPORARYFOLDER_H

//===----------------------------------------------------------------------===//
// A temporary folder next to its destination, moved there when complete. Its
// process holds a lock on it: an unlocked one is a leftover.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_FRESHFOLDER_H
#define STOF_LIB_TARGET_FRESHFOLDER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace stof {

class FreshFolder {
public:
  /// Creates an empty folder next to `destination` and removes leftovers of
  /// dead processes there. `observe` is called with its path before its
  /// creation.
  static llvm::Expected<FreshFolder>
  create(llvm::StringRef destination,
         llvm::function_ref<void(llvm::StringRef)> observe);

  FreshFolder(FreshFolder &&other);
  FreshFolder &operator=(FreshFolder &&) = delete;
  /// Removes the folder at the temporary path, if any.
  ~FreshFolder();

  llvm::StringRef getPath() const { return path; }

  /// Exchanges the folder with its destination. `verify` is called with the new
  /// path of the previous contents; if it fails, the exchange is undone. On a
  /// file system that cannot exchange, it is not called, and for an instant the
  /// destination does not exist.
  llvm::Error
  moveToDestination(llvm::function_ref<llvm::Error(llvm::StringRef)> verify);

private:
  FreshFolder(llvm::StringRef destination, llvm::StringRef path, int lock)
      : destination(destination), path(path), lock(lock) {}
  llvm::Error moveInTwoSteps();

  std::string destination, path;
  int lock;
};

} // namespace stof

#endif // STOF_LIB_TARGET_FRESHFOLDER_H

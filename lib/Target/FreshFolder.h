//===----------------------------------------------------------------------===//
// A folder that is filled beside its place and then moved there. Who fills one
// holds a lock on it, so that what nobody holds is known to be left over.
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
  /// Makes an empty folder beside `place` and removes what dead processes have
  /// left there. `observe` is told its name before it is there.
  static llvm::Expected<FreshFolder>
  create(llvm::StringRef place,
         llvm::function_ref<void(llvm::StringRef)> observe);

  FreshFolder(FreshFolder &&other);
  FreshFolder &operator=(FreshFolder &&) = delete;
  /// Removes what is under the folder's first name.
  ~FreshFolder();

  llvm::StringRef getPath() const { return path; }

  /// Moves the folder to its place, in exchange for what is there. `verify` is
  /// shown that, by its new name; if it fails, all is as it was. On a file
  /// system that cannot exchange, nothing is shown, and for an instant nothing
  /// is at the place.
  llvm::Error
  moveToPlace(llvm::function_ref<llvm::Error(llvm::StringRef)> verify);

private:
  FreshFolder(llvm::StringRef place, llvm::StringRef path, int lock)
      : place(place), path(path), lock(lock) {}
  llvm::Error moveInTwoSteps();

  std::string place, path;
  int lock;
};

} // namespace stof

#endif // STOF_LIB_TARGET_FRESHFOLDER_H

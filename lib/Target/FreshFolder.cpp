//===----------------------------------------------------------------------===//
// Folders are exchanged by renameat2 of Linux. Locks are those of flock, which
// end with the process.
//===----------------------------------------------------------------------===//

#include "FreshFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace stof;

/// Between the name of the destination and a unique suffix.
static constexpr StringLiteral infix = ".stof-";
/// The limit of retries after interference by other processes.
static constexpr unsigned mostAttempts = 100;

static Error describe(StringRef path) {
  return createFileError(path, std::error_code(errno, std::generic_category()));
}

/// Opens and locks the folder `path`; negative if it does not exist, its file
/// system has no locks or, unless `wait` is set, it is locked.
static int lockFolder(StringRef path, bool wait) {
  int folder =
      open(path.str().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return -1;
  struct stat status;
  // The previous owner of the lock may have removed the folder.
  if (flock(folder, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 &&
      fstat(folder, &status) == 0 && status.st_nlink > 0)
    return folder;
  close(folder);
  return -1;
}

/// Removes folders of dead processes next to `destination`.
static void removeLeftovers(StringRef destination) {
  StringRef parent = sys::path::parent_path(destination);
  std::string start = (sys::path::filename(destination) + infix).str();
  std::error_code error;
  SmallVector<std::string> found;
  for (sys::fs::directory_iterator entry(parent.empty() ? "." : parent, error),
       end;
       !error && entry != end; entry.increment(error))
    if (sys::path::filename(entry->path()).starts_with(start))
      found.push_back(entry->path());
  for (const std::string &path : found)
    if (int lock = lockFolder(path, /*wait=*/false); lock >= 0) {
      sys::fs::remove_directories(path);
      close(lock);
    }
}

Expected<FreshFolder>
FreshFolder::create(StringRef destination,
                    function_ref<void(StringRef)> observe) {
  removeLeftovers(destination);
  for (unsigned attempt = 0;; ++attempt) {
    // The same parent guarantees the same file system.
    SmallString<8> suffix;
    sys::fs::createUniquePath("%%%%%%%%", suffix, /*MakeAbsolute=*/false);
    std::string path = (destination + infix + suffix).str();
    observe(path);
    if (std::error_code error = sys::fs::create_directory(
            path, /*IgnoreExisting=*/false, sys::fs::perms::all_all))
      return createFileError(path, error);
    int lock = lockFolder(path, /*wait=*/true);
    // Before the lock, another process may have removed it as a leftover.
    if (lock >= 0 || sys::fs::exists(path) || attempt == mostAttempts)
      return FreshFolder(destination, path, lock);
  }
}

FreshFolder::FreshFolder(FreshFolder &&other)
    : destination(std::move(other.destination)), path(std::move(other.path)),
      lock(other.lock) {
  other.path.clear();
  other.lock = -1;
}

FreshFolder::~FreshFolder() {
  if (!path.empty())
    sys::fs::remove_directories(path);
  if (lock >= 0)
    close(lock);
}

Error FreshFolder::moveToDestination(function_ref<Error(StringRef)> verify) {
  auto move = [&](unsigned flags) {
    return renameat2(AT_FDCWD, path.c_str(), AT_FDCWD, destination.c_str(),
                     flags) == 0;
  };
  for (unsigned attempt = 0; attempt < mostAttempts; ++attempt) {
    if (move(RENAME_NOREPLACE))
      return Error::success();
    if (errno == EEXIST && move(RENAME_EXCHANGE)) {
      Error refused = verify(path);
      if (refused && !move(RENAME_EXCHANGE))
        return joinErrors(std::move(refused), describe(destination));
      return refused;
    }
    if (errno == EINVAL || errno == ENOSYS)
      return moveInTwoSteps();
    // Another process may have removed the destination between the two calls.
    if (errno != ENOENT)
      break;
  }
  return describe(destination);
}

Error FreshFolder::moveInTwoSteps() {
  std::string old = path + ".old";
  for (unsigned attempt = 0; attempt < mostAttempts; ++attempt) {
    bool isMoved = rename(destination.c_str(), old.c_str()) == 0;
    if (!isMoved && errno != ENOENT)
      return describe(destination);
    bool isDone = rename(path.c_str(), destination.c_str()) == 0;
    int error = errno;
    // A package of another process in between is replaced in turn.
    bool isTaken = error == ENOTEMPTY || error == EEXIST;
    if (isMoved && !isDone && !isTaken)
      rename(old.c_str(), destination.c_str());
    else if (isMoved)
      sys::fs::remove_directories(old);
    errno = error;
    if (isDone)
      return Error::success();
    if (!isTaken)
      break;
  }
  return describe(destination);
}

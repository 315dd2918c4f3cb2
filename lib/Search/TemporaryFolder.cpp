//===----------------------------------------------------------------------===//
// Creation and removal of folders for packages.
//===----------------------------------------------------------------------===//

#include "TemporaryFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <utility>

using namespace llvm;
using namespace stof;

Expected<TemporaryFolder> TemporaryFolder::create() {
  SmallString<128> path;
  if (std::error_code error =
          sys::fs::createUniqueDirectory("stof-search", path))
    return createStringError(error, "cannot create a folder for candidates: " +
                                        error.message());
  return TemporaryFolder(path.str().str());
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other)
    : path(std::exchange(other.path, "")) {}

TemporaryFolder::~TemporaryFolder() {
  if (!path.empty())
    remove(path);
}

std::string TemporaryFolder::name(unsigned number) const {
  SmallString<128> entry(path);
  sys::path::append(entry, std::to_string(number));
  return entry.str().str();
}

void TemporaryFolder::remove(const std::string &folder) const {
  (void)sys::fs::remove_directories(folder);
}

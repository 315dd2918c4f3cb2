//===----------------------------------------------------------------------===//
// Symbolic links in output paths. A link is kept and its target is written,
// whether the target exists or not. Shared by the compiler and the tools.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_LINKS_H
#define STOF_SUPPORT_LINKS_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <climits>
#include <string>
#include <unistd.h>

namespace stof {

/// The target of `path` if it is a link or a chain of links, else `path`.
inline llvm::Expected<std::string> followLinks(llvm::StringRef path) {
  constexpr unsigned mostLinks = 40;
  llvm::SmallString<128> name(path);
  for (unsigned i = 0; i < mostLinks; ++i) {
    if (!llvm::sys::fs::is_symlink_file(name))
      return std::string(name);
    char target[PATH_MAX];
    ssize_t length = readlink(name.c_str(), target, sizeof(target));
    if (length < 0)
      return llvm::createFileError(
          path, std::error_code(errno, std::generic_category()));
    llvm::StringRef next(target, length);
    if (llvm::sys::path::is_relative(next))
      llvm::sys::path::remove_filename(name);
    else
      name.clear();
    llvm::sys::path::append(name, next);
  }
  return llvm::createFileError(
      path, std::make_error_code(std::errc::too_many_symbolic_link_levels));
}

} // namespace stof

#endif // STOF_SUPPORT_LINKS_H

//===----------------------------------------------------------------------===//
// Packages on disk: written beside their place, then moved there in one step.
//===----------------------------------------------------------------------===//

#include "stof/Target/Package.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace stof;

static constexpr StringLiteral manifestName = "manifest.json";

static Error writeFile(StringRef folder, StringRef name, StringRef bytes) {
  SmallString<128> path(folder);
  sys::path::append(path, name);
  std::error_code error;
  raw_fd_ostream stream(path, error);
  if (error)
    return createFileError(path, error);
  stream << bytes;
  stream.close();
  if (!stream.has_error())
    return Error::success();
  error = stream.error();
  stream.clear_error();
  return createFileError(path, error);
}

/// Refuses to put a package where anything else is.
static Error verifyReplaceable(StringRef path) {
  if (!sys::fs::exists(path))
    return Error::success();
  SmallString<128> manifest(path);
  sys::path::append(manifest, manifestName);
  std::error_code error;
  bool isEmpty =
      sys::fs::is_directory(path) &&
      sys::fs::directory_iterator(path, error) == sys::fs::directory_iterator();
  if (isEmpty || sys::fs::exists(manifest))
    return Error::success();
  return createStringError("expects no file or a package at '" + path +
                           "', but got something else");
}

Error stof::writePackage(const Package &package, StringRef path) {
  while (path.size() > 1 && sys::path::is_separator(path.back()))
    path = path.drop_back();
  if (Error error = verifyReplaceable(path))
    return error;
  // A name in the same folder, so that the move stays on one file system.
  SmallString<128> fresh;
  sys::fs::createUniquePath(path + ".%%%%%%%%", fresh, /*MakeAbsolute=*/false);
  if (std::error_code error = sys::fs::create_directory(
          fresh, /*IgnoreExisting=*/false, sys::fs::perms::all_all))
    return createFileError(fresh, error);
  llvm::scope_exit cleanup([&] { sys::fs::remove_directories(fresh); });

  for (const auto &[name, bytes] : package.files)
    if (Error error = writeFile(fresh, name, bytes))
      return error;
  std::string manifest = formatv("{0:2}\n", toJSON(package));
  if (Error error = writeFile(fresh, manifestName, manifest))
    return error;

  if (!sys::fs::exists(path))
    return errorCodeToError(sys::fs::rename(fresh, path));
  std::string old = (fresh + ".old").str();
  if (std::error_code error = sys::fs::rename(path, old))
    return createFileError(path, error);
  if (std::error_code error = sys::fs::rename(fresh, path)) {
    sys::fs::rename(old, path);
    return createFileError(path, error);
  }
  sys::fs::remove_directories(old);
  return Error::success();
}

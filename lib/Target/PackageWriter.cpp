//===----------------------------------------------------------------------===//
// Packages on disk: written beside their place, then moved there in one step.
//===----------------------------------------------------------------------===//

#include "stof/Target/Package.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace stof;

static constexpr StringLiteral manifestName = "manifest.json";
/// What a caller may have had written beside it.
static constexpr StringLiteral reportName = "report.json";

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

/// The names of the files that a package at `path` may have; none if its
/// manifest is not one that stof wrote.
static StringSet<> listFiles(StringRef path) {
  SmallString<128> manifest(path);
  sys::path::append(manifest, manifestName);
  StringSet<> names;
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(manifest);
  if (!text)
    return names;
  Expected<json::Value> value = json::parse((*text)->getBuffer());
  if (!value) {
    consumeError(value.takeError());
    return names;
  }
  const json::Object *object = value->getAsObject();
  std::optional<StringRef> producer =
      object ? object->getString("producer") : std::nullopt;
  if (!producer || !producer->starts_with("stof "))
    return names;
  names.insert_range(ArrayRef{manifestName, reportName});
  if (const json::Array *files = object->getArray("files"))
    for (const json::Value &file : *files)
      if (const json::Object *described = file.getAsObject())
        if (std::optional<StringRef> name = described->getString("name"))
          names.insert(*name);
  return names;
}

/// Refuses to put a package where anything else is.
static Error verifyReplaceable(StringRef path) {
  if (!sys::fs::exists(path))
    return Error::success();
  auto refuse = [&](const Twine &found) {
    return createStringError("expects no file or a package at '" + path +
                             "', but got " + found);
  };
  if (!sys::fs::is_directory(path))
    return refuse("a file");
  StringSet<> known = listFiles(path);
  SmallString<128> manifest(path);
  sys::path::append(manifest, manifestName);
  if (known.empty() && sys::fs::exists(manifest))
    return refuse("a folder whose 'manifest.json' is not of stof");
  std::error_code error;
  for (sys::fs::directory_iterator entry(path, error), end;
       !error && entry != end; entry.increment(error)) {
    StringRef name = sys::path::filename(entry->path());
    if (!known.contains(name) || !sys::fs::is_regular_file(entry->path()))
      return refuse("a folder with '" + name + "' in it");
  }
  return error ? createFileError(path, error) : Error::success();
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

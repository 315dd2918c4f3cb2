//===----------------------------------------------------------------------===//
// Opening of a package. Sizes and hashes are verified before use: a truncated
// or damaged shared object would crash the process.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Package.h"

#include "Archive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace stof::runtime;

static constexpr StringLiteral manifestName = "manifest.json";

/// The folder of an archive in messages.
static constexpr StringLiteral archiveName = "<memory>";

std::string Package::getPath(StringRef file) const {
  return folder + "/" + file.str();
}

static Error describeUnreadable(const Twine &path, std::error_code error) {
  return createStringError("cannot read '" + path + "': " + error.message());
}

Expected<uint64_t> Package::findSize(StringRef file) const {
  std::string path = getPath(file);
  uint64_t bytes;
  std::error_code error = archive ? archive->findSize(file, bytes)
                                  : sys::fs::file_size(path, bytes);
  if (error)
    return describeUnreadable(path, error);
  return bytes;
}

Expected<std::unique_ptr<MemoryBuffer>>
Package::readUnverified(StringRef file) const {
  std::string path = getPath(file);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      archive ? archive->read(file) : MemoryBuffer::getFile(path);
  if (!buffer)
    return describeUnreadable(path, buffer.getError());
  return std::move(*buffer);
}

Expected<std::unique_ptr<MemoryBuffer>> Package::read(StringRef file) const {
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readUnverified(file);
  if (!buffer)
    return buffer;
  std::lock_guard<std::mutex> lock(verified->mutex);
  if (verified->files.contains(file))
    return buffer;
  std::string hash =
      toHex(BLAKE3::hash(arrayRefFromStringRef((*buffer)->getBuffer())),
            /*LowerCase=*/true);
  const PackageFile *described = manifest.findFile(file);
  if (described && hash != described->hash)
    return createStringError("expects '" + Twine(getPath(file)) +
                             "' to have the BLAKE3 hash " + described->hash +
                             ", but got " + hash + ": it has changed since " +
                             "the package was written");
  verified->files.insert(file);
  return buffer;
}

Error Package::load() {
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readUnverified(manifestName);
  if (!buffer)
    return buffer.takeError();
  text = (*buffer)->getBuffer().str();
  Expected<Manifest> parsed = parseManifest(text, getPath(manifestName));
  if (!parsed)
    return parsed.takeError();
  manifest = std::move(*parsed);
  for (const PackageFile &file : manifest.files) {
    Expected<uint64_t> bytes = findSize(file.name);
    if (!bytes)
      return bytes.takeError();
    if (*bytes != static_cast<uint64_t>(file.bytes))
      return createStringError("expects '" + Twine(getPath(file.name)) +
                               "' to have " + Twine(file.bytes) +
                               " bytes, but got " + Twine(*bytes));
  }
  return Error::success();
}

Expected<Package> Package::open(StringRef path) {
  if (path.empty())
    return createStringError(
        "expects the folder of a package, but got an empty name");
  Package package(path);
  if (Error error = package.load())
    return std::move(error);
  return package;
}

Expected<Package> Package::openArchive(StringRef bytes) {
  Expected<Archive> archive = Archive::parse(bytes);
  if (!archive)
    return archive.takeError();
  Package package(archiveName);
  package.archive = std::make_shared<const Archive>(std::move(*archive));
  if (Error error = package.load())
    return std::move(error);
  return package;
}

Expected<const Function *> Package::findFunction(StringRef name) const {
  ArrayRef<Function> functions = manifest.functions;
  if (name.empty() && functions.size() == 1)
    return &functions.front();
  if (const Function *function = manifest.findFunction(name))
    return function;
  std::string names = join(
      map_range(functions, [](const Function &f) { return f.name; }), ", ");
  if (name.empty())
    return createStringError("expects the name of a function, because '" +
                             Twine(folder) + "' has several or none: " + names);
  return createStringError("expects a function of '" + Twine(folder) + "' (" +
                           names + "), but got '" + name + "'");
}

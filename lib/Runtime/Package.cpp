//===----------------------------------------------------------------------===//
// Opening of a package. Sizes and hashes are verified before use: a truncated
// or damaged shared object would crash the process.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Package.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace stof::runtime;

static constexpr StringLiteral manifestName = "manifest.json";

static Expected<std::unique_ptr<MemoryBuffer>> readFile(const Twine &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  return std::move(*buffer);
}

std::string Package::getPath(StringRef file) const {
  return folder + "/" + file.str();
}

Expected<std::unique_ptr<MemoryBuffer>> Package::read(StringRef file) const {
  std::string path = getPath(file);
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readFile(path);
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
    return createStringError("expects '" + Twine(path) +
                             "' to have the BLAKE3 hash " + described->hash +
                             ", but got " + hash + ": it has changed since " +
                             "the package was written");
  verified->files.insert(file);
  return buffer;
}

Expected<Package> Package::open(StringRef path) {
  if (path.empty())
    return createStringError(
        "expects the folder of a package, but got an empty name");
  Package package;
  package.folder = path.str();
  std::string manifestPath = package.getPath(manifestName);
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readFile(manifestPath);
  if (!buffer)
    return buffer.takeError();
  package.text = (*buffer)->getBuffer().str();
  Expected<Manifest> manifest = parseManifest(package.text, manifestPath);
  if (!manifest)
    return manifest.takeError();
  package.manifest = std::move(*manifest);

  for (const PackageFile &file : package.manifest.files) {
    std::string filePath = package.getPath(file.name);
    uint64_t bytes;
    if (std::error_code error = sys::fs::file_size(filePath, bytes))
      return createStringError("cannot read '" + Twine(filePath) +
                               "': " + error.message());
    if (bytes != static_cast<uint64_t>(file.bytes))
      return createStringError("expects '" + Twine(filePath) + "' to have " +
                               Twine(file.bytes) + " bytes, but got " +
                               Twine(bytes));
  }
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

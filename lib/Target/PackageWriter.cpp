//===----------------------------------------------------------------------===//
// Packages on disk, written to a temporary folder, then renamed atomically; and
// as archives in memory.
//===----------------------------------------------------------------------===//

#include "stof/Target/Package.h"

#include "FreshFolder.h"
#include "stof/Support/Links.h"
#include "stof/Support/ParseJson.h"
#include "stof/Support/TarHeader.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace stof;

static constexpr StringLiteral manifestName = "manifest.json";
/// An optional file written by the caller.
static constexpr StringLiteral reportName = "report.json";

static Error writeFile(StringRef path, StringRef bytes) {
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

/// The names of the files of a package at `path`; none if its manifest was not
/// written by stof.
static StringSet<> listFiles(StringRef path) {
  SmallString<128> manifest(path);
  sys::path::append(manifest, manifestName);
  StringSet<> names;
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(manifest);
  if (!text)
    return names;
  Expected<json::Value> value = parseJson((*text)->getBuffer());
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

/// Fails if there is anything but a package at `path`. `name` is for messages.
static Error verifyReplaceable(StringRef path, StringRef name) {
  if (!sys::fs::exists(path))
    return Error::success();
  auto refuse = [&](const Twine &found) {
    return createStringError("expects no file or a package at '" + name +
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
    StringRef file = sys::path::filename(entry->path());
    if (!known.contains(file) || !sys::fs::is_regular_file(entry->path()))
      return refuse("a folder with '" + file + "' in it");
  }
  return error ? createFileError(name, error) : Error::success();
}

static std::string printManifest(const Package &package) {
  return formatv("{0:2}\n", toJSON(package));
}

/// Fills up the last block of `archive` with zeros.
static void padBlock(std::string &archive) {
  archive.resize(alignTo(archive.size(), TarHeader::blockBytes));
}

static void appendFile(StringRef name, StringRef bytes, std::string &archive) {
  TarHeader header = TarHeader::createFile(name, bytes.size());
  archive.append(reinterpret_cast<const char *>(&header), sizeof(header));
  archive.append(bytes);
  padBlock(archive);
}

std::string stof::archivePackage(const Package &package) {
  std::string archive;
  appendFile(manifestName, printManifest(package), archive);
  for (const auto &[name, bytes] : package.files)
    appendFile(name, bytes, archive);
  // The end is two empty blocks.
  archive.resize(archive.size() + 2 * TarHeader::blockBytes);
  return archive;
}

Error stof::writePackage(const Package &package, StringRef path,
                         TemporaryObserver observe) {
  while (path.size() > 1 && sys::path::is_separator(path.back()))
    path = path.drop_back();
  if (path.empty())
    return createStringError(
        "expects a folder to write, but got an empty name");
  Expected<std::string> destination = followLinks(path);
  if (!destination)
    return destination.takeError();
  if (Error error = verifyReplaceable(*destination, *destination))
    return error;
  Expected<FreshFolder> fresh = FreshFolder::create(
      *destination, [&](StringRef name) { observe(name, /*isFolder=*/true); });
  if (!fresh)
    return fresh.takeError();
  auto write = [&](StringRef name, StringRef bytes) {
    SmallString<128> file(fresh->getPath());
    sys::path::append(file, name);
    observe(file, /*isFolder=*/false);
    return writeFile(file, bytes);
  };
  for (const auto &[name, bytes] : package.files)
    if (Error error = write(name, bytes))
      return error;
  if (Error error = write(manifestName, printManifest(package)))
    return error;
  return fresh->moveToDestination(
      [&](StringRef found) { return verifyReplaceable(found, *destination); });
}

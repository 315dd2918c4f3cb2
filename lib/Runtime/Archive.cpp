//===----------------------------------------------------------------------===//
// Reading of tar archives: those of POSIX, and what GNU tar writes by default.
//===----------------------------------------------------------------------===//

#include "Archive.h"

#include "stof/Support/TarHeader.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace stof;
using namespace stof::runtime;

namespace {

class ArchiveReader {
public:
  explicit ArchiveReader(StringRef archive) : archive(archive) {}

  Expected<StringMap<StringRef>> read();

private:
  Error fail(const Twine &what) const {
    return createStringError("expects a tar archive, but got " + what +
                             " at byte " + Twine(offset));
  }
  Error readMember(const TarHeader &header);
  Error readRecords(StringRef records);
  Error addFile(StringRef path, StringRef bytes);

  StringRef archive;
  /// Of the header that is read.
  uint64_t offset = 0;
  /// What records say of the next member.
  std::optional<std::string> nextPath;
  std::optional<uint64_t> nextSize;
  StringMap<StringRef> files;
};

} // namespace

/// Reads records `LENGTH KEY=VALUE\n`, whose length is that of all of it.
Error ArchiveReader::readRecords(StringRef records) {
  while (!records.empty()) {
    StringRef rest = records;
    uint64_t length;
    if (rest.consumeInteger(/*Radix=*/10, length) || !rest.consume_front(" ") ||
        length > records.size() || length <= records.size() - rest.size())
      return fail("a damaged record");
    StringRef record = rest.take_front(length - (records.size() - rest.size()));
    records = records.drop_front(length);
    if (!record.consume_back("\n"))
      return fail("a damaged record");
    auto [key, value] = record.split('=');
    uint64_t size;
    if (key == "path")
      nextPath = value.str();
    else if (key == "size" && !value.getAsInteger(/*Radix=*/10, size))
      nextSize = size;
  }
  return Error::success();
}

Error ArchiveReader::addFile(StringRef path, StringRef bytes) {
  StringRef name = path.substr(path.rfind('/') + 1);
  if (!files.try_emplace(name, bytes).second)
    return createStringError("expects each file once in an archive, but got "
                             "another '" +
                             name + "'");
  return Error::success();
}

Error ArchiveReader::readMember(const TarHeader &header) {
  StringRef contents = archive.substr(offset + TarHeader::blockBytes);
  bool isFile =
      header.type == TarHeader::File || header.type == TarHeader::OldFile;
  std::optional<uint64_t> size = header.getSize();
  if (isFile && nextSize)
    size = nextSize;
  if (!size || *size > contents.size())
    return fail("the header of more bytes than there are");
  contents = contents.take_front(*size);
  switch (header.type) {
  case TarHeader::File:
  case TarHeader::OldFile:
    if (Error error =
            addFile(nextPath ? *nextPath : header.getName(), contents))
      return error;
    break;
  case TarHeader::Records:
    if (Error error = readRecords(contents))
      return error;
    break;
  case TarHeader::LongName:
    nextPath = contents.take_until([](char c) { return c == '\0'; }).str();
    break;
  case TarHeader::Folder:
  case TarHeader::GlobalRecords:
    break;
  default:
    return fail("a member '" + header.getName() +
                "' that is neither a file nor a folder");
  }
  if (isFile || header.type == TarHeader::Folder) {
    nextPath.reset();
    nextSize.reset();
  }
  offset += TarHeader::blockBytes + alignTo(*size, TarHeader::blockBytes);
  return Error::success();
}

Expected<StringMap<StringRef>> ArchiveReader::read() {
  while (offset < archive.size()) {
    StringRef block = archive.substr(offset, TarHeader::blockBytes);
    if (block.size() < TarHeader::blockBytes)
      return fail("part of a header");
    if (block.find_first_not_of('\0') == StringRef::npos)
      break;
    TarHeader header;
    std::memcpy(&header, block.data(), sizeof(header));
    if (!header.isValid())
      return fail("no header");
    if (Error error = readMember(header))
      return std::move(error);
  }
  return std::move(files);
}

Expected<Archive> Archive::parse(StringRef bytes) {
  Expected<StringMap<StringRef>> files = ArchiveReader(bytes).read();
  if (!files)
    return files.takeError();
  return Archive(bytes, std::move(*files));
}

std::error_code Archive::findSize(StringRef name, uint64_t &size) const {
  auto file = files.find(name);
  if (file == files.end())
    return std::make_error_code(std::errc::no_such_file_or_directory);
  size = file->second.size();
  return {};
}

ErrorOr<std::unique_ptr<MemoryBuffer>> Archive::read(StringRef name) const {
  auto file = files.find(name);
  if (file == files.end())
    return std::make_error_code(std::errc::no_such_file_or_directory);
  StringRef contents = file->second;
  // What a block has left is filled with zeros.
  if (contents.end() != bytes.end() && *contents.end() == '\0')
    return MemoryBuffer::getMemBuffer(contents, name);
  return MemoryBuffer::getMemBufferCopy(contents, name);
}

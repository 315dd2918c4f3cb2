//===----------------------------------------------------------------------===//
// The header of SQLite's files (https://www.sqlite.org/fileformat.html): 100
// bytes with numbers in big-endian order. Tuning databases have theirs from the
// transaction that creates them, which precedes the log, so that the file alone
// tells what it is.
//===----------------------------------------------------------------------===//

#include "InspectFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstddef>
#include <sqlite3.h>
#include <string>
#include <system_error>
#include <vector>

using namespace llvm;
using namespace stof;

static constexpr size_t headerBytes = 100;
static constexpr size_t formatOffset = 60;
static constexpr size_t applicationOffset = 68;
static constexpr StringLiteral magic =
    StringLiteral::withInnerNUL("SQLite format 3\0");

static Error unexpected(StringRef path, const Twine &found) {
  return createStringError("'" + path +
                           "': expects a tuning database, but got " + found);
}

/// Reads at most `headerBytes` of a file of `size` bytes. A file that this
/// process has opened by SQLite must be opened and closed by SQLite only: to
/// close it otherwise gives up the locks that the process has on it.
static Expected<std::string> readHeader(StringRef path, uint64_t size) {
  sqlite3_vfs *system = sqlite3_vfs_find(nullptr);
  std::vector<std::max_align_t> storage(1 + system->szOsFile /
                                                sizeof(std::max_align_t));
  auto *file = reinterpret_cast<sqlite3_file *>(storage.data());
  const char *name = sqlite3_create_filename(path.str().c_str(), "", "",
                                             /*nParam=*/0, nullptr);
  std::string header(headerBytes, '\0');
  int code =
      name ? system->xOpen(system, name, file,
                           SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY, nullptr)
           : SQLITE_NOMEM;
  if (code == SQLITE_OK)
    code = file->pMethods->xRead(file, header.data(), headerBytes, 0);
  if (file->pMethods)
    file->pMethods->xClose(file);
  sqlite3_free_filename(name);
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ)
    return createStringError("cannot read '" + path +
                             "': " + sqlite3_errstr(code));
  header.resize(std::min<uint64_t>(size, headerBytes));
  return header;
}

static Error checkHeader(StringRef path, StringRef header) {
  if (header.size() < headerBytes || !header.starts_with(magic)) {
    constexpr size_t shown = 16;
    std::string begin;
    raw_string_ostream os(begin);
    printEscapedString(header.take_front(shown), os);
    return unexpected(path, "a file that begins with \"" + Twine(begin) + "\"");
  }
  uint32_t application =
      support::endian::read32be(header.data() + applicationOffset);
  if (application != tuningApplication)
    return unexpected(path, "an SQLite database of application 0x" +
                                utohexstr(application, /*LowerCase=*/true, 8));
  uint32_t format = support::endian::read32be(header.data() + formatOffset);
  if (format != tuningFormat)
    return createStringError(
        "'" + path + "': expects format " + Twine(tuningFormat) +
        " of tuning databases, but got format " + Twine(format));
  return Error::success();
}

Expected<FileState> stof::inspectFile(StringRef path) {
  if (path.empty())
    return createStringError(
        "expects a tuning database, but got an empty name");
  sys::fs::file_status status;
  std::error_code error = sys::fs::status(path, status);
  if (error == std::errc::no_such_file_or_directory)
    return FileState::Missing;
  if (error)
    return createStringError("cannot read '" + path + "': " + error.message());
  if (sys::fs::is_directory(status))
    return unexpected(path, "a directory");
  // To open a pipe would wait for its other end.
  if (!sys::fs::is_regular_file(status))
    return unexpected(path, "what is no regular file");
  if (status.getSize() == 0)
    return FileState::Empty;
  Expected<std::string> header = readHeader(path, status.getSize());
  if (!header)
    return header.takeError();
  if (Error error = checkHeader(path, *header))
    return std::move(error);
  return FileState::Database;
}

//===----------------------------------------------------------------------===//
// Errors of streams must be cleared: the destructor of a stream with an error
// terminates the process.
//===----------------------------------------------------------------------===//

#include "OutputFile.h"

#include "stof/Support/Links.h"

#include "llvm/Support/Signals.h"

using namespace llvm;
using namespace stof;

static Error describe(StringRef path, std::error_code error) {
  return createStringError(error,
                           "cannot write '" + path + "': " + error.message());
}

/// Returns and clears the error of `stream`.
static std::error_code takeError(raw_fd_ostream &stream) {
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

/// Opens an existing file that cannot be replaced by a rename.
Error OutputFile::openInPlace() {
  std::error_code error;
  own = std::make_unique<raw_fd_ostream>(path, error, sys::fs::CD_OpenExisting,
                                         sys::fs::FA_Write, sys::fs::OF_None);
  stream = own.get();
  return error ? describe(path, error) : Error::success();
}

/// Opens a temporary file in the folder of the destination.
Error OutputFile::openTemporary() {
  int descriptor;
  std::error_code error;
  do {
    SmallString<8> suffix;
    sys::fs::createUniquePath("%%%%%%%%", suffix, /*MakeAbsolute=*/false);
    temporary = (destination + ".stof-" + suffix).str();
    error =
        sys::fs::openFileForWrite(temporary, descriptor, sys::fs::CD_CreateNew);
  } while (error == std::errc::file_exists);
  if (error) {
    temporary.clear();
    return describe(path, error);
  }
  sys::RemoveFileOnSignal(temporary);
  own = std::make_unique<raw_fd_ostream>(descriptor, /*shouldClose=*/true);
  stream = own.get();
  sys::fs::file_status status;
  if (!sys::fs::status(destination, status))
    error = sys::fs::setPermissions(descriptor, status.permissions());
  return error ? describe(path, error) : Error::success();
}

Expected<OutputFile> OutputFile::open(StringRef path) {
  OutputFile output;
  output.path = path.str();
  if (path == "-") {
    output.stream = &outs();
    return output;
  }
  Expected<std::string> destination = followLinks(path);
  if (!destination)
    return describe(path, errorToErrorCode(destination.takeError()));
  output.destination = *destination;
  Error error = Error::success();
  // For an open file without a name, the link in /proc is dangling.
  if (sys::fs::exists(path) && (!sys::fs::is_regular_file(path) ||
                                !sys::fs::equivalent(path, *destination)))
    error = output.openInPlace();
  else if (sys::fs::exists(path) && !sys::fs::can_write(path))
    error = describe(path, std::make_error_code(std::errc::permission_denied));
  else
    error = output.openTemporary();
  if (error)
    return std::move(error);
  return output;
}

OutputFile::OutputFile(OutputFile &&other)
    : path(std::move(other.path)), destination(std::move(other.destination)),
      temporary(std::move(other.temporary)), own(std::move(other.own)),
      stream(other.stream) {
  other.temporary.clear();
}

OutputFile::~OutputFile() {
  if (own)
    (void)takeError(*own);
  if (temporary.empty())
    return;
  sys::fs::remove(temporary);
  sys::DontRemoveFileOnSignal(temporary);
}

Error OutputFile::keep() {
  if (std::error_code error = takeError(*stream))
    return describe(path, error);
  if (temporary.empty())
    return Error::success();
  if (std::error_code error = sys::fs::rename(temporary, destination))
    return describe(path, error);
  sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return Error::success();
}

Error stof::flushStandardOutput() {
  if (std::error_code error = takeError(outs()))
    return describe("-", error);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Errors of a stream are taken from it: one that is left ends the process.
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

/// The first error of `stream`, which then has none.
static std::error_code takeError(raw_fd_ostream &stream) {
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

/// Opens what is no plain file, or is reached by no name of its own.
Error OutputFile::openInPlace() {
  std::error_code error;
  own = std::make_unique<raw_fd_ostream>(path, error, sys::fs::CD_OpenExisting,
                                         sys::fs::FA_Write, sys::fs::OF_None);
  stream = own.get();
  return error ? describe(path, error) : Error::success();
}

/// Opens a new file in the folder of the place.
Error OutputFile::openBesidePlace() {
  int descriptor;
  std::error_code error;
  do {
    SmallString<8> suffix;
    sys::fs::createUniquePath("%%%%%%%%", suffix, /*MakeAbsolute=*/false);
    temporary = (place + ".stof-" + suffix).str();
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
  if (!sys::fs::status(place, status))
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
  Expected<std::string> place = followLinks(path);
  if (!place)
    return describe(path, errorToErrorCode(place.takeError()));
  output.place = *place;
  Error error = Error::success();
  // Of an open file that has lost its name, /proc shows a link that leads
  // nowhere.
  if (sys::fs::exists(path) &&
      (!sys::fs::is_regular_file(path) || !sys::fs::equivalent(path, *place)))
    error = output.openInPlace();
  else if (sys::fs::exists(path) && !sys::fs::can_write(path))
    error = describe(path, std::make_error_code(std::errc::permission_denied));
  else
    error = output.openBesidePlace();
  if (error)
    return std::move(error);
  return output;
}

OutputFile::OutputFile(OutputFile &&other)
    : path(std::move(other.path)), place(std::move(other.place)),
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
  if (std::error_code error = sys::fs::rename(temporary, place))
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

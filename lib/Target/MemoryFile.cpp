//===----------------------------------------------------------------------===//
// Anonymous files of Linux (memfd), which have a path in /proc.
//===----------------------------------------------------------------------===//

#include "MemoryFile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace stof;

static Error describe(StringRef name, std::error_code error) {
  return createStringError(error, "cannot hold " + name +
                                      " in memory: " + error.message());
}

Expected<MemoryFile> MemoryFile::create(StringRef name, StringRef bytes) {
  int descriptor = memfd_create(name.str().c_str(), MFD_CLOEXEC);
  if (descriptor < 0)
    return describe(name, std::error_code(errno, std::generic_category()));
  MemoryFile file(descriptor);
  raw_fd_ostream stream(descriptor, /*shouldClose=*/false);
  stream << bytes;
  stream.flush();
  if (std::error_code error = stream.error()) {
    stream.clear_error();
    return describe(name, error);
  }
  return file;
}

MemoryFile::~MemoryFile() {
  if (descriptor >= 0)
    close(descriptor);
}

std::string MemoryFile::getPath() const {
  return ("/proc/" + Twine(sys::Process::getProcessId()) + "/fd/" +
          Twine(descriptor))
      .str();
}

Expected<std::string> MemoryFile::read() const {
  std::string path = getPath();
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createFileError(path, buffer.getError());
  return (*buffer)->getBuffer().str();
}

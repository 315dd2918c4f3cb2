//===----------------------------------------------------------------------===//
// In-memory files for assemblers, linkers and loaders, which read and write by
// name. Unlike temporary files they are private, need no folder or disk space,
// and cannot be left over. They are anonymous files of Linux (memfd), which
// have a path in /proc.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_MEMORYFILE_H
#define STOF_SUPPORT_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace stof {

class MemoryFile {
public:
  /// A file with these bytes. `name` is for messages.
  static llvm::Expected<MemoryFile> create(llvm::StringRef name,
                                           llvm::StringRef bytes = "") {
    int descriptor = memfd_create(name.str().c_str(), MFD_CLOEXEC);
    if (descriptor < 0)
      return describe(name, std::error_code(errno, std::generic_category()));
    MemoryFile file(descriptor);
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/false);
    stream << bytes;
    stream.flush();
    if (std::error_code error = stream.error()) {
      stream.clear_error();
      return describe(name, error);
    }
    return file;
  }
  MemoryFile(MemoryFile &&other) : descriptor(other.descriptor) {
    other.descriptor = -1;
  }
  MemoryFile &operator=(MemoryFile &&) = delete;
  ~MemoryFile() {
    if (descriptor >= 0)
      close(descriptor);
  }

  /// A path of the file for this process and its children. Another file can
  /// have it later.
  std::string getPath() const {
    return ("/proc/" + llvm::Twine(llvm::sys::Process::getProcessId()) +
            "/fd/" + llvm::Twine(descriptor))
        .str();
  }

  /// The current contents.
  llvm::Expected<std::string> read() const {
    std::string path = getPath();
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
        llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
    if (!buffer)
      return llvm::createFileError(path, buffer.getError());
    return (*buffer)->getBuffer().str();
  }

private:
  explicit MemoryFile(int descriptor) : descriptor(descriptor) {}

  static llvm::Error describe(llvm::StringRef name, std::error_code error) {
    return llvm::createStringError(error, "cannot hold " + name +
                                              " in memory: " + error.message());
  }

  int descriptor;
};

} // namespace stof

#endif // STOF_SUPPORT_MEMORYFILE_H

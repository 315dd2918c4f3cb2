//===----------------------------------------------------------------------===//
// The linker, as a library.
//===----------------------------------------------------------------------===//

#include "NativeLink.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

static Error writeFile(StringRef path, StringRef bytes) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  if (error)
    return createFileError(path, error);
  stream << bytes;
  stream.close();
  if (stream.has_error())
    return createFileError(path, stream.error());
  return Error::success();
}

Expected<std::string> stof::linkSharedObject(StringRef object) {
  // The linker reads and writes files only.
  SmallString<128> folder;
  if (std::error_code error =
          sys::fs::createUniqueDirectory("stof-link", folder))
    return createStringError(error, "expects to make a temporary folder, but "
                                    "got: " +
                                        error.message());
  llvm::scope_exit cleanup([&] { sys::fs::remove_directories(folder); });
  SmallString<128> input(folder), output(folder);
  sys::path::append(input, "module.o");
  sys::path::append(output, "module.so");
  if (Error error = writeFile(input, object))
    return error;

  const char *arguments[] = {
      "ld.lld",          "-shared",    "--gc-sections", "--strip-all",
      "--build-id=none", "-z",         "noexecstack",   "-o",
      output.c_str(),    input.c_str()};
  // The linker keeps its state in globals.
  static std::mutex linking;
  std::lock_guard<std::mutex> lock(linking);
  std::string messages;
  raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return createStringError("expects the native object to link, but got: " +
                             StringRef(messages).rtrim());
  ErrorOr<std::unique_ptr<MemoryBuffer>> linked = MemoryBuffer::getFile(output);
  if (!linked)
    return createFileError(output, linked.getError());
  return (*linked)->getBuffer().str();
}

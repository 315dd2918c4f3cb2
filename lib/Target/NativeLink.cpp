//===----------------------------------------------------------------------===//
// LLD as a library. It reads and writes files by name: the object is an
// in-memory file, and the result comes through a pipe, because LLD writes to
// anything but a regular file directly, without a temporary file next to it.
//===----------------------------------------------------------------------===//

#include "NativeLink.h"

#include "stof/Support/MemoryFile.h"

#include "lld/Common/Driver.h"
#include "llvm/ADT/Twine.h"

#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace {

/// A pipe and the thread that reads it.
class OutputPipe {
public:
  OutputPipe() = default;
  OutputPipe(const OutputPipe &) = delete;
  ~OutputPipe();

  Error open();
  std::string getPath() const {
    return ("/proc/self/fd/" + Twine(ends[1])).str();
  }
  /// Closes the pipe for writing and returns all of its bytes.
  std::string finish();

private:
  void collect();

  int ends[2] = {-1, -1};
  pthread_t collector;
  bool collecting = false;
  std::string bytes;
};

} // namespace

void OutputPipe::collect() {
  constexpr size_t most = 1 << 16;
  char chunk[most];
  ssize_t count;
  while ((count = read(ends[0], chunk, most)) > 0 ||
         (count < 0 && errno == EINTR))
    if (count > 0)
      bytes.append(chunk, count);
}

Error OutputPipe::open() {
  auto describe = [](int number) {
    std::error_code error(number, std::generic_category());
    return createStringError(error, "cannot read the output of the linker: " +
                                        error.message());
  };
  if (pipe2(ends, O_CLOEXEC) != 0)
    return describe(errno);
  int error = pthread_create(
      &collector, nullptr,
      [](void *pipe) -> void * {
        static_cast<OutputPipe *>(pipe)->collect();
        return nullptr;
      },
      this);
  if (error)
    return describe(error);
  collecting = true;
  return Error::success();
}

std::string OutputPipe::finish() {
  close(ends[1]);
  ends[1] = -1;
  pthread_join(collector, nullptr);
  collecting = false;
  return std::move(bytes);
}

OutputPipe::~OutputPipe() {
  if (collecting)
    finish();
  for (int end : ends)
    if (end >= 0)
      close(end);
}

Expected<std::string> stof::linkSharedObject(StringRef object) {
  Expected<MemoryFile> input = MemoryFile::create("an object", object);
  if (!input)
    return input.takeError();
  OutputPipe output;
  if (Error error = output.open())
    return std::move(error);

  std::string from = input->getPath(), to = output.getPath();
  // A single object does not profit from threads.
  const char *arguments[] = {"ld.lld",      "-shared",     "--gc-sections",
                             "--strip-all", "--threads=1", "--build-id=none",
                             "-z",          "noexecstack", "-o",
                             to.c_str(),    from.c_str()};
  // LLD has global state.
  static std::mutex linking;
  std::lock_guard<std::mutex> lock(linking);
  std::string messages;
  raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  std::string linked = output.finish();
  if (result.retCode != 0)
    return createStringError("expects the native object to link, but got: " +
                             StringRef(messages).rtrim());
  return linked;
}

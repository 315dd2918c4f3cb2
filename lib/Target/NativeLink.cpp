//===----------------------------------------------------------------------===//
// The linker, as a library. It reads and writes by name: the object is a file
// in memory, and the result comes through a pipe, because what is no plain file
// the linker writes as it is, without a file of its own beside it.
//===----------------------------------------------------------------------===//

#include "NativeLink.h"

#include "MemoryFile.h"
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

/// A pipe and the thread that empties it.
class OutputPipe {
public:
  OutputPipe() = default;
  OutputPipe(const OutputPipe &) = delete;
  ~OutputPipe();

  Error open();
  std::string getPath() const {
    return ("/proc/self/fd/" + Twine(ends[1])).str();
  }
  /// Everything that was written, once nobody can write any more.
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
  char part[most];
  ssize_t count;
  while ((count = read(ends[0], part, most)) > 0 ||
         (count < 0 && errno == EINTR))
    if (count > 0)
      bytes.append(part, count);
}

Error OutputPipe::open() {
  auto describe = [](int number) {
    std::error_code error(number, std::generic_category());
    return createStringError(error, "cannot read what the linker writes: " +
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
  // One object is no work for several threads.
  const char *arguments[] = {"ld.lld",      "-shared",     "--gc-sections",
                             "--strip-all", "--threads=1", "--build-id=none",
                             "-z",          "noexecstack", "-o",
                             to.c_str(),    from.c_str()};
  // The linker keeps its state in globals.
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

//===----------------------------------------------------------------------===//
// The parts of results.
//===----------------------------------------------------------------------===//

#include "ResultReader.h"

#include <algorithm>

using namespace llvm;
using namespace stof::runtime;

/// The bytes of a part, a multiple of the size of every dtype.
static constexpr int64_t partBytes = 32 << 20;

ResultReader::~ResultReader() {
  if (memory)
    device.releaseOnHost(memory);
}

Error ResultReader::read(const HostRun &run, size_t index,
                         function_ref<void(int64_t, StringRef)> take) {
  if (!memory)
    if (Error error = device.allocateOnHost(partBytes).moveInto(memory))
      return error;
  int64_t bytes = run.getCall().resultBytes[index];
  for (int64_t offset = 0; offset < bytes; offset += partBytes) {
    MutableArrayRef<char> part(static_cast<char *>(memory),
                               std::min(partBytes, bytes - offset));
    if (Error error = run.fetch(index, offset, part))
      return error;
    take(offset, StringRef(part.data(), part.size()));
  }
  return Error::success();
}

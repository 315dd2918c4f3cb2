//===----------------------------------------------------------------------===//
// Opening of devices by name, and selection of the target of a function.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Device.h"

#include "CudaDevice.h"
#include "NativeDevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace stof::runtime;

PreparedCall::~PreparedCall() = default;
Graph::~Graph() = default;
Executable::~Executable() = default;
Device::~Device() = default;

char CheckFailure::ID = 0;
char OutOfMemory::ID = 0;

void *Buffers::find(BufferRef::Kind kind, unsigned index) const {
  switch (kind) {
  case BufferRef::Kind::Input:
    return inputs[index];
  case BufferRef::Kind::Result:
    return results[index];
  case BufferRef::Kind::Workspace:
    return workspace;
  case BufferRef::Kind::Constant:
  case BufferRef::Kind::Status:
    break;
  }
  llvm_unreachable("each device has its own constants and status word");
}

Error stof::runtime::explainStatus(StringRef function, const Target &target,
                                   int32_t status) {
  if (status == 0)
    return Error::success();
  if (status < 0 || static_cast<size_t>(status) > target.assertions.size())
    return createStringError("expects the number of one of " +
                             Twine(target.assertions.size()) +
                             " assertions of '" + function +
                             "' as its status, but got " + Twine(status));
  const Assertion &failed = target.assertions[status - 1];
  return make_error<CheckFailure>(("'" + function + "': " + failed.message +
                                   ", as " + failed.location + " asserts")
                                      .str());
}

std::optional<int64_t> stof::runtime::getFreeHostBytes() {
  // Without the size of the file, which is not known before it is read.
  auto file = MemoryBuffer::getFileAsStream("/proc/meminfo");
  if (!file)
    return std::nullopt;
  StringRef value = (*file)->getBuffer().split("MemAvailable:").second.ltrim();
  int64_t kibibytes;
  if (value.consumeInteger(/*Radix=*/10, kibibytes))
    return std::nullopt;
  return kibibytes * 1024;
}

Expected<std::unique_ptr<Device>> stof::runtime::findDevice(StringRef name,
                                                            unsigned threads) {
  if (name == "cpu")
    return openNativeDevice(threads);
  StringRef number = name;
  unsigned ordinal;
  if (number.consume_front("cuda:") && to_integer(number, ordinal, /*Base=*/10))
    return findCudaDevice(ordinal);
  return createStringError("expects a device 'cpu' or 'cuda:N', but got '" +
                           name + "'");
}

Expected<std::unique_ptr<Device>> stof::runtime::openDevice(StringRef name,
                                                            unsigned threads) {
  Expected<std::unique_ptr<Device>> device = findDevice(name, threads);
  if (device)
    if (Error error = (*device)->activate())
      return std::move(error);
  return device;
}

Expected<const Target *> stof::runtime::chooseTarget(const Function &function,
                                                     const Device &device) {
  const Target *best = nullptr;
  for (const Target &target : function.targets)
    if (device.rateTarget(target) > (best ? device.rateTarget(*best) : 0))
      best = &target;
  if (best)
    return best;
  std::string names =
      join(map_range(function.targets, [](const Target &t) { return t.name; }),
           ", ");
  return createStringError("expects a target of '" + Twine(function.name) +
                           "' that runs on " + device.getName() + " (" +
                           device.describe() + "), but got " +
                           (names.empty() ? "none" : names));
}

//===----------------------------------------------------------------------===//
// Loading of libnvidia-ml, by its documented binary interface.
//===----------------------------------------------------------------------===//

#include "GpuClock.h"

#include <dlfcn.h>

using namespace stof::runtime;

template <typename Function>
static Function find(void *library, const char *symbol) {
  return reinterpret_cast<Function>(dlsym(library, symbol));
}

GpuClock::GpuClock(const char *address)
    : library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  if (!library)
    return;
  auto initialise = find<int (*)()>(library, "nvmlInit_v2");
  auto end = find<int (*)()>(library, "nvmlShutdown");
  auto findDevice = find<int (*)(const char *, void **)>(
      library, "nvmlDeviceGetHandleByPciBusId_v2");
  getClockInfo =
      find<decltype(getClockInfo)>(library, "nvmlDeviceGetClockInfo");
  if (!initialise || !end || !findDevice || !getClockInfo || initialise() != 0)
    return;
  shutdown = end;
  if (findDevice(address, &device) != 0)
    device = nullptr;
}

GpuClock::~GpuClock() {
  if (shutdown)
    shutdown();
  if (library)
    dlclose(library);
}

std::optional<unsigned> GpuClock::getMHz() const {
  constexpr int clockOfSMs = 1;
  unsigned clock;
  if (!device || getClockInfo(device, clockOfSMs, &clock) != 0)
    return std::nullopt;
  return clock;
}

//===----------------------------------------------------------------------===//
// Targets and memory of a GPU.
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

#include "CudaExecutable.h"
#include "stof/Support/TargetInfo.h"

#include <algorithm>

using namespace llvm;
using namespace stof;
using namespace stof::runtime;

Expected<std::unique_ptr<Device>>
stof::runtime::findCudaDevice(unsigned ordinal) {
  Expected<const CudaDriver *> driver = CudaDriver::get();
  if (!driver)
    return driver.takeError();
  auto device = std::make_unique<CudaDevice>(**driver);
  if (Error error = device->find(ordinal))
    return std::move(error);
  return device;
}

Error CudaDevice::find(unsigned wanted) {
  ordinal = wanted;
  int count;
  if (Error error = driver.deviceGetCount(&count))
    return error;
  if (ordinal >= static_cast<unsigned>(count))
    return createStringError("expects one of " + Twine(count) +
                             " CUDA devices, but got '" + getName() + "'");
  if (Error error = driver.deviceGet(&device, ordinal))
    return error;
  char name[256] = {};
  if (Error error = driver.deviceGetName(name, sizeof(name) - 1, device))
    return error;
  model = name;
  const std::pair<int *, int> attributes[] = {
      {&major, cuda::computeCapabilityMajor},
      {&minor, cuda::computeCapabilityMinor},
      {&sharedBytes, cuda::maxSharedMemoryPerBlockOptin}};
  for (auto [value, attribute] : attributes)
    if (Error error = driver.deviceGetAttribute(value, attribute, device))
      return error;
  return Error::success();
}

Error CudaDevice::activate() {
  assert(!context && "a device is activated once");
  return driver.primaryContextRetain(&context, device);
}

CudaDevice::~CudaDevice() {
  if (context)
    consumeError(driver.primaryContextRelease(device));
}

std::string CudaDevice::getName() const {
  return "cuda:" + std::to_string(ordinal);
}

std::string CudaDevice::describe() const {
  return model + ", compute capability " + std::to_string(major) + "." +
         std::to_string(minor);
}

Expected<std::string> CudaDevice::getDriverVersion() const {
  int version;
  if (Error error = driver.driverGetVersion(&version))
    return std::move(error);
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

std::optional<unsigned> CudaDevice::getClockMHz() {
  std::call_once(clockOpened, [&] {
    char address[32] = {};
    if (Error error =
            driver.deviceGetPCIBusId(address, sizeof(address) - 1, device))
      return consumeError(std::move(error));
    clock = std::make_unique<GpuClock>(address);
  });
  return clock ? clock->getMHz() : std::nullopt;
}

unsigned CudaDevice::rateTarget(const Target &target) const {
  std::optional<Architecture> code = Architecture::parse(target.name);
  if (!code || !code->runsOn(getCapability()))
    return 0;
  // Higher capability first, then the more specific target.
  return (Architecture::Exact + 1) * code->capability + code->reach;
}

bool CudaDevice::runsMachineCodeOf(const Target &target) const {
  std::optional<Architecture> code = Architecture::parse(target.name);
  return code && rateTarget(target) &&
         code->capability / 10 == static_cast<unsigned>(major);
}

Expected<std::unique_ptr<Executable>> CudaDevice::load(const Package &package,
                                                       const Function &function,
                                                       const Target &target) {
  auto executable = std::make_unique<CudaExecutable>(*this, target);
  if (Error error = executable->load(package, function))
    return std::move(error);
  return executable;
}

std::optional<int64_t> CudaDevice::getFreeBytes() const {
  CudaContextScope scope(driver, context);
  size_t free, total;
  Error error = scope.takeError();
  if (!error)
    error = driver.memGetInfo(&free, &total);
  if (!error)
    return free;
  consumeError(std::move(error));
  return std::nullopt;
}

Expected<void *> CudaDevice::allocate(int64_t bytes) {
  CudaContextScope scope(driver, context);
  if (Error error = scope.takeError())
    return std::move(error);
  uint64_t address;
  if (Error error = driver.memAlloc(&address, std::max<int64_t>(bytes, 1)))
    return make_error<OutOfMemory>("cannot allocate " + std::to_string(bytes) +
                                   " bytes on " + getName() + ": " +
                                   toString(std::move(error)));
  return reinterpret_cast<void *>(address);
}

void CudaDevice::release(void *memory) {
  CudaContextScope scope(driver, context);
  if (Error error = scope.takeError())
    return consumeError(std::move(error));
  consumeError(driver.memFree(reinterpret_cast<uint64_t>(memory)));
}

Expected<void *> CudaDevice::allocateOnHost(int64_t bytes) {
  CudaContextScope scope(driver, context);
  if (Error error = scope.takeError())
    return std::move(error);
  void *memory;
  if (Error error = driver.hostAlloc(&memory, bytes, cuda::hostAllocPortable))
    return std::move(error);
  return memory;
}

void CudaDevice::releaseOnHost(void *memory) {
  CudaContextScope scope(driver, context);
  if (Error error = scope.takeError())
    return consumeError(std::move(error));
  consumeError(driver.hostFree(memory));
}

Error CudaDevice::fill(void *memory, uint8_t byte, int64_t bytes) {
  CudaContextScope scope(driver, context);
  if (Error error = scope.takeError())
    return error;
  if (bytes == 0)
    return Error::success();
  return driver.memSet(reinterpret_cast<uint64_t>(memory), byte, bytes);
}

Error CudaDevice::copyIn(void *memory, const void *host, int64_t bytes) {
  CudaContextScope scope(driver, context);
  if (Error error = scope.takeError())
    return error;
  if (bytes == 0)
    return Error::success();
  return driver.copyIn(reinterpret_cast<uint64_t>(memory), host, bytes);
}

Error CudaDevice::copyOut(void *host, const void *memory, int64_t bytes) {
  CudaContextScope scope(driver, context);
  if (Error error = scope.takeError())
    return error;
  if (bytes == 0)
    return Error::success();
  return driver.copyOut(host, reinterpret_cast<uint64_t>(memory), bytes);
}

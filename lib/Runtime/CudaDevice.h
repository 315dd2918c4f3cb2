//===----------------------------------------------------------------------===//
// A GPU as a device, through the CUDA driver and the primary context of the
// device, which is shared with other users in the process such as PyTorch.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_CUDADEVICE_H
#define STOF_LIB_RUNTIME_CUDADEVICE_H

#include "CudaDriver.h"
#include "GpuClock.h"
#include "stof/Runtime/Device.h"
#include <mutex>

namespace stof::runtime {

llvm::Expected<std::unique_ptr<Device>> findCudaDevice(unsigned ordinal);

class CudaDevice : public Device {
public:
  explicit CudaDevice(const CudaDriver &driver) : driver(driver) {}
  ~CudaDevice() override;

  /// Reads the properties of the device.
  llvm::Error find(unsigned ordinal);

  /// Retains the primary context of the device.
  llvm::Error activate() override;
  std::string getName() const override;
  std::string describe() const override;
  std::string getModel() const override { return model; }
  llvm::Expected<std::string> getDriverVersion() const override;
  unsigned getCapability() const override { return 10 * major + minor; }
  std::optional<unsigned> getClockMHz() override;
  unsigned rateTarget(const Target &target) const override;
  llvm::Expected<std::unique_ptr<Executable>>
  load(const Package &package, const Function &function,
       const Target &target) override;
  std::optional<int64_t> getFreeBytes() const override;
  llvm::Expected<void *> allocate(int64_t bytes) override;
  void release(void *memory) override;
  llvm::Expected<void *> allocateOnHost(int64_t bytes) override;
  void releaseOnHost(void *memory) override;
  llvm::Error fill(void *memory, uint8_t byte, int64_t bytes) override;
  llvm::Error copyIn(void *memory, const void *host, int64_t bytes) override;
  llvm::Error copyOut(void *host, const void *memory, int64_t bytes) override;

  const CudaDriver &getDriver() const { return driver; }
  void *getContext() const { return context; }
  /// The maximum dynamic shared memory of a CTA, in bytes.
  int64_t getSharedBytes() const { return sharedBytes; }
  /// Whether machine code for `target` runs on this device; unlike PTX it
  /// requires the same major compute capability.
  bool runsMachineCodeOf(const Target &target) const;

private:
  const CudaDriver &driver;
  unsigned ordinal = 0;
  int device = 0;
  void *context = nullptr;
  int major = 0, minor = 0, sharedBytes = 0;
  std::string model;
  std::once_flag clockOpened;
  std::unique_ptr<GpuClock> clock; ///< Null if the GPU has no known address.
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_CUDADEVICE_H

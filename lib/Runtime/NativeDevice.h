//===----------------------------------------------------------------------===//
// The CPU as a device: native steps from shared objects, host memory and a pool
// of threads.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_NATIVEDEVICE_H
#define STOF_LIB_RUNTIME_NATIVEDEVICE_H

#include "ThreadPool.h"
#include "stof/Runtime/Device.h"

namespace stof::runtime {

class NativeDevice : public Device {
public:
  explicit NativeDevice(std::unique_ptr<ThreadPool> pool)
      : pool(std::move(pool)) {}

  llvm::Error activate() override { return llvm::Error::success(); }
  std::string getName() const override { return "cpu"; }
  std::string describe() const override;
  std::string getModel() const override;
  llvm::Expected<std::string> getDriverVersion() const override { return ""; }
  unsigned getCapability() const override { return 0; }
  std::optional<unsigned> getClockMHz() override { return std::nullopt; }
  unsigned rateTarget(const Target &target) const override;
  llvm::Expected<std::unique_ptr<Executable>>
  load(const Package &package, const Function &function,
       const Target &target) override;
  std::optional<int64_t> getFreeBytes() const override {
    return getFreeHostBytes();
  }
  llvm::Expected<void *> allocate(int64_t bytes) override;
  void release(void *memory) override;
  llvm::Expected<void *> allocateOnHost(int64_t bytes) override {
    return allocate(bytes);
  }
  void releaseOnHost(void *memory) override { release(memory); }
  llvm::Error fill(void *memory, uint8_t byte, int64_t bytes) override;
  llvm::Error copyIn(void *memory, const void *host, int64_t bytes) override;
  llvm::Error copyOut(void *host, const void *memory, int64_t bytes) override;

private:
  std::unique_ptr<ThreadPool> pool;
};

/// 0 threads: one per hardware thread.
llvm::Expected<std::unique_ptr<Device>> openNativeDevice(unsigned threads);

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_NATIVEDEVICE_H

//===----------------------------------------------------------------------===//
// The clock of a GPU, through NVML. It is loaded lazily, as the CUDA driver is,
// and not every machine with a GPU has it.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_GPUCLOCK_H
#define STOF_LIB_RUNTIME_GPUCLOCK_H

#include <optional>

namespace stof::runtime {

class GpuClock {
public:
  /// `address` is the GPU's on the PCI bus, since NVML and the CUDA driver
  /// number GPUs differently.
  explicit GpuClock(const char *address);
  ~GpuClock();
  GpuClock(const GpuClock &) = delete;
  GpuClock &operator=(const GpuClock &) = delete;

  /// The present clock of the SMs; absent if there is no NVML or it has none.
  std::optional<unsigned> getMHz() const;

private:
  void *library;
  /// Null unless NVML is initialised.
  int (*shutdown)() = nullptr;
  int (*getClockInfo)(void *, int, unsigned *) = nullptr;
  void *device = nullptr; ///< Null unless NVML knows the GPU.
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_GPUCLOCK_H

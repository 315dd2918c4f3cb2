//===----------------------------------------------------------------------===//
// The CUDA driver as a table of functions, loaded lazily: neither the build nor
// machines without a GPU depend on CUDA. Types and numbers are those of the
// documented binary interface of the driver.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_CUDADRIVER_H
#define STOF_LIB_RUNTIME_CUDADRIVER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstddef>
#include <cstdint>

namespace stof::runtime {

/// CUlaunchAttribute, of which the values in use are one to three numbers.
struct CudaLaunchAttribute {
  int id;
  int padding = 0;
  unsigned value[16] = {};

  /// The size of a cluster in CTAs.
  static CudaLaunchAttribute getCluster(const std::array<int64_t, 3> &size) {
    constexpr int clusterDimension = 4;
    CudaLaunchAttribute attribute{clusterDimension};
    llvm::copy(size, attribute.value);
    return attribute;
  }
  /// Lets a kernel start before those ahead of it in the stream have ended.
  static CudaLaunchAttribute getProgrammatic() {
    constexpr int programmaticStreamSerialization = 6;
    return {programmaticStreamSerialization, 0, {1}};
  }
};
static_assert(sizeof(CudaLaunchAttribute) == 72, "as the driver lays it out");

/// CUgraphEdgeData.
struct CudaGraphEdge {
  unsigned char fromPort = 0, toPort = 0, type = 0;
  char reserved[5] = {};
};
static_assert(sizeof(CudaGraphEdge) == 8, "as the driver lays it out");

/// CUlaunchConfig.
struct CudaLaunch {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  void *stream;
  CudaLaunchAttribute *attributes;
  unsigned attributeCount;
};
static_assert(sizeof(CudaLaunch) == 56, "as the driver lays it out");

/// CUDA_KERNEL_NODE_PARAMS_v1.
struct CudaKernelNode {
  void *function;
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  void **parameters;
  void **extra;
};
static_assert(sizeof(CudaKernelNode) == 56, "as the driver lays it out");

/// CUtensorMap, with the strictest alignment among versions of the header.
struct alignas(128) CudaTensorMap {
  uint64_t opaque[16];
};

/// Enumerators of the driver API.
namespace cuda {
constexpr int computeCapabilityMajor = 75;
constexpr int computeCapabilityMinor = 76;
constexpr int maxSharedMemoryPerBlockOptin = 97;
constexpr int maxDynamicSharedSizeBytes = 8;
constexpr int nonPortableClusterSizeAllowed = 14;
constexpr int jitErrorLogBuffer = 5;
constexpr int jitErrorLogBufferSizeBytes = 6;
constexpr unsigned hostAllocPortable = 1;
constexpr unsigned hostAllocDeviceMap = 2;
constexpr unsigned streamNonBlocking = 1;
constexpr int streamCaptureModeThreadLocal = 1;
constexpr int streamCaptureModeRelaxed = 2;
constexpr unsigned char kernelNodePortProgrammatic = 1;
constexpr unsigned char graphDependencyProgrammatic = 1;
} // namespace cuda

class CudaDriver;

/// A function of the driver. A call fails if the driver returns an error or is
/// too old to have the function.
template <typename... Arguments>
class CudaFunction {
public:
  llvm::Error operator()(Arguments... arguments) const;
  /// Whether the driver has the function.
  explicit operator bool() const { return address; }

private:
  friend class CudaDriver;
  const CudaDriver *driver = nullptr;
  const char *symbol = nullptr;
  int (*address)(Arguments...) = nullptr;
};

class CudaDriver {
public:
  /// The driver of this machine, loaded and initialised once per process.
  static llvm::Expected<const CudaDriver *> get();

  /// `<symbol> failed: CUDA_ERROR_... (<description>)`
  llvm::Error makeError(const char *symbol, int status) const;

#define STOF_CUDA_FUNCTION(name, symbol, ...) CudaFunction<__VA_ARGS__> name;
#include "CudaFunctions.def"
#undef STOF_CUDA_FUNCTION

private:
  llvm::Error load();
  template <typename... Arguments>
  void bind(CudaFunction<Arguments...> &function, void *library,
            const char *symbol);

  int (*getErrorName)(int, const char **) = nullptr;
  int (*getErrorString)(int, const char **) = nullptr;
};

template <typename... Arguments>
llvm::Error
CudaFunction<Arguments...>::operator()(Arguments... arguments) const {
  if (!address)
    return llvm::createStringError(
        llvm::Twine("expects a CUDA driver that has ") + symbol +
        ", but this one is too old");
  if (int status = address(arguments...))
    return driver->makeError(symbol, status);
  return llvm::Error::success();
}

/// Makes a context current while it is in scope.
class CudaContextScope {
public:
  CudaContextScope(const CudaDriver &driver, void *context)
      : driver(driver), error(enter(context)) {}
  ~CudaContextScope();

  /// The error of making the context current. It must be taken once.
  llvm::Error takeError() { return std::move(error); }

private:
  llvm::Error enter(void *context);

  const CudaDriver &driver;
  bool pushed = false; ///< Before `error`, as entering tells it.
  llvm::Error error;
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_CUDADRIVER_H

//===----------------------------------------------------------------------===//
// A CUDA graph: captured from a stream, or a sequence of kernels whose
// parameters can be replaced.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_CUDAGRAPH_H
#define STOF_LIB_RUNTIME_CUDAGRAPH_H

#include "CudaDriver.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <vector>

namespace stof::runtime {

class CudaGraph {
public:
  explicit CudaGraph(const CudaDriver &driver) : driver(driver) {}
  CudaGraph(const CudaGraph &) = delete;
  ~CudaGraph();

  /// Captures the work that `queue` adds to `stream`, which is not the default
  /// one. To be called once.
  llvm::Error capture(void *stream,
                      llvm::function_ref<llvm::Error(void *stream)> queue);
  /// Adds a kernel that runs after those added before. `cluster` is the size of
  /// a cluster in CTAs; a `programmatic` one waits for the one before by
  /// itself.
  llvm::Error addKernel(const CudaKernelNode &kernel,
                        const std::array<int64_t, 3> &cluster,
                        bool programmatic);
  /// Makes the added kernels executable. To be called once.
  llvm::Error instantiate();
  /// Replaces the parameters of the kernel that was added as number `index`,
  /// for later launches.
  llvm::Error setKernel(size_t index, const CudaKernelNode &kernel) const {
    return driver.graphSetKernel(instance, nodes[index], &kernel);
  }

  llvm::Error launch(void *stream) const {
    assert(instance && "a graph is instantiated before it is launched");
    return driver.graphLaunch(instance, stream);
  }

private:
  const CudaDriver &driver;
  void *graph = nullptr, *instance = nullptr;
  std::vector<void *> nodes; ///< Of the added kernels.
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_CUDAGRAPH_H

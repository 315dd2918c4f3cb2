//===----------------------------------------------------------------------===//
// A CUDA graph captured from a stream.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_CUDAGRAPH_H
#define STOF_LIB_RUNTIME_CUDAGRAPH_H

#include "CudaDriver.h"
#include "llvm/ADT/STLFunctionalExtras.h"

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
  llvm::Error launch(void *stream) const {
    assert(instance && "a graph is captured before it is launched");
    return driver.graphLaunch(instance, stream);
  }

private:
  const CudaDriver &driver;
  void *graph = nullptr, *instance = nullptr;
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_CUDAGRAPH_H

//===----------------------------------------------------------------------===//
// Repeated runs of a call on a GPU. A graph of all kernels costs the host less
// than the launch of one kernel, also if addresses in it are replaced first. As
// launches of a graph never overlap, it serves the stream that is in use; runs
// on several streams in turn launch kernels one by one.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_CUDAPREPAREDCALL_H
#define STOF_LIB_RUNTIME_CUDAPREPAREDCALL_H

#include "CudaExecutable.h"
#include "CudaGraph.h"
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace stof::runtime {

class CudaPreparedCall : public PreparedCall {
public:
  CudaPreparedCall(CudaDevice &device, CudaExecutable &executable, Call call)
      : PreparedCall(std::move(call)), device(device), executable(executable) {}
  ~CudaPreparedCall() override;

  llvm::Error run(const Buffers &buffers, void *stream) override;

private:
  /// A kernel of the graph.
  struct Node {
    const BoundStep *step;
    CudaKernelLaunch launch;
  };

  /// The kernels of the call with the addresses of the last run of it.
  struct KernelGraph {
    explicit KernelGraph(const CudaDriver &driver) : graph(driver) {}

    CudaGraph graph;
    std::vector<Node> nodes;
    std::vector<void *> inputs, results;
    void *workspace = nullptr;

    Buffers getBuffers() const { return {inputs, results, workspace}; }
    void setBuffers(const Buffers &buffers);
  };

  llvm::Error runGraph(const Buffers &buffers, void *stream);
  llvm::Error createGraph(const Buffers &buffers);
  llvm::Error replaceAddresses(const Buffers &buffers);

  CudaDevice &device;
  CudaExecutable &executable;

  std::mutex mutex; ///< Guards what follows.
  std::optional<void *> lastStream;
  std::unique_ptr<KernelGraph> kernels; ///< Null before it is needed.
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_CUDAPREPAREDCALL_H

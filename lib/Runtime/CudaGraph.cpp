//===----------------------------------------------------------------------===//
// Capture of calls as CUDA graphs, and graphs of kernels.
//===----------------------------------------------------------------------===//

#include "CudaGraph.h"

#include "CudaExecutable.h"

using namespace llvm;
using namespace stof::runtime;

CudaGraph::~CudaGraph() {
  if (instance)
    consumeError(driver.graphExecDestroy(instance));
  if (graph)
    consumeError(driver.graphDestroy(graph));
}

Error CudaGraph::capture(void *stream, function_ref<Error(void *)> queue) {
  assert(!graph && "a graph is captured once");
  if (Error error =
          driver.streamBeginCapture(stream, cuda::streamCaptureModeThreadLocal))
    return error;
  Error queued = queue(stream);
  // An error of `queue` invalidates the capture; the first error is the cause.
  Error ended = driver.streamEndCapture(stream, &graph);
  if (queued) {
    consumeError(std::move(ended));
    return queued;
  }
  if (ended)
    return ended;
  return driver.graphInstantiate(&instance, graph, 0);
}

Error CudaGraph::addKernel(const CudaKernelNode &kernel,
                           const std::array<int64_t, 3> &cluster,
                           bool programmatic) {
  if (!graph)
    if (Error error = driver.graphCreate(&graph, 0))
      return error;
  void *node, *last = nodes.empty() ? nullptr : nodes.back();
  // Drivers before CUDA 12.3 have no such edge; a full dependency is right too.
  bool early = last && programmatic && driver.graphAddDependencies;
  bool late = last && !early;
  if (Error error = driver.graphAddKernel(&node, graph, late ? &last : nullptr,
                                          late ? 1 : 0, &kernel))
    return error;
  nodes.push_back(node);
  if (early) {
    CudaGraphEdge edge;
    edge.fromPort = cuda::kernelNodePortProgrammatic;
    edge.type = cuda::graphDependencyProgrammatic;
    if (Error error =
            driver.graphAddDependencies(graph, &last, &node, &edge, 1))
      return error;
  }
  auto [x, y, z] = cluster;
  if (x * y * z == 1)
    return Error::success();
  auto attribute = CudaLaunchAttribute::getCluster(cluster);
  return driver.graphSetAttribute(node, attribute.id, attribute.value);
}

Error CudaGraph::instantiate() {
  assert(graph && !instance && "a graph of kernels is instantiated once");
  // A capture of another thread is not disturbed: nothing is queued here.
  int mode = cuda::streamCaptureModeRelaxed;
  if (Error error = driver.exchangeCaptureMode(&mode))
    return error;
  Error instantiated = driver.graphInstantiate(&instance, graph, 0);
  return joinErrors(std::move(instantiated), driver.exchangeCaptureMode(&mode));
}

namespace {

/// A captured call, for replays in the context of its device.
class CapturedCall : public Graph {
public:
  CapturedCall(CudaDevice &device, CudaExecutable &executable)
      : device(device), executable(executable), graph(device.getDriver()) {}

  Error capture(function_ref<Error(void *)> queue);
  Error replay(void *stream) override;

private:
  CudaDevice &device;
  CudaExecutable &executable;
  CudaGraph graph;
};

} // namespace

Error CapturedCall::capture(function_ref<Error(void *)> queue) {
  const CudaDriver &driver = device.getDriver();
  CudaContextScope scope(driver, device.getContext());
  if (Error error = scope.takeError())
    return error;
  // The default stream cannot be captured. Nothing runs on this one.
  void *stream;
  if (Error error = driver.streamCreate(&stream, cuda::streamNonBlocking))
    return error;
  Error captured = graph.capture(stream, queue);
  return joinErrors(std::move(captured), driver.streamDestroy(stream));
}

Error CapturedCall::replay(void *stream) {
  CudaContextScope scope(device.getDriver(), device.getContext());
  if (Error error = scope.takeError())
    return error;
  if (Error error = executable.takeFailure())
    return error;
  return graph.launch(stream);
}

Expected<std::unique_ptr<Graph>>
CudaExecutable::capture(const Call &call, const Buffers &buffers) {
  auto captured = std::make_unique<CapturedCall>(device, *this);
  if (Error error = captured->capture(
          [&](void *stream) { return runSteps(call, buffers, stream); }))
    return std::move(error);
  return captured;
}

//===----------------------------------------------------------------------===//
// Graphs of calls, and replacement of the addresses in them.
//===----------------------------------------------------------------------===//

#include "CudaPreparedCall.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace stof::runtime;

CudaPreparedCall::~CudaPreparedCall() {
  // The driver keeps what pending launches of the graph need.
  CudaContextScope scope(device.getDriver(), device.getContext());
  consumeError(scope.takeError());
  kernels.reset();
}

void CudaPreparedCall::KernelGraph::setBuffers(const Buffers &buffers) {
  inputs.assign(buffers.inputs.begin(), buffers.inputs.end());
  results.assign(buffers.results.begin(), buffers.results.end());
  workspace = buffers.workspace;
}

Error CudaPreparedCall::createGraph(const Buffers &buffers) {
  auto created = std::make_unique<KernelGraph>(device.getDriver());
  for (auto [index, bound] : enumerate(call.steps)) {
    if (bound.isEmpty())
      continue;
    Expected<CudaKernelLaunch> launch =
        executable.makeLaunch(call, index, buffers);
    Error error = launch
                      ? created->graph.addKernel(launch->node, launch->cluster,
                                                 launch->programmatic)
                      : launch.takeError();
    if (error)
      return explainStep(bound, std::move(error));
    created->nodes.push_back({&bound, std::move(*launch)});
  }
  if (!created->nodes.empty())
    if (Error error = created->graph.instantiate())
      return error;
  created->setBuffers(buffers);
  kernels = std::move(created);
  return Error::success();
}

/// Whether a parameter of `step` has different addresses in `left` and `right`.
static bool readsChanged(const BoundStep &step, const Buffers &left,
                         const Buffers &right) {
  return any_of(step.parameters, [&](const BoundParameter &parameter) {
    const auto *buffer = std::get_if<BoundBuffer>(&parameter);
    if (const auto *map = std::get_if<BoundTensorMap>(&parameter))
      buffer = &map->buffer;
    return buffer && buffer->kind != BufferRef::Kind::Constant &&
           buffer->kind != BufferRef::Kind::Status &&
           left.find(buffer->kind, buffer->index) !=
               right.find(buffer->kind, buffer->index);
  });
}

Error CudaPreparedCall::replaceAddresses(const Buffers &buffers) {
  Buffers previous = kernels->getBuffers();
  if (previous.inputs == buffers.inputs &&
      previous.results == buffers.results &&
      previous.workspace == buffers.workspace)
    return Error::success();
  for (auto [index, node] : enumerate(kernels->nodes)) {
    if (!readsChanged(*node.step, previous, buffers))
      continue;
    Error error = executable.writeParameters(*node.step, buffers, node.launch);
    if (!error)
      error = kernels->graph.setKernel(index, node.launch.node);
    if (error)
      return explainStep(*node.step, std::move(error));
  }
  kernels->setBuffers(buffers);
  return Error::success();
}

Error CudaPreparedCall::runGraph(const Buffers &buffers, void *stream) {
  Error error = kernels ? replaceAddresses(buffers) : createGraph(buffers);
  if (error) {
    // Some kernels can have their new addresses and others not.
    kernels.reset();
    return error;
  }
  return kernels->nodes.empty() ? Error::success()
                                : kernels->graph.launch(stream);
}

Error CudaPreparedCall::run(const Buffers &buffers, void *stream) {
  const CudaDriver &driver = device.getDriver();
  CudaContextScope scope(driver, device.getContext());
  if (Error error = scope.takeError())
    return error;
  if (Error error = executable.takeFailure())
    return error;
  int capturing = 0;
  if (Error error = driver.streamIsCapturing(stream, &capturing))
    return error;
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  // A captured run must not refer to a graph whose addresses change later. The
  // first run has no graph yet, as many calls run once.
  bool isRepeated = lock && !capturing && lastStream == stream;
  if (isRepeated)
    return runGraph(buffers, stream);
  if (lock) {
    lastStream = stream;
    lock.unlock();
  }
  return executable.runSteps(call, buffers, stream);
}

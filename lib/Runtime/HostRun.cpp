//===----------------------------------------------------------------------===//
// Matching of tensors to a signature by name, and their transfers.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/HostRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace stof::runtime;

/// The tensors in the order of the function's inputs.
static Expected<std::vector<const HostTensor *>>
matchByName(const Function &function, ArrayRef<HostTensor> tensors) {
  for (const HostTensor &tensor : tensors)
    if (none_of(function.inputs, [&](const TensorSpec &spec) {
          return spec.name == tensor.name;
        }))
      return createStringError(
          "expects no inputs of '" + Twine(function.name) + "' but " +
          join(map_range(function.inputs,
                         [](const TensorSpec &spec) { return spec.name; }),
               ", ") +
          ", but got '" + tensor.name + "' of " + tensor.format());
  std::vector<const HostTensor *> matched;
  for (const TensorSpec &spec : function.inputs) {
    const auto *tensor = find_if(
        tensors, [&](const HostTensor &t) { return t.name == spec.name; });
    if (tensor == tensors.end())
      return createStringError("expects " + spec.name + " of " + spec.format() +
                               ", but it is missing");
    matched.push_back(tensor);
  }
  return matched;
}

Expected<std::unique_ptr<HostRun>>
HostRun::create(std::shared_ptr<Program> program,
                ArrayRef<HostTensor> tensors) {
  Expected<std::vector<const HostTensor *>> inputs =
      matchByName(program->getFunction(), tensors);
  if (!inputs)
    return inputs.takeError();
  std::vector<InputShape> shapes;
  for (const HostTensor *input : *inputs)
    shapes.push_back({input->dtype, input->shape});
  Expected<Call> call =
      bindCall(program->getFunction(), program->getTarget(), shapes);
  if (!call)
    return call.takeError();
  std::unique_ptr<HostRun> run(
      new HostRun(std::move(program), std::move(*call)));
  if (Error error = run->allocateBuffers(*inputs))
    return std::move(error);
  return run;
}

HostRun::~HostRun() {
  for (void *buffer : memory)
    program->getDevice().release(buffer);
}

Expected<void *> HostRun::allocate(int64_t bytes) {
  Expected<void *> buffer = program->getDevice().allocate(bytes);
  if (buffer)
    memory.push_back(*buffer);
  return buffer;
}

Expected<void *> HostRun::allocatePoisoned(int64_t bytes) {
  constexpr uint8_t poison = 0xFF;
  Expected<void *> buffer = allocate(bytes);
  if (buffer)
    if (Error error = program->getDevice().fill(*buffer, poison, bytes))
      return std::move(error);
  return buffer;
}

Error HostRun::allocateBuffers(ArrayRef<const HostTensor *> inputs) {
  for (const HostTensor *input : inputs) {
    Expected<void *> buffer = allocate(input->bytes.size());
    if (!buffer)
      return buffer.takeError();
    inputMemory.push_back(*buffer);
    if (Error error = program->getDevice().copyIn(*buffer, input->bytes.data(),
                                                  input->bytes.size()))
      return error;
  }
  for (auto [spec, bytes] :
       zip_equal(call.function->results, call.resultBytes)) {
    if (spec.alias) {
      resultMemory.push_back(inputMemory[*spec.alias]);
      continue;
    }
    Expected<void *> buffer = allocatePoisoned(bytes);
    if (!buffer)
      return buffer.takeError();
    resultMemory.push_back(*buffer);
  }
  Expected<void *> buffer = allocatePoisoned(call.workspaceBytes);
  if (!buffer)
    return buffer.takeError();
  workspace = *buffer;
  return Error::success();
}

Error HostRun::run() {
  if (Error error = program->getExecutable().run(call, getBuffers(),
                                                 /*stream=*/nullptr))
    return error;
  // Results of a failed run are not fetched.
  if (Error error = program->getExecutable().synchronize()) {
    if (error.isA<CheckFailure>())
      return error;
    return createStringError("running '" + Twine(call.function->name) +
                             "': " + toString(std::move(error)));
  }
  results.clear();
  resultBytes.clear();
  for (auto [index, spec] : enumerate(call.function->results)) {
    std::vector<char> &bytes =
        resultBytes.emplace_back(call.resultBytes[index]);
    if (Error error = program->getDevice().copyOut(
            bytes.data(), resultMemory[index], bytes.size()))
      return createStringError("running '" + Twine(call.function->name) +
                               "': " + toString(std::move(error)));
    results.push_back({spec.name, spec.dtype, call.resultShapes[index],
                       StringRef(bytes.data(), bytes.size())});
  }
  return Error::success();
}

Expected<std::vector<double>> HostRun::time(const TimingLimits &limits) {
  return program->getExecutable().time(call, getBuffers(), limits);
}

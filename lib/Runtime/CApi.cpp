//===----------------------------------------------------------------------===//
// The C interface of libstof-runtime: handles for C++ objects, and messages in
// place of llvm::Error.
//===----------------------------------------------------------------------===//

#include "stof-c/Runtime.h"

#include "stof/Runtime/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace stof::runtime;

struct StofPackage {
  std::shared_ptr<const Package> package;
};

struct StofProgram {
  std::shared_ptr<Program> program;
};

struct StofCall {
  std::shared_ptr<Program> program;
  std::unique_ptr<PreparedCall> prepared;
};

struct StofGraph {
  std::shared_ptr<Program> program;
  std::unique_ptr<Graph> graph;
};

static void store(Error failure, char **error) {
  std::string message = toString(std::move(failure));
  if (error)
    *error = strdup(message.c_str());
}

/// Stores the message of a failed run; returns its status.
static int storeRunError(Error failure, char **error) {
  constexpr int deviceFailed = 2, checkFailed = 3;
  int status = failure.isA<CheckFailure>() ? checkFailed : deviceFailed;
  store(std::move(failure), error);
  return status;
}

/// Fails on an address that is not valid for kernels. The address of zero bytes
/// can be null.
static Error checkAddress(StringRef name, const void *address, int64_t bytes,
                          uintptr_t alignment) {
  auto bits = reinterpret_cast<uintptr_t>(address);
  if (!address && bytes > 0)
    return createStringError("expects the address of " + name + " (" +
                             Twine(bytes) + " bytes), but got null");
  if (bits % alignment == 0)
    return Error::success();
  return createStringError("expects " + name + " at an address aligned to " +
                           Twine(alignment) + " bytes, but got 0x" +
                           Twine::utohexstr(bits));
}

/// A range of memory that a call accesses.
struct MemoryRange {
  StringRef name;
  uintptr_t begin;
  int64_t bytes;

  MemoryRange(StringRef name, const void *begin, int64_t bytes)
      : name(name), begin(reinterpret_cast<uintptr_t>(begin)), bytes(bytes) {}

  bool overlaps(const MemoryRange &other) const {
    return bytes > 0 && other.bytes > 0 && begin < other.begin + other.bytes &&
           other.begin < begin + bytes;
  }
};

/// Fails unless `result`, which takes over the buffer of `input`, has its
/// address.
static Error checkAlias(const MemoryRange &result, const MemoryRange &input) {
  if (result.begin == input.begin)
    return Error::success();
  return createStringError("expects " + result.name + " at the address of " +
                           input.name + ", whose buffer it takes over, 0x" +
                           utohexstr(input.begin) + ", but got 0x" +
                           utohexstr(result.begin));
}

/// Fails if `result` shares memory with `other`. `taken` is the name of the
/// input whose buffer the result takes over, or empty.
static Error checkDisjoint(const MemoryRange &result, StringRef taken,
                           const MemoryRange &other) {
  if (!result.overlaps(other))
    return Error::success();
  std::string who =
      taken.empty()
          ? result.name.str()
          : (taken + ", whose buffer " + result.name + " takes over,").str();
  return createStringError("expects " + Twine(who) + " to be disjoint from " +
                           other.name + ", but they share memory at 0x" +
                           utohexstr(std::max(result.begin, other.begin)));
}

/// Fails unless a result that takes over the buffer of an input has its
/// address, and no other memory overlaps the memory of a result.
static Error checkResults(const Call &call, void *const *inputs,
                          void *const *results, const void *workspace) {
  const Function &function = *call.function;
  auto getInput = [&](size_t index) {
    return MemoryRange(function.inputs[index].name, inputs[index],
                       call.inputBytes[index]);
  };
  auto getResult = [&](size_t index) {
    return MemoryRange(function.results[index].name, results[index],
                       call.resultBytes[index]);
  };
  MemoryRange arena("the workspace", workspace, call.workspaceBytes);
  for (auto [index, spec] : enumerate(function.results)) {
    MemoryRange result = getResult(index);
    if (result.bytes == 0)
      continue;
    StringRef taken;
    if (spec.alias) {
      taken = function.inputs[*spec.alias].name;
      if (Error error = checkAlias(result, getInput(*spec.alias)))
        return error;
    }
    if (Error error = checkDisjoint(result, taken, arena))
      return error;
    for (size_t other = 0; other < function.inputs.size(); ++other)
      if (other != spec.alias)
        if (Error error = checkDisjoint(result, taken, getInput(other)))
          return error;
    for (size_t other = index + 1; other < function.results.size(); ++other)
      if (Error error = checkDisjoint(result, taken, getResult(other)))
        return error;
  }
  return Error::success();
}

/// Tensors are aligned for loads of 16 bytes, and buffers in the workspace to
/// 256 bytes.
static Error checkAddresses(const Call &call, void *const *inputs,
                            void *const *results, const void *workspace) {
  constexpr uintptr_t tensorAlignment = 16, workspaceAlignment = 256;
  auto checkAll = [&](StringRef what, ArrayRef<TensorSpec> specs,
                      ArrayRef<int64_t> bytes,
                      void *const *addresses) -> Error {
    if (!addresses && !specs.empty())
      return createStringError("expects the addresses of " +
                               Twine(specs.size()) + " " + what +
                               ", but got null");
    for (auto [index, spec] : enumerate(specs))
      if (Error error = checkAddress(spec.name, addresses[index], bytes[index],
                                     tensorAlignment))
        return error;
    return Error::success();
  };
  if (Error error =
          checkAll("inputs", call.function->inputs, call.inputBytes, inputs))
    return error;
  if (Error error = checkAll("results", call.function->results,
                             call.resultBytes, results))
    return error;
  if (Error error = checkResults(call, inputs, results, workspace))
    return error;
  return checkAddress("the workspace", workspace, call.workspaceBytes,
                      workspaceAlignment);
}

static Buffers makeBuffers(const Call &call, void *const *inputs,
                           void *const *results, void *workspace) {
  return {ArrayRef(inputs, call.inputBytes.size()),
          ArrayRef(results, call.resultBytes.size()), workspace};
}

void stofFreeString(char *string) { std::free(string); }

static StofPackage *wrapPackage(Expected<Package> package, char **error) {
  if (package)
    return new StofPackage{
        std::make_shared<const Package>(std::move(*package))};
  store(package.takeError(), error);
  return nullptr;
}

StofPackage *stofPackageOpen(const char *path, char **error) {
  return wrapPackage(Package::open(path ? path : ""), error);
}

StofPackage *stofPackageOpenArchive(const void *archive, uint64_t size,
                                    char **error) {
  const auto *bytes = static_cast<const char *>(archive);
  return wrapPackage(Package::openArchive(StringRef(bytes, bytes ? size : 0)),
                     error);
}

void stofPackageDestroy(StofPackage *package) { delete package; }

const char *stofPackageGetManifest(const StofPackage *package) {
  return package->package->getManifestText().c_str();
}

StofProgram *stofProgramLoad(const StofPackage *package, const char *function,
                             const char *device, unsigned threads,
                             char **error) {
  Expected<std::unique_ptr<Device>> opened = openDevice(device, threads);
  if (!opened) {
    store(opened.takeError(), error);
    return nullptr;
  }
  Expected<std::shared_ptr<Program>> program =
      Program::load(package->package, function, std::move(*opened));
  if (program)
    return new StofProgram{std::move(*program)};
  store(program.takeError(), error);
  return nullptr;
}

void stofProgramDestroy(StofProgram *program) { delete program; }

const char *stofProgramGetTarget(const StofProgram *program) {
  return program->program->getTarget().name.c_str();
}

int stofProgramSynchronize(const StofProgram *program, char **error) {
  if (Error failure = program->program->getExecutable().synchronize())
    return storeRunError(std::move(failure), error);
  return 0;
}

/// Reads the types and shapes of inputs. `inputs` is not read beyond the inputs
/// of the function and their ranks.
static Expected<std::vector<InputShape>>
readShapes(const Function &function, int64_t count,
           const StofTensorShape *inputs) {
  if (count < 0)
    return createStringError("expects at least 0 inputs, but got " +
                             Twine(count));
  if (static_cast<uint64_t>(count) != function.inputs.size())
    return createStringError("expects " + Twine(function.inputs.size()) +
                             " inputs of '" + function.name + "', but got " +
                             Twine(count));
  if (count > 0 && !inputs)
    return createStringError("expects the shapes of " + Twine(count) +
                             " inputs, but got null");
  std::vector<InputShape> shapes;
  for (auto [index, spec] : enumerate(function.inputs)) {
    const StofTensorShape &input = inputs[index];
    StringRef name = input.dtype ? input.dtype : "null";
    std::optional<DType> dtype = parseDType(name);
    if (!dtype)
      return createStringError("expects " + spec.name +
                               " of a dtype that a package can hold, but got " +
                               name);
    if (input.rank != static_cast<int64_t>(spec.shape.size()))
      return createStringError("expects " + spec.name + " of shape " +
                               spec.formatShape() + ", but got rank " +
                               Twine(input.rank));
    if (input.rank > 0 && !input.sizes)
      return createStringError("expects the sizes of " + spec.name +
                               ", but got null");
    shapes.push_back({*dtype, {input.sizes, input.sizes + input.rank}});
  }
  return shapes;
}

StofCall *stofCallBind(const StofProgram *program, int64_t count,
                       const StofTensorShape *inputs, char **error) {
  const Program &loaded = *program->program;
  Expected<std::vector<InputShape>> shapes =
      readShapes(loaded.getFunction(), count, inputs);
  if (!shapes) {
    store(shapes.takeError(), error);
    return nullptr;
  }
  Expected<Call> call =
      bindCall(loaded.getFunction(), loaded.getTarget(), *shapes);
  if (call)
    return new StofCall{program->program,
                        loaded.getExecutable().prepare(std::move(*call))};
  store(call.takeError(), error);
  return nullptr;
}

void stofCallDestroy(StofCall *call) { delete call; }

int64_t stofCallGetWorkspaceBytes(const StofCall *call) {
  return call->prepared->getCall().workspaceBytes;
}

/// The shape of a result; null if `result` is out of range.
static const std::vector<int64_t> *findResult(const StofCall *call,
                                              int64_t result) {
  const auto &shapes = call->prepared->getCall().resultShapes;
  return result >= 0 && static_cast<uint64_t>(result) < shapes.size()
             ? &shapes[result]
             : nullptr;
}

int64_t stofCallGetResultRank(const StofCall *call, int64_t result) {
  const std::vector<int64_t> *shape = findResult(call, result);
  return shape ? static_cast<int64_t>(shape->size()) : -1;
}

const int64_t *stofCallGetResultSizes(const StofCall *call, int64_t result) {
  const std::vector<int64_t> *shape = findResult(call, result);
  return shape ? shape->data() : nullptr;
}

const char *stofCallGetResultType(const StofCall *call, int64_t result) {
  const std::vector<TensorSpec> &results =
      call->prepared->getCall().function->results;
  return result >= 0 && static_cast<uint64_t>(result) < results.size()
             ? getName(results[result].dtype).data()
             : nullptr;
}

int stofCallRun(const StofCall *call, void *const *inputs, void *const *results,
                void *workspace, void *stream, char **error) {
  const Call &bound = call->prepared->getCall();
  if (Error failure = checkAddresses(bound, inputs, results, workspace)) {
    store(std::move(failure), error);
    return 1;
  }
  Buffers buffers = makeBuffers(bound, inputs, results, workspace);
  if (Error failure = call->prepared->run(buffers, stream))
    return storeRunError(std::move(failure), error);
  return 0;
}

int stofCallRunPacked(const StofCall *call, void *const *arguments,
                      char **error) {
  const Call &bound = call->prepared->getCall();
  if (!arguments) {
    store(createStringError("expects the addresses of '" +
                            Twine(bound.function->name) + "', but got null"),
          error);
    return 1;
  }
  void *const *results = arguments + bound.inputBytes.size();
  void *const *rest = results + bound.resultBytes.size();
  return stofCallRun(call, arguments, results, /*workspace=*/rest[0],
                     /*stream=*/rest[1], error);
}

int stofCallCapture(const StofCall *call, void *const *inputs,
                    void *const *results, void *workspace, StofGraph **graph,
                    char **error) {
  const Call &bound = call->prepared->getCall();
  if (!graph) {
    store(createStringError("expects a pointer for the graph, but got null"),
          error);
    return 1;
  }
  if (Error failure = checkAddresses(bound, inputs, results, workspace)) {
    store(std::move(failure), error);
    return 1;
  }
  Expected<std::unique_ptr<Graph>> captured =
      call->program->getExecutable().capture(
          bound, makeBuffers(bound, inputs, results, workspace));
  if (!captured) {
    store(captured.takeError(), error);
    return 2;
  }
  *graph = new StofGraph{call->program, std::move(*captured)};
  return 0;
}

void stofGraphDestroy(StofGraph *graph) { delete graph; }

int stofGraphReplay(const StofGraph *graph, void *stream, char **error) {
  if (Error failure = graph->graph->replay(stream))
    return storeRunError(std::move(failure), error);
  return 0;
}

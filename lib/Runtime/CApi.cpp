//===----------------------------------------------------------------------===//
// libstof-runtime's C interface: handles around the C++ objects, and messages
// instead of errors.
//===----------------------------------------------------------------------===//

#include "stof-c/Runtime.h"

#include "stof/Runtime/Program.h"
#include "llvm/ADT/STLExtras.h"
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
  Call call;
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

/// Kernels load 16 bytes at a time, and workspaces are laid out in 256.
static Error checkAlignment(const std::string &name, const void *address,
                            uintptr_t alignment) {
  auto bits = reinterpret_cast<uintptr_t>(address);
  if (bits % alignment == 0)
    return Error::success();
  return createStringError("expects " + Twine(name) +
                           " at an address aligned to " + Twine(alignment) +
                           " bytes, but got 0x" + Twine::utohexstr(bits));
}

static Error checkAddresses(const Call &call, void *const *inputs,
                            void *const *results, const void *workspace) {
  constexpr uintptr_t tensorAlignment = 16, workspaceAlignment = 256;
  for (auto [index, spec] : enumerate(call.function->inputs))
    if (Error error = checkAlignment(spec.name, inputs[index], tensorAlignment))
      return error;
  for (auto [index, spec] : enumerate(call.function->results))
    if (Error error =
            checkAlignment(spec.name, results[index], tensorAlignment))
      return error;
  return checkAlignment("workspace", workspace, workspaceAlignment);
}

static Buffers makeBuffers(const Call &call, void *const *inputs,
                           void *const *results, void *workspace) {
  return {ArrayRef(inputs, call.inputBytes.size()),
          ArrayRef(results, call.resultBytes.size()), workspace};
}

void stofFreeString(char *string) { std::free(string); }

StofPackage *stofPackageOpen(const char *path, char **error) {
  Expected<Package> package = Package::open(path);
  if (package)
    return new StofPackage{
        std::make_shared<const Package>(std::move(*package))};
  store(package.takeError(), error);
  return nullptr;
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

StofCall *stofCallBind(const StofProgram *program, int64_t count,
                       const StofTensorShape *inputs, char **error) {
  const Program &loaded = *program->program;
  if (count < 0) {
    store(
        createStringError("expects at least 0 inputs, but got " + Twine(count)),
        error);
    return nullptr;
  }
  std::vector<InputShape> shapes;
  for (int64_t i = 0; i < count; ++i) {
    std::optional<DType> dtype = parseDType(inputs[i].dtype);
    if (!dtype) {
      store(createStringError("expects arg" + Twine(i) +
                              " of a dtype that a package can hold, but got " +
                              inputs[i].dtype),
            error);
      return nullptr;
    }
    if (inputs[i].rank < 0) {
      store(createStringError("expects arg" + Twine(i) +
                              " of a rank of at least 0, but got " +
                              Twine(inputs[i].rank)),
            error);
      return nullptr;
    }
    shapes.push_back(
        {*dtype, {inputs[i].sizes, inputs[i].sizes + inputs[i].rank}});
  }
  Expected<Call> call =
      bindCall(loaded.getFunction(), loaded.getTarget(), shapes);
  if (call)
    return new StofCall{program->program, std::move(*call)};
  store(call.takeError(), error);
  return nullptr;
}

void stofCallDestroy(StofCall *call) { delete call; }

int64_t stofCallGetWorkspaceBytes(const StofCall *call) {
  return call->call.workspaceBytes;
}

int64_t stofCallGetResultRank(const StofCall *call, int64_t result) {
  return call->call.resultShapes[result].size();
}

const int64_t *stofCallGetResultSizes(const StofCall *call, int64_t result) {
  return call->call.resultShapes[result].data();
}

int stofCallRun(const StofCall *call, void *const *inputs, void *const *results,
                void *workspace, void *stream, char **error) {
  const Call &bound = call->call;
  if (Error failure = checkAddresses(bound, inputs, results, workspace)) {
    store(std::move(failure), error);
    return 1;
  }
  Buffers buffers = makeBuffers(bound, inputs, results, workspace);
  if (Error failure =
          call->program->getExecutable().run(bound, buffers, stream)) {
    store(std::move(failure), error);
    return 2;
  }
  return 0;
}

int stofCallCapture(const StofCall *call, void *const *inputs,
                    void *const *results, void *workspace, StofGraph **graph,
                    char **error) {
  const Call &bound = call->call;
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
  if (Error failure = graph->graph->replay(stream)) {
    store(std::move(failure), error);
    return 2;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Handlers of calls from XLA. They are a client of the C interface, and keep
// what has been loaded and bound for later calls.
//===----------------------------------------------------------------------===//

#include "XlaAbi.h"

#include "stof-c/Xla.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>

using namespace llvm;
using namespace stof::xla;

static constexpr size_t workspaceAlignment = 256;

namespace {

struct Destroy {
  void operator()(StofProgram *program) const { stofProgramDestroy(program); }
  void operator()(char *text) const { stofFreeString(text); }
  void operator()(void *memory) const { std::free(memory); }
};
using Message = std::unique_ptr<char, Destroy>;

/// What calls share. Programs are loaded and bound under the lock; runs are
/// not under it.
struct Registry {
  /// The capacity of `calls`, which are cleared when full.
  static constexpr size_t mostCalls = 1024;

  std::mutex mutex;
  StringMap<const StofPackage *> packages;
  /// By package, function and device.
  StringMap<std::unique_ptr<StofProgram, Destroy>> programs;
  /// By these and the types and shapes of inputs and results.
  StringMap<std::shared_ptr<StofCall>> calls;
};

/// A call of a function from a program of XLA.
class Run {
public:
  Run(const CallFrame &frame, StringRef device)
      : frame(frame), device(device), package(findAttribute("package")),
        function(findAttribute("function")) {}

  /// Finds or makes the call, and verifies the results.
  Failure *prepare();
  size_t getWorkspaceBytes() const {
    return stofCallGetWorkspaceBytes(call.get());
  }
  Failure *run(void *workspace, void *stream) const;

private:
  Failure *fail(FailureCode code, const Twine &message) const;
  StringRef findAttribute(StringRef name) const;
  Failure *bind(Registry &registry, StringRef programKey);
  Failure *checkResults() const;

  const CallFrame &frame;
  StringRef device, package, function;
  std::shared_ptr<StofCall> call;
};

} // namespace

/// Never destroyed, as XLA can run programs until the process ends.
static Registry &getRegistry() {
  static auto *registry = new Registry;
  return *registry;
}

void stofXlaAddPackage(const char *name, const StofPackage *package) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.packages.try_emplace(name, package);
}

static Failure *makeFailure(const CallFrame &frame, FailureCode code,
                            const Twine &message) {
  std::string text = message.str();
  MakeFailure failure{{sizeof(MakeFailure), nullptr}, text.c_str(), code};
  return frame.api->makeFailure(&failure);
}

Failure *Run::fail(FailureCode code, const Twine &message) const {
  return makeFailure(frame, code, message);
}

StringRef Run::findAttribute(StringRef name) const {
  const Attributes &attributes = frame.attributes;
  for (int64_t i = 0; i < attributes.count; ++i) {
    const Text &found = *attributes.names[i];
    if (StringRef(found.data, found.length) != name ||
        attributes.types[i] != Attributes::string)
      continue;
    const auto &value = *static_cast<const Text *>(attributes.values[i]);
    return {value.data, value.length};
  }
  return {};
}

/// The name in manifests of a type of XLA. Integers are signless.
static const char *getTypeName(int type) {
  switch (type) {
  case 1:
    return "i1";
  case 2:
  case 6:
    return "i8";
  case 3:
    return "i16";
  case 4:
    return "i32";
  case 5:
    return "i64";
  case 10:
    return "f16";
  case 11:
    return "f32";
  case 12:
    return "f64";
  case 16:
    return "bf16";
  case 19:
    return "f8E5M2";
  case 20:
    return "f8E4M3FN";
  default:
    return "another one";
  }
}

static ArrayRef<int64_t> getSizes(const Buffer &buffer) {
  return {buffer.sizes, static_cast<size_t>(buffer.rank)};
}

static ArrayRef<Buffer *> getBuffers(const Buffers &buffers) {
  return {buffers.values, static_cast<size_t>(buffers.count)};
}

static SmallVector<void *> getAddresses(const Buffers &buffers) {
  SmallVector<void *> addresses;
  for (const Buffer *buffer : getBuffers(buffers))
    addresses.push_back(buffer->data);
  return addresses;
}

template <typename T>
static void append(SmallVectorImpl<char> &key, ArrayRef<T> values) {
  const auto *bytes = reinterpret_cast<const char *>(values.data());
  key.append(bytes, bytes + values.size() * sizeof(T));
}

/// Binds the function to the types and shapes of the inputs. The registry is
/// locked.
Failure *Run::bind(Registry &registry, StringRef programKey) {
  char *error = nullptr;
  auto &program = registry.programs[programKey];
  if (!program) {
    auto found = registry.packages.find(package);
    if (found == registry.packages.end())
      return fail(FailureCode::FailedPrecondition,
                  "expects a package '" + package +
                      "' of this process, but there is none");
    program.reset(stofProgramLoad(found->second, function.str().c_str(),
                                  device.str().c_str(), 0, &error));
    if (!program)
      return fail(FailureCode::FailedPrecondition, Message(error).get());
  }
  SmallVector<StofTensorShape> shapes;
  for (const Buffer *input : getBuffers(frame.arguments))
    shapes.push_back({getTypeName(input->type), input->rank, input->sizes});
  call.reset(stofCallBind(program.get(), shapes.size(), shapes.data(), &error),
             stofCallDestroy);
  if (!call)
    return fail(FailureCode::InvalidArgument, Message(error).get());
  return nullptr;
}

Failure *Run::checkResults() const {
  ArrayRef<Buffer *> results = getBuffers(frame.results);
  for (auto [index, result] : enumerate(results)) {
    int64_t rank = stofCallGetResultRank(call.get(), index);
    const int64_t *sizes = stofCallGetResultSizes(call.get(), index);
    const char *dtype = stofCallGetResultType(call.get(), index);
    if (rank != result->rank || ArrayRef(sizes, rank) != getSizes(*result) ||
        StringRef(dtype) != getTypeName(result->type))
      return fail(FailureCode::InvalidArgument,
                  "expects result " + Twine(index) + " of '" + function +
                      "' of the type and shape of the function");
  }
  if (stofCallGetResultRank(call.get(), results.size()) >= 0)
    return fail(FailureCode::InvalidArgument,
                "expects more than " + Twine(results.size()) + " results of '" +
                    function + "'");
  return nullptr;
}

Failure *Run::prepare() {
  SmallString<256> key;
  for (StringRef part : {package, function, device}) {
    key += part;
    key.push_back('\0');
  }
  size_t programKeyLength = key.size();
  for (const Buffers *buffers : {&frame.arguments, &frame.results})
    for (const Buffer *buffer : getBuffers(*buffers)) {
      append(key, ArrayRef(buffer->type));
      append(key, ArrayRef(buffer->rank));
      append(key, getSizes(*buffer));
    }
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  if (auto found = registry.calls.find(key); found != registry.calls.end()) {
    call = found->second;
    return nullptr;
  }
  if (Failure *failure =
          bind(registry, StringRef(key).take_front(programKeyLength)))
    return failure;
  if (Failure *failure = checkResults())
    return failure;
  if (registry.calls.size() == Registry::mostCalls)
    registry.calls.clear();
  registry.calls[key] = call;
  return nullptr;
}

Failure *Run::run(void *workspace, void *stream) const {
  SmallVector<void *> inputs = getAddresses(frame.arguments);
  SmallVector<void *> results = getAddresses(frame.results);
  char *error = nullptr;
  int status = stofCallRun(call.get(), inputs.data(), results.data(), workspace,
                           stream, &error);
  if (status == 0)
    return nullptr;
  constexpr FailureCode codes[] = {FailureCode::InvalidArgument,
                                   FailureCode::Internal,
                                   FailureCode::FailedPrecondition};
  return fail(codes[status - 1], Message(error).get());
}

/// Answers a question for the version of the interface; false if the frame is
/// none.
static bool answer(const CallFrame &frame) {
  for (Extension *extension = frame.extensions; extension;
       extension = extension->next)
    if (extension->type == Extension::metadata) {
      Metadata &metadata =
          *reinterpret_cast<MetadataExtension *>(extension)->metadata;
      metadata.version.major = Version::oldestMajor;
      metadata.version.minor = Version::oldestMinor;
      metadata.traits = 0;
      return true;
    }
  return false;
}

void *stofXlaCallOnCpu(void *frame) {
  auto &called = *static_cast<CallFrame *>(frame);
  if (answer(called))
    return nullptr;
  Run run(called, "cpu");
  if (Failure *failure = run.prepare())
    return failure;
  std::unique_ptr<void, Destroy> workspace(std::aligned_alloc(
      workspaceAlignment,
      alignTo(run.getWorkspaceBytes() + 1, workspaceAlignment)));
  return run.run(workspace.get(), /*stream=*/nullptr);
}

/// Runs with a workspace of XLA, which reuses it in the order of the stream.
static Failure *runWithWorkspace(const CallFrame &frame, const Run &run,
                                 void *stream) {
  size_t bytes = run.getWorkspaceBytes();
  if (bytes == 0)
    return run.run(nullptr, stream);
  // XLA knows no alignment of more.
  constexpr size_t alignment = 16;
  AllocateMemory allocation{{sizeof(AllocateMemory), nullptr},
                            frame.context,
                            bytes + workspaceAlignment,
                            alignment,
                            nullptr};
  if (Failure *failure = frame.api->allocateMemory(&allocation))
    return failure;
  auto address = reinterpret_cast<uintptr_t>(allocation.data);
  void *workspace =
      reinterpret_cast<void *>(alignTo(address, workspaceAlignment));
  Failure *failure = run.run(workspace, stream);
  FreeMemory release{{sizeof(FreeMemory), nullptr},
                     frame.context,
                     allocation.size,
                     allocation.data};
  Failure *freed = frame.api->freeMemory(&release);
  if (!failure || !freed)
    return failure ? failure : freed;
  DestroyFailure second{{sizeof(DestroyFailure), nullptr}, freed};
  frame.api->destroyFailure(&second);
  return failure;
}

void *stofXlaCallOnCuda(void *frame) {
  auto &called = *static_cast<CallFrame *>(frame);
  if (answer(called))
    return nullptr;
  const Api &api = *called.api;
  if (api.bytes < sizeof(Api))
    return makeFailure(called, FailureCode::FailedPrecondition,
                       "expects a version of XLA that tells handlers on which "
                       "device they run");
  GetDeviceOrdinal device{
      {sizeof(GetDeviceOrdinal), nullptr}, called.context, 0};
  if (Failure *failure = api.getDeviceOrdinal(&device))
    return failure;
  GetStream stream{{sizeof(GetStream), nullptr}, called.context, nullptr};
  if (Failure *failure = api.getStream(&stream))
    return failure;
  std::string name = "cuda:" + std::to_string(device.ordinal);
  Run run(called, name);
  if (Failure *failure = run.prepare())
    return failure;
  return runWithWorkspace(called, run, stream.stream);
}

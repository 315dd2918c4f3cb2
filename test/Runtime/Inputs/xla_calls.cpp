// Calls the tests' package as XLA does: with frames, and with functions for
// errors, streams and memory. The first argument is the platform, the second a
// package. What is expected is in xla-calls.test.

#include "stof-c/Xla.h"

#include "XlaAbi.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

using namespace stof::xla;

static constexpr int64_t rows = 3, columns = 4;
static constexpr int typeF32 = 11, typeF16 = 10, typeU32 = 8;

alignas(16) static float a[rows * columns], b[rows * columns],
    sum[rows * columns];
alignas(256) static char memory[4096];

static Failure *makeFailure(MakeFailure *arguments) {
  std::printf("failure %d: %s\n", static_cast<int>(arguments->code),
              arguments->message);
  return reinterpret_cast<Failure *>(arguments);
}

static Failure *getStream(GetStream *arguments) {
  arguments->stream = memory;
  return nullptr;
}

static Failure *getDeviceOrdinal(GetDeviceOrdinal *arguments) {
  arguments->ordinal = 0;
  return nullptr;
}

/// Memory that is as little aligned as XLA's.
static Failure *allocateMemory(AllocateMemory *arguments) {
  std::printf("allocate %zu aligned to %zu\n", arguments->size,
              arguments->alignment);
  arguments->data = memory + arguments->alignment;
  return nullptr;
}

static Failure *freeMemory(FreeMemory *arguments) {
  std::printf("free %zu\n", arguments->size);
  return nullptr;
}

static Failure *failFree(FreeMemory *) {
  std::printf("cannot free\n");
  return reinterpret_cast<Failure *>(memory);
}

static void destroyFailure(DestroyFailure *arguments) {
  std::printf("destroy a failure\n");
}

static Api makeApi() {
  Api api = {};
  api.bytes = sizeof(Api);
  api.makeFailure = makeFailure;
  api.destroyFailure = destroyFailure;
  api.getStream = getStream;
  api.allocateMemory = allocateMemory;
  api.freeMemory = freeMemory;
  api.getDeviceOrdinal = getDeviceOrdinal;
  return api;
}

namespace {

/// A call of `main` of the package, to be changed.
struct Called {
  int64_t sizes[2] = {rows, columns};
  Buffer inputs[2] = {{{sizeof(Buffer), nullptr}, typeF32, a, 2, sizes},
                      {{sizeof(Buffer), nullptr}, typeF32, b, 2, sizes}};
  Buffer result = {{sizeof(Buffer), nullptr}, typeF32, sum, 2, sizes};
  Text names[3] = {{"function", 8}, {"number", 6}, {"package", 7}};
  Text function = {"main", 4}, package = {"tests", 5};
  int types[3] = {Attributes::string, 3, Attributes::string};
  void *run(const Api &api, void *(*handler)(void *), int64_t results = 1);
};

} // namespace

void *Called::run(const Api &api, void *(*handler)(void *), int64_t results) {
  int bufferTypes[] = {Buffers::buffer, Buffers::buffer};
  Buffer *given[] = {&inputs[0], &inputs[1]}, *made[] = {&result};
  Text *nameAddresses[] = {&names[0], &names[1], &names[2]};
  void *values[] = {&function, nullptr, &package};
  CallFrame frame = {};
  frame.api = &api;
  frame.stage = Stage::Execute;
  frame.arguments = {{sizeof(Buffers), nullptr}, 2, bufferTypes, given};
  frame.results = {{sizeof(Buffers), nullptr}, results, bufferTypes, made};
  frame.attributes = {
      {sizeof(Attributes), nullptr}, 3, types, nameAddresses, values};
  return handler(&frame);
}

/// What XLA asks when a handler is registered.
static void askForVersion(void *(*handler)(void *)) {
  Metadata metadata = {};
  metadata.traits = 17;
  MetadataExtension extension = {
      {sizeof(MetadataExtension), Extension::metadata, nullptr}, &metadata};
  CallFrame frame = {};
  frame.extensions = &extension.base;
  void *failure = handler(&frame);
  std::printf("version %d.%d, traits %u, %d\n", metadata.version.major,
              metadata.version.minor, metadata.traits, failure == nullptr);
}

static void refuse(const Api &api, void *(*handler)(void *)) {
  Called other;
  other.package = {"none", 4};
  other.run(api, handler);
  other = Called();
  other.function = {"other", 5};
  other.run(api, handler);
  for (int type : {typeF16, typeU32}) {
    other = Called();
    other.inputs[1].type = type;
    other.run(api, handler);
  }
  other = Called();
  other.result.type = typeF16;
  other.run(api, handler);
  other = Called();
  other.result.rank = 1;
  other.run(api, handler);
  Called().run(api, handler, /*results=*/0);
  other = Called();
  other.inputs[0].data = a + 1;
  other.run(api, handler);
}

int main(int argc, char **argv) {
  auto handler =
      std::strcmp(argv[1], "cpu") ? stofXlaCallOnCuda : stofXlaCallOnCpu;
  // In order with what the driver says.
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  char *error = nullptr;
  StofPackage *package = stofPackageOpen(argv[2], &error);
  stofXlaAddPackage("tests", package);
  stofXlaAddPackage("tests", nullptr);
  for (int i = 0; i < rows * columns; ++i)
    a[i] = static_cast<float>(i), b[i] = 100;

  Api api = makeApi();
  askForVersion(handler);
  if (std::getenv("OLD_XLA"))
    api.bytes = sizeof(Api) - sizeof(api.getDeviceOrdinal);
  if (std::getenv("FAIL_FREE"))
    api.freeMemory = failFree;
  for (int i = 0; i < 2; ++i)
    std::printf("success: %d\n", Called().run(api, handler) == nullptr);
  std::printf("sums: %g %g %g\n", sum[0], sum[1], sum[rows * columns - 1]);
  if (argc > 3)
    refuse(api, handler);
  return 0;
}

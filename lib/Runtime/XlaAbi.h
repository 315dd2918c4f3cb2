//===----------------------------------------------------------------------===//
// The part of the binary interface of XLA's foreign functions that handlers of
// calls use: xla/ffi/api/c_api.h, which comes with jaxlib. It is declared here
// so that building stof does not require jaxlib; test/Runtime/xla-abi.test
// compares the two.
//
// A struct starts with its size in the program that made it: members behind it
// are from a later version.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_XLAABI_H
#define STOF_LIB_RUNTIME_XLAABI_H

#include <cstddef>
#include <cstdint>

namespace stof::xla {

/// What a struct may have in addition.
struct Extension {
  size_t bytes;
  int type;
  Extension *next;

  static constexpr int metadata = 1;
};

struct StructBase {
  size_t bytes;
  Extension *extensions;
};

struct Version : StructBase {
  int major;
  int minor;

  /// That of handlers, which use nothing newer.
  static constexpr int oldestMajor = 0, oldestMinor = 1;
};

/// What a handler says about itself when it is registered.
struct Metadata {
  size_t bytes;
  Version version;
  uint32_t traits;
};

struct MetadataExtension {
  Extension base;
  Metadata *metadata;
};

/// An error that XLA owns.
struct Failure;

/// Of a run: its stream, its device, its memory.
struct Context;

enum class FailureCode : int {
  InvalidArgument = 3,
  FailedPrecondition = 9,
  Internal = 13
};

struct MakeFailure : StructBase {
  const char *message;
  FailureCode code;
};

struct DestroyFailure : StructBase {
  Failure *failure;
};

struct GetStream : StructBase {
  Context *context;
  void *stream; ///< out
};

struct AllocateMemory : StructBase {
  Context *context;
  size_t size;
  size_t alignment;
  void *data; ///< out
};

struct FreeMemory : StructBase {
  Context *context;
  size_t size;
  void *data;
};

struct GetDeviceOrdinal : StructBase {
  Context *context;
  int32_t ordinal; ///< out
};

struct Api : StructBase {
  Version version;
  const void *internal;
  Failure *(*makeFailure)(MakeFailure *);
  void *getMessage;
  void (*destroyFailure)(DestroyFailure *);
  void *registerHandler;
  Failure *(*getStream)(GetStream *);
  void *registerType, *getContext, *setState, *getState;
  Failure *(*allocateMemory)(AllocateMemory *);
  Failure *(*freeMemory)(FreeMemory *);
  void *scheduleTask, *countThreads;
  void *makeFuture, *completeFuture, *failFuture;
  void *getRunId;
  Failure *(*getDeviceOrdinal)(GetDeviceOrdinal *);
};

/// A contiguous row-major tensor. The type is a number of xla_data.proto.
struct Buffer : StructBase {
  int type;
  void *data;
  int64_t rank;
  int64_t *sizes;
};

/// Arguments or results. They are buffers if their types are.
struct Buffers : StructBase {
  int64_t count;
  int *types;
  Buffer **values;

  static constexpr int buffer = 1;
};

struct Text {
  const char *data;
  size_t length;
};

/// Named constants of a call. The value of a string is a Text.
struct Attributes : StructBase {
  int64_t count;
  int *types;
  Text **names;
  void **values;

  static constexpr int string = 4;
};

enum class Stage : int { Instantiate, Prepare, Initialize, Execute };

struct CallFrame : StructBase {
  const Api *api;
  Context *context;
  Stage stage;
  Buffers arguments, results;
  Attributes attributes;
};

} // namespace stof::xla

#endif // STOF_LIB_RUNTIME_XLAABI_H

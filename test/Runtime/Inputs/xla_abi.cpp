// Compares what the runtime declares of XLA's interface with the header that
// comes with jaxlib.

#include "XlaAbi.h"

#include "xla/ffi/api/c_api.h"

using namespace stof;

#define SAME(Own, OwnMember, Theirs, TheirMember)                              \
  static_assert(offsetof(xla::Own, OwnMember) == offsetof(Theirs, TheirMember))
#define SAME_SIZE(Own, Theirs) static_assert(sizeof(xla::Own) == sizeof(Theirs))

static_assert(xla::Extension::metadata == XLA_FFI_Extension_Metadata);
static_assert(xla::Buffers::buffer == XLA_FFI_ArgType_BUFFER);
static_assert(xla::Attributes::string == XLA_FFI_AttrType_STRING);
static_assert(int(xla::Stage::Execute) == XLA_FFI_ExecutionStage_EXECUTE);
static_assert(int(xla::FailureCode::InvalidArgument) ==
              XLA_FFI_Error_Code_INVALID_ARGUMENT);
static_assert(int(xla::FailureCode::FailedPrecondition) ==
              XLA_FFI_Error_Code_FAILED_PRECONDITION);
static_assert(int(xla::FailureCode::Internal) == XLA_FFI_Error_Code_INTERNAL);
static_assert(xla::Version::oldestMajor == XLA_FFI_API_MAJOR);
static_assert(xla::Version::oldestMinor <= XLA_FFI_API_MINOR);

SAME(Extension, next, XLA_FFI_Extension_Base, next);
SAME(Version, minor, XLA_FFI_Api_Version, minor_version);
SAME(Metadata, version, XLA_FFI_Metadata, api_version);
SAME(Metadata, traits, XLA_FFI_Metadata, traits);
SAME(MetadataExtension, metadata, XLA_FFI_Metadata_Extension, metadata);
SAME(MakeFailure, message, XLA_FFI_Error_Create_Args, message);
SAME(MakeFailure, code, XLA_FFI_Error_Create_Args, errc);
SAME_SIZE(MakeFailure, XLA_FFI_Error_Create_Args);
SAME(DestroyFailure, failure, XLA_FFI_Error_Destroy_Args, error);
SAME_SIZE(DestroyFailure, XLA_FFI_Error_Destroy_Args);
SAME(GetStream, stream, XLA_FFI_Stream_Get_Args, stream);
SAME_SIZE(GetStream, XLA_FFI_Stream_Get_Args);
SAME(AllocateMemory, size, XLA_FFI_DeviceMemory_Allocate_Args, size);
SAME(AllocateMemory, data, XLA_FFI_DeviceMemory_Allocate_Args, data);
SAME_SIZE(AllocateMemory, XLA_FFI_DeviceMemory_Allocate_Args);
SAME(FreeMemory, size, XLA_FFI_DeviceMemory_Free_Args, size);
SAME(FreeMemory, data, XLA_FFI_DeviceMemory_Free_Args, data);
SAME_SIZE(FreeMemory, XLA_FFI_DeviceMemory_Free_Args);
SAME(GetDeviceOrdinal, ordinal, XLA_FFI_DeviceOrdinal_Get_Args, device_ordinal);
SAME_SIZE(GetDeviceOrdinal, XLA_FFI_DeviceOrdinal_Get_Args);
SAME(Api, version, XLA_FFI_Api, api_version);
SAME(Api, makeFailure, XLA_FFI_Api, XLA_FFI_Error_Create);
SAME(Api, destroyFailure, XLA_FFI_Api, XLA_FFI_Error_Destroy);
SAME(Api, getStream, XLA_FFI_Api, XLA_FFI_Stream_Get);
SAME(Api, allocateMemory, XLA_FFI_Api, XLA_FFI_DeviceMemory_Allocate);
SAME(Api, freeMemory, XLA_FFI_Api, XLA_FFI_DeviceMemory_Free);
SAME(Api, getDeviceOrdinal, XLA_FFI_Api, XLA_FFI_DeviceOrdinal_Get);
SAME(Buffer, type, XLA_FFI_Buffer, dtype);
SAME(Buffer, data, XLA_FFI_Buffer, data);
SAME(Buffer, rank, XLA_FFI_Buffer, rank);
SAME(Buffer, sizes, XLA_FFI_Buffer, dims);
SAME(Buffers, count, XLA_FFI_Args, size);
SAME(Buffers, values, XLA_FFI_Args, args);
SAME_SIZE(Buffers, XLA_FFI_Args);
SAME_SIZE(Buffers, XLA_FFI_Rets);
SAME(Text, length, XLA_FFI_ByteSpan, len);
SAME(Attributes, types, XLA_FFI_Attrs, types);
SAME(Attributes, names, XLA_FFI_Attrs, names);
SAME(Attributes, values, XLA_FFI_Attrs, attrs);
SAME_SIZE(Attributes, XLA_FFI_Attrs);
SAME(CallFrame, api, XLA_FFI_CallFrame, api);
SAME(CallFrame, context, XLA_FFI_CallFrame, ctx);
SAME(CallFrame, stage, XLA_FFI_CallFrame, stage);
SAME(CallFrame, arguments, XLA_FFI_CallFrame, args);
SAME(CallFrame, results, XLA_FFI_CallFrame, rets);
SAME(CallFrame, attributes, XLA_FFI_CallFrame, attrs);

// The numbers of types in XlaCalls.cpp.
static_assert(XLA_FFI_DataType_PRED == 1 && XLA_FFI_DataType_S8 == 2 &&
              XLA_FFI_DataType_S16 == 3 && XLA_FFI_DataType_S32 == 4 &&
              XLA_FFI_DataType_S64 == 5 && XLA_FFI_DataType_U8 == 6 &&
              XLA_FFI_DataType_F16 == 10 && XLA_FFI_DataType_F32 == 11 &&
              XLA_FFI_DataType_F64 == 12 && XLA_FFI_DataType_BF16 == 16 &&
              XLA_FFI_DataType_F8E5M2 == 19 && XLA_FFI_DataType_F8E4M3FN == 20);

/*===----------------------------------------------------------------------===*\
|* The ABI between the runtime and the native code of a package's cpu target.
|* Plain C: generated code and hand-written kernels use the same types.
\*===----------------------------------------------------------------------===*/

#ifndef STOF_SUPPORT_NATIVEABI_H
#define STOF_SUPPORT_NATIVEABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Services of the runtime. */
typedef struct stof_native_api {
  void *context;
  /** Calls body(closure, i) once for each 0 <= i < count, in any order and on
   *  several threads, and returns after all calls have returned. A nested call
   *  runs its indices sequentially. */
  void (*parallel_for)(void *context, int64_t count,
                       void (*body)(void *closure, int64_t index),
                       void *closure);
} stof_native_api;

/** A native step. parameters[i] is the i-th parameter of the step: an address,
 *  an i64, a sign-extended i32, or the bits of an f32 in the low half. One
 *  address can be that of the status word, an int32_t that is initially 0: a
 *  step whose data violates an assertion stores the number of the assertion in
 *  it, from any thread and in no order, and continues. */
typedef void (*stof_native_step)(const uint64_t *parameters,
                                 const stof_native_api *api);

/** For each step `NAME`, a shared object has its number of parameters in a
 *  uint64_t with this prefix before NAME. */
#define STOF_NATIVE_COUNT "parameters_of_"

/** Optionally, the assumptions of a step `NAME`, as a zero-terminated string
 *  with this prefix before NAME: the part of the manifest that it was compiled
 *  with (manifest.schema.json, "contract"). A package with a different manifest
 *  is rejected. Objects compiled by stof have it. */
#define STOF_NATIVE_CONTRACT "contract_of_"

/** The start of the line with the same string in PTX. */
#define STOF_PTX_CONTRACT "// stof contract: "

#ifdef __cplusplus
}
#endif

#endif /* STOF_SUPPORT_NATIVEABI_H */

/*===----------------------------------------------------------------------===*\
|* What the runtime and the native code of a package's cpu target know of each
|* other. Plain C: generated code and hand-written kernels use the same types.
\*===----------------------------------------------------------------------===*/

#ifndef STOF_SUPPORT_NATIVEABI_H
#define STOF_SUPPORT_NATIVEABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The services of the runtime. */
typedef struct stof_native_api {
  void *context;
  /** Calls body(closure, i) once for each 0 <= i < count, in any order and on
   *  several threads, and returns when all calls have returned. A call from
   *  inside a body runs its own indices one after another. */
  void (*parallel_for)(void *context, int64_t count,
                       void (*body)(void *closure, int64_t index),
                       void *closure);
} stof_native_api;

/** A native step. parameters[i] holds the i-th of the step's parameters: an
 *  address, an i64, an i32 widened with its sign, or an f32's bits in the low
 *  half. One address may be that of the status word, an int32_t that is 0: a
 *  step whose data breaks an assertion stores its number there, from any thread
 *  and in no order, and goes on. */
typedef void (*stof_native_step)(const uint64_t *parameters,
                                 const stof_native_api *api);

/** A shared object says of each step `NAME` how many parameters it reads, in a
 *  uint64_t of this name with NAME behind it. */
#define STOF_NATIVE_COUNT "parameters_of_"

/** An object may also say what a step `NAME` takes for granted, in a text of
 *  this name with NAME behind it that ends with a zero: the part of the
 * manifest that it was compiled with (manifest.schema.json, "contract"). A
 * package whose manifest says anything else is refused. What stof compiles has
 * it. */
#define STOF_NATIVE_CONTRACT "contract_of_"

/** In PTX the same text stands in a line that starts with this. */
#define STOF_PTX_CONTRACT "// stof contract: "

#ifdef __cplusplus
}
#endif

#endif /* STOF_SUPPORT_NATIVEABI_H */

/*===----------------------------------------------------------------------===*\
|* Calls of packages from programs of XLA, in libstof-runtime: handlers for its
|* foreign function interface, as jax.ffi registers them. A call runs where and
|* when its program does, on buffers and, on a GPU, on a stream of XLA.
\*===----------------------------------------------------------------------===*/

#ifndef STOF_C_XLA_H
#define STOF_C_XLA_H

#include "stof-c/Runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Lets programs call the functions of `package` by `name`, which is for all
 *  copies of a program, now and later: packages of one name must be equal, and
 *  the first one stays. The package must not be destroyed. */
STOF_RUNTIME_API void stofXlaAddPackage(const char *name,
                                        const StofPackage *package);

/** The handlers of a call, for the platforms "cpu" and "CUDA" of XLA. The
 *  attributes of a call are `package`, the name of a package, and `function`;
 *  its operands are the inputs of the function, its results those of the
 *  function. `frame` is an XLA_FFI_CallFrame, and the result an XLA_FFI_Error,
 *  null on success.
 *
 *  A function is loaded at its first call on a device, and bound at its first
 *  call on such types and shapes. A failed check is FAILED_PRECONDITION; on a
 *  GPU it is reported by a later call. */
STOF_RUNTIME_API void *stofXlaCallOnCpu(void *frame);
STOF_RUNTIME_API void *stofXlaCallOnCuda(void *frame);

#ifdef __cplusplus
}
#endif

#endif /* STOF_C_XLA_H */

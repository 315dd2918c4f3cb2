/*===----------------------------------------------------------------------===*\
|* C interface of libstof-runtime: opens a package, loads one of its functions
|* on a device and calls it on tensors of the caller. It depends on neither MLIR
|* nor CUDA; libcuda is loaded at the first use of a CUDA device.
|*
|* A function that can fail takes `char **error`. On failure it returns null (or
|* a nonzero number) and stores a message there, to be freed with
|* stofFreeString; with a null `error` there is no message.
|*
|* Objects may be used from several threads at once, but must not be destroyed
|* while in use; a program keeps its package alive, calls and graphs their
|* program.
|* Destroying a program on a GPU waits for its pending work.
|*
|* Only the functions that destroy an object accept null in its place. An array
|* that is shorter than its count and an address of less memory than the call
|* requires are undefined behavior. All other invalid arguments are errors.
|*
|* A forked process may use programs on the cpu, which start new threads there,
|* unless it was forked during a call. CUDA cannot be used after a fork.
\*===----------------------------------------------------------------------===*/

#ifndef STOF_C_RUNTIME_H
#define STOF_C_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STOF_RUNTIME_API __attribute__((visibility("default")))

typedef struct StofPackage StofPackage;
typedef struct StofProgram StofProgram;
typedef struct StofCall StofCall;
typedef struct StofGraph StofGraph;

/** The dtype (such as "f16") and the shape of a contiguous row-major tensor. */
typedef struct StofTensorShape {
  const char *dtype;
  int64_t rank;
  const int64_t *sizes;
} StofTensorShape;

STOF_RUNTIME_API void stofFreeString(char *string);

/** Opens and verifies the package in folder `path`. */
STOF_RUNTIME_API StofPackage *stofPackageOpen(const char *path, char **error);

/** Opens and verifies a package in memory: the `size` bytes of a tar archive of
 *  its folder, or what stofCompilationGetArchive returns. They are not copied,
 *  and must stay as they are until stofPackageDestroy. */
STOF_RUNTIME_API StofPackage *
stofPackageOpenArchive(const void *archive, uint64_t size, char **error);
STOF_RUNTIME_API void stofPackageDestroy(StofPackage *package);

/** The text of manifest.json, valid as long as the package. */
STOF_RUNTIME_API const char *stofPackageGetManifest(const StofPackage *package);

/** Loads `function` (null or empty: the only one) on `device` ("cpu" or
 *  "cuda:N"). `threads` is for the cpu; 0 is one per hardware thread. */
STOF_RUNTIME_API StofProgram *stofProgramLoad(const StofPackage *package,
                                              const char *function,
                                              const char *device,
                                              unsigned threads, char **error);
STOF_RUNTIME_API void stofProgramDestroy(StofProgram *program);

/** The selected target, such as "sm_90a". */
STOF_RUNTIME_API const char *stofProgramGetTarget(const StofProgram *program);

/** Waits for all work of the device, and reports a failed check of a run of the
 *  program. Returns 0 on success, 2 if the device failed, 3 if a check failed.
 */
STOF_RUNTIME_API int stofProgramSynchronize(const StofProgram *program,
                                            char **error);

/** Prepares a call on `count` inputs of these dtypes and shapes: verifies
 *  them, solves for the symbols and computes the shapes of results. Its runs
 *  take addresses alone. On a GPU they cost the host less than the launch of a
 *  kernel: the second run in a row on a stream makes a CUDA graph of the call,
 *  with some 100 KB of device memory until the call is destroyed, and the next
 *  ones replay it after replacing addresses that have changed. Runs on several
 *  streams in turn launch kernels one by one and can overlap; so do those on a
 *  stream under capture, whose kernels become part of the caller's graph. */
STOF_RUNTIME_API StofCall *stofCallBind(const StofProgram *program,
                                        int64_t count,
                                        const StofTensorShape *inputs,
                                        char **error);
STOF_RUNTIME_API void stofCallDestroy(StofCall *call);

/** The bytes of the workspace of a run. */
STOF_RUNTIME_API int64_t stofCallGetWorkspaceBytes(const StofCall *call);

/** Rank and sizes of a result; the sizes are valid as long as the call. -1 and
 *  null if the function has no such result. */
STOF_RUNTIME_API int64_t stofCallGetResultRank(const StofCall *call,
                                               int64_t result);
STOF_RUNTIME_API const int64_t *stofCallGetResultSizes(const StofCall *call,
                                                       int64_t result);

/** The dtype of a result, such as "f16", valid as long as the program; null if
 *  the function has no such result. */
STOF_RUNTIME_API const char *stofCallGetResultType(const StofCall *call,
                                                   int64_t result);

/** Runs the call on addresses in device memory: one for each input and result,
 *  aligned to 16 bytes, and the workspace, aligned to 256. The address of zero
 *  bytes may be null. Addresses may differ from run to run. On a GPU the work
 *  is queued on `stream` (a CUstream, null for the default one); concurrent
 *  runs need a workspace each. The memory of a result must not overlap an
 *  input, another result or the workspace, except that a result with `aliases`
 *  in the manifest has the address of that input. Returns 0 on success, 1 if
 *  an address is null, misaligned or not as expected, 2 if the device failed,
 *  3 if a check failed: the data violates an assertion of the source, such as
 *  an index within its table, and the results are undefined. On a GPU a failed
 *  check is reported later: by stofProgramSynchronize, or by the next run or
 *  replay of the program, which is then not queued. */
STOF_RUNTIME_API int stofCallRun(const StofCall *call, void *const *inputs,
                                 void *const *results, void *workspace,
                                 void *stream, char **error);

/** Runs the call as stofCallRun does, with `arguments` in one array: the
 *  addresses of inputs, of results and of the workspace, and the stream. For
 *  languages that pay for each argument of a function. */
STOF_RUNTIME_API int stofCallRunPacked(const StofCall *call,
                                       void *const *arguments, char **error);

/** Captures a run of the call on these addresses, which are as for stofCallRun,
 *  and stores it in `graph`; nothing runs. On a GPU it is a CUDA graph. The
 *  memory and the graph must stay valid until all replays have finished.
 * Returns the same as stofCallRun. */
STOF_RUNTIME_API int stofCallCapture(const StofCall *call, void *const *inputs,
                                     void *const *results, void *workspace,
                                     StofGraph **graph, char **error);
STOF_RUNTIME_API void stofGraphDestroy(StofGraph *graph);

/** Runs the captured call again, on the current contents of memory. On a GPU
 *  this is one launch on `stream`; replays of a graph are serialized. Returns 0
 *  on success, 2 if the device failed, 3 if a check failed, as for stofCallRun.
 */
STOF_RUNTIME_API int stofGraphReplay(const StofGraph *graph, void *stream,
                                     char **error);

#ifdef __cplusplus
}
#endif

#endif /* STOF_C_RUNTIME_H */

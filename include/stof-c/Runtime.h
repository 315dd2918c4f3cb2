/*===----------------------------------------------------------------------===*\
|* C interface of libstof-runtime: opens a package, loads one of its functions
|* on a device and calls it on tensors that the caller owns. It needs neither
|* MLIR nor CUDA; libcuda is loaded when a CUDA device is first asked for.
|*
|* A function that can fail takes `char **error`. On failure it returns null (or
|* a nonzero number) and stores a message there, to be freed with
|* stofFreeString; with a null `error` there is no message.
|*
|* Objects may be used from several threads, but each destroyed only once nobody
|* uses it; a program keeps its package alive, and calls and graphs their
|* program. The end of a program on a GPU waits for what is queued there.
|*
|* Null is no package, program, call or graph: only the functions that destroy
|* one take it. Of an array that is shorter than its count, and of an address
|* behind which there is less memory than the call says, nothing can be known
|* here: using them is undefined. Other values of any kind are refused with an
|* error.
|*
|* A process that was forked may use programs of the cpu, which start threads of
|* their own there; it must not have been inside a call when it was forked. CUDA
|* does not survive a fork.
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

/** Opens and checks the package in folder `path`. */
STOF_RUNTIME_API StofPackage *stofPackageOpen(const char *path, char **error);
STOF_RUNTIME_API void stofPackageDestroy(StofPackage *package);

/** The text of manifest.json; it lives as long as the package. */
STOF_RUNTIME_API const char *stofPackageGetManifest(const StofPackage *package);

/** Loads `function` (null or empty: the only one) on `device` ("cpu" or
 *  "cuda:N"). `threads` is for the cpu; 0 takes one for each hardware thread.
 */
STOF_RUNTIME_API StofProgram *stofProgramLoad(const StofPackage *package,
                                              const char *function,
                                              const char *device,
                                              unsigned threads, char **error);
STOF_RUNTIME_API void stofProgramDestroy(StofProgram *program);

/** The target that was chosen, such as "sm_90a". */
STOF_RUNTIME_API const char *stofProgramGetTarget(const StofProgram *program);

/** Waits for everything that is queued on the device of the program, and tells
 *  of a check that failed in one of its runs. Returns 0 on success, 2 where the
 *  device failed, 3 where a check did. */
STOF_RUNTIME_API int stofProgramSynchronize(const StofProgram *program,
                                            char **error);

/** Prepares a call on `count` inputs of these dtypes and shapes: checks them,
 *  solves the symbols and sizes the results. */
STOF_RUNTIME_API StofCall *stofCallBind(const StofProgram *program,
                                        int64_t count,
                                        const StofTensorShape *inputs,
                                        char **error);
STOF_RUNTIME_API void stofCallDestroy(StofCall *call);

/** Bytes of the workspace that each run of the call needs. */
STOF_RUNTIME_API int64_t stofCallGetWorkspaceBytes(const StofCall *call);

/** Rank and sizes of a result; the sizes live as long as the call. -1 and null
 *  where the function has no such result. */
STOF_RUNTIME_API int64_t stofCallGetResultRank(const StofCall *call,
                                               int64_t result);
STOF_RUNTIME_API const int64_t *stofCallGetResultSizes(const StofCall *call,
                                                       int64_t result);

/** Runs the call on addresses in the device's memory: one for each input and
 *  result, aligned to 16 bytes, and the workspace, aligned to 256. What has no
 *  bytes may be null. On a GPU the work is queued on `stream` (a CUstream, null
 *  for the default one); two runs that may overlap need a workspace each.
 *  A result for which the manifest has `aliases` takes the address of that
 *  input, whose memory no other input, result or workspace shares. Returns 0 on
 *  success, 1 where an address is null, not aligned or not the one that is
 *  expected, 2 where the device failed, 3 where a check did: what the source
 *  asserts of the data, such as that an index lies in its table, does not hold,
 *  and the results mean nothing. On a GPU that is known later: by
 *  stofProgramSynchronize, or by the next run or replay of the program, which
 * is then not queued. */
STOF_RUNTIME_API int stofCallRun(const StofCall *call, void *const *inputs,
                                 void *const *results, void *workspace,
                                 void *stream, char **error);

/** Captures a run of the call on these addresses, as stofCallRun takes them,
 *  and stores it in `graph`; nothing runs. On a GPU it is a CUDA graph. The
 *  memory has to stay where it is, with the graph, for as long as replays may
 *  be under way. Returns what stofCallRun returns. */
STOF_RUNTIME_API int stofCallCapture(const StofCall *call, void *const *inputs,
                                     void *const *results, void *workspace,
                                     StofGraph **graph, char **error);
STOF_RUNTIME_API void stofGraphDestroy(StofGraph *graph);

/** Runs what was captured again, on what the memory holds now. On a GPU that is
 *  one launch on `stream`; replays of a graph wait for each other. Returns 0 on
 *  success, 2 where the device failed, 3 where a check did, as for stofCallRun.
 */
STOF_RUNTIME_API int stofGraphReplay(const StofGraph *graph, void *stream,
                                     char **error);

#ifdef __cplusplus
}
#endif

#endif /* STOF_C_RUNTIME_H */

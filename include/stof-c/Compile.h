/*===----------------------------------------------------------------------===*\
|* The C interface of stof-compile, in libstof-c: a model in, a package out.
|*
|* Errors of a model never end the process; they are values of a compilation.
|* Strings of a compilation are valid as long as it is. Compilations may run in
|* several threads at once.
\*===----------------------------------------------------------------------===*/

#ifndef STOF_C_COMPILE_H
#define STOF_C_COMPILE_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to compile, and how. Fields that are zero have their defaults. */
typedef struct StofCompileOptions {
  /** The folder to write. An older package in its place is replaced at once.
   * If empty, the package stays in memory: stofCompilationGetArchive. */
  MlirStringRef output;
  /** GPUs in ptxas spelling (`sm_80`, `sm_90a`), and `cpu`, or `cpu-reference`
   * for the reference path of tests. */
  const MlirStringRef *targets;
  intptr_t numTargets;
  /** The only function to compile; empty for all public functions. */
  MlirStringRef function;
  /** The file in locations of the model; empty for `model`. */
  MlirStringRef name;
  /** Whether the checks of what the source asserts on sizes and indices are
   * omitted. */
  bool omitAssertions;
  /** Whether kernels check the bounds of memory accesses, for debugging. */
  bool checkBounds;
  /** Whether operations of unknown dialects are accepted. */
  bool allowUnregisteredDialects;
  /** The maximum number of threads; 0 is one per hardware thread. */
  unsigned threads;
} StofCompileOptions;

/** An error, a warning, or a note on the one before it. */
typedef struct StofDiagnostic {
  MlirDiagnosticSeverity severity;
  /** The position in the source; an empty file and zeroes if unknown, zeroes
   * alone for the whole file. */
  MlirStringRef file;
  unsigned line, column;
  MlirStringRef message;
} StofDiagnostic;

/** A decision of a pass; lib/REMARKS.md documents them by name. */
typedef struct StofRemark {
  /** `passed`, `missed`, `failure` or `analysis`. */
  MlirStringRef kind;
  MlirStringRef name;
  /** The function, empty for remarks on the module. */
  MlirStringRef function;
  /** FILE:LINE:COLUMN, or `unknown`. */
  MlirStringRef location;
  MlirStringRef text;
} StofRemark;

typedef struct StofCompilation StofCompilation;

/** Compiles `model`, MLIR text or bytecode, to a package. The result is never
 * null; the caller destroys it. */
MLIR_CAPI_EXPORTED StofCompilation *
stofCompile(MlirStringRef model, const StofCompileOptions *options);
MLIR_CAPI_EXPORTED void stofCompilationDestroy(StofCompilation *compilation);

/** Whether there is a package. */
MLIR_CAPI_EXPORTED bool
stofCompilationSucceeded(const StofCompilation *compilation);

/** The diagnostics in the order of emission; there is an error if and only if
 * the compilation failed. */
MLIR_CAPI_EXPORTED intptr_t
stofCompilationGetNumDiagnostics(const StofCompilation *compilation);
MLIR_CAPI_EXPORTED StofDiagnostic stofCompilationGetDiagnostic(
    const StofCompilation *compilation, intptr_t position);

/** The remarks in the order of emission. */
MLIR_CAPI_EXPORTED intptr_t
stofCompilationGetNumRemarks(const StofCompilation *compilation);
MLIR_CAPI_EXPORTED StofRemark
stofCompilationGetRemark(const StofCompilation *compilation, intptr_t position);

/** The report as JSON (report.schema.json), empty if the compilation failed. */
MLIR_CAPI_EXPORTED MlirStringRef
stofCompilationGetReport(const StofCompilation *compilation);

/** The package as a tar archive of what would be in its folder, for
 * stofPackageOpenArchive of libstof-runtime or for `tar`; empty if it was
 * written to a folder, or the compilation failed. */
MLIR_CAPI_EXPORTED MlirStringRef
stofCompilationGetArchive(const StofCompilation *compilation);

/** The version of the compiler, such as "0.1.0". */
MLIR_CAPI_EXPORTED MlirStringRef stofGetVersion(void);

/** The CPU that the target `cpu` is compiled for and the features that its code
 * requires, such as "znver4 avx2 fma". Two machines with equal strings run each
 * other's packages. */
MLIR_CAPI_EXPORTED MlirStringRef stofGetHostProcessor(void);

#ifdef __cplusplus
}
#endif

#endif /* STOF_C_COMPILE_H */

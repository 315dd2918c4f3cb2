/*===----------------------------------------------------------------------===*\
|* The compiler of stof in C, in libstof-c beside upstream's C interface.
|*
|* Types and attributes belong to the context that they were made in; nothing
|* here is freed by the caller.
\*===----------------------------------------------------------------------===*/

#ifndef STOF_C_STOF_H
#define STOF_C_STOF_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The stof dialect: `mlirGetDialectHandle__stof__()`. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Stof, stof);

/** The tile dialect: `mlirGetDialectHandle__tile__()`. */
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(StofTile, tile);

/** Adds all of stof's dialects to `registry`, which stays the caller's. */
MLIR_CAPI_EXPORTED void stofRegisterAllDialects(MlirDialectRegistry registry);

/** Makes stof's passes and pipelines known to `mlirParsePassPipeline` in the
 * whole process. Further calls do nothing. */
MLIR_CAPI_EXPORTED void stofRegisterAllPasses(void);

/*===----------------------------------------------------------------------===*/
/* !stof.mask<QUERIESxKEYS>                                                   */
/*===----------------------------------------------------------------------===*/

/** Whether `type` is a mask. */
MLIR_CAPI_EXPORTED bool stofTypeIsAMask(MlirType type);

/** The type of masks over `queries` x `keys` positions; a length that is not
 * known is `mlirShapedTypeGetDynamicSize()`. The type belongs to the context of
 * `location`. A length that is not positive is reported there, and the result
 * is null. */
MLIR_CAPI_EXPORTED MlirType stofMaskTypeGetChecked(MlirLocation location,
                                                   int64_t queries,
                                                   int64_t keys);

/** The number of queries of a mask type, or `mlirShapedTypeGetDynamicSize()`.
 */
MLIR_CAPI_EXPORTED int64_t stofMaskTypeGetQueries(MlirType type);

/** The number of keys of a mask type, or `mlirShapedTypeGetDynamicSize()`. */
MLIR_CAPI_EXPORTED int64_t stofMaskTypeGetKeys(MlirType type);

/** The identity of mask types among all types; valid as long as the process. */
MLIR_CAPI_EXPORTED MlirTypeID stofMaskTypeGetTypeID(void);

#ifdef __cplusplus
}
#endif

#endif /* STOF_C_STOF_H */

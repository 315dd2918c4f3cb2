/*===----------------------------------------------------------------------===*\
|* The C interface of the compiler, in libstof-c together with that of upstream.
|*
|* Types and attributes are owned by their context and not freed by the caller.
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

/** Adds all of stof's dialects to `registry`, which the caller owns. */
MLIR_CAPI_EXPORTED void stofRegisterAllDialects(MlirDialectRegistry registry);

/** Registers stof's passes and pipelines for `mlirParsePassPipeline` in the
 * whole process. Further calls have no effect. */
MLIR_CAPI_EXPORTED void stofRegisterAllPasses(void);

/*===----------------------------------------------------------------------===*/
/* !stof.mask<QUERIESxKEYS>                                                   */
/*===----------------------------------------------------------------------===*/

/** Whether `type` is a mask. */
MLIR_CAPI_EXPORTED bool stofTypeIsAMask(MlirType type);

/** The type of masks over `queries` x `keys` positions; a dynamic length is
 * `mlirShapedTypeGetDynamicSize()`. The type is owned by the context of
 * `location`. If a length is not positive, an error is emitted there and the
 * result is null. */
MLIR_CAPI_EXPORTED MlirType stofMaskTypeGetChecked(MlirLocation location,
                                                   int64_t queries,
                                                   int64_t keys);

/** The number of queries of a mask type, or `mlirShapedTypeGetDynamicSize()`.
 */
MLIR_CAPI_EXPORTED int64_t stofMaskTypeGetQueries(MlirType type);

/** The number of keys of a mask type, or `mlirShapedTypeGetDynamicSize()`. */
MLIR_CAPI_EXPORTED int64_t stofMaskTypeGetKeys(MlirType type);

/** The type ID of mask types. */
MLIR_CAPI_EXPORTED MlirTypeID stofMaskTypeGetTypeID(void);

#ifdef __cplusplus
}
#endif

#endif /* STOF_C_STOF_H */

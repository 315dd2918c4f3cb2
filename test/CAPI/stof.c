/* Builds, checks and compiles with nothing but C. The expected output is in
 * stof.test. */

#include "stof-c/Stof.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <inttypes.h>
#include <stdio.h>

static void printPiece(MlirStringRef text, void *prefix) {
  (void)prefix;
  fwrite(text.data, 1, text.length, stdout);
}

static MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                         void *data) {
  (void)data;
  printf("error: ");
  mlirDiagnosticPrint(diagnostic, printPiece, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static void useMaskTypes(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirType type =
      stofMaskTypeGetChecked(here, 4096, mlirShapedTypeGetDynamicSize());
  mlirTypePrint(type, printPiece, NULL);
  printf(" is a mask: %d\n", stofTypeIsAMask(type));
  printf("queries %" PRId64 ", keys known: %d\n", stofMaskTypeGetQueries(type),
         stofMaskTypeGetKeys(type) != mlirShapedTypeGetDynamicSize());
  printf("same identity: %d\n",
         mlirTypeIDEqual(mlirTypeGetTypeID(type), stofMaskTypeGetTypeID()));
  printf("index is a mask: %d\n", stofTypeIsAMask(mlirIndexTypeGet(context)));
  printf("of no positions is null: %d\n",
         mlirTypeIsNull(stofMaskTypeGetChecked(here, 0, 8)));
}

static void runPasses(MlirContext context) {
  static const char source[] =
      "func.func @f(%w: index) -> !stof.mask<8x8> {\n"
      "  %m = stof.mask captures(%w : index) {\n"
      "  ^bb0(%b: index, %h: index, %q: index, %k: index, %unused: index):\n"
      "    %keep = arith.cmpi ule, %k, %q : index\n"
      "    stof.yield %keep : i1\n"
      "  } : !stof.mask<8x8>\n"
      "  return %m : !stof.mask<8x8>\n"
      "}\n";
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  MlirPassManager passes = mlirPassManagerCreate(context);
  MlirLogicalResult parsed = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(passes),
      mlirStringRefCreateFromCString(
          "builtin.module(canonicalize,func.func(stof-form-groups))"),
      printPiece, NULL);
  MlirOperation operation = mlirModuleGetOperation(module);
  printf("pipeline: %d, run: %d\n", mlirLogicalResultIsSuccess(parsed),
         mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(passes, operation)));
  mlirOperationPrint(operation, printPiece, NULL);
  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  stofRegisterAllDialects(registry);
  mlirRegisterAllPasses();
  stofRegisterAllPasses();
  stofRegisterAllPasses();
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__stof__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__tile__(), context);
  useMaskTypes(context);
  runPasses(context);
  mlirContextDestroy(context);
  return 0;
}

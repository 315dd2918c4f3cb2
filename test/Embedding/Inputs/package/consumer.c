/* A program of someone else that makes a mask type in C and prints it. */
#include "stof-c/Stof.h"

#include <stdio.h>

static void printPiece(MlirStringRef text, void *data) {
  (void)data;
  fwrite(text.data, 1, text.length, stdout);
}

int main(void) {
  MlirContext context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__stof__(), context);
  mlirTypePrint(stofMaskTypeGetChecked(mlirLocationUnknownGet(context), 64, 32),
                printPiece, NULL);
  mlirContextDestroy(context);
  return 0;
}

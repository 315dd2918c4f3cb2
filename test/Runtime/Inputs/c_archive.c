/* Runs packages in memory through the C interface, on the device of the first
 * argument: the archives of the others, one after the other. */

#include "stof-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, COLUMNS = 4, WORKSPACE_BYTES = 1024 };

static _Alignas(16) float a[ROWS * COLUMNS], b[ROWS * COLUMNS],
    result[ROWS * COLUMNS];
static _Alignas(256) char workspace[WORKSPACE_BYTES];

/* The contents of a file, in memory of exactly their size. */
static char *read(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    exit(2);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size);
  if (fread(bytes, 1, *size, file) != *size)
    exit(2);
  fclose(file);
  return bytes;
}

static void fail(char *error) {
  printf("error: %s\n", error);
  stofFreeString(error);
}

static void run(StofProgram *program) {
  const int64_t sizes[] = {ROWS, COLUMNS};
  const StofTensorShape shapes[] = {{"f32", 2, sizes}, {"f32", 2, sizes}};
  void *inputs[] = {a, b}, *results[] = {result};
  char *error = NULL;
  StofCall *call = stofCallBind(program, 2, shapes, &error);
  if (!call || stofCallRun(call, inputs, results, workspace, NULL, &error))
    fail(error);
  stofCallDestroy(call);
  printf("run:");
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    printf(" %g", result[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    a[i] = i, b[i] = 100;
  for (int i = 2; i < argc; ++i) {
    size_t size;
    char *error = NULL, *archive = read(argv[i], &size);
    StofPackage *package = stofPackageOpenArchive(archive, size, &error);
    StofProgram *program =
        package ? stofProgramLoad(package, NULL, argv[1], 1, &error) : NULL;
    /* From here on, the archive is no longer used. */
    stofPackageDestroy(package);
    memset(archive, -1, size);
    free(archive);
    memset(result, 0, sizeof(result));
    if (program)
      run(program);
    else
      fail(error);
    stofProgramDestroy(program);
  }
  char *error = NULL;
  if (!stofPackageOpenArchive(NULL, WORKSPACE_BYTES, &error))
    fail(error);
  return 0;
}

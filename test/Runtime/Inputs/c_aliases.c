/* Runs a package whose result lies in place of its second input, at places that
 * are refused and at one that is not. */

#include "stof-c/Runtime.h"

#include <stdio.h>

static _Alignas(256) float a[12], b[12], other[12];
static _Alignas(256) char workspace[4096];

static void run(const StofCall *call, void *first, void *second, void *result,
                void *space) {
  void *inputs[] = {first, second}, *results[] = {result};
  char *error = NULL;
  if (stofCallRun(call, inputs, results, space, NULL, &error)) {
    printf("error: %s\n", error);
    stofFreeString(error);
    return;
  }
  printf("ran: %g %g %g %g\n", b[0], b[1], b[2], b[3]);
}

int main(int argc, char **argv) {
  char *error = NULL;
  int64_t sizes[] = {3, 4};
  StofTensorShape shapes[] = {{"f32", 2, sizes}, {"f32", 2, sizes}};
  StofPackage *package = stofPackageOpen(argv[argc - 1], &error);
  StofProgram *program =
      package ? stofProgramLoad(package, "main", "cpu", 1, &error) : NULL;
  StofCall *call = program ? stofCallBind(program, 2, shapes, &error) : NULL;
  if (!call) {
    printf("error: %s\n", error);
    return 1;
  }
  for (int i = 0; i < 12; ++i) {
    a[i] = (float)i;
    b[i] = 100;
  }
  run(call, a, b, other, workspace);
  run(call, b, b, b, workspace);
  run(call, a, workspace + 32, workspace + 32, workspace);
  run(call, a, b, b, workspace);
  stofCallDestroy(call);
  stofProgramDestroy(program);
  stofPackageDestroy(package);
  return 0;
}

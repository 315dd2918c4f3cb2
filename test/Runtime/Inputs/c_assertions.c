/* Runs a call whose data breaks an assertion, on the cpu in its second run, on
 * the stand-in for a GPU in every run. Usage: c_assertions PACKAGE DEVICE */

#include "stof-c/Runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, COLUMNS = 4 };
static _Alignas(256) float a[ROWS * COLUMNS], b[ROWS * COLUMNS],
    result[ROWS * COLUMNS], workspace[256];

static void print(const char *what, int status, char **error) {
  printf("%s: %d%s%s\n", what, status, *error ? " " : "", *error ? *error : "");
  stofFreeString(*error);
  *error = NULL;
}

int main(int argc, char **argv) {
  char *error = NULL;
  StofPackage *package = stofPackageOpen(argv[argc - 2], &error);
  StofProgram *program =
      stofProgramLoad(package, "main", argv[argc - 1], 2, &error);
  if (!program)
    return fprintf(stderr, "%s\n", error), 1;
  const int64_t sizes[] = {ROWS, COLUMNS};
  const StofTensorShape shapes[] = {{"f32", 2, sizes}, {"f32", 2, sizes}};
  StofCall *call = stofCallBind(program, 2, shapes, &error);
  void *inputs[] = {a, b}, *results[] = {result};
  for (int i = 0; i < 3; ++i) {
    a[0] = i == 1;
    if (i == 2)
      print("synchronize", stofProgramSynchronize(program, &error), &error);
    print("run", stofCallRun(call, inputs, results, workspace, NULL, &error),
          &error);
  }
  if (strcmp(argv[argc - 1], "cpu")) {
    print("synchronize", stofProgramSynchronize(program, &error), &error);
    StofGraph *graph;
    stofCallCapture(call, inputs, results, workspace, &graph, &error);
    for (int i = 0; i < 3; ++i)
      print("replay", stofGraphReplay(graph, NULL, &error), &error);
    stofGraphDestroy(graph);
  }
  stofCallDestroy(call);
  stofProgramDestroy(program);
  stofPackageDestroy(package);
  return 0;
}

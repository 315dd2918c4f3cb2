/* Calls the tests' package through the C interface; c-api.test says what is
 * expected of it. */

#include "stof-c/Runtime.h"

#include <inttypes.h>
#include <stdio.h>

enum { ROWS = 3, COLUMNS = 4, WORKSPACE_BYTES = 1024 };

static _Alignas(16) float a[ROWS * COLUMNS], b[ROWS * COLUMNS],
    result[ROWS * COLUMNS];
static _Alignas(256) char workspace[WORKSPACE_BYTES];

static void printError(char *error) {
  printf("error: %s\n", error);
  stofFreeString(error);
}

int main(int argc, char **argv) {
  char *error = NULL;
  StofPackage *package = stofPackageOpen(argv[argc - 1], &error);
  StofProgram *program = stofProgramLoad(package, "main", "cpu", 1, &error);
  stofPackageDestroy(package);

  const int64_t sizes[] = {ROWS, COLUMNS};
  StofTensorShape shapes[] = {{"f32", 2, sizes}, {"f32", 2, sizes}};
  if (!stofCallBind(program, -1, shapes, &error))
    printError(error);
  shapes[1].rank = -1;
  if (!stofCallBind(program, 2, shapes, &error))
    printError(error);
  shapes[1].rank = 2;

  StofCall *call = stofCallBind(program, 2, shapes, &error);
  printf("workspace: %" PRId64 " bytes\n", stofCallGetWorkspaceBytes(call));
  void *inputs[] = {a, b}, *results[] = {result};
  StofGraph *graph;
  if (stofCallCapture(call, inputs, results, workspace, &graph, &error))
    printError(error);
  stofProgramDestroy(program);
  stofCallDestroy(call);
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    a[i] = i, b[i] = 100;
  if (stofGraphReplay(graph, NULL, &error))
    printError(error);
  stofGraphDestroy(graph);
  printf("replayed:");
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    printf(" %g", result[i]);
  printf("\n");
  return 0;
}

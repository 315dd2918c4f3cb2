/* Calls a package on bytes, floats of 8 bits and a seed through the C
 * interface; element-types.test says what is expected of it. */

#include "stof-c/Runtime.h"

#include <inttypes.h>
#include <stdio.h>

enum { COUNT = 4, WORKSPACE_BYTES = 4096 };

static _Alignas(16) uint8_t bytes[COUNT] = {1, 128, 200, 255};
static _Alignas(16) uint8_t floats[COUNT] = {56, 64, 196, 48};
static _Alignas(16) int64_t seed = 41, next;
static _Alignas(16) int32_t wide[COUNT];
static _Alignas(16) uint8_t twice[COUNT], written[COUNT];
static _Alignas(16) float numbers[COUNT];
static _Alignas(256) char workspace[WORKSPACE_BYTES];

int main(int argc, char **argv) {
  char *error = NULL;
  const int64_t sizes[] = {COUNT};
  const StofTensorShape shapes[] = {
      {"i8", 1, sizes}, {"f8E4M3FN", 1, sizes}, {"i64", 0, NULL}};
  void *inputs[] = {bytes, floats, &seed};
  void *results[] = {wide, twice, written, numbers, &next};
  StofPackage *package = stofPackageOpen(argv[argc - 1], &error);
  StofProgram *program = stofProgramLoad(package, "main", "cpu", 1, &error);
  StofCall *call = stofCallBind(program, 3, shapes, &error);
  if (!call || stofCallGetWorkspaceBytes(call) > WORKSPACE_BYTES ||
      stofCallRun(call, inputs, results, workspace, NULL, &error)) {
    printf("error: %s\n", error);
    return 1;
  }
  for (int i = 0; i < COUNT; ++i)
    printf("%" PRId32 " ", wide[i]);
  printf("\n");
  for (int i = 0; i < COUNT; ++i)
    printf("%u ", (unsigned)twice[i]);
  printf("\n");
  for (int i = 0; i < COUNT; ++i)
    printf("%u ", (unsigned)written[i]);
  printf("\n");
  for (int i = 0; i < COUNT; ++i)
    printf("%g ", numbers[i]);
  printf("\n%" PRId64 ", of rank %" PRId64 "\n", next,
         stofCallGetResultRank(call, 4));
  stofCallDestroy(call);
  stofProgramDestroy(program);
  stofPackageDestroy(package);
  return 0;
}

/* Runs a call of two kernels on changing addresses and streams, on the GPU of
 * the stand-in driver; prepared-calls.test says what is expected of it. */

#include "stof-c/Runtime.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, COLUMNS = 4, BYTES = 1024 };

static void *allocate(void *driver) {
  int (*memAlloc)(uint64_t *, size_t) =
      (int (*)(uint64_t *, size_t))dlsym(driver, "cuMemAlloc_v2");
  uint64_t address = 0;
  memAlloc(&address, BYTES);
  return memset((void *)address, 0, BYTES);
}

static const StofCall *call;
static void *inputs[2], *results[1], *workspace;

static void run(const char *what, void *stream) {
  char *error = NULL;
  fprintf(stderr, "%s:\n", what);
  int status = stofCallRun(call, inputs, results, workspace, stream, &error);
  if (status)
    fprintf(stderr, "status %d: %s\n", status, error);
  else
    fprintf(stderr, "result %g\n", ((float *)results[0])[0]);
  stofFreeString(error);
}

static void failing(const char *function, const char *what, void *stream) {
  setenv("FAKE_CUDA_FAIL", function, 1);
  run(what, stream);
  unsetenv("FAKE_CUDA_FAIL");
}

int main(int argc, char **argv) {
  char *error = NULL;
  StofPackage *package = stofPackageOpen(argv[argc - 1], &error);
  StofProgram *program = stofProgramLoad(package, "main", "cuda:0", 0, &error);
  const int64_t sizes[] = {ROWS, COLUMNS};
  const StofTensorShape shapes[] = {{"f32", 2, sizes}, {"f32", 2, sizes}};
  StofCall *bound = stofCallBind(program, 2, shapes, &error);
  call = bound;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW), *memory[6];
  for (int i = 0; i < 6; ++i)
    memory[i] = allocate(driver);
  void *first = memory, *second = memory + 1;
  inputs[0] = memory[0], inputs[1] = memory[1], results[0] = memory[2];
  workspace = (void *)(((uintptr_t)memory[3] + 255) / 256 * 256);
  *(float *)memory[0] = 2, *(float *)memory[4] = 4, *(float *)memory[1] = 100;

  run("once", first);
  run("again", first);
  run("a third time", first);
  inputs[0] = memory[4];
  run("another first input", first);
  inputs[1] = memory[5];
  run("another second input", first);
  run("the same", first);
  run("another stream", second);
  run("that stream again", second);
  setenv("FAKE_CUDA_CAPTURING", "1", 1);
  run("a captured stream", second);
  unsetenv("FAKE_CUDA_CAPTURING");
  inputs[1] = memory[1];
  failing("cuTensorMapEncodeTiled", "no tensor map", second);
  run("after it", second);
  inputs[1] = memory[5];
  failing("cuGraphExecKernelNodeSetParams", "no new parameters", second);
  run("after them", second);
  failing("cuGraphLaunch", "no launch", second);
  results[0] = (char *)memory[5] + 16;
  run("a result in an input", second);
  results[0] = workspace;
  run("a result in the workspace", second);

  stofCallDestroy(bound);
  stofProgramDestroy(program);
  stofPackageDestroy(package);
  return 0;
}

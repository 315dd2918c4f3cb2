/* Runs one call on the cpu from two threads, each with memory of its own. */

#include "stof-c/Runtime.h"

#include <pthread.h>
#include <stdio.h>

enum { ROWS = 3, COLUMNS = 4, COUNT = ROWS * COLUMNS, RUNS = 500 };

struct work {
  const StofCall *call;
  _Alignas(256) char workspace[1024];
  _Alignas(16) float a[COUNT], b[COUNT], result[COUNT];
  float start;
  int wrong;
};

static void *runAll(void *argument) {
  struct work *work = argument;
  void *inputs[] = {work->a, work->b}, *results[] = {work->result};
  for (int number = 0; number < RUNS; ++number) {
    for (int i = 0; i < COUNT; ++i)
      work->a[i] = work->start + number, work->b[i] = i, work->result[i] = -1;
    if (stofCallRun(work->call, inputs, results, work->workspace, NULL, NULL))
      ++work->wrong;
    for (int i = 0; i < COUNT; ++i)
      work->wrong += work->result[i] !=
                     work->a[i] * 0.5f + i + 10 * (float)(i % COLUMNS + 1);
  }
  return NULL;
}

int main(int argc, char **argv) {
  StofPackage *package = stofPackageOpen(argv[argc - 1], NULL);
  StofProgram *program = stofProgramLoad(package, "main", "cpu", 2, NULL);
  const int64_t sizes[] = {ROWS, COLUMNS};
  const StofTensorShape shapes[] = {{"f32", 2, sizes}, {"f32", 2, sizes}};
  StofCall *call = stofCallBind(program, 2, shapes, NULL);
  static struct work works[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    works[i].call = call, works[i].start = 1000.0f * (float)i;
    pthread_create(&threads[i], NULL, runAll, &works[i]);
  }
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  printf("wrong: %d %d\n", works[0].wrong, works[1].wrong);
  stofCallDestroy(call);
  stofProgramDestroy(program);
  stofPackageDestroy(package);
  return 0;
}

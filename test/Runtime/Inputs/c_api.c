/* Calls the tests' package through the C interface; c-api.test says what is
 * expected of it. */

#include "stof-c/Runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 3, COLUMNS = 4, WORKSPACE_BYTES = 1024 };

static _Alignas(16) float a[ROWS * COLUMNS], b[ROWS * COLUMNS],
    result[ROWS * COLUMNS];
static _Alignas(256) char workspace[WORKSPACE_BYTES];

static void printError(char *error) {
  printf("error: %s\n", error);
  stofFreeString(error);
}

/* What must not be believed of shapes, folders, threads and devices. */
static void refuseArguments(const StofPackage *package,
                            const StofProgram *program) {
  const int64_t sizes[] = {ROWS, COLUMNS};
  const int64_t ranks[] = {-1, INT64_C(1) << 60};
  const int64_t counts[] = {-1, INT64_C(1) << 60};
  const char *folders[] = {NULL, ""};
  char *error = NULL;
  StofTensorShape shapes[] = {{"f32", 2, sizes}, {"f32", 2, sizes}};
  for (int i = 0; i < 2; ++i)
    if (!stofCallBind(program, counts[i], shapes, &error))
      printError(error);
  if (!stofCallBind(program, 2, NULL, &error))
    printError(error);
  for (int i = 0; i < 2; ++i) {
    shapes[1].rank = ranks[i];
    if (!stofCallBind(program, 2, shapes, &error))
      printError(error);
  }
  shapes[0].dtype = NULL;
  if (!stofCallBind(program, 2, shapes, &error))
    printError(error);
  shapes[0] = (StofTensorShape){"f32", 2, NULL};
  if (!stofCallBind(program, 2, shapes, &error))
    printError(error);
  for (int i = 0; i < 2; ++i)
    if (!stofPackageOpen(folders[i], &error))
      printError(error);
  if (!stofProgramLoad(package, NULL, "cpu", 100000, &error))
    printError(error);
  if (!stofProgramLoad(package, NULL, NULL, 0, &error))
    printError(error);
}

/* What must not be run on. */
static void refuseAddresses(const StofCall *call) {
  char *error = NULL;
  void *inputs[] = {a, b}, *half[] = {a, NULL};
  void *results[] = {result}, *none[] = {NULL};
  if (stofCallRun(call, NULL, results, workspace, NULL, &error) == 1)
    printError(error);
  if (stofCallRun(call, inputs, NULL, workspace, NULL, &error) == 1)
    printError(error);
  if (stofCallRun(call, half, results, workspace, NULL, &error) == 1)
    printError(error);
  if (stofCallRun(call, inputs, none, workspace, NULL, &error) == 1)
    printError(error);
  if (stofCallRun(call, inputs, results, NULL, NULL, &error) == 1)
    printError(error);
  if (stofCallRunPacked(call, NULL, &error) == 1)
    printError(error);
  void *packed[] = {a, b, result, NULL, NULL};
  if (stofCallRunPacked(call, packed, &error) == 1)
    printError(error);
  if (stofCallCapture(call, inputs, results, workspace, NULL, &error) == 1)
    printError(error);
}

static void printResult(const char *what) {
  printf("%s:", what);
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    printf(" %g", result[i]);
  printf("\n");
}

/* Runs the call in a child, where the threads of this process are not, and then
 * lets go of the program there. */
static void runInChild(StofProgram *program, StofCall *call) {
  enum { SECONDS = 60 };
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    void *inputs[] = {a, b}, *results[] = {result};
    alarm(SECONDS);
    if (stofCallRun(call, inputs, results, workspace, NULL, NULL) == 0)
      printResult("child");
    stofCallDestroy(call);
    stofProgramDestroy(program);
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, &status, 0);
  printf("child ended: %d\n", status);
}

int main(int argc, char **argv) {
  char *error = NULL;
  StofPackage *package = stofPackageOpen(argv[argc - 1], &error);
  StofProgram *program = stofProgramLoad(package, "main", "cpu", 4, &error);
  refuseArguments(package, program);
  stofPackageDestroy(package);

  const int64_t sizes[] = {ROWS, COLUMNS};
  const StofTensorShape shapes[] = {{"f32", 2, sizes}, {"f32", 2, sizes}};
  StofCall *call = stofCallBind(program, 2, shapes, &error);
  printf("results: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d %d\n",
         stofCallGetResultRank(call, 0), stofCallGetResultRank(call, 1),
         stofCallGetResultRank(call, -1), stofCallGetResultRank(call, 1000000),
         !stofCallGetResultSizes(call, 1), !stofCallGetResultSizes(call, -1));
  printf("workspace: %" PRId64 " bytes\n", stofCallGetWorkspaceBytes(call));
  refuseAddresses(call);

  void *inputs[] = {a, b}, *results[] = {result};
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    a[i] = i, b[i] = 100;
  if (stofCallRun(call, inputs, results, workspace, NULL, &error))
    printError(error);
  printResult("run");
  result[0] = 0;
  void *packed[] = {a, b, result, workspace, NULL};
  if (stofCallRunPacked(call, packed, &error))
    printError(error);
  printResult("packed");
  runInChild(program, call);

  StofGraph *graph;
  if (stofCallCapture(call, inputs, results, workspace, &graph, &error))
    printError(error);
  stofProgramDestroy(program);
  stofCallDestroy(call);
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    result[i] = 0;
  if (stofGraphReplay(graph, NULL, &error))
    printError(error);
  stofGraphDestroy(graph);
  printResult("replayed");
  return 0;
}

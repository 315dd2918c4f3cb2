/* Compiles models to packages with nothing but C, and runs one. The expected
 * output is in compile.test. */

#include "stof-c/Compile.h"
#include "stof-c/Runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const severities[] = {"error", "warning", "note", "remark"};

static MlirStringRef text(const char *string) {
  MlirStringRef result = {string, strlen(string)};
  return result;
}

static void print(MlirStringRef string) {
  fwrite(string.data, 1, string.length, stdout);
}

/* Compiles `model` into `folder` and prints what the compilation says. */
static void compile(const char *what, const char *model, const char *folder,
                    const char *target, const char *function) {
  MlirStringRef targets[] = {text(target)};
  StofCompileOptions options = {0};
  options.output = text(folder);
  options.targets = targets;
  options.numTargets = *target ? 1 : 0;
  options.function = text(function);
  options.threads = 1;
  StofCompilation *compilation = stofCompile(text(model), &options);
  printf("%s: %d\n", what, stofCompilationSucceeded(compilation));
  for (intptr_t i = 0; i < stofCompilationGetNumDiagnostics(compilation); ++i) {
    StofDiagnostic said = stofCompilationGetDiagnostic(compilation, i);
    printf("  %s at '", severities[said.severity]);
    print(said.file);
    printf("' %u:%u: ", said.line, said.column);
    print(said.message);
    printf("\n");
  }
  for (intptr_t i = 0; i < stofCompilationGetNumRemarks(compilation); ++i) {
    StofRemark said = stofCompilationGetRemark(compilation, i);
    print(said.kind);
    printf(" ");
    print(said.name);
    printf(" of '");
    print(said.function);
    printf("' at ");
    print(said.location);
    printf(": ");
    print(said.text);
    printf("\n");
  }
  print(stofCompilationGetReport(compilation));
  printf("\n");
  printf("in memory: %d\n", stofCompilationGetArchive(compilation).length > 0);
  stofCompilationDestroy(compilation);
}

/* Compiles a function of one f32 tensor of 4 x 8 in memory and runs it. */
static void compileAndRun(const char *model) {
  enum { ROWS = 4, COLUMNS = 8 };
  static _Alignas(16) float input[ROWS * COLUMNS], result[ROWS * COLUMNS];
  const int64_t sizes[] = {ROWS, COLUMNS};
  const StofTensorShape shape = {"f32", 2, sizes};
  void *inputs[] = {input}, *results[] = {result};
  MlirStringRef targets[] = {text("cpu")};
  StofCompileOptions options = {0};
  options.targets = targets;
  options.numTargets = 1;
  StofCompilation *compilation = stofCompile(text(model), &options);
  MlirStringRef archive = stofCompilationGetArchive(compilation);
  StofPackage *package =
      stofPackageOpenArchive(archive.data, archive.length, NULL);
  StofProgram *program = stofProgramLoad(package, NULL, "cpu", 1, NULL);
  StofCall *call = stofCallBind(program, 1, &shape, NULL);
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    input[i] = (float)i;
  printf("in memory: %d", stofCallRun(call, inputs, results, NULL, NULL, NULL));
  for (int i = 0; i < COLUMNS; ++i)
    printf(" %g", result[i]);
  printf("\n");
  stofCallDestroy(call);
  stofProgramDestroy(program);
  stofPackageDestroy(package);
  stofCompilationDestroy(compilation);
}

int main(int argc, char **argv) {
  static const char twice[] =
      "func.func @twice(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
      "  %y = arith.addf %x, %x : tensor<4x8xf32>\n"
      "  return %y : tensor<4x8xf32>\n"
      "}\n";
  if (argc != 2)
    return 1;
  print(stofGetVersion());
  printf(", for %d features or more\n", stofGetHostProcessor().length > 0);
  compile("a model", twice, argv[1], "cpu", "");
  compile("one function", twice, argv[1], "cpu", "thrice");
  compile("no model", "func.func @f(%x: tensor<4x8xf32>", argv[1], "cpu", "");
  compile("a dialect", "func.func @f() { my.op }", argv[1], "cpu", "");
  compile("no target", twice, argv[1], "", "");
  compile("another target", twice, argv[1], "sm_35", "");
  compile("no function", "module {}", "", "cpu", "");
  compileAndRun(twice);
  return 0;
}

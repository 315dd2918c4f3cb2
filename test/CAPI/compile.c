/* Compiles models to packages with nothing but C. The expected output is in
 * compile.test. */

#include "stof-c/Compile.h"

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
  compile("no folder", twice, "", "cpu", "");
  return 0;
}

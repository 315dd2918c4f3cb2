/*===----------------------------------------------------------------------===*\
|* The cpu target: functions of a shared object, called one after the other.
\*===----------------------------------------------------------------------===*/

#include "run_package.h"

#include "stof/Support/NativeAbi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256, MOST_PARAMETERS = 1000, MOST_NAME = 4096 };

/* A loader compares the features in the entry `processor` of the target with
 * those of its CPU here. */
void open_device(void) {}

uint64_t allocate(int64_t bytes, const void *contents) {
  size_t rounded = ((size_t)bytes / ALIGNMENT + 1) * ALIGNMENT;
  void *memory = aligned_alloc(ALIGNMENT, rounded);
  if (contents)
    memcpy(memory, contents, (size_t)bytes);
  return (uint64_t)memory;
}

void read_memory(void *host, uint64_t memory, int64_t bytes) {
  memcpy(host, (const void *)memory, (size_t)bytes);
}

/** The service that code requires: a loop whose iterations may run at once, in
 * any order. */
static void run_all(void *context, int64_t count,
                    void (*body)(void *closure, int64_t index), void *closure) {
  (void)context;
  for (int64_t index = 0; index < count; ++index)
    body(closure, index);
}

void run_step(const json *step) {
  const char *function = find_entry(step, "native")->text;
  /* The loader returns the same library for the same path. */
  void *library =
      dlopen(get_path(find_entry(step, "module")->text), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fail(dlerror());
  char name[MOST_NAME];
  snprintf(name, sizeof(name), STOF_NATIVE_COUNT "%s", function);
  const uint64_t *expected = dlsym(library, name);
  void *address = dlsym(library, function);

  uint64_t words[MOST_PARAMETERS], count = 0;
  for (json *parameter = find_list(step, "parameters"); parameter;
       parameter = parameter->next)
    words[count++] = get_word(parameter);
  if (!address || !expected || *expected != count)
    fail("expects a function of as many parameters");
  const stof_native_api api = {NULL, run_all};
  stof_native_step run;
  memcpy(&run, &address, sizeof(run));
  run(words, &api);
}

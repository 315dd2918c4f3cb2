/*===----------------------------------------------------------------------===*\
|* A loader of packages in a few functions: what it has of the manifest, and
|* what a device does for it (native.c, cuda.c).
\*===----------------------------------------------------------------------===*/

#ifndef STOF_EXAMPLES_RUN_PACKAGE_H
#define STOF_EXAMPLES_RUN_PACKAGE_H

#include "json.h"

#include <stddef.h>

/** Ends the program. */
void fail(const char *message);

/** A size: an integer, a symbol, or [operator, left, right]; `otherwise` if it
 * is null. */
int64_t evaluate(const json *size, int64_t otherwise);

/** A parameter that is an address or a number, in the low bits. */
uint64_t get_word(const json *parameter);

/** The contents of a file of the package, followed by a null character. */
char *read_file(const char *name);

/** The path of a file of the package, until the next call. */
const char *get_path(const char *name);

/** Prepares the device. */
void open_device(void);

/** Memory with these contents, or any if they are null. It is aligned to 256
 * bytes: so are constants and the workspace, and tensors to 16 at least. */
uint64_t allocate(int64_t bytes, const void *contents);

/** Copies memory to the host, after all steps. */
void read_memory(void *host, uint64_t memory, int64_t bytes);

/** Runs a step, or queues it behind the steps before it. */
void run_step(const json *step);

#endif /* STOF_EXAMPLES_RUN_PACKAGE_H */

/*===----------------------------------------------------------------------===*\
|* run_package PACKAGE FUNCTION TARGET [SYMBOL=VALUE]...: runs a function of f32
|* tensors on inputs 0, 1, 2, ... and prints the sum of each result. The symbols
|* are the dynamic sizes in the manifest.
\*===----------------------------------------------------------------------===*/

#include "run_package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BUFFERS = 1000, MOST_PATH = 4096 };

static const char *folder;
static char **symbols;

/** Memory by the names that parameters have for it. */
static struct {
  const char *name;
  uint64_t address;
} buffers[MOST_BUFFERS];
static int buffer_count;

void fail(const char *message) {
  fprintf(stderr, "error: %s\n", message);
  exit(1);
}

const char *get_path(const char *name) {
  static char path[MOST_PATH];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  return path;
}

char *read_file(const char *name) {
  FILE *file = fopen(get_path(name), "rb");
  if (!file)
    fail(name);
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *bytes = calloc(size + 1, 1);
  if (fread(bytes, 1, size, file) != size)
    fail(name);
  fclose(file);
  return bytes;
}

static int64_t find_symbol(const char *name) {
  size_t length = strlen(name);
  for (char **symbol = symbols; *symbol; ++symbol)
    if (!strncmp(*symbol, name, length) && (*symbol)[length] == '=')
      return strtoll(*symbol + length + 1, NULL, 10);
  fail("expects the value of a symbol");
  return 0;
}

static int64_t apply(const char *operation, int64_t lhs, int64_t rhs) {
  if (!strcmp(operation, "min"))
    return lhs < rhs ? lhs : rhs;
  if (!strcmp(operation, "max"))
    return lhs > rhs ? lhs : rhs;
  if (!strcmp(operation, "and"))
    return lhs && rhs;
  switch (*operation) {
  case '+':
    return lhs + rhs;
  case '-':
    return lhs - rhs;
  case '*':
    return lhs * rhs;
  case '=':
    return lhs == rhs;
  case '<':
    return lhs <= rhs;
  }
  /* Divisors are positive; quotients are rounded down. */
  int64_t quotient = lhs / rhs - (lhs % rhs < 0);
  int64_t remainder = lhs - quotient * rhs;
  if (!strcmp(operation, "mod"))
    return remainder;
  return quotient + (!strcmp(operation, "ceildiv") && remainder > 0);
}

int64_t evaluate(const json *size, int64_t otherwise) {
  if (!size)
    return otherwise;
  if (size->kind == '"')
    return find_symbol(size->text);
  if (size->kind != '[')
    return strtoll(size->text, NULL, 10);
  const json *lhs = size->child->next;
  int64_t left = evaluate(lhs, 0);
  /* The right side can be invalid where the left one is false. */
  if (!strcmp(size->child->text, "and") && !left)
    return 0;
  return apply(size->child->text, left, evaluate(lhs->next, 0));
}

/** The bytes of a tensor: an f32 has 4, a bf16 2, an f8E5M2 or i1 one. */
static int64_t count_bytes(const json *tensor) {
  const char *dtype = find_entry(tensor, "dtype")->text;
  int64_t bytes = (atoi(dtype + strcspn(dtype, "123456789")) + 7) / 8;
  for (json *size = find_list(tensor, "shape"); size; size = size->next)
    bytes *= evaluate(size, 0);
  return bytes;
}

static uint64_t add_buffer(const char *name, uint64_t address) {
  if (buffer_count == MOST_BUFFERS)
    fail("expects fewer tensors");
  buffers[buffer_count].name = name;
  buffers[buffer_count++].address = address;
  return address;
}

static uint64_t find_buffer(const char *name) {
  for (int i = 0; i < buffer_count; ++i)
    if (!strcmp(buffers[i].name, name))
      return buffers[i].address;
  fail(name);
  return 0;
}

uint64_t get_word(const json *parameter) {
  const json *buffer = find_entry(parameter, "buffer");
  if (buffer)
    return find_buffer(buffer->text) +
           (uint64_t)evaluate(find_entry(parameter, "offset"), 0);
  const json *value = find_entry(parameter, "value");
  if (strcmp(find_entry(parameter, "type")->text, "f32") != 0)
    return (uint64_t)evaluate(value, 0);
  float number = strtof(value->text, NULL);
  uint32_t bits;
  memcpy(&bits, &number, sizeof(bits));
  return bits;
}

/** The object in a list whose entry `key` is `text`. */
static json *search(json *list, const char *key, const char *text) {
  while (list && strcmp(find_entry(list, key)->text, text) != 0)
    list = list->next;
  if (!list)
    fail(text);
  return list;
}

/** Inputs, results and constants, as parameters name them. */
static void add_tensors(const json *function) {
  for (json *input = find_list(function, "inputs"); input;
       input = input->next) {
    int64_t bytes = count_bytes(input);
    float *numbers = malloc((size_t)bytes + 1);
    for (int64_t i = 0; i < bytes / 4; ++i)
      numbers[i] = (float)i;
    add_buffer(find_entry(input, "name")->text, allocate(bytes, numbers));
    free(numbers);
  }
  for (json *result = find_list(function, "results"); result;
       result = result->next) {
    /* One that takes over the memory of an input has its address; all others
     * are disjoint from inputs and from each other. */
    const json *input = find_entry(result, "aliases");
    add_buffer(find_entry(result, "name")->text,
               input ? find_buffer(input->text)
                     : allocate(count_bytes(result), NULL));
  }
  for (json *constant = find_list(function, "constants"); constant;
       constant = constant->next) {
    char *file = read_file(find_entry(constant, "file")->text);
    add_buffer(find_entry(constant, "name")->text,
               allocate(evaluate(find_entry(constant, "bytes"), 0),
                        file + evaluate(find_entry(constant, "offset"), 0)));
    free(file);
  }
}

/** Fails with the message of the assertion that a step found violated. */
static void check_status(const json *target, uint64_t address) {
  int32_t status;
  read_memory(&status, address, sizeof(status));
  if (status == 0)
    return;
  json *assertion = find_list(target, "assertions");
  for (int32_t number = 1; number < status; ++number)
    assertion = assertion->next;
  fail(find_entry(assertion, "message")->text);
}

int main(int argc, char **argv) {
  if (argc < 4)
    fail("expects a package, a function and a target");
  folder = argv[1];
  symbols = argv + 4;
  char *text = read_file("manifest.json");
  const json *manifest = parse_json(&text);
  if (evaluate(find_entry(manifest, "version"), 0) != 1)
    fail("expects a manifest of version 1");
  const json *function =
      search(find_list(manifest, "functions"), "name", argv[2]);
  for (json *check = find_list(function, "checks"); check; check = check->next)
    if (!evaluate(find_entry(check, "holds"), 0))
      fail(find_entry(check, "message")->text);
  const json *target =
      search(find_list(function, "targets"), "target", argv[3]);

  open_device();
  add_tensors(function);
  int32_t zero = 0;
  uint64_t status = add_buffer("status", allocate(sizeof(zero), &zero));
  add_buffer("workspace",
             allocate(evaluate(find_entry(target, "workspace"), 0), NULL));
  for (json *step = find_list(target, "steps"); step; step = step->next)
    run_step(step);
  check_status(target, status);

  for (json *result = find_list(function, "results"); result;
       result = result->next) {
    int64_t bytes = count_bytes(result);
    float *numbers = malloc((size_t)bytes + 1);
    read_memory(numbers, find_buffer(find_entry(result, "name")->text), bytes);
    double sum = 0;
    for (int64_t i = 0; i < bytes / 4; ++i)
      sum += numbers[i];
    printf("%s: %g\n", find_entry(result, "name")->text, sum);
    free(numbers);
  }
  return 0;
}

/* The cpu target of the tests' package, by hand. */

#include "stof/Support/NativeAbi.h"

#include <string.h>

enum { COLUMNS = 4 };

struct row {
  const float *a, *b, *c;
  float *result, *partial;
  float scale;
  int64_t index;
  const stof_native_api *api;
};

static void column(void *closure, int64_t index) {
  struct row *row = closure;
  int64_t i = row->index * COLUMNS + index;
  row->result[i] = row->partial[i] + row->c[index];
}

static void row(void *closure, int64_t index) {
  struct row row = *(struct row *)closure;
  row.index = index;
  for (int64_t i = index * COLUMNS; i < (index + 1) * COLUMNS; ++i)
    row.partial[i] = row.a[i] * row.scale + row.b[i];
  /* A loop inside a loop. */
  row.api->parallel_for(row.api->context, COLUMNS, column, &row);
}

const uint64_t parameters_of_stof_main = 8;
void stof_main(const uint64_t *parameters, const stof_native_api *api) {
  struct row shared = {(const float *)parameters[0],
                       (const float *)parameters[1],
                       (const float *)parameters[2],
                       (float *)parameters[3],
                       (float *)parameters[4],
                       0,
                       0,
                       api};
  memcpy(&shared.scale, &parameters[7], sizeof(float));
  /* A signed i32 arrives widened. */
  if ((int64_t)parameters[6] != -7)
    return;
  api->parallel_for(api->context, (int64_t)parameters[5], row, &shared);
}

/* Leaves its results alone. */
const uint64_t parameters_of_stof_nothing = 8;
void stof_nothing(const uint64_t *parameters, const stof_native_api *api) {
  (void)parameters;
  (void)api;
}

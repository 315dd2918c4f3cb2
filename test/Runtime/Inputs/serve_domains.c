/* Steps with results that are not finite: of negative inputs, of all inputs, of
 * half and of three quarters of the elements. */

#include "print_inputs.c"

#include <math.h>

enum { SIZE = 4 };

const uint64_t parameters_of_stof_root = 2;
void stof_root(const uint64_t *parameters, const stof_native_api *api) {
  const float *input = (const float *)parameters[0];
  float *result = (float *)parameters[1];
  (void)api;
  for (int i = 0; i < SIZE; ++i)
    result[i] = input[i] < 0 ? NAN : input[i];
}

/* The first `finite` elements of its input, then infinity. */
static void keep(const uint64_t *parameters, int finite) {
  const float *input = (const float *)parameters[0];
  float *result = (float *)parameters[1];
  fprintf(stderr, "first input %.3f\n", input[0]);
  for (int i = 0; i < SIZE; ++i)
    result[i] = i < finite ? input[i] : INFINITY;
}

const uint64_t parameters_of_stof_half = 2;
void stof_half(const uint64_t *parameters, const stof_native_api *api) {
  (void)api;
  keep(parameters, SIZE / 2);
}

const uint64_t parameters_of_stof_quarter = 2;
void stof_quarter(const uint64_t *parameters, const stof_native_api *api) {
  (void)api;
  keep(parameters, SIZE / 4);
}

const uint64_t parameters_of_stof_nan = 2;
void stof_nan(const uint64_t *parameters, const stof_native_api *api) {
  (void)api;
  for (int i = 0; i < SIZE; ++i)
    ((float *)parameters[1])[i] = NAN;
}

const uint64_t parameters_of_stof_print_nan = INPUTS + 1;
void stof_print_nan(const uint64_t *parameters, const stof_native_api *api) {
  stof_print(parameters, api);
  stof_nan(&parameters[INPUTS - 1], api);
}

/* Steps that print their inputs, three elements each, that print both ends of
 * long ones, that find an assertion broken, and that do nothing. */

#include "stof/Support/NativeAbi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { INPUTS = 11, ELEMENTS = 3 };

const uint64_t parameters_of_stof_print = INPUTS;
void stof_print(const uint64_t *parameters, const stof_native_api *api) {
  /* f64, f32, f16, bf16, i64, i32, i16, i8, i1, f8E4M3FN, f8E5M2 */
  static const int bytes[INPUTS] = {8, 4, 2, 2, 8, 4, 2, 1, 1, 1, 1};
  (void)api;
  for (int i = 0; i < INPUTS; ++i) {
    fprintf(stderr, "arg%d", i);
    for (int j = 0; j < ELEMENTS; ++j) {
      uint64_t bits = 0;
      memcpy(&bits, (const char *)parameters[i] + j * bytes[i], bytes[i]);
      fprintf(stderr, " %0*" PRIx64, 2 * bytes[i], bits);
    }
    fprintf(stderr, "\n");
  }
}

/* Two f32 of LONG elements, more by ELEMENTS than are random. */
enum { LONG = 1000006 };

const uint64_t parameters_of_stof_ends = 2;
void stof_ends(const uint64_t *parameters, const stof_native_api *api) {
  (void)api;
  for (int i = 0; i < 2; ++i) {
    const uint32_t *elements = (const uint32_t *)parameters[i];
    fprintf(stderr, "arg%d", i);
    for (int j = 0; j < ELEMENTS; ++j)
      fprintf(stderr, " %08" PRIx32, elements[j]);
    fprintf(stderr, " to");
    for (int j = LONG - ELEMENTS; j < LONG; ++j)
      fprintf(stderr, " %08" PRIx32, elements[j]);
    fprintf(stderr, "\n");
  }
}

const uint64_t parameters_of_stof_break = 1;
void stof_break(const uint64_t *parameters, const stof_native_api *api) {
  (void)api;
  *(int32_t *)parameters[0] = 1;
}

const uint64_t parameters_of_stof_nothing = 0;
void stof_nothing(const uint64_t *parameters, const stof_native_api *api) {
  (void)parameters;
  (void)api;
}

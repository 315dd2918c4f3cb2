/* Steps from an input of four f32 to a result, for tests of what packages run
 * in: one that copies, one that writes nothing, one that overwrites its input,
 * one that adds in place, and one that takes its time. */

#include "stof/Support/NativeAbi.h"

#include <stdio.h>
#include <unistd.h>

enum { SIZE = 4 };

const uint64_t parameters_of_stof_copy = 2;
void stof_copy(const uint64_t *parameters, const stof_native_api *api) {
  const float *input = (const float *)parameters[0];
  float *result = (float *)parameters[1];
  (void)api;
  fprintf(stderr, "copies %.3f\n", input[0]);
  for (int i = 0; i < SIZE; ++i)
    result[i] = input[i];
}

const uint64_t parameters_of_stof_skip = 2;
void stof_skip(const uint64_t *parameters, const stof_native_api *api) {
  (void)parameters;
  (void)api;
}

const uint64_t parameters_of_stof_spoil = 2;
void stof_spoil(const uint64_t *parameters, const stof_native_api *api) {
  float *input = (float *)parameters[0], *result = (float *)parameters[1];
  (void)api;
  fprintf(stderr, "spoils %.3f\n", input[0]);
  for (int i = 0; i < SIZE; ++i) {
    result[i] = input[i];
    input[i] = 7;
  }
}

const uint64_t parameters_of_stof_add = 1;
void stof_add(const uint64_t *parameters, const stof_native_api *api) {
  float *input = (float *)parameters[0];
  (void)api;
  fprintf(stderr, "adds to %.3f\n", input[0]);
  for (int i = 0; i < SIZE; ++i)
    input[i] += 1;
}

const uint64_t parameters_of_stof_wait = 2;
void stof_wait(const uint64_t *parameters, const stof_native_api *api) {
  usleep(20000);
  stof_copy(parameters, api);
}

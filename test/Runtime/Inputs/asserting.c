/* A step that finds assertions broken: those whose number its input has. */

#include "stof/Support/NativeAbi.h"

const uint64_t parameters_of_stof_main = 4;
void stof_main(const uint64_t *parameters, const stof_native_api *api) {
  const float *input = (const float *)parameters[0];
  int32_t *status = (int32_t *)parameters[2];
  (void)api;
  /* The word is new in each run. */
  if (*status == 0 && parameters[3] > 0)
    *status = (int32_t)input[0];
}

/* NVML for the GPU of fake_serving_cuda.c. The environment may name a function
 * that fails (FAKE_NVML_FAIL). */

#include <stdlib.h>
#include <string.h>

static int initialised;

static int fails(const char *name) {
  const char *failing = getenv("FAKE_NVML_FAIL");
  return failing && !strcmp(failing, name);
}

int nvmlInit_v2(void) {
  initialised = 1;
  return fails("nvmlInit_v2");
}

int nvmlShutdown(void) { return initialised = 0; }

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device) {
  *device = &initialised;
  return !initialised || strcmp(address, "0000:0A:00.0") ||
         fails("nvmlDeviceGetHandleByPciBusId_v2");
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *clock) {
  *clock = type == 1 ? 1980 : 1;
  return device != &initialised || fails("nvmlDeviceGetClockInfo");
}

/* The driver of fake_cuda.c with a version and an address of its GPU, and with
 * a kernel `faulty`, after which the device is lost. */

#define cuCtxSynchronize synchronize
#define cuLaunchKernel launchKernel
#include "fake_cuda.c"
#undef cuCtxSynchronize
#undef cuLaunchKernel

static int isLost;

int cuDriverGetVersion(int *version) {
  ENTER("cuDriverGetVersion");
  return *version = 12080, SUCCESS;
}

int cuDeviceGetPCIBusId(char *address, int bytes, int device) {
  ENTER("cuDeviceGetPCIBusId");
  return snprintf(address, bytes, "0000:0A:00.0"), SUCCESS;
}

int cuCtxSynchronize(void) { return isLost ? INVALID_VALUE : synchronize(); }

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **extra) {
  isLost |= !strcmp(((struct kernel *)function)->name, "faulty");
  return launchKernel(function, gx, gy, gz, bx, by, bz, shared, stream,
                      parameters, extra);
}

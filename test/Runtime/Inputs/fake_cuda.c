/* A CUDA driver for machines without a GPU: it prints what it is asked to do
 * and runs one kernel by hand. A module is text with one line per kernel,
 * `kernel NAME PARAMETERS`, where the parameters are letters: b for an address,
 * q, i and f for numbers, m for a tensor map. The environment may name a
 * function that fails (FAKE_CUDA_FAIL), the number of an assertion that the
 * kernel finds broken (FAKE_CUDA_STATUS) and the device's compute capability
 * (FAKE_CUDA_CAPABILITY, default 90) and bytes (FAKE_CUDA_BYTES), and say that
 * streams are under capture (FAKE_CUDA_CAPTURING). */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SUCCESS,
  INVALID_VALUE,
  OUT_OF_MEMORY,
  INVALID_PTX = 218,
  NOT_FOUND = 500
};
enum { MOST = 64 };

static struct {
  uint64_t address;
  size_t bytes;
  int isFree;
} allocations[MOST];
static int allocationCount, moduleCount, capturing, queued;
static size_t usedBytes;
/* Memory of the host that kernels see. */
static int *hostWord;

struct kernel {
  char name[64], parameters[64];
  int sharedBytes, wideClusters;
};

#define ENTER(name)                                                            \
  do {                                                                         \
    const char *failing = getenv("FAKE_CUDA_FAIL");                            \
    if (failing && !strcmp(failing, name))                                     \
      return OUT_OF_MEMORY;                                                    \
  } while (0)

static void printAddress(uint64_t address) {
  for (int i = 0; i < allocationCount; ++i)
    if (address >= allocations[i].address &&
        address <= allocations[i].address + allocations[i].bytes) {
      fprintf(stderr, " #%d+%d", i, (int)(address - allocations[i].address));
      return;
    }
  fprintf(stderr, " unknown");
}

int cuGetErrorName(int status, const char **name) {
  *name = status == INVALID_PTX     ? "CUDA_ERROR_INVALID_PTX"
          : status == NOT_FOUND     ? "CUDA_ERROR_NOT_FOUND"
          : status == OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
                                    : "CUDA_ERROR_INVALID_VALUE";
  return SUCCESS;
}

int cuGetErrorString(int status, const char **text) {
  *text = status == OUT_OF_MEMORY ? "out of memory" : "another reason";
  return SUCCESS;
}

int cuInit(unsigned flags) {
  ENTER("cuInit");
  return SUCCESS;
}

int cuDeviceGetCount(int *count) { return *count = 1, SUCCESS; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, SUCCESS; }
int cuDeviceGetName(char *name, int bytes, int device) {
  return snprintf(name, bytes, "Fake GPU"), SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *text = getenv("FAKE_CUDA_CAPABILITY");
  int capability = text ? atoi(text) : 90;
  *value = attribute == 75   ? capability / 10
           : attribute == 76 ? capability % 10
                             : 232448;
  return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  ENTER("cuDevicePrimaryCtxRetain");
  return *context = allocations, SUCCESS;
}
int cuDevicePrimaryCtxRelease_v2(int device) { return SUCCESS; }
int cuCtxGetCurrent(void **context) { return *context = NULL, SUCCESS; }
int cuCtxPushCurrent_v2(void *context) { return SUCCESS; }
int cuCtxPopCurrent_v2(void **context) { return SUCCESS; }

int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  ENTER("cuModuleLoadDataEx");
  if (strncmp(image, "kernel ", 7) != 0) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        strcpy(values[i],
               "ptxas application ptx input, line 1; fatal: no kernel\n");
    return INVALID_PTX;
  }
  fprintf(stderr, "load module %d: %s", moduleCount++, (const char *)image);
  *module = strdup(image);
  return SUCCESS;
}

int cuCtxSynchronize(void) { return queued = 0, SUCCESS; }

int cuModuleUnload(void *module) {
  fprintf(stderr, "unload module with %d kernels queued\n", queued);
  free(module);
  return SUCCESS;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
  char pattern[80];
  snprintf(pattern, sizeof(pattern), "kernel %s ", name);
  const char *line = strstr(module, pattern);
  if (!line)
    return NOT_FOUND;
  struct kernel *kernel = calloc(1, sizeof(*kernel));
  sscanf(line, "kernel %63s %63s", kernel->name, kernel->parameters);
  kernel->sharedBytes = 48 * 1024;
  *function = kernel;
  return SUCCESS;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  struct kernel *kernel = function;
  fprintf(stderr, "attribute %d of %s: %d\n", attribute, kernel->name, value);
  if (attribute == 8)
    kernel->sharedBytes = value;
  if (attribute == 14)
    kernel->wideClusters = value;
  return SUCCESS;
}

#ifndef OLD_DRIVER
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset,
                       size_t *bytes) {
  const char *parameters = ((struct kernel *)function)->parameters;
  if (index >= strlen(parameters))
    return INVALID_VALUE;
  char kind = parameters[index];
  *offset = 0;
  *bytes = kind == 'm' ? 128 : kind == 'i' || kind == 'f' ? 4 : 8;
  return SUCCESS;
}
#endif

static void runMain(void **parameters) {
  const float *a = *(float **)parameters[0], *b = *(float **)parameters[1],
              *c = *(float **)parameters[2];
  float *result = *(float **)parameters[3];
  for (int64_t i = 0; i < *(int64_t *)parameters[5] * 4; ++i)
    result[i] = a[i] * *(float *)parameters[7] + b[i] + c[i % 4];
  const char *status = getenv("FAKE_CUDA_STATUS");
  if (status && hostWord)
    *hostWord = atoi(status);
}

/* Launches between the begin and the end of a capture, or kernels that were
 * added to a graph, with copies of what they are passed. */
enum { MOST_PARAMETERS = 16, MAP_BYTES = 128 };
struct graph {
  int count;
  struct queued {
    struct kernel *kernel;
    char copies[MOST_PARAMETERS][MAP_BYTES];
    void *parameters[MOST_PARAMETERS];
  } launches[MOST];
};
static struct graph *captured;

static void copyParameters(struct queued *launch, void **parameters) {
  const char *kinds = launch->kernel->parameters;
  for (int i = 0; kinds[i]; ++i) {
    launch->parameters[i] = launch->copies[i];
    memcpy(launch->copies[i], parameters[i],
           kinds[i] == 'm'                      ? MAP_BYTES
           : kinds[i] == 'i' || kinds[i] == 'f' ? 4
                                                : 8);
  }
}

static void add(struct graph *graph, struct kernel *kernel, void **parameters) {
  struct queued *launch = &graph->launches[graph->count++];
  launch->kernel = kernel;
  copyParameters(launch, parameters);
}

static void printParameters(const struct kernel *kernel, void **parameters) {
  for (int i = 0; kernel->parameters[i]; ++i)
    switch (kernel->parameters[i]) {
    case 'b':
      printAddress(*(uint64_t *)parameters[i]);
      break;
    case 'q':
      fprintf(stderr, " %lld", *(long long *)parameters[i]);
      break;
    case 'i':
      fprintf(stderr, " %d", *(int *)parameters[i]);
      break;
    case 'f':
      fprintf(stderr, " %g", *(float *)parameters[i]);
      break;
    case 'm':
      fprintf(stderr, " map %s", (char *)parameters[i]);
      break;
    }
}

static int launch(struct kernel *kernel, const unsigned *grid,
                  const unsigned *block, const unsigned *cluster,
                  int programmatic, unsigned shared, void *stream,
                  void **parameters) {
  if ((int)shared > kernel->sharedBytes ||
      (cluster[0] * cluster[1] * cluster[2] > 8 && !kernel->wideClusters))
    return INVALID_VALUE;
  fprintf(stderr,
          "%s %s grid %u %u %u block %u %u %u cluster %u %u %u shared %u%s:",
          capturing ? "capture" : "launch", kernel->name, grid[0], grid[1],
          grid[2], block[0], block[1], block[2], cluster[0], cluster[1],
          cluster[2], shared, programmatic ? " programmatic" : "");
  printParameters(kernel, parameters);
  if (stream && !capturing)
    fprintf(stderr, " stream %p", stream);
  fprintf(stderr, "\n");
  queued += !capturing;
  if (capturing)
    add(captured, kernel, parameters);
  else if (!strcmp(kernel->name, "main_k0"))
    runMain(parameters);
  return SUCCESS;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                   unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **parameters, void **extra) {
  ENTER("cuLaunchKernel");
  unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz}, cluster[] = {1, 1, 1};
  return launch(function, grid, block, cluster, 0, shared, stream, parameters);
}

#ifndef OLD_DRIVER
struct config {
  unsigned grid[3], block[3], shared;
  void *stream;
  struct {
    int id, padding;
    unsigned value[16];
  } *attributes;
  unsigned count;
};

int cuLaunchKernelEx(const struct config *config, void *function,
                     void **parameters, void **extra) {
  const unsigned one[] = {1, 1, 1}, *cluster = one;
  int programmatic = 0;
  for (unsigned i = 0; i < config->count; ++i)
    if (config->attributes[i].id == 4)
      cluster = config->attributes[i].value;
    else if (config->attributes[i].id == 6)
      programmatic = config->attributes[i].value[0];
    else
      return INVALID_VALUE;
  return launch(function, config->grid, config->block, cluster, programmatic,
                config->shared, config->stream, parameters);
}

int cuTensorMapEncodeTiled(char *map, int type, uint32_t rank, void *address,
                           const uint64_t *dims, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *elementStrides,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  ENTER("cuTensorMapEncodeTiled");
  fprintf(stderr, "encode type %d swizzle %d promotion %d fill %d:", type,
          swizzle, promotion, fill);
  printAddress((uint64_t)address);
  for (uint32_t i = 0; i < rank; ++i)
    fprintf(stderr, " (dim %d stride %d box %u by %u)", (int)dims[i],
            i ? (int)strides[i - 1] : 0, box[i], elementStrides[i]);
  fprintf(stderr, "\n");
  return snprintf(map, 128, "of rank %u", rank), SUCCESS;
}
#endif

int cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER("cuMemGetInfo_v2");
  const char *bytes = getenv("FAKE_CUDA_BYTES");
  *total = bytes ? atoi(bytes) : 1 << 30;
  return *free = *total - usedBytes, SUCCESS;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  ENTER("cuMemAlloc_v2");
  const char *most = getenv("FAKE_CUDA_BYTES");
  if (most && usedBytes + bytes > (size_t)atoi(most))
    return OUT_OF_MEMORY;
  usedBytes += bytes;
  *address = (uint64_t)malloc(bytes);
  if (!*address)
    return OUT_OF_MEMORY;
  allocations[allocationCount].address = *address;
  allocations[allocationCount++].bytes = bytes;
  return SUCCESS;
}

int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
  ENTER("cuMemHostAlloc");
  fprintf(stderr, "host memory of %d bytes, flags %u\n", (int)bytes, flags);
  return *memory = hostWord = malloc(bytes), SUCCESS;
}
int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory,
                                 unsigned flags) {
  return *address = (uint64_t)memory, SUCCESS;
}
int cuMemFreeHost(void *memory) { return free(memory), hostWord = 0, SUCCESS; }

int cuMemFree_v2(uint64_t address) {
  for (int i = allocationCount; i-- > 0;)
    if (allocations[i].address == address && !allocations[i].isFree) {
      usedBytes -= allocations[i].bytes;
      allocations[i].isFree = 1;
      break;
    }
  return free((void *)address), SUCCESS;
}
int cuMemsetD8_v2(uint64_t address, unsigned char byte, size_t bytes) {
  return memset((void *)address, byte, bytes), SUCCESS;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  return memcpy((void *)to, from, bytes), SUCCESS;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  ENTER("cuMemcpyDtoH_v2");
  return memcpy(to, (void *)from, bytes), SUCCESS;
}

int cuStreamCreate(void **stream, unsigned flags) {
  return *stream = &capturing, SUCCESS;
}
int cuStreamDestroy_v2(void *stream) { return SUCCESS; }
int cuStreamSynchronize(void *stream) { return SUCCESS; }
int cuStreamBeginCapture_v2(void *stream, int mode) {
  captured = calloc(1, sizeof(*captured));
  return capturing = 1, SUCCESS;
}

int cuStreamEndCapture(void *stream, void **graph) {
  capturing = 0;
  *graph = captured;
  return SUCCESS;
}

int cuGraphInstantiateWithFlags(void **instance, void *graph,
                                unsigned long long flags) {
  ENTER("cuGraphInstantiateWithFlags");
  return *instance = graph, SUCCESS;
}

int cuGraphLaunch(void *instance, void *stream) {
  ENTER("cuGraphLaunch");
  struct graph *graph = instance;
  fprintf(stderr, stream == &capturing ? "replay\n" : "replay stream %p\n",
          stream);
  for (int i = 0; i < graph->count; ++i)
    if (!strcmp(graph->launches[i].kernel->name, "main_k0"))
      runMain(graph->launches[i].parameters);
  return SUCCESS;
}

int cuGraphCreate(void **graph, unsigned flags) {
  ENTER("cuGraphCreate");
  return *graph = calloc(1, sizeof(struct graph)), SUCCESS;
}

struct node {
  struct kernel *kernel;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
};

int cuGraphAddKernelNode(void **added, void *graph, void *const *before,
                         size_t count, const struct node *node) {
  ENTER("cuGraphAddKernelNode");
  fprintf(stderr,
          "add %s after %d kernels grid %u %u %u block %u %u %u shared %u:",
          node->kernel->name, count ? *(int *)*before : 0, node->grid[0],
          node->grid[1], node->grid[2], node->block[0], node->block[1],
          node->block[2], node->shared);
  printParameters(node->kernel, node->parameters);
  fprintf(stderr, "\n");
  add(graph, node->kernel, node->parameters);
  int *position = malloc(sizeof(int));
  *position = ((struct graph *)graph)->count;
  return *added = position, SUCCESS;
}

#ifndef OLD_DRIVER
int cuGraphAddDependencies_v2(void *graph, void *const *before,
                              void *const *after, const unsigned char *edge,
                              size_t count) {
  ENTER("cuGraphAddDependencies_v2");
  fprintf(stderr, "kernel %d of a graph after port %d of kernel %d, type %d\n",
          *(int *)*after, edge[0], *(int *)*before, edge[2]);
  return SUCCESS;
}
#endif

int cuGraphKernelNodeSetAttribute(void *node, int attribute,
                                  const unsigned *value) {
  ENTER("cuGraphKernelNodeSetAttribute");
  fprintf(stderr, "attribute %d of kernel %d of a graph: %u %u %u\n", attribute,
          *(int *)node, value[0], value[1], value[2]);
  return SUCCESS;
}

int cuGraphExecKernelNodeSetParams(void *instance, void *position,
                                   const struct node *node) {
  ENTER("cuGraphExecKernelNodeSetParams");
  fprintf(stderr, "set kernel %d of a graph:", *(int *)position);
  printParameters(node->kernel, node->parameters);
  fprintf(stderr, "\n");
  struct graph *graph = instance;
  copyParameters(&graph->launches[*(int *)position - 1], node->parameters);
  return SUCCESS;
}

/* As if a caller captured the stream. */
int cuStreamIsCapturing(void *stream, int *status) {
  ENTER("cuStreamIsCapturing");
  return *status = getenv("FAKE_CUDA_CAPTURING") != NULL, SUCCESS;
}
int cuThreadExchangeStreamCaptureMode(int *mode) { return SUCCESS; }

int cuGraphExecDestroy(void *instance) { return SUCCESS; }
int cuGraphDestroy(void *graph) { return SUCCESS; }

int cuEventCreate(void **event, unsigned flags) {
  *event = calloc(1, sizeof(float));
  return SUCCESS;
}

int cuEventDestroy_v2(void *event) {
  free(event);
  return SUCCESS;
}

int cuEventRecord(void *event, void *stream) {
  static int now, step;
  now += step++;
  *(float *)event = now * 1e-3f;
  return SUCCESS;
}

int cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  *milliseconds = *(float *)end - *(float *)start;
  return SUCCESS;
}

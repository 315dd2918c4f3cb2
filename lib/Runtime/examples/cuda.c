/*===----------------------------------------------------------------------===*\
|* Targets of NVIDIA GPUs: launches of kernels through the driver's API. The
|* driver is loaded when the program runs; its types and numbers, which cuda.h
|* has by name, are those of its binary interface.
\*===----------------------------------------------------------------------===*/

#include "run_package.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 1000, MOST_MODULES = 1000, MOST_RANK = 5 };

enum { /* CUdevice_attribute, CUfunction_attribute, CUlaunchAttributeID */
       COMPUTE_CAPABILITY_MAJOR = 75,
       COMPUTE_CAPABILITY_MINOR = 76,
       MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
       NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
       CLUSTER_DIMENSION = 4,
       PROGRAMMATIC_STREAM_SERIALIZATION = 6
};

typedef struct { /* CUlaunchAttribute */
  int id, padding;
  unsigned value[16];
} launch_attribute;

typedef struct { /* CUlaunchConfig */
  unsigned grid[3], block[3], shared_bytes;
  void *stream;
  launch_attribute *attributes;
  unsigned attribute_count;
} launch_config;

typedef struct { /* CUtensorMap */
  _Alignas(64) uint64_t opaque[16];
} tensor_map;

static struct {
  int (*init)(unsigned);
  int (*get_device)(int *, int);
  int (*retain_context)(void **, int);
  int (*push_context)(void *);
  int (*load_module)(void **, const void *, unsigned, int *, void **);
  int (*get_function)(void **, void *, const char *);
  int (*set_attribute)(void *, int, int);
  int (*launch)(const launch_config *, void *, void **, void **);
  int (*encode_map)(tensor_map *, int, uint32_t, void *, const uint64_t *,
                    const uint64_t *, const uint32_t *, const uint32_t *, int,
                    int, int, int);
  int (*allocate)(uint64_t *, size_t);
  int (*copy_in)(uint64_t, const void *, size_t);
  int (*copy_out)(void *, uint64_t, size_t);
  int (*synchronize)(void);
} cuda;

/** The functions of `cuda` in order. */
static const char *const names[] = {"cuInit",
                                    "cuDeviceGet",
                                    "cuDevicePrimaryCtxRetain",
                                    "cuCtxPushCurrent_v2",
                                    "cuModuleLoadDataEx",
                                    "cuModuleGetFunction",
                                    "cuFuncSetAttribute",
                                    "cuLaunchKernelEx",
                                    "cuTensorMapEncodeTiled",
                                    "cuMemAlloc_v2",
                                    "cuMemcpyHtoD_v2",
                                    "cuMemcpyDtoH_v2",
                                    "cuCtxSynchronize"};

static void check(int status, const char *what) {
  if (status != 0)
    fail(what);
}

void open_device(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); ++i) {
    void *address = driver ? dlsym(driver, names[i]) : NULL;
    if (!address)
      fail(names[i]);
    memcpy((char *)&cuda + i * sizeof(address), &address, sizeof(address));
  }
  int device;
  void *context;
  check(cuda.init(0), "cuInit");
  check(cuda.get_device(&device, 0), "cuDeviceGet");
  check(cuda.retain_context(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuda.push_context(context), "cuCtxPushCurrent");
}

uint64_t allocate(int64_t bytes, const void *contents) {
  uint64_t address;
  check(cuda.allocate(&address, (size_t)bytes + 1), "cuMemAlloc");
  if (contents)
    check(cuda.copy_in(address, contents, (size_t)bytes), "cuMemcpyHtoD");
  return address;
}

void read_memory(void *host, uint64_t memory, int64_t bytes) {
  check(cuda.synchronize(), "cuCtxSynchronize");
  check(cuda.copy_out(host, memory, (size_t)bytes), "cuMemcpyDtoH");
}

/** Reads the sizes in a list, and returns how many there are. */
static uint32_t read_sizes(json *size, uint64_t *wide, uint32_t *narrow) {
  uint32_t count = 0;
  for (; size; size = size->next, ++count) {
    wide[count] = (uint64_t)evaluate(size, 0);
    narrow[count] = (uint32_t)wide[count];
  }
  return count;
}

/** The position of `name` among `choices`, which the driver numbers so; 0 if
 * there is no name. */
static int choose(const json *name, const char *const *choices) {
  for (int i = 0; name && choices[i]; ++i)
    if (!strcmp(choices[i], name->text))
      return i;
  return 0;
}

/** Encodes the description of a tensor in memory, and of the boxes that a
 * kernel copies from it. */
static void encode(const json *map, tensor_map *encoded) {
  static const char *const types[] = {"i8",  "i16", "",    "i32",  "",  "i64",
                                      "f16", "f32", "f64", "bf16", NULL};
  static const char *const swizzles[] = {"none", "32B", "64B", "128B", NULL};
  static const char *const promotions[] = {"none", "64B", "128B", "256B", NULL};
  static const char *const fills[] = {"zeros", "nan", NULL};
  uint64_t dims[MOST_RANK], strides[MOST_RANK], wide[MOST_RANK];
  uint32_t box[MOST_RANK], steps[MOST_RANK] = {1, 1, 1, 1, 1},
                           narrow[MOST_RANK];
  uint32_t rank = read_sizes(find_list(map, "dims"), dims, narrow);
  read_sizes(find_list(map, "strides"), strides, narrow);
  read_sizes(find_list(map, "box"), wide, box);
  read_sizes(find_list(map, "element_strides"), wide, steps);
  for (uint32_t i = 0; i < rank; ++i)
    if (dims[i] == 0)
      return; /* Of an empty tensor, nothing is read. */
  check(cuda.encode_map(encoded, choose(find_entry(map, "dtype"), types), rank,
                        (void *)get_word(map), dims, strides, box, steps,
                        /*interleave=*/0,
                        choose(find_entry(map, "swizzle"), swizzles),
                        choose(find_entry(map, "l2_promotion"), promotions),
                        choose(find_entry(map, "fill"), fills)),
        "cuTensorMapEncodeTiled");
}

/** Loads a module at its first step: PTX, which the driver compiles. A file
 * .cubin of the same name is its machine code, for GPUs of the same major
 * compute capability, and loads faster. */
static void *load_function(const json *step) {
  static const char *loaded[MOST_MODULES];
  static void *modules[MOST_MODULES];
  const char *file = find_entry(step, "module")->text;
  int i = 0;
  while (loaded[i] && strcmp(loaded[i], file) != 0)
    ++i;
  if (!loaded[i]) {
    char *ptx = read_file(file);
    check(cuda.load_module(&modules[i], ptx, 0, NULL, NULL), file);
    free(ptx);
    loaded[i] = file;
  }
  void *function;
  const char *kernel = find_entry(step, "kernel")->text;
  check(cuda.get_function(&function, modules[i], kernel), kernel);
  return function;
}

/** Adds what a launch has in addition to grid and block. */
static void add_attributes(const json *step, void *function,
                           launch_config *config) {
  uint64_t wide[3];
  uint32_t size[3];
  if (read_sizes(find_list(step, "cluster"), wide, size)) {
    launch_attribute *cluster = &config->attributes[config->attribute_count++];
    cluster->id = CLUSTER_DIMENSION;
    memcpy(cluster->value, size, sizeof(size));
    if (size[0] * size[1] * size[2] > 8)
      check(cuda.set_attribute(function, NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
            "cuFuncSetAttribute");
  }
  /* The kernel waits by itself for the one before it, and can start early. */
  const json *programmatic = find_entry(step, "programmatic");
  if (programmatic && programmatic->kind == 't') {
    launch_attribute *early = &config->attributes[config->attribute_count++];
    early->id = PROGRAMMATIC_STREAM_SERIALIZATION;
    early->value[0] = 1;
  }
}

void run_step(const json *step) {
  launch_attribute attributes[2] = {{0}};
  /* The steps of a call follow each other on one stream, here the default. */
  launch_config config = {.stream = NULL, .attributes = attributes};
  uint64_t wide[3];
  read_sizes(find_list(step, "grid"), wide, config.grid);
  read_sizes(find_list(step, "block"), wide, config.block);
  if (!config.grid[0] || !config.grid[1] || !config.grid[2])
    return;
  void *function = load_function(step);
  config.shared_bytes = (unsigned)evaluate(find_entry(step, "shared_bytes"), 0);
  if (config.shared_bytes > 48 * 1024)
    check(cuda.set_attribute(function, MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             (int)config.shared_bytes),
          "cuFuncSetAttribute");
  add_attributes(step, function, &config);

  /* Parameters by their addresses, in order. Of a word, the kernel reads the 8
   * or 4 bytes that it declares. */
  static tensor_map values[MOST_PARAMETERS];
  void *parameters[MOST_PARAMETERS];
  int count = 0;
  for (json *parameter = find_list(step, "parameters"); parameter;
       parameter = parameter->next, ++count) {
    const json *map = find_entry(parameter, "tensor_map");
    if (map)
      encode(map, &values[count]);
    else
      values[count].opaque[0] = get_word(parameter);
    parameters[count] = &values[count];
  }
  check(cuda.launch(&config, function, parameters, NULL), "cuLaunchKernelEx");
}

//===----------------------------------------------------------------------===//
// Loading of libcuda and conversion of its status codes to errors.
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include <dlfcn.h>
#include <string>

using namespace llvm;
using namespace stof::runtime;

template <typename... Arguments>
void CudaDriver::bind(CudaFunction<Arguments...> &function, void *library,
                      const char *symbol) {
  function.driver = this;
  function.symbol = symbol;
  function.address =
      reinterpret_cast<int (*)(Arguments...)>(dlsym(library, symbol));
}

Error CudaDriver::load() {
  // Never closed: the driver has threads of its own.
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return createStringError(Twine("cannot load the CUDA driver: ") +
                             dlerror());
  getErrorName = reinterpret_cast<decltype(getErrorName)>(
      dlsym(library, "cuGetErrorName"));
  getErrorString = reinterpret_cast<decltype(getErrorString)>(
      dlsym(library, "cuGetErrorString"));
#define STOF_CUDA_FUNCTION(name, symbol, ...) bind(name, library, symbol);
#include "CudaFunctions.def"
#undef STOF_CUDA_FUNCTION
  return init(0);
}

Expected<const CudaDriver *> CudaDriver::get() {
  struct Loaded {
    CudaDriver driver;
    std::string error;
    Loaded() {
      if (Error failure = driver.load())
        error = toString(std::move(failure));
    }
  };
  static const Loaded loaded;
  if (!loaded.error.empty())
    return createStringError(loaded.error);
  return &loaded.driver;
}

Error CudaDriver::makeError(const char *symbol, int status) const {
  const char *name = nullptr, *description = nullptr;
  if (getErrorName)
    getErrorName(status, &name);
  if (getErrorString)
    getErrorString(status, &description);
  std::string text = name ? name : "error " + std::to_string(status);
  if (description)
    text += std::string(" (") + description + ")";
  return createStringError(Twine(symbol) + " failed: " + text);
}

Error CudaContextScope::enter(void *context) {
  // Mostly it is current already, which takes less time to see than to change.
  void *current;
  if (Error error = driver.contextGetCurrent(&current))
    return error;
  if (current == context)
    return Error::success();
  Error error = driver.contextPush(context);
  pushed = !error;
  return error;
}

CudaContextScope::~CudaContextScope() {
  consumeError(std::move(error));
  if (!pushed)
    return;
  void *popped;
  consumeError(driver.contextPop(&popped));
}

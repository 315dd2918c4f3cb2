//===----------------------------------------------------------------------===//
// Loading of modules and launches of kernels. Arguments are verified before
// calls of the driver, whose errors name no operand.
//===----------------------------------------------------------------------===//

#include "CudaExecutable.h"

#include "CudaPreparedCall.h"
#include "stof/Support/NativeAbi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace llvm;
using namespace stof::runtime;

/// The limit of dynamic shared memory without an opt-in.
static constexpr int64_t defaultSharedBytes = 48 * 1024;

Error stof::runtime::explainStep(const BoundStep &bound, Error error) {
  return createStringError("'" +
                           Twine(std::get<KernelStep>(*bound.step).symbol) +
                           "': " + toString(std::move(error)));
}

CudaExecutable::~CudaExecutable() {
  CudaContextScope scope(driver, device.getContext());
  if (Error error = scope.takeError()) {
    consumeError(std::move(error));
    return;
  }
  consumeError(driver.contextSynchronize());
  for (void *memory : constants)
    if (memory)
      device.release(memory);
  if (status)
    consumeError(driver.hostFree(status));
  for (auto &module : modules)
    consumeError(driver.moduleUnload(module.second.handle));
}

/// Counts the parameters of the entries of PTX. The driver only returns an
/// error after the last parameter, which tools that monitor it report.
static StringMap<size_t> countParameters(StringRef ptx) {
  StringMap<size_t> counts;
  for (ptx = ptx.split(".entry ").second; !ptx.empty();
       ptx = ptx.split(".entry ").second) {
    auto [name, rest] = ptx.split('(');
    counts[name.trim()] = rest.split(')').first.count(".param");
  }
  return counts;
}

/// The contracts in PTX, in lines before any code.
static SmallVector<StringRef, 1> findContracts(StringRef ptx) {
  SmallVector<StringRef, 1> contracts;
  for (StringRef line : split(ptx.take_front(ptx.find("\n.version")), '\n'))
    if (line.consume_front(STOF_PTX_CONTRACT))
      contracts.push_back(line);
  return contracts;
}

Expected<const CudaExecutable::Module *>
CudaExecutable::loadModule(const Package &package, const Function &function,
                           StringRef file) {
  if (auto loaded = modules.find(file); loaded != modules.end())
    return &loaded->second;
  std::string source = file.str();
  StringMap<size_t> parameters;
  if (StringRef baseName = file; baseName.consume_back(".ptx")) {
    Expected<std::unique_ptr<MemoryBuffer>> text = package.read(source);
    if (!text)
      return text.takeError();
    parameters = countParameters((*text)->getBuffer());
    for (StringRef contract : findContracts((*text)->getBuffer()))
      if (Error error = package.checkContract(function, target, file, contract))
        return std::move(error);
    std::string cubin = baseName.str() + ".cubin";
    if (package.getManifest().findFile(cubin) &&
        device.runsMachineCodeOf(target))
      source = cubin;
  }
  Expected<std::unique_ptr<MemoryBuffer>> image = package.read(source);
  if (!image)
    return image.takeError();

  std::vector<char> log(1 << 14);
  int options[] = {cuda::jitErrorLogBuffer, cuda::jitErrorLogBufferSizeBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  void *module;
  if (Error error = driver.moduleLoad(&module, (*image)->getBufferStart(),
                                      std::size(options), options, values)) {
    StringRef text = StringRef(log.data()).trim();
    return createStringError("cannot load '" + Twine(package.getPath(source)) +
                             "': " + toString(std::move(error)) +
                             (text.empty() ? "" : "\n") + text);
  }
  return &(modules[file] = {module, std::move(parameters)});
}

/// The bytes of a parameter that a launch can read.
static size_t getBytesPassed(const Parameter &parameter) {
  return std::holds_alternative<TensorMapParameter>(parameter)
             ? sizeof(CudaTensorMap)
             : sizeof(uint64_t);
}

Error CudaExecutable::checkParameters(const KernelStep &step,
                                      const Module &module,
                                      void *function) const {
  ArrayRef<Parameter> given = step.parameters;
  auto known = module.parameters.find(step.symbol);
  if (known != module.parameters.end() && known->second != given.size())
    return createStringError("expects " + Twine(known->second) +
                             " parameters for '" + step.symbol + "' of '" +
                             step.module + "', but got " + Twine(given.size()));
  // Available since CUDA 12.4.
  if (!driver.functionGetParamInfo)
    return Error::success();
  for (auto [number, parameter] : enumerate(given)) {
    size_t offset, bytes;
    if (Error error =
            driver.functionGetParamInfo(function, number, &offset, &bytes))
      return createStringError("'" + step.symbol + "' of '" + step.module +
                               "' has no parameter " + Twine(number) + ": " +
                               toString(std::move(error)));
    if (bytes > getBytesPassed(parameter))
      return createStringError(
          "expects " + Twine(bytes) + " bytes for parameter " + Twine(number) +
          " of '" + step.symbol + "' of '" + step.module + "', but got " +
          Twine(getBytesPassed(parameter)));
  }
  return Error::success();
}

Error CudaExecutable::loadKernel(const KernelStep &step, const Module &module) {
  constexpr int64_t portableCluster = 8;
  void *function;
  if (Error error = driver.moduleGetFunction(&function, module.handle,
                                             step.symbol.c_str()))
    return createStringError("expects a kernel '" + Twine(step.symbol) +
                             "' in '" + step.module +
                             "': " + toString(std::move(error)));
  if (Error error = checkParameters(step, module, function))
    return error;
  auto [x, y, z] = step.cluster;
  if (x * y * z > portableCluster)
    if (Error error = driver.functionSetAttribute(
            function, cuda::nonPortableClusterSizeAllowed, 1))
      return error;
  kernels.push_back({function, defaultSharedBytes});
  return Error::success();
}

Error CudaExecutable::load(const Package &package, const Function &function) {
  CudaContextScope scope(driver, device.getContext());
  if (Error error = scope.takeError())
    return error;
  for (const Step &step : target.steps) {
    const auto &kernel = std::get<KernelStep>(step);
    Expected<const Module *> module =
        loadModule(package, function, kernel.module);
    if (!module)
      return module.takeError();
    if (Error error = loadKernel(kernel, **module))
      return error;
  }
  name = function.name;
  if (Error error = allocateStatus())
    return error;
  return loadConstants(package, function);
}

Error CudaExecutable::allocateStatus() {
  if (target.assertions.empty())
    return Error::success();
  void *memory;
  if (Error error =
          driver.hostAlloc(&memory, sizeof(*status),
                           cuda::hostAllocPortable | cuda::hostAllocDeviceMap))
    return error;
  status = new (memory) std::atomic<int32_t>(0);
  return driver.hostGetDevicePointer(&statusAddress, memory, 0);
}

Error CudaExecutable::loadConstants(const Package &package,
                                    const Function &function) {
  for (auto [index, constant] : enumerate(function.constants)) {
    constants.push_back(nullptr);
    if (!target.readsConstant(index))
      continue;
    Expected<std::unique_ptr<MemoryBuffer>> file = package.read(constant.file);
    if (!file)
      return file.takeError();
    Expected<void *> memory = device.allocate(constant.bytes);
    if (!memory)
      return memory.takeError();
    constants.back() = *memory;
    if (Error error =
            device.copyIn(*memory, (*file)->getBufferStart() + constant.offset,
                          constant.bytes))
      return error;
  }
  return Error::success();
}

uint64_t CudaExecutable::getAddress(const BoundBuffer &buffer,
                                    const Buffers &buffers) const {
  if (buffer.kind == BufferRef::Kind::Status)
    return statusAddress + buffer.offset;
  void *base = buffer.kind == BufferRef::Kind::Constant
                   ? constants[buffer.index]
                   : buffers.find(buffer.kind, buffer.index);
  assert((base || buffer.kind != BufferRef::Kind::Constant) &&
         "the constants of all steps are loaded");
  return reinterpret_cast<uint64_t>(base) + buffer.offset;
}

/// The driver's number of an element type. It has no signed 16- and 8-bit
/// types; the unsigned ones are equivalent for copies.
static int getTensorMapType(DType dtype) {
  switch (dtype) {
  case DType::I8:
  case DType::I1:
  case DType::F8E4M3FN:
  case DType::F8E5M2:
    return 0;
  case DType::I16:
    return 1;
  case DType::I32:
    return 3;
  case DType::I64:
    return 5;
  case DType::F16:
    return 6;
  case DType::F32:
    return 7;
  case DType::F64:
    return 8;
  case DType::BF16:
    return 9;
  }
  llvm_unreachable("every element type has a number");
}

Expected<CudaTensorMap> CudaExecutable::encode(const BoundTensorMap &map,
                                               const Buffers &buffers) const {
  // Kernels read nothing of an empty tensor, for which there is no map.
  if (llvm::is_contained(map.dims, 0))
    return CudaTensorMap();
  constexpr int noInterleave = 0;
  const TensorMapParameter &spec = *map.spec;
  SmallVector<uint32_t, 5> box(spec.box.begin(), spec.box.end());
  SmallVector<uint32_t, 5> elementStrides(spec.elementStrides.begin(),
                                          spec.elementStrides.end());
  uint64_t address = getAddress(map.buffer, buffers);
  CudaTensorMap encoded;
  Error error = driver.tensorMapEncode(
      &encoded, getTensorMapType(spec.dtype), map.dims.size(),
      reinterpret_cast<void *>(address), map.dims.data(), map.strides.data(),
      box.data(), elementStrides.data(), noInterleave,
      static_cast<int>(spec.swizzle), static_cast<int>(spec.promotion),
      static_cast<int>(spec.fill));
  if (!error)
    return encoded;
  auto print = [](const auto &sizes) {
    return formatShape(std::vector<int64_t>(sizes.begin(), sizes.end()));
  };
  return createStringError("cannot encode a tensor map of " +
                           Twine(spec.buffer.name) + " (" +
                           getName(spec.dtype) + ", dims " + print(map.dims) +
                           ", strides " + print(map.strides) + ", box " +
                           print(box) + "): " + toString(std::move(error)));
}

Error CudaExecutable::allowSharedBytes(const KernelStep &step, Kernel &kernel,
                                       int64_t bytes) {
  if (bytes > device.getSharedBytes())
    return createStringError("expects " + Twine(bytes) +
                             " bytes of shared memory for '" + step.symbol +
                             "', but " + device.getName() + " has " +
                             Twine(device.getSharedBytes()));
  std::lock_guard<std::mutex> lock(attributes);
  if (bytes <= kernel.sharedBytes)
    return Error::success();
  if (Error error = driver.functionSetAttribute(
          kernel.function, cuda::maxDynamicSharedSizeBytes, bytes))
    return error;
  kernel.sharedBytes = bytes;
  return Error::success();
}

Error CudaExecutable::writeParameters(const BoundStep &bound,
                                      const Buffers &buffers,
                                      CudaKernelLaunch &launch) const {
  size_t count = bound.parameters.size();
  launch.words.resize(count);
  launch.pointers.resize(count);
  // Sized at once: growth would invalidate pointers.
  launch.maps.resize(count_if(bound.parameters, [](const BoundParameter &each) {
    return std::holds_alternative<BoundTensorMap>(each);
  }));
  launch.node.parameters = launch.pointers.data();
  auto map = launch.maps.begin();
  for (auto [parameter, word, pointer] :
       zip(bound.parameters, launch.words, launch.pointers)) {
    pointer = &word;
    if (const auto *buffer = std::get_if<BoundBuffer>(&parameter)) {
      word = getAddress(*buffer, buffers);
    } else if (const auto *scalar = std::get_if<BoundScalar>(&parameter)) {
      word = scalar->bits;
    } else {
      Expected<CudaTensorMap> encoded =
          encode(std::get<BoundTensorMap>(parameter), buffers);
      if (!encoded)
        return encoded.takeError();
      *map = *encoded;
      pointer = &*map++;
    }
  }
  return Error::success();
}

Expected<CudaKernelLaunch> CudaExecutable::makeLaunch(const Call &call,
                                                      size_t index,
                                                      const Buffers &buffers) {
  assert(call.target == &target && "expects a call of this target");
  assert(call.steps.size() == kernels.size() && "each step has a kernel");
  constexpr std::array<int64_t, 3> mostBlocks = {INT32_MAX, UINT16_MAX,
                                                 UINT16_MAX};
  const BoundStep &bound = call.steps[index];
  const auto &step = std::get<KernelStep>(*bound.step);
  for (auto [size, most] : zip(bound.grid, mostBlocks))
    if (size > most)
      return createStringError(
          "expects a grid of at most " + formatShape(mostBlocks) + " for '" +
          step.symbol + "', but got " + formatShape(bound.grid));
  if (Error error = allowSharedBytes(step, kernels[index], bound.sharedBytes))
    return std::move(error);
  CudaKernelLaunch launch;
  launch.node.function = kernels[index].function;
  llvm::copy(bound.grid, launch.node.grid);
  llvm::copy(step.block, launch.node.block);
  launch.node.sharedBytes = bound.sharedBytes;
  launch.cluster = step.cluster;
  launch.programmatic = step.programmatic;
  if (Error error = writeParameters(bound, buffers, launch))
    return std::move(error);
  return launch;
}

Error CudaExecutable::launch(const CudaKernelLaunch &launch,
                             void *stream) const {
  const CudaKernelNode &node = launch.node;
  SmallVector<CudaLaunchAttribute, 2> attributes;
  auto [x, y, z] = launch.cluster;
  if (x * y * z > 1)
    attributes.push_back(CudaLaunchAttribute::getCluster(launch.cluster));
  if (launch.programmatic)
    attributes.push_back(CudaLaunchAttribute::getProgrammatic());
  if (attributes.empty())
    return driver.launch(node.function, node.grid[0], node.grid[1],
                         node.grid[2], node.block[0], node.block[1],
                         node.block[2], node.sharedBytes, stream,
                         node.parameters, nullptr);
  CudaLaunch config{};
  llvm::copy(node.grid, config.grid);
  llvm::copy(node.block, config.block);
  config.sharedBytes = node.sharedBytes;
  config.stream = stream;
  config.attributes = attributes.data();
  config.attributeCount = attributes.size();
  return driver.launchEx(&config, node.function, node.parameters, nullptr);
}

Error CudaExecutable::runSteps(const Call &call, const Buffers &buffers,
                               void *stream) {
  for (auto [index, bound] : enumerate(call.steps)) {
    if (bound.isEmpty())
      continue;
    Expected<CudaKernelLaunch> made = makeLaunch(call, index, buffers);
    Error error = made ? launch(*made, stream) : made.takeError();
    if (error)
      return explainStep(bound, std::move(error));
  }
  return Error::success();
}

Error CudaExecutable::run(const Call &call, const Buffers &buffers,
                          void *stream) {
  CudaContextScope scope(driver, device.getContext());
  if (Error error = scope.takeError())
    return error;
  if (Error error = takeFailure())
    return error;
  return runSteps(call, buffers, stream);
}

std::unique_ptr<PreparedCall> CudaExecutable::prepare(Call call) {
  return std::make_unique<CudaPreparedCall>(device, *this, std::move(call));
}

Error CudaExecutable::takeFailure() {
  return explainStatus(name, target, status ? status->exchange(0) : 0);
}

Error CudaExecutable::synchronize() {
  CudaContextScope scope(driver, device.getContext());
  if (Error error = scope.takeError())
    return error;
  if (Error error = driver.contextSynchronize())
    return error;
  return takeFailure();
}

//===----------------------------------------------------------------------===//
// A function of a package, loaded on a device.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_PROGRAM_H
#define STOF_RUNTIME_PROGRAM_H

#include "stof/Runtime/Device.h"

namespace stof::runtime {

class Program {
public:
  /// Loads the function `name` (the only one if empty) with the best target for
  /// `device`.
  static llvm::Expected<std::shared_ptr<Program>>
  load(std::shared_ptr<const Package> package, llvm::StringRef name,
       std::shared_ptr<Device> device);

  const Function &getFunction() const { return function; }
  const Target &getTarget() const { return target; }
  Device &getDevice() const { return *device; }
  Executable &getExecutable() const { return *executable; }

private:
  Program(std::shared_ptr<const Package> package, const Function &function,
          const Target &target, std::shared_ptr<Device> device,
          std::unique_ptr<Executable> executable)
      : package(std::move(package)), function(function), target(target),
        device(std::move(device)), executable(std::move(executable)) {}

  std::shared_ptr<const Package> package;
  const Function &function;
  const Target &target;
  std::shared_ptr<Device> device;
  std::unique_ptr<Executable> executable;
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_PROGRAM_H

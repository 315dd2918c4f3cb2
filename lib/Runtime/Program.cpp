//===----------------------------------------------------------------------===//
// Loading of a program: selection of function, target and executable.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Program.h"

using namespace llvm;
using namespace stof::runtime;

Expected<std::shared_ptr<Program>>
Program::load(std::shared_ptr<const Package> package, StringRef name,
              std::shared_ptr<Device> device) {
  Expected<const Function *> function = package->findFunction(name);
  if (!function)
    return function.takeError();
  Expected<const Target *> target = chooseTarget(**function, *device);
  if (!target)
    return target.takeError();
  Expected<std::unique_ptr<Executable>> executable =
      device->load(*package, **function, **target);
  if (!executable)
    return executable.takeError();
  return std::shared_ptr<Program>(new Program(std::move(package), **function,
                                              **target, std::move(device),
                                              std::move(*executable)));
}

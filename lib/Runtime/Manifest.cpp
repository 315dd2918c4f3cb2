//===----------------------------------------------------------------------===//
// Lookups in a manifest, and formatting for messages.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Manifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace stof::runtime;

std::string TensorSpec::formatShape() const {
  return "[" +
         join(map_range(shape,
                        [](const Expression &size) { return size.getText(); }),
              ", ") +
         "]";
}

std::string TensorSpec::format() const {
  return (getName(dtype) + " " + formatShape()).str();
}

std::string Function::formatSymbols(ArrayRef<int64_t> values) const {
  std::vector<std::string> pairs;
  for (auto [symbol, value] : zip(symbols, values))
    pairs.push_back(symbol.name + " = " + itostr(value));
  return join(pairs, ", ");
}

/// Whether a step has a parameter in a buffer that satisfies `isWanted`.
static bool anyBuffer(ArrayRef<Step> steps,
                      function_ref<bool(const BufferRef &)> isWanted) {
  auto reads = [&](const Parameter &parameter) {
    if (const auto *map = std::get_if<TensorMapParameter>(&parameter))
      return isWanted(map->buffer);
    const auto *buffer = std::get_if<BufferRef>(&parameter);
    return buffer && isWanted(*buffer);
  };
  return any_of(steps, [&](const Step &step) {
    return any_of(
        std::visit(
            [](const StepBase &base) { return ArrayRef(base.parameters); },
            step),
        reads);
  });
}

bool Target::readsConstant(unsigned index) const {
  return anyBuffer(steps, [&](const BufferRef &buffer) {
    return buffer.kind == BufferRef::Kind::Constant && buffer.index == index;
  });
}

bool Target::usesStatus() const {
  return anyBuffer(steps, [](const BufferRef &buffer) {
    return buffer.kind == BufferRef::Kind::Status;
  });
}

const PackageFile *Manifest::findFile(StringRef name) const {
  auto file = find_if(
      files, [&](const PackageFile &file) { return file.name == name; });
  return file == files.end() ? nullptr : &*file;
}

const Function *Manifest::findFunction(StringRef name) const {
  auto function = find_if(functions, [&](const Function &function) {
    return function.name == name;
  });
  return function == functions.end() ? nullptr : &*function;
}

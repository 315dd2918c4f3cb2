//===----------------------------------------------------------------------===//
// Printing of transform scripts.
//===----------------------------------------------------------------------===//

#include "TransformScript.h"

#include "stof/Conversion/KernelOpInterface.h"
#include "stof/IR/Stof.h"
#include "stof/Transforms/FormGroups/Steps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stof;

namespace {

/// Prints the part of a script for one function.
class FunctionScript {
public:
  FunctionScript(llvm::raw_ostream &os, unsigned number)
      : os(os), number(number) {}

  void print(func::FuncOp function, StringRef bits, StringRef chip) {
    os << llvm::formatv(R"(    // The kernels of @{0}.
    %function{1} = transform.structured.match ops{{["func.func"]} attributes{{sym_name = "{2}"} in %root
        : (!transform.any_op) -> !transform.any_op
    %grouped{1} = transform.apply_registered_pass "stof-form-groups"
        with options = {{"scheme" = "{3}", "chip" = "{4}"} to %function{1}
        : (!transform.any_op) -> !transform.any_op
)",
                        function.getName(), number, function.getSymName(), bits,
                        chip);
    llvm::MapVector<OperationName, SmallVector<KernelOpInterface>> byName;
    function.walk([&](KernelOpInterface op) {
      if (!op.getScheduleName().empty())
        byName[op->getName()].push_back(op);
    });
    for (const auto &[name, operations] : byName)
      annotate(name, operations);
  }

private:
  /// Gives the operations `name` of the function their schedules.
  void annotate(OperationName name, ArrayRef<KernelOpInterface> operations) {
    auto getSchedule = [](KernelOpInterface op) {
      return op->getAttr(op.getScheduleName());
    };
    if (llvm::none_of(operations, getSchedule))
      return;
    StringRef kind = name.stripDialect();
    std::string handle = llvm::formatv("%{0}{1}_", kind, number);
    os << llvm::formatv(
        "    %all_{0}{1} = transform.structured.match ops{{[\"{2}\"]} in "
        "%grouped{1}\n        : (!transform.any_op) -> !transform.any_op\n",
        kind, number, name);
    os << "    " << handle << ":" << operations.size()
       << " = transform.split_handle %all_" << kind << number
       << "\n        : (!transform.any_op) -> (";
    llvm::interleaveComma(operations, os,
                          [&](auto) { os << "!transform.any_op"; });
    os << ")\n";
    for (auto [place, operation] : llvm::enumerate(operations)) {
      KernelOpInterface op = operation;
      Attribute schedule = getSchedule(op);
      if (!schedule)
        continue;
      os << llvm::formatv(
          "    %{0}_of_{1}{2}_{3} = transform.param.constant {4} -> "
          "!transform.any_param\n    transform.annotate {5}#{3} \"{0}\" = "
          "%{0}_of_{1}{2}_{3} : !transform.any_op, !transform.any_param\n",
          op.getScheduleName(), kind, number, place, schedule, handle);
    }
  }

  llvm::raw_ostream &os;
  unsigned number;
};

} // namespace

std::string stof::printTransformScript(ModuleOp module, StringRef chip) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "module attributes {transform.with_named_sequence} {\n"
        "  transform.named_sequence @__transform_main(%root: "
        "!transform.any_op {transform.readonly}) {\n";
  unsigned number = 0;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto scheme = function->getAttrOfType<SchemeAttr>(schemeAttrName))
      FunctionScript(os, number++).print(function, scheme.getBits(), chip);
  os << "    transform.yield\n  }\n}\n";
  return text;
}

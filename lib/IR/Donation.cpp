//===----------------------------------------------------------------------===//
// Donated inputs: arguments whose buffers results take over.
//===----------------------------------------------------------------------===//

#include "stof/IR/Donation.h"

using namespace mlir;

FailureOr<SmallVector<std::optional<unsigned>>>
stof::readDonations(FunctionOpInterface function) {
  SmallVector<std::optional<unsigned>> donations(function.getNumResults());
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    Attribute attribute = function.getArgAttr(number, aliasingOutputName);
    if (!attribute)
      continue;
    auto result = dyn_cast<IntegerAttr>(attribute);
    if (!result || result.getValue().isNegative() ||
        result.getValue().uge(donations.size()))
      return function.emitOpError()
             << "expects '" << aliasingOutputName << "' of argument " << number
             << " to be the number of one of " << donations.size()
             << " results, but got " << attribute;
    unsigned named = result.getValue().getZExtValue();
    if (donations[named])
      return function.emitOpError()
             << "expects at most one argument for result " << named
             << ", but got " << *donations[named] << " and " << number;
    Type given = function.getArgumentTypes()[number],
         wanted = function.getResultTypes()[named];
    if (given != wanted)
      return function.emitOpError()
             << "expects argument " << number << " of the type of result "
             << named << ", " << wanted << ", but got " << given;
    donations[named] = number;
  }
  return donations;
}

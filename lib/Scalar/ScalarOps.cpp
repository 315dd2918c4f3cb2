//===----------------------------------------------------------------------===//
// The table of operations.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ScalarOps.h"

using namespace stof;

const ScalarOpInfo &stof::getInfo(ScalarOp op) {
  constexpr std::nullopt_t anyArity = std::nullopt;
  static const ScalarOpInfo table[] = {
#define STOF_SCALAR_OP(Name, Mnemonic, Arity, Operands, Result, Property)      \
  {Mnemonic, Arity, ScalarKind::Operands, ScalarKind::Result,                  \
   ScalarProperty::Property},
#include "stof/Scalar/ScalarOps.def"
  };
  return table[unsigned(op)];
}

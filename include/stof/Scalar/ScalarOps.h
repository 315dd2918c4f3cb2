//===----------------------------------------------------------------------===//
// The operations of scalar expressions and what their table says of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_SCALAROPS_H
#define STOF_SCALAR_SCALAROPS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace stof {

/// The operation of a node.
enum class ScalarOp : uint8_t {
#define STOF_SCALAR_OP(Name, Mnemonic, Arity, Operands, Result, Property) Name,
#include "stof/Scalar/ScalarOps.def"
};

/// The types of operands and results.
enum class ScalarKind : uint8_t {
  Index,   // index: a mathematical integer
  Integer, // index or an integer type, i1 included
  Truth,   // i1
  Float,   // a float type
  Any,
};

/// What simplifiers and readers ask of an operation.
enum class ScalarProperty : uint8_t {
  None,
  Leaf, // not a function of its operands
  Commutative,
  Division, // undefined if operand 1 is zero
};

/// The entry of an operation in ScalarOps.def.
struct ScalarOpInfo {
  llvm::StringLiteral mnemonic;
  /// The number of operands, nothing if it varies.
  std::optional<unsigned> arity;
  ScalarKind operands, result;
  ScalarProperty property;
};

const ScalarOpInfo &getInfo(ScalarOp op);

inline bool isLeaf(ScalarOp op) {
  return getInfo(op).property == ScalarProperty::Leaf;
}
inline bool isCommutative(ScalarOp op) {
  return getInfo(op).property == ScalarProperty::Commutative;
}
inline bool isDivision(ScalarOp op) {
  return getInfo(op).property == ScalarProperty::Division;
}

} // namespace stof

#endif // STOF_SCALAR_SCALAROPS_H

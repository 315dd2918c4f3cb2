#ifndef STOF_IR_STOFATTRS_TD
#define STOF_IR_STOFATTRS_TD

include "mlir/IR/EnumAttr.td"
include "stof/IR/StofBase.td"

// The ways in which softmax over an empty set of keys is written disagree, so
// an attention says which one it means:
//
// - zero: the output row is 0 and its log-sum-exp is -inf (a safe softmax, SDPA
//   with a boolean mask);
// - nan: the row is NaN (a select of -inf before a plain softmax);
// - mean: the row is the mean of all values (a select of a finite minimum);
// - unmasked: the row is the softmax of its scores as if nothing were masked (an
//   additive finite minimum that leaves differences between scores alone).
def Stof_EmptyRows : I32EnumAttr<"EmptyRows",
    "What a query that attends to no key produces", [
  I32EnumAttrCase<"Zero", 0, "zero">,
  I32EnumAttrCase<"NaN", 1, "nan">,
  I32EnumAttrCase<"Mean", 2, "mean">,
  I32EnumAttrCase<"Unmasked", 3, "unmasked">
]> {
  let cppNamespace = "::stof";
}

#endif // STOF_IR_STOFATTRS_TD

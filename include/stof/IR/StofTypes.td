#ifndef STOF_IR_STOFTYPES_TD
#define STOF_IR_STOFTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "stof/IR/StofBase.td"

class Stof_Type<string name, string typeMnemonic> : TypeDef<Stof_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Stof_MaskType : Stof_Type<"Mask", "mask"> {
  let summary = "A mask over queries and keys";
  let description = [{
    A predicate over `queries` x `keys` positions, for every batch and head. The
    two lengths are static or `?`; a value of this type has no elements.

    **Constraints**

    - (T1) Static lengths are positive and less than 2^31.

    Example: `!stof.mask<4096x4096>`, `!stof.mask<?x128>`
  }];
  let parameters = (ins "int64_t":$queries, "int64_t":$keys);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // STOF_IR_STOFTYPES_TD

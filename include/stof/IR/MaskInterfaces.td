#ifndef STOF_IR_MASKINTERFACES_TD
#define STOF_IR_MASKINTERFACES_TD

include "mlir/IR/OpBase.td"

def Stof_MaskOpInterface : OpInterface<"MaskOpInterface"> {
  let cppNamespace = "::stof";
  let description = [{
    An operation that defines a mask. Passes know mask operations by this interface
    alone, so a dialect can add one without a change to any pass.

    The code that `emitPredicate` emits is the definition of the mask; everything
    else is derived from it:

    | question                        | answered by                                 |
    |---------------------------------|---------------------------------------------|
    | is a position unmasked?         | `emitPredicate`, in reference code          |
    |                                 | and, through `MaskPredicate`, in kernels    |
    | which positions are unmasked?   | the predicate, read as an expression and as |
    |                                 | a set (`Mask/MaskSet.h`)                    |
    | is a tile full, partial, empty? | the set in closed form, the expression      |
    |                                 | evaluated per tile, or a kernel; see        |
    |                                 | `getOrigin`                                 |
    | which bits has a partial tile?  | the expression, evaluated per position      |
    | what is the mask of a slice?    | `getTile`                                   |
    | what is it on buffers?          | `MaskBufferization` (IR/MaskBufferization.h) |

    The interface yields operations instead of expressions because this dialect
    knows no expressions: those that read operations are in a library above it, and
    any dialect that they read can be used here.

    **Constraints**

    - (I1) The operation has one result, of type `!stof.mask`.
    - (I2) A predicate region satisfies (M1) to (M3) of `stof.mask`, where the
      captured values are the operands.

    **Example**

    ```c++
    // my.document %ids : tensor<4096xi32>
    Value DocumentOp::emitPredicate(OpBuilder &builder, Location loc,
                                    ValueRange coordinates, ValueRange captured) {
      Value ofQuery = emitElement(builder, loc, captured[0], coordinates[2]);
      Value ofKey = emitElement(builder, loc, captured[0], coordinates[3]);
      return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, ofQuery,
                                   ofKey);
    }
    ```
  }];
  let methods = [
    InterfaceMethod<[{
      Emits the predicate at a position and returns its result, an i1: whether the
      position is unmasked. `coordinates` are batch, head, query and key, of type
      index. `captured` has a value of the same type for each operand of the
      operation: the operand itself, or the argument of a region that captures it.

      The code has no side effects other than reads. Reads are in bounds at all
      positions of an attention with this mask.
    }], "::mlir::Value", "emitPredicate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$coordinates, "::mlir::ValueRange":$captured)>,
    InterfaceMethod<[{
      The region that `emitPredicate` copies; null if there is none. Its arguments
      are the four coordinates, then the operands. Passes that check reads do so in
      this region.
    }], "::mlir::Region *", "getPredicateRegion", (ins), "",
      "return nullptr;">,
    InterfaceMethod<[{
      The origin of the unmasked positions. For a `block list`, no set is read from
      the predicate: a kernel lists the tiles. By default it follows from the
      operands.
    }], "::stof::MaskOrigin", "getOrigin", (ins), "", [{
      return ::stof::detail::getOriginOfOperands($_op->getOperands());
    }]>,
    InterfaceMethod<[{
      The result of the predicate, if it is the same for all positions and known. By
      default that of a region that yields a constant.
    }], "::std::optional<bool>", "getConstantPredicate", (ins), "", [{
      return ::stof::detail::getConstantPredicate($_op.getPredicateRegion());
    }]>,
    InterfaceMethod<[{
      The mask of a tile of an attention, in the coordinates of the tile. On failure
      nothing is created, and `why` has the reason. By default a `stof.mask` with the
      predicate at shifted coordinates, or this mask where they are equal.
    }], "::llvm::FailureOr<::mlir::Value>", "getTile",
      (ins "::mlir::OpBuilder &":$builder, "const ::stof::MaskTile &":$tile,
           "::std::string &":$why), "", [{
      return ::stof::detail::shiftMask(
          builder, ::mlir::cast<MaskOpInterface>($_op.getOperation()), tile);
    }]>
  ];
  let verify = "return ::stof::detail::verifyMask($_op);";
  let verifyWithRegions = 1;
}

#endif // STOF_IR_MASKINTERFACES_TD

//===----------------------------------------------------------------------===//
// The registers of a tensor core's operands, from shared tiles or fragments.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_CONTRACTOPERANDS_H
#define STOF_LIB_CONVERSION_TILETONVVM_CONTRACTOPERANDS_H

#include "SharedLayout.h"

namespace stof::tile {

/// K of one product of the tensor cores for operands of this type.
int64_t getStepOfK(mlir::Type element);

/// The registers of one operand of one product; f32 has a high and a low part.
struct OperandRegisters {
  llvm::SmallVector<mlir::Value> high, low;
};

/// The products whose sum is that of the operands, the smallest first.
llvm::SmallVector<std::pair<mlir::ValueRange, mlir::ValueRange>>
getProducts(const OperandRegisters &lhs, const OperandRegisters &rhs);

/// Gets the operands that the calling thread's warp needs for its part of a
/// product of layout `result`. Squares are counted within that part.
class ContractOperands {
public:
  /// `adjacentK`: the lhs comes as a fragment. For f32 its thread t holds the
  /// adjacent k = 2t and 2t + 1, so slots t and t + 4 of a step stand for
  /// these, on both sides. (For 16-bit elements both orders are the same.)
  ContractOperands(mlir::OpBuilder &builder, mlir::Location loc,
                   FragmentType result, bool adjacentK);

  /// The 16 rows of square row `row` from `k` on.
  OperandRegisters loadLhs(SharedType type, mlir::Value tile, bool transposed,
                           int64_t row, int64_t k);
  /// The same from the elements of a fragment of `depth` columns.
  OperandRegisters takeLhs(llvm::ArrayRef<mlir::Value> elements,
                           mlir::Type element, int64_t depth, int64_t row,
                           int64_t k);
  /// The columns of `count` (1 or 2) squares from `column` on.
  llvm::SmallVector<OperandRegisters> loadRhs(SharedType type, mlir::Value tile,
                                              bool transposed, int64_t column,
                                              int64_t count, int64_t k);

private:
  /// `count` (2 or 4) matrices of eight rows of 16 bytes, each lane's part of
  /// each as an i32. Matrix i begins at (`row`, `column`) of the tile as it is
  /// stored, in elements, and 8 rows further if bit `rowBit` of i is set, 16
  /// bytes further if bit `columnBit` is. `transpose` (for b16) gives lanes the
  /// parts of the transposed matrix.
  struct Matrices {
    int64_t count;
    bool transpose;
    int rowBit, columnBit;
  };
  llvm::SmallVector<mlir::Value> loadMatrices(SharedType type, mlir::Value tile,
                                              const Coordinate &row,
                                              const Coordinate &column,
                                              Matrices matrices);
  /// The f32 at (`row`, `column`) of the tile as it is stored, as an i32.
  mlir::Value loadWord(SharedType type, mlir::Value tile, const Coordinate &row,
                       const Coordinate &column);
  /// 32-bit registers as the product takes them.
  OperandRegisters finish(mlir::Type element, mlir::ValueRange words);
  /// Which k of the step of f32 from `k` on slot t + 4 * `half` stands for.
  Coordinate getK(int64_t k, int64_t half) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool adjacentK;
  ThreadPosition position;
  /// Lane / 4 and lane % 4.
  mlir::Value group, member;
  /// The first row and column of the warp's part.
  Coordinate firstRow, firstColumn;
};

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_CONTRACTOPERANDS_H

//===----------------------------------------------------------------------===//
// Operand registers of mma.sync, from shared tiles or fragments.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_CONTRACTOPERANDS_H
#define STOF_LIB_CONVERSION_TILETONVVM_CONTRACTOPERANDS_H

#include "stof/Conversion/TileToNVVM/SharedLayout.h"

namespace stof::tile {

/// K of one mma.sync for operands of type `element`.
int64_t getStepOfK(mlir::Type element);

/// The registers of one operand of an mma.sync. f32 is split in a high and a
/// low part of tf32; other types have only the high part.
struct OperandRegisters {
  llvm::SmallVector<mlir::Value> high, low;
};

/// The mma.sync operands whose products add up to `lhs` * `rhs`, smallest
/// first.
llvm::SmallVector<std::pair<mlir::ValueRange, mlir::ValueRange>>
getProducts(const OperandRegisters &lhs, const OperandRegisters &rhs);

/// Gets the operands of the calling thread for its warp tile of a contraction
/// with layout `result`. MMA tiles are numbered within the warp tile.
class ContractOperands {
public:
  /// `adjacentK`: the lhs is a fragment. For f32, thread t then holds the
  /// adjacent k = 2t and 2t + 1, and slots t and t + 4 of both operands stand
  /// for them. (For 16-bit elements both orders are the same.)
  ContractOperands(mlir::OpBuilder &builder, mlir::Location loc,
                   FragmentType result, bool adjacentK);

  /// The lhs of the MMA tiles in row `row`, from `k` on.
  OperandRegisters loadLhs(SharedType type, mlir::Value tile, bool transposed,
                           int64_t row, int64_t k);
  /// The same from the elements of a fragment with `depth` columns.
  OperandRegisters takeLhs(llvm::ArrayRef<mlir::Value> elements,
                           mlir::Type element, int64_t depth, int64_t row,
                           int64_t k);
  /// The rhs of `count` (1 or 2) MMA tiles from column `column` on.
  llvm::SmallVector<OperandRegisters> loadRhs(SharedType type, mlir::Value tile,
                                              bool transposed, int64_t column,
                                              int64_t count, int64_t k);

private:
  /// The operands of an ldmatrix of `count` (2 or 4) matrices of eight rows of
  /// 16 bytes. Matrix i starts at (`row`, `column`) of the stored tile, in
  /// elements, plus 8 rows if bit `rowBit` of i is set, plus 16 bytes if bit
  /// `columnBit` is; -1 is no bit. `transpose` (b16) transposes each matrix.
  struct Matrices {
    int64_t count;
    bool transpose;
    int rowBit, columnBit;
  };
  /// The calling lane's part of each matrix, as an i32.
  llvm::SmallVector<mlir::Value> loadMatrices(SharedType type, mlir::Value tile,
                                              const Coordinate &row,
                                              const Coordinate &column,
                                              Matrices matrices);
  /// The f32 at (`row`, `column`) of the stored tile, as an i32.
  mlir::Value loadWord(SharedType type, mlir::Value tile, const Coordinate &row,
                       const Coordinate &column);
  /// Converts 32-bit words to operand registers.
  OperandRegisters finish(mlir::Type element, mlir::ValueRange words);
  /// The k of slot t + 4 * `half` in the f32 MMA tile from `k` on.
  Coordinate getK(int64_t k, int64_t half) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool adjacentK;
  ThreadPosition position;
  /// Lane / 4 and lane % 4.
  mlir::Value group, member;
  /// The first row and column of the warp tile.
  Coordinate firstRow, firstColumn;
  /// The rows from one MMA tile of the warp to the next one.
  int64_t rowStride;
};

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_CONTRACTOPERANDS_H

//===----------------------------------------------------------------------===//
// The tests that decide which positions of a tile are unmasked: bounds, and the
// code of the mask or of its reductions to partial tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKTESTS_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKTESTS_H

#include "AttentionContext.h"
#include "MaskCode.h"
#include "PartialTiles.h"

#include <deque>

namespace stof {

/// The tests of a position in a tile; none by default.
struct PositionTest {
  bool isMasked = false;
  /// Whether out-of-bounds keys have to be tested for.
  bool checksEnd = false;
  /// Null if every position is unmasked.
  const MaskCode *code = nullptr;
};

/// The test of the partial tiles in some intervals of a layout.
struct PartialCase {
  llvm::SmallVector<unsigned> intervals;
  PositionTest test;
};

/// Owns the masks whose code the tests point to.
class MaskTests {
public:
  /// Binds the captures of the masks.
  explicit MaskTests(const AttentionContext &context);

  /// The test that assumes nothing of a position.
  PositionTest getWhole() const;

  /// The test of a position in a fully masked row that has keys nevertheless.
  PositionTest getEmptyRows() const;

  /// The tests of the partial tiles of a closed form, over every `stride`-th
  /// key from `offset` on; `isFilled` says whether these keys fill whole tiles.
  /// The first case that contains a tile applies. Emits an error if a mask has
  /// too many operations.
  mlir::FailureOr<llvm::SmallVector<PartialCase>>
  reduce(mlir::ArrayAttr visited, mlir::ArrayAttr partial, int64_t stride,
         int64_t offset, bool isFilled);

private:
  const AttentionContext &context;
  std::optional<MaskCode> whole, emptyRows;
  std::vector<mlir::OwningOpRef<MaskOp>> reducedMasks;
  /// A deque, as tests point into it.
  std::deque<MaskCode> reducedCodes;
  std::optional<ImpliedPredicates> implied;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_MASKTESTS_H

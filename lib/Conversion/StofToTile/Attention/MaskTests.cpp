//===----------------------------------------------------------------------===//
// The tests that decide which positions of a tile are unmasked.
//===----------------------------------------------------------------------===//

#include "MaskTests.h"

using namespace mlir;
using namespace stof;

MaskTests::MaskTests(const AttentionContext &context) : context(context) {
  if (Value mask = context.getOp().getMask())
    whole.emplace(context.kernel, mask);
  if (Value mask = context.getOp().getEmptyRowsMask())
    emptyRows.emplace(context.kernel, mask);
}

PositionTest MaskTests::getWhole() const {
  return {/*isMasked=*/true, /*checksEnd=*/true, whole ? &*whole : nullptr};
}

PositionTest MaskTests::getEmptyRows() const {
  return {/*isMasked=*/true, /*checksEnd=*/true,
          emptyRows ? &*emptyRows : nullptr};
}

FailureOr<SmallVector<PartialCase>>
MaskTests::reduce(ArrayAttr visited, ArrayAttr partial, int64_t stride,
                  int64_t offset, bool isFilled) {
  if (!partial)
    return SmallVector<PartialCase>();
  AttentionOp op = context.getOp();
  MaskOpInterface mask = op.getMaskDefinition();
  // Tiles imply no comparison of a list.
  if (!mask || mask.getOrigin() == MaskOrigin::BlockList)
    return SmallVector<PartialCase>{
        {llvm::to_vector(llvm::seq<unsigned>(partial.size())), getWhole()}};
  if (!implied)
    implied.emplace(op);
  LogicalResult areShort = success();
  SmallVector<PartialCase> cases;
  for (ReducedMask &reduced :
       reduceMask(op, *implied, visited, partial, stride, offset, isFilled)) {
    PositionTest test{/*isMasked=*/true, reduced.hasPadding};
    if (!reduced.keepsAll()) {
      reducedMasks.push_back(std::move(reduced.mask));
      MaskOp part = *reducedMasks.back();
      if (failed(MaskCode::verify(op, part, /*isEvaluated=*/true)))
        areShort = failure();
      reducedCodes.emplace_back(context.kernel, part);
      test.code = &reducedCodes.back();
    }
    cases.push_back({reduced.intervals, test});
  }
  if (failed(areShort))
    return failure();
  return cases;
}

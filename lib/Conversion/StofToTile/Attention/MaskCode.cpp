//===----------------------------------------------------------------------===//
// Evaluates the predicate of a mask at one position.
//===----------------------------------------------------------------------===//

#include "MaskCode.h"
#include "../Scalar/ScalarBody.h"

using namespace mlir;
using namespace stof;

/// Maximum operations of a predicate that is evaluated per element: the time to
/// assemble a kernel is quadratic in them.
static constexpr int64_t maxOperations = 2048;

LogicalResult MaskCode::verify(Operation *op, Value mask, bool isEvaluated) {
  auto definition = mask.getDefiningOp<MaskOpInterface>();
  if (!definition)
    return op->emitOpError()
           << "cannot be compiled: expects a mask defined by a mask operation";
  if (!isEvaluated)
    return success();
  MaskPredicate predicate(definition);
  int64_t operations =
      llvm::count_if(predicate.getBody(), [](Operation &inner) {
        return !inner.hasTrait<OpTrait::ConstantLike>();
      });
  if (operations <= maxOperations)
    return success();
  InFlightDiagnostic error =
      op->emitOpError() << "cannot be compiled: expects a mask of at most "
                        << maxOperations
                        << " operations where kernels evaluate it, but got "
                        << operations;
  error.attachNote(definition.getLoc()) << "the mask";
  return error;
}

MaskCode::MaskCode(KernelBuilder &kernel, Value mask)
    : predicate(mask.getDefiningOp<MaskOpInterface>()) {
  for (auto [argument, outer] :
       llvm::zip(predicate.getCaptureArguments(), predicate.getCaptures()))
    captured.map(argument, kernel.getArgument(outer));
}

bool MaskCode::readsTensors() const {
  return stof::readsTensors(*predicate.getBody().getParent());
}

Value MaskCode::keeps(OpBuilder &builder,
                      ArrayRef<PairCoordinate> coordinates) const {
  IRMapping values = captured;
  return copyPairBody(builder, predicate.getBody(), values,
                      predicate.getCoordinates(), coordinates)
      .front();
}

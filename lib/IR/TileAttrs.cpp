//===----------------------------------------------------------------------===//
// Verification of the tiles of kernels.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Support/WarpShape.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

static LogicalResult
verifyPositive(function_ref<InFlightDiagnostic()> emitError,
               std::initializer_list<int64_t> numbers) {
  for (int64_t number : numbers)
    if (number <= 0)
      return emitError() << "expects positive numbers, but got " << number;
  return success();
}

/// Verifies that a dimension of `size` has whole MMA tiles of `unit` for each
/// of `warps`.
static LogicalResult verifyWarps(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef name, int64_t size, int64_t warps,
                                 int64_t unit) {
  if (size % (unit * warps) == 0)
    return success();
  InFlightDiagnostic error = emitError();
  error << "expects '" << name << "' to be a multiple of " << unit;
  if (warps > 1)
    error << " for each of " << warps << " warps";
  return error << ", but got " << size;
}

LogicalResult
AttentionTileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          int64_t queries, int64_t keys, int64_t warps,
                          bool holdsQueries, int64_t producers, bool overlaps) {
  // (AT1)
  if (failed(verifyPositive(emitError, {queries, keys, warps})))
    return failure();
  // (AT2)
  if (failed(verifyWarps(emitError, "queries", queries, warps, mmaRows)))
    return failure();
  if (failed(verifyWarps(emitError, "keys", keys, 1, mmaDepth)))
    return failure();
  // (AT3)
  if (producers < (overlaps ? 1 : 0))
    return emitError() << "expects " << (overlaps ? "positive" : "non-negative")
                       << " 'producers'"
                       << (overlaps ? " for iterations that overlap" : "")
                       << ", but got " << producers;
  return success();
}

LogicalResult
MatmulTileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t rows, int64_t columns, int64_t k,
                       int64_t rowWarps, int64_t columnWarps, int64_t stages) {
  // (MT1)
  if (failed(verifyPositive(emitError,
                            {rows, columns, k, rowWarps, columnWarps, stages})))
    return failure();
  // (MT2)
  if (failed(verifyWarps(emitError, "rows", rows, rowWarps, mmaRows)))
    return failure();
  return verifyWarps(emitError, "columns", columns, columnWarps, mmaColumns);
}

LogicalResult
ThreadTileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t elements, int64_t rowWarps,
                       int64_t columnWarps) {
  // (TT1)
  for (int64_t number : {elements, rowWarps, columnWarps})
    if (number <= 0 || !llvm::isPowerOf2_64(number))
      return emitError() << "expects powers of 2, but got " << number;
  return success();
}

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

/// Verifies that at least so many warps load; `reason` is why, if any have to.
static LogicalResult
verifyProducers(function_ref<InFlightDiagnostic()> emitError, int64_t producers,
                int64_t least, StringRef reason = "") {
  if (producers >= least)
    return success();
  return emitError() << "expects " << (least > 0 ? "positive" : "non-negative")
                     << " 'producers'" << reason << ", but got " << producers;
}

static LogicalResult
verifyResident(function_ref<InFlightDiagnostic()> emitError, int64_t resident) {
  if (resident >= 0)
    return success();
  return emitError() << "expects non-negative 'resident', but got " << resident;
}

LogicalResult
AttentionTileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          int64_t queries, int64_t keys, int64_t warps,
                          bool holdsQueries, int64_t producers, bool overlaps,
                          int64_t resident, bool dynamic) {
  // (AT1)
  if (failed(verifyPositive(emitError, {queries, keys, warps})))
    return failure();
  // (AT2)
  if (failed(verifyWarps(emitError, "queries", queries, warps, mmaRows)))
    return failure();
  if (failed(verifyWarps(emitError, "keys", keys, 1, mmaDepth)))
    return failure();
  // (AT3)
  if (failed(verifyProducers(emitError, producers,
                             /*least=*/overlaps || resident > 0 ? 1 : 0,
                             overlaps       ? " for iterations that overlap"
                             : resident > 0 ? " for persistent CTAs"
                                            : "")))
    return failure();
  // (AT4)
  if (failed(verifyResident(emitError, resident)))
    return failure();
  // (AT5)
  if (dynamic && resident == 0)
    return emitError() << "expects positive 'resident' for row tiles that are "
                          "claimed, but got 0";
  return success();
}

LogicalResult
MatmulTileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       int64_t rows, int64_t columns, int64_t k,
                       int64_t rowWarps, int64_t columnWarps, int64_t stages,
                       int64_t producers, int64_t resident, int64_t groups) {
  // (MT1)
  if (failed(verifyPositive(emitError,
                            {rows, columns, k, rowWarps, columnWarps, stages})))
    return failure();
  // (MT2)
  if (failed(verifyWarps(emitError, "rows", rows, rowWarps, mmaRows)))
    return failure();
  if (failed(
          verifyWarps(emitError, "columns", columns, columnWarps, mmaColumns)))
    return failure();
  // (MT3)
  if (failed(verifyProducers(emitError, producers,
                             /*least=*/resident > 0 ? 1 : 0,
                             resident > 0 ? " for persistent CTAs" : "")))
    return failure();
  // (MT4)
  if (failed(verifyResident(emitError, resident)))
    return failure();
  // (MT5)
  if (groups < 1 || (groups > 1 && resident == 0))
    return emitError() << "expects "
                       << (groups < 1 ? "positive 'groups'"
                                      : "one group without persistent CTAs")
                       << ", but got " << groups;
  return success();
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

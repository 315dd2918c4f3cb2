//===----------------------------------------------------------------------===//
// Predicted kernel times.
//
// A kernel is a number of equal CTAs; their work is counted in resources
// (KernelWork). With W the work of all CTAs, B CTAs and P SMs, a CTA alone on
// an SM takes
//
//   cta    = max(tensor + exponential + vector + shared, L2)         seconds
//   tensor      = W.tensorFlops / B / (rate of an SM)
//   exponential = W.exponentials / B / (rate of an SM)
//   vector      = W.vectorOps / B / (rate) + clocks to begin and end a CTA
//   shared, L2  = W.sharedBytes / B, W.l2Bytes / B over their bandwidths
//
// The first four are added: within a warp, loads, MMAs and exponentials
// alternate, and other warps on the SM hide latencies rather than throughput.
// CTAs run in waves over the SMs, the last one half full on average:
//
//   waves  = max(1, B / P) + min(1, max(0, B / P - 1)) / 2
//   time   = launch + max(waves cta, W.steps latency, hbmBytes / bandwidth)
//
// The mainloop of a contraction is pipelined: the loads of a CTA are hidden by
// the other CTAs on its SM, up to the occupancy N. With n of N CTAs resident,
//
//   step   = max(tensorFlops / F, l2Bytes / L2)        of a CTA alone there
//   time   = launch + sum of rounds: max(n (steps step + end),
//                                        steps max(wait, step) + fill)
//
// The figures, with their sources in CostModel.cpp, are those of one device and
// of the kernels of this project. Predictions rank choices; they are within a
// factor of two of measured times for f16 attention on an H200.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_COSTMODEL_H
#define STOF_COSTMODEL_COSTMODEL_H

#include "stof/Support/TargetInfo.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace stof {

/// The work of all CTAs of a kernel.
struct KernelWork {
  /// Multiplications and additions on tensor cores, counted separately.
  int64_t tensorFlops = 0;
  /// Whether operands are f32, with three TF32 MMAs for each, or 16-bit.
  bool isSinglePrecision = false;
  /// Evaluations on the special function units.
  int64_t exponentials = 0;
  /// Other instructions, summed over threads.
  int64_t vectorOps = 0;
  /// Bytes copied into shared memory.
  int64_t sharedBytes = 0;
  /// Bytes that CTAs read and write, counted each time.
  int64_t l2Bytes = 0;
  /// Bytes of memory that are read or written at least once.
  int64_t hbmBytes = 0;
  int64_t ctas = 0;
  /// Average number of serial, exposed loads of a CTA.
  int64_t steps = 0;
  /// For pipelined kernels, per CTA: K iterations, shared-memory bytes and
  /// registers; they bound occupancy. 0 if loads are exposed.
  int64_t overlappedSteps = 0, ctaBytes = 0, ctaRegisters = 0;
  /// Bytes that epilogues store.
  int64_t storedBytes = 0;
  /// Whether wgmma is used.
  bool usesWarpgroups = false;
  /// Whether tiles that a run may skip are counted.
  bool isUpperBound = false;

  /// Adds the work of other CTAs of the same kernel.
  KernelWork &operator+=(const KernelWork &other);

  /// Conversion to and from the attribute of a kernel, which omits zeros.
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
  static KernelWork fromAttribute(mlir::DictionaryAttr attribute);
};

/// Sizes of an attention in rows and elements, and the tiles of its mask.
struct AttentionCounts {
  int64_t batches, heads, keyHeads, queries, keys, features, valueFeatures;
  int64_t elementBytes;
  int64_t rowTile, colTile;
  /// Visited tiles of all batches and heads.
  int64_t fullTiles, partialTiles;
  /// CTAs in addition to one per row tile, from split-KV.
  int64_t moreCtas = 0;
};

/// Sizes and tile of a contraction.
struct MatmulCounts {
  int64_t batches, rows, columns, reduction;
  int64_t elementBytes;
  int64_t rowTile, colTile, blockK, warps;
  int64_t stages;
  bool usesWarpgroups;
  /// Bytes of all operands and results, counted once.
  int64_t bytes;
  /// Instructions in addition to the MMAs, summed over threads.
  int64_t vectorOps = 0;
};

KernelWork workOf(const AttentionCounts &counts);
KernelWork workOf(const MatmulCounts &counts);

/// Work of a kernel that computes `elements` with `opsPerElement` instructions
/// each, `elementsPerCta` per CTA, and accesses `bytes` of memory.
KernelWork workOfElements(int64_t elements, int64_t opsPerElement,
                          int64_t elementsPerCta, int64_t bytes);

/// Work of evaluating a mask at `pairs` positions.
KernelWork workOfMask(int64_t pairs, int64_t ctas, int64_t steps);

/// A predicted time, in microseconds, and the resource that takes longest of
/// it.
struct Prediction {
  double microseconds = 0;
  llvm::StringLiteral bound = "launch";
};

/// Predicts kernel times on one device.
class CostModel {
public:
  /// The model of a device. `figures` must outlive it.
  explicit CostModel(const DeviceFigures &figures) : device(&figures) {}

  llvm::StringRef getDevice() const;

  int64_t getNumSMs() const;

  /// The time of one launch, including its overhead, in microseconds.
  double predict(const KernelWork &work) const {
    return explain(work).microseconds;
  }

  /// The same, with its bound: `tensor`, `exponential`, `vector` (other
  /// instructions), `shared` (memory), `L2`, `HBM`, `latency`, `stores`, or the
  /// `launch` itself.
  Prediction explain(const KernelWork &work) const;

private:
  Prediction explainOverlapped(const KernelWork &work) const;

  const DeviceFigures *device;
};

} // namespace stof

#endif // STOF_COSTMODEL_COSTMODEL_H

//===----------------------------------------------------------------------===//
// How long a kernel takes, predicted from what it does.
//
// A kernel is a number of equal blocks, whose work is counted in resources
// (KernelWork). With W the work of all blocks, B blocks and P multiprocessors,
// a block alone on a multiprocessor takes
//
//   block  = max(tensor + exponential + vector, shared, L2)          seconds
//   tensor      = W.tensorFlops / B / (rate of a multiprocessor)
//   exponential = W.exponentials / B / (rate of a multiprocessor)
//   vector      = W.vectorOps / B / (rate) + clocks to begin and end a block
//   shared, L2  = W.sharedBytes / B, W.l2Bytes / B over their bandwidths
//
// The first three are added, not overlapped: a warp multiplies, then takes
// exponentials, and what else runs on the multiprocessor hides latencies, not
// this. Blocks come in waves over the multiprocessors, the last one half full
// on average:
//
//   waves  = max(1, B / P) + min(1, max(0, B / P - 1)) / 2
//   time   = launch + max(waves block, W.steps latency, hbmBytes / bandwidth)
//
// A matrix product loads ahead: what one block waits for, those beside it on
// its multiprocessor hide, as many as have room. With n of N blocks there,
//
//   step   = max(tensorFlops / F, l2Bytes / L2)        of a block alone there
//   time   = launch + sum of rounds: max(n (steps step + end),
//                                        steps max(wait, step) + fill)
//
// Figures are those of one device and of this project's kernels on it, in
// CostModel.cpp with their sources. A prediction ranks choices; it is within a
// factor of two of what was measured for attention of f16 on an H200.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_COSTMODEL_H
#define STOF_COSTMODEL_COSTMODEL_H

#include "mlir/IR/BuiltinAttributes.h"

namespace stof {

/// What all blocks of a kernel do together.
struct KernelWork {
  /// Multiplications and additions on tensor cores, each counted.
  int64_t tensorFlops = 0;
  /// Whether they multiply f32, as three products of TF32, or 16-bit numbers.
  bool isSinglePrecision = false;
  /// Evaluations by the special function units.
  int64_t exponentials = 0;
  /// Other instructions of a thread.
  int64_t vectorOps = 0;
  /// Bytes between shared memory and registers, and into shared memory.
  int64_t sharedBytes = 0;
  /// Bytes that blocks read and write, repeated ones counted each time.
  int64_t l2Bytes = 0;
  /// Bytes of memory that is read or written at least once.
  int64_t hbmBytes = 0;
  int64_t blocks = 0;
  /// Loads of a block that have to be waited for one after the other, on
  /// average.
  int64_t steps = 0;
  /// Of one block where its loads are under way while it computes: its steps,
  /// the bytes of shared memory and the registers that it takes, so that others
  /// can be beside it; 0 where each load is waited for.
  int64_t overlappedSteps = 0, blockBytes = 0, blockRegisters = 0;
  /// Bytes that blocks write at the end.
  int64_t storedBytes = 0;
  /// Whether warpgroups multiply (wgmma).
  bool usesWarpgroups = false;
  /// Whether less may be done: which tiles are visited is known at run time,
  /// and all of them are counted.
  bool isUpperBound = false;

  /// Adds what other blocks of the same kernel do.
  KernelWork &operator+=(const KernelWork &other);

  /// As the attribute of a kernel, without what is zero; and back.
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
  static KernelWork fromAttribute(mlir::DictionaryAttr attribute);
};

/// An attention in tiles: sizes in rows and elements, counts of one mask.
struct AttentionCounts {
  int64_t batches, heads, keyHeads, queries, keys, features, valueFeatures;
  int64_t elementBytes;
  int64_t rowTile, colTile, warps;
  /// Tiles that are visited, of all batches and heads.
  int64_t fullTiles, partialTiles;
  /// Blocks beside one for each row tile, which compute parts of row tiles.
  int64_t moreBlocks = 0;
};

/// A product of matrices with tiles of the result for blocks, one step of
/// `depth` of the inner dimension after another.
struct ContractionCounts {
  int64_t batches, rows, columns, inner;
  int64_t elementBytes;
  int64_t rowTile, colTile, depth, warps;
  /// Steps whose operands are in shared memory at a time.
  int64_t stages;
  bool usesWarpgroups;
  /// Bytes of all operands and results, once each.
  int64_t bytes;
  /// Instructions of threads beside the products.
  int64_t vectorOps = 0;
};

KernelWork workOf(const AttentionCounts &counts);
KernelWork workOf(const ContractionCounts &counts);

/// Work of a kernel that computes `elements` with `opsPerElement` instructions
/// each, `elementsPerBlock` a block, from and to `bytes` of memory.
KernelWork workOfElements(int64_t elements, int64_t opsPerElement,
                          int64_t elementsPerBlock, int64_t bytes);

/// A mask asked about a number of pairs.
KernelWork workOfMask(int64_t pairs, int64_t blocks, int64_t steps);

/// Predicts times of kernels on one device.
class CostModel {
public:
  /// The model of the device that runs code for `chip`; nothing where none was
  /// measured.
  static std::optional<CostModel> forTarget(llvm::StringRef chip);

  /// The device's name.
  llvm::StringRef getDevice() const;

  /// How many multiprocessors it has.
  int64_t getNumMultiprocessors() const;

  /// The time of one launch, its own overhead included, in microseconds.
  double predict(const KernelWork &work) const;

private:
  double predictOverlapped(const KernelWork &work) const;

  struct Device;
  explicit CostModel(const Device &device) : device(&device) {}
  const Device *device;
};

} // namespace stof

#endif // STOF_COSTMODEL_COSTMODEL_H

//===----------------------------------------------------------------------===//
// Predicted kernel times.
//
// A kernel is a number of CTAs; their work is counted in resources
// (KernelWork). With W the work of all CTAs, B CTAs and P SMs, a CTA of a
// kernel without matmuls that is alone on an SM takes
//
//   cta    = max(vector, L2)                                         seconds
//   vector = W.vectorOps / B / (rate of an SM) + clocks to begin and end a CTA
//   L2     = W.l2Bytes / B / (bandwidth of an SM)
//
// CTAs run in waves over the SMs, the last one half full on average:
//
//   waves  = max(1, B / P) + min(1, max(0, B / P - 1)) / 2
//   time   = launch + max(waves cta, W.steps latency, hbmBytes / bandwidth)
//
// In attention, MMAs, exponentials and other instructions alternate within a
// warp, so that their times are added. N CTAs reside on an SM, by their
// registers and shared memory, and hide each other's latencies; a lone one has
// the schedulers of its warps only. |a, b| is the root of a^2 + b^2: the longer
// one hides most of the shorter one.
//
//   compute  = tensor + exponential + vector      of a CTA, on all of an SM
//   busy     = |compute, L2|
//   serial   = 4 / W.warps compute + key tiles wait + rows
//   alone    = |busy, serial|
//   round(n) = |n busy, alone|                    of n CTAs of an SM
//
// With wgmma, products and softmax of different warpgroups overlap, as those of
// different CTAs do: `busy` has the longer of them only, and a round is
// |n busy, serial|. Warpgroups that load meet in each key tile, and share the
// schedulers as the root of 4 / W.warps only. A wait is longer if key tiles are
// those of a list.
//
// The longest CTA has r times the key tiles of the average one: r times its
// compute, L2 and waits, but for those of its own rows (rowBytes). SMs run out
// of CTAs for a part e of a round:
//
//   rounds   = sum of rounds + e (round(N) of the longest - round(N))
//   time     = launch + |rounds, alone of the longest, hbmBytes / bandwidth|
//
// Persistent CTAs start once, and have static shares of the row tiles: with B
// of these, the sum is of B / P / N rounds, rounded up, each some percent
// longer, and what the longest row tile takes more than the average one, alone,
// counts with it. N is at most what an SM holds. If they claim row tiles of
// different lengths, SMs have none left at the same time, after B / P / N
// rounds. What a claim takes is not seen: a warp that loads does so while
// others compute.
//
// The mainloop of a contraction is pipelined: the loads of a CTA are hidden by
// the other CTAs on its SM, up to the occupancy N. Work of an SM is divided by
// its rates, and a lone CTA takes its tile one step after another:
//
//   step  = max(tensorFlops / F, l2Bytes / L2,       of a CTA alone there
//               matmulSharedBytes / bandwidth)
//   ahead = (load latency + held step) / stages
//   busy  = steps step + vector + epilogue + stores + end
//   tile  = steps max(step, wait, ahead) + vector + exposed epilogue + stores
//   time  = launch + max(sum of rounds: |n busy, first + tile|,
//                        l2Bytes / L2 of all SMs)
//
// wgmma reads operands from shared memory, where loads write them: wide tiles
// read fewer bytes per flop. A stage is loaded again after the latency of its
// load and the steps that hold it; of stages that warps load which compute,
// one is not ahead, and the first tile waits for all of its stages (`first`).
// The instructions of an epilogue are W.epilogueOps, at the rate of an SM; a
// lone CTA exposes their latency, the more, the fewer its warps are.
//
// Persistent CTAs, N = `resident` on each SM, share the tiles. They start once,
// and their loads run ahead into the next tile. B counts tiles then, and R is
// B / P / N, rounded up:
//
//   time = launch + first + R |N busy, tile|
//
// With G groups of warps in turn, tiles follow each other by the longer of a
// turn and of what a group does from one of its turns to the next, over G:
//
//   time = launch + first + tile
//        + (R - 1) |steps max(step, ahead) + turn, (tile + end) / G|
//
// If all tiles run at once, the kernel is one without persistent CTAs.
//
// The figures, with their sources in CostModel.cpp, are those of one device and
// of the kernels of this project. Predictions rank choices; how well, and next
// to which measurements, is in lib/CostModel/README.md.
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
  /// Other instructions, summed over threads; those of the epilogues of
  /// contractions are counted separately.
  int64_t vectorOps = 0, epilogueOps = 0;
  /// Bytes that CTAs read and write, counted each time; of attention, the part
  /// that is of its rows, whatever their key tiles.
  int64_t l2Bytes = 0, rowBytes = 0;
  /// Bytes of memory that are read or written at least once.
  int64_t hbmBytes = 0;
  /// The tiles of persistent CTAs count as CTAs.
  int64_t ctas = 0;
  /// Average number of serial, exposed loads of a CTA.
  int64_t steps = 0;
  /// Of attention: the key tiles that all CTAs visit and that the longest one
  /// does. 0 for other kernels.
  int64_t keyTiles = 0, longestKeyTiles = 0;
  /// Of attention and contractions: the warps of a CTA that compute, those of
  /// one group, and the warps that load.
  int64_t warps = 0, producers = 0;
  /// K iterations of a CTA of a pipelined contraction; 0 for other kernels.
  int64_t overlappedSteps = 0;
  /// Of attention and contractions: the most stages of a mainloop. Of the
  /// latter, the bytes of shared memory that wgmma reads and that loads write,
  /// counted each time.
  int64_t stages = 0, matmulSharedBytes = 0;
  /// Of attention and contractions: the CTAs of an SM that share all tiles; 0
  /// if each CTA has one. Of the latter, the groups of warps that compute tiles
  /// in turn, if any.
  int64_t resident = 0, groups = 0;
  /// Bytes of shared memory and registers of a CTA, which bound occupancy.
  int64_t ctaBytes = 0, ctaRegisters = 0;
  /// Bytes that epilogues store.
  int64_t storedBytes = 0;
  /// Whether wgmma is used, and whether iterations overlap.
  bool usesWarpgroups = false, overlaps = false;
  /// Of attention: whether persistent CTAs claim their tiles, and whether key
  /// tiles are those of lists.
  bool claims = false, readsLists = false;
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
  int64_t rowTile, colTile, warps;
  /// Whether queries are register-resident.
  bool holdsQueries;
  /// Whether wgmma multiplies, the warps that load, and whether iterations
  /// overlap.
  bool usesWarpgroups;
  int64_t producers = 0;
  bool overlaps = false;
  /// The CTAs of an SM that share all row tiles; 0 if each CTA has one; and
  /// whether they claim these.
  int64_t resident = 0;
  bool claims = false;
  /// Visited tiles of all batches and heads.
  int64_t fullTiles, partialTiles;
  /// Key tiles that the longest CTA visits.
  int64_t longestKeyTiles;
  /// CTAs in addition to one per row tile, from split-KV.
  int64_t moreCtas = 0;
  /// Slices in which the features of queries and keys are loaded.
  int64_t headDimSlices = 1;
  /// Registers of a thread that masks and scores need.
  int64_t maskRegisters = 0;
  /// Whether key tiles are those of lists.
  bool readsLists = false;
};

/// Of an epilogue, per accumulator: instructions, and bytes of the results.
struct EpilogueCounts {
  double ops = 0, bytes = 0;
};

/// Sizes and tile of a contraction.
struct MatmulCounts {
  int64_t batches, rows, columns, reduction;
  int64_t elementBytes;
  int64_t rowTile, colTile, blockK, warps;
  int64_t stages;
  bool usesWarpgroups;
  /// The warps that load, and the CTAs of an SM that share all tiles.
  int64_t producers = 0, resident = 0;
  /// The groups of warps of a CTA that compute its tiles in turn.
  int64_t groups = 1;
  /// Bytes of all operands and results, counted once.
  int64_t bytes;
  /// Instructions of prologues, summed over threads.
  int64_t vectorOps = 0;
  EpilogueCounts epilogue;
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

  /// How many CTAs of `work`, an attention, an SM holds.
  int64_t countResident(const KernelWork &work) const;

  /// Whether CTAs of `work` compute several tiles each: they are persistent,
  /// and not all tiles run at once.
  bool sharesTiles(const KernelWork &work) const;

private:
  Prediction explainAttention(const KernelWork &work) const;
  Prediction explainOverlapped(const KernelWork &work) const;

  const DeviceFigures *device;
};

} // namespace stof

#endif // STOF_COSTMODEL_COSTMODEL_H

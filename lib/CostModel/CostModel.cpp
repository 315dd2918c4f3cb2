//===----------------------------------------------------------------------===//
// Figures of devices and of the kernels on them, and predictions from these.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/CostModel.h"

#include "stof/Support/WarpShape.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace stof;

namespace {
/// Of the bandwidth of memory.
constexpr double hbmEfficiency = 0.8;
/// Shared memory that the system reserves per CTA.
constexpr int64_t reservedBytes = 1024;

// Kernels without matmuls.

/// Clocks to begin and end a CTA.
constexpr double ctaClocks = 415;
/// Launch latency behind another kernel, in seconds.
constexpr double launchSeconds = 1e-6;
/// Latency of a serial, exposed load and what depends on it, in seconds.
constexpr double stepSeconds = 0.5e-6;

// Attention of 16-bit elements.

struct AttentionFigures {
  /// Fraction of tensor-core peak.
  double efficiency;
  /// The part of exponentials that takes time.
  double exponentials;
  /// Instructions per score of a partial tile, for its mask, and per
  /// accumulator of a row in each key tile, which is rescaled.
  double partialOps, rescaleOps;
  /// Bandwidth of loads from L2, in bytes per second.
  double keyBytesPerSecond;
  /// Clocks that a warp waits in each key tile, for barriers and loads, and in
  /// addition for an entry of a list.
  double waitClocks, entryClocks;
  /// Clocks of a row tile, for the queries and the results.
  double rowClocks;
  /// The part of a round of CTAs in which SMs run out of them.
  double lastRound;
  /// Launch latency, and the start and the end of a CTA, in seconds.
  double launch;
};
/// mma.sync and wgmma: all 3278 kernels of 31 masks and sizes on an H200, 2 to
/// 7000 us; off by 14 % (root mean square). The tile that is predicted to be
/// the fastest takes 3 % longer than the fastest (geometric mean). L2 is no
/// bound of wgmma.
constexpr AttentionFigures warpAttention = {0.745, 0.625, 4.34, 2.78,  1.42e13,
                                            58.1,  460,   10.2, 0.213, 1.64e-6};
constexpr AttentionFigures warpgroupAttention = {
    0.94, 1.23, 5.94, 4.02, 2.17e14, 238, 232, 161, 0.596, 1.23e-6};
/// Clocks that a warp of mma.sync waits in addition in each key tile if shared
/// memory has room for one only, so that nothing is loaded ahead: 101 kernels
/// of 16 rows on an H200.
constexpr double singleStageClocks = 600;
/// Of the longer of products and softmax, what both take if they overlap.
constexpr double overlapped = 1.53;
/// Of the time of a round, what it takes if CTAs start once and have static
/// shares of the row tiles.
constexpr double staticShare = 1.05;
/// Registers per thread in addition to its fragments, and the most it has.
constexpr int64_t attentionRegisters = 50, mostRegisters = 255;
/// If warpgroups multiply, and if other warps load in addition: what ptxas
/// needs at least in kernels of 64 x 64 tiles. It allocates multiples of a
/// unit.
constexpr int64_t attentionGroupRegisters = 40, consumerRegisters = 24,
                  registerUnit = 8;

// Contractions with pipelined mainloops.

struct Overlap {
  /// Fraction of tensor-core peak.
  double efficiency;
  /// Bandwidth of loads from L2 of a single SM, times the SMs, in bytes per
  /// second.
  double loadedBytes;
  /// Time for reads and writes of shared memory, relative to its bandwidth.
  double sharedShare;
  /// What a lone CTA waits in an iteration: a fixed time, and a fraction of
  /// its MMA time.
  double stepWait, waitShare;
  /// What a stage takes from one load to the next: the latency of a load, and
  /// iterations that hold it.
  double loadLatency, heldSteps;
  /// Start of a CTA, the part of the loads of its first stages that it waits
  /// for, and its end.
  double ctaFill, leadShare, ctaEnd;
  /// The time from one turn of its groups to the next.
  double turn = 0;
};
/// mma.sync, wgmma, and wgmma with producers: 4561 kernels of 20 sizes and
/// epilogues on an H200, 3 to 240 us, weighed by how near they are to the
/// fastest one; off by 13 % (root mean square). The tile that is predicted to
/// be the fastest takes 3 % longer than the fastest (geometric mean), at most
/// 10 %.
constexpr Overlap mmaSync = {0.561,    1.07e13, 0,       0.121e-6, 0.758,
                             0.222e-6, 0.225,   0.01e-6, 0.437,    0.328e-6};
constexpr Overlap wgmma = {1.01,     2.03e13, 0.829,    0.076e-6, 0.777,
                           0.224e-6, 0.777,   0.118e-6, 0.739,    0.414e-6};
constexpr Overlap producedWgmma = {1.22, 1.78e13,  0.6,    0.163e-6,
                                   0,    0.346e-6, 1.99,   0.526e-6,
                                   0,    0.011e-6, 0.45e-6};
/// Launch latency, in seconds, and bandwidth of the stores of epilogues, in
/// bytes per second.
constexpr double contractionLaunch = 1.03e-6, storedBytesPerSecond = 5.2e12;
/// The bandwidth that L2 has for all SMs, relative to its figure.
constexpr double sharedL2 = 1.11;
/// How many warps on each scheduler it takes to hide the latency of the
/// instructions of an epilogue.
constexpr double hidingWarps = 4;
/// Registers per thread in addition to its accumulators.
constexpr int64_t warpRegisters = 80, warpgroupRegisters = 40;

// Instructions per element.

/// Mask evaluation at a position.
constexpr int64_t maskOps = 16;
} // namespace

StringRef CostModel::getDevice() const { return device->name; }

int64_t CostModel::getNumSMs() const {
  return static_cast<int64_t>(device->sms);
}

namespace {
/// The time that a resource takes.
struct Term {
  double seconds;
  StringLiteral resource;
};
} // namespace

/// The longest term; the first of equal ones.
static Term longest(std::initializer_list<Term> terms) {
  return *std::max_element(terms.begin(), terms.end(),
                           [](const Term &lhs, const Term &rhs) {
                             return lhs.seconds < rhs.seconds;
                           });
}

/// The prediction for a kernel that takes `term` after its launch.
static Prediction addLaunch(const Term &term, double launch) {
  constexpr double microseconds = 1e6;
  return {(launch + term.seconds) * microseconds,
          term.seconds < launch ? StringLiteral("launch") : term.resource};
}

Prediction CostModel::explain(const KernelWork &work) const {
  if (work.ctas == 0)
    return {};
  if (work.overlappedSteps > 0)
    return explainOverlapped(work);
  if (work.keyTiles > 0)
    return explainAttention(work);
  double ctas = work.ctas, numSMs = device->sms;
  double vector =
      (work.vectorOps / ctas / device->threads + ctaClocks) / device->clock;
  double l2 = work.l2Bytes / ctas / (device->l2Bytes / numSMs);
  Term cta = longest({{vector, "vector"}, {l2, "L2"}});

  double share = ctas / numSMs;
  double waves = std::max(1.0, share) + std::clamp(share - 1, 0.0, 1.0) / 2;
  cta.seconds *= waves;
  double hbm = work.hbmBytes / (device->hbmBytes * hbmEfficiency);
  return addLaunch(
      longest({cta, {work.steps * stepSeconds, "latency"}, {hbm, "HBM"}}),
      launchSeconds);
}

/// The CTAs of `work` that an SM holds. Registers are estimated, so that a
/// fraction is closer to the truth than the whole number below.
static double countResident(const KernelWork &work,
                            const DeviceFigures &device) {
  constexpr double most = 32;
  double byShared = static_cast<double>(device.sharedCapacity) /
                    (work.ctaBytes + reservedBytes);
  double byRegisters =
      static_cast<double>(device.registers) / work.ctaRegisters;
  return std::clamp(std::min(byShared, byRegisters), 1.0, most);
}

/// Schedulers of an SM, each with warps of its own.
constexpr int64_t schedulers = 4;

static const AttentionFigures &getAttentionFigures(bool usesWarpgroups) {
  return usesWarpgroups ? warpgroupAttention : warpAttention;
}

/// The CTAs of an attention that an SM holds. Registers of warpgroups are known
/// well: a quarter of all is divided, in units, among the warps of a scheduler.
/// Warpgroups of producers divide all of them with consumers.
static double countAttentions(const KernelWork &work,
                              const DeviceFigures &device) {
  constexpr int64_t unit = 256;
  if (!work.usesWarpgroups)
    return countResident(work, device);
  if (work.producers >= tile::warpsPerGroup)
    return 1;
  int64_t warps = work.warps + work.producers;
  int64_t perWarp = llvm::alignTo(work.ctaRegisters / warps, unit);
  int64_t perScheduler =
      static_cast<int64_t>(device.registers) / schedulers / perWarp;
  double byRegisters = perScheduler * schedulers / warps;
  return std::floor(std::clamp(byRegisters, 1.0, countResident(work, device)));
}

int64_t CostModel::countResident(const KernelWork &work) const {
  return static_cast<int64_t>(countAttentions(work, *device));
}

/// The time of `ctas` CTAs on SMs that hold `resident` of them each; that of a
/// `round` depends on how many an SM has.
static double sumRounds(double ctas, double numSMs, double resident,
                        llvm::function_ref<double(double)> round) {
  double rounds = std::floor(ctas / (numSMs * resident));
  double rest = ctas - rounds * numSMs * resident;
  double seconds = rounds * round(resident);
  return rest > 0 ? seconds + round(std::ceil(rest / numSMs)) : seconds;
}

namespace {
/// What a CTA of an attention keeps an SM busy for, and what it takes at least
/// one step after another, in seconds.
struct CtaTime {
  double busy, serial;
  /// Without others on its SM.
  double alone() const { return std::hypot(busy, serial); }
};
} // namespace

Prediction CostModel::explainAttention(const KernelWork &work) const {
  const AttentionFigures &kernel = getAttentionFigures(work.usesWarpgroups);
  double ctas = work.ctas, numSMs = device->sms;
  double flops =
      (work.isSinglePrecision ? device->tf32Flops / 3 : device->halfFlops) /
      numSMs;
  double tensor = work.tensorFlops / kernel.efficiency / ctas / flops;
  double exponential = work.exponentials / ctas / device->exponentials *
                       kernel.exponentials / device->clock;
  double vector = work.vectorOps / ctas / device->threads / device->clock;
  double softmax = exponential + vector;
  // Warpgroups multiply while others compute exponentials.
  double both = std::max(tensor, softmax), serial = tensor + softmax;
  double compute = work.usesWarpgroups ? both : serial;
  double bandwidth = kernel.keyBytesPerSecond / numSMs;
  double loads = (work.l2Bytes - work.rowBytes) / ctas / bandwidth;
  double waitClocks = kernel.waitClocks;
  if (work.stages == 1 && !work.usesWarpgroups)
    waitClocks += singleStageClocks;
  if (work.readsLists)
    waitClocks += kernel.entryClocks;
  double lone = work.overlaps ? overlapped * both : serial;
  double part = static_cast<double>(schedulers) / work.warps;
  // Warpgroups that load meet in each key tile.
  if (work.usesWarpgroups && work.producers == 0)
    part = std::sqrt(part);
  double perTiles =
      part * lone + work.keyTiles / ctas * waitClocks / device->clock;
  double rows = work.rowBytes / ctas / bandwidth;
  // A CTA of `times` as many key tiles as the average one.
  auto timeOf = [&](double times) {
    return CtaTime{std::hypot(times * compute, times * loads + rows),
                   times * perTiles + kernel.rowClocks / device->clock};
  };

  bool isShared = sharesTiles(work);
  double resident = countAttentions(work, *device);
  if (isShared)
    resident = std::min<double>(work.resident, resident);
  // The warpgroups of a CTA overlap as CTAs do.
  auto roundOf = [&](const CtaTime &cta, double number) {
    return std::hypot(number * cta.busy,
                      work.usesWarpgroups ? cta.serial : cta.alone());
  };
  double longer = std::max(1.0, work.longestKeyTiles * ctas / work.keyTiles);
  CtaTime average = timeOf(1), longestCta = timeOf(longer);
  double most = std::min(resident, std::ceil(ctas / numSMs));
  double round = roundOf(average, most), share = ctas / numSMs / resident;
  double rounds, tail = longestCta.alone();
  if (isShared && work.claims) {
    // Tiles of different lengths fill up the last round.
    rounds = (longer > 1 ? share : std::ceil(share)) * round;
  } else {
    rounds = isShared ? std::ceil(share) * staticShare * round
                      : sumRounds(ctas, numSMs, resident, [&](double number) {
                          return roundOf(average, number);
                        });
    rounds += kernel.lastRound * (roundOf(longestCta, most) - round);
    if (isShared)
      tail -= average.alone();
  }
  double all = std::hypot(rounds, tail);
  double hbm = work.hbmBytes / (device->hbmBytes * hbmEfficiency);
  Term term = longest({{tensor, "tensor"},
                       {exponential, "exponential"},
                       {vector, "vector"},
                       {loads, "L2"}});
  if (most * average.busy < average.alone())
    term.resource = "latency";
  if (all < hbm)
    term.resource = "HBM";
  term.seconds = std::hypot(all, hbm);
  return addLaunch(term, kernel.launch);
}

static const Overlap &getOverlap(const KernelWork &work) {
  if (!work.usesWarpgroups)
    return mmaSync;
  return work.producers > 0 ? producedWgmma : wgmma;
}

/// The CTAs of a contraction that an SM holds if each has one tile.
static double countContractions(const KernelWork &work,
                                const DeviceFigures &device) {
  return std::max<int64_t>(
      1, std::min(device.sharedCapacity / (work.ctaBytes + reservedBytes),
                  device.registers / work.ctaRegisters));
}

bool CostModel::sharesTiles(const KernelWork &work) const {
  return work.resident > 0 && work.ctas > work.resident * getNumSMs();
}

namespace {
/// The times of a CTA tile of a contraction, in seconds.
struct TileTime {
  double mma, loads, shared, vector, epilogue, stores;
  /// K iterations, and the time of one that waits for nothing, and of one that
  /// waits for a free stage.
  double steps, step, ahead;
  /// What the tile takes of an SM, and one step after another.
  double busy, serial;
  /// Before the first iteration of a CTA.
  double first;

  TileTime(const KernelWork &work, const Overlap &kernel,
           const DeviceFigures &device);
};
} // namespace

TileTime::TileTime(const KernelWork &work, const Overlap &kernel,
                   const DeviceFigures &device)
    : steps(work.overlappedSteps) {
  double tiles = work.ctas, numSMs = device.sms;
  double flops =
      work.isSinglePrecision ? device.tf32Flops / 3 : device.halfFlops;
  auto perThread = [&](double ops) {
    return ops / tiles / device.threads / device.clock;
  };
  mma = work.tensorFlops / tiles / steps / (flops / numSMs * kernel.efficiency);
  loads = work.l2Bytes / tiles / steps / (kernel.loadedBytes / numSMs);
  shared = kernel.sharedShare * work.matmulSharedBytes / tiles / steps /
           device.sharedBytes / device.clock;
  // Elementwise work is not overlapped with loads.
  vector = perThread(work.vectorOps);
  epilogue = perThread(work.epilogueOps);
  stores = work.storedBytes / tiles / (storedBytesPerSecond / numSMs);

  step = std::max({mma, loads, shared});
  // Warps that compute load the next stage while they have one.
  int64_t free = work.producers > 0 ? work.stages : work.stages - 1;
  ahead = (kernel.loadLatency + kernel.heldSteps * step) /
          std::max<int64_t>(free, 1);
  double lone =
      std::max({step, kernel.stepWait + kernel.waitShare * mma, ahead});
  busy = steps * step + vector + epilogue + stores + kernel.ctaEnd;
  double exposed = hidingWarps * schedulers / work.warps;
  serial = steps * lone + vector + std::max(exposed, 1.0) * epilogue + stores;
  first = kernel.ctaFill +
          kernel.leadShare * std::min<double>(work.stages - 1, steps) * loads;
}

Prediction CostModel::explainOverlapped(const KernelWork &work) const {
  double ctas = work.ctas, numSMs = device->sms;
  const Overlap &kernel = getOverlap(work);
  TileTime tile(work, kernel, *device);
  double resident = countContractions(work, *device);
  Term all = longest({{tile.steps * tile.mma, "tensor"},
                      {tile.steps * tile.shared, "shared"},
                      {tile.steps * tile.loads, "L2"},
                      {tile.vector + tile.epilogue, "vector"},
                      {tile.stores, "stores"}});
  if (!sharesTiles(work)) {
    all.seconds = sumRounds(ctas, numSMs, resident, [&](double number) {
      return std::hypot(number * tile.busy, tile.first + tile.serial);
    });
  } else {
    resident = work.resident;
    double rounds = std::ceil(ctas / numSMs / resident);
    double round = std::hypot(resident * tile.busy, tile.serial);
    all.seconds = tile.first + rounds * round;
    if (work.groups > 1) {
      double inTurn =
          tile.steps * std::max(tile.step, tile.ahead) + kernel.turn;
      round = std::hypot(inTurn, (tile.serial + kernel.ctaEnd) / work.groups);
      all.seconds = tile.first + (rounds - 1) * round + tile.serial;
      resident = work.groups;
    }
  }
  if (std::min(resident, std::ceil(ctas / numSMs)) * tile.busy < tile.serial)
    all.resource = "latency";
  double l2 = work.l2Bytes / (device->l2Bytes * sharedL2);
  double hbm = work.hbmBytes / (device->hbmBytes * hbmEfficiency);
  return addLaunch(longest({all, {l2, "L2"}, {hbm, "HBM"}}), contractionLaunch);
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Counts the bytes of shared memory of a CTA: the queries unless they are in
/// registers, and keys and values, each of which is loaded ahead if it fits.
static void countShared(const AttentionCounts &counts, KernelWork &work) {
  int64_t features = counts.features / counts.headDimSlices;
  int64_t keys = counts.colTile * features * counts.elementBytes;
  int64_t values = counts.colTile * counts.valueFeatures * counts.elementBytes;
  work.ctaBytes = keys + values;
  if (!counts.holdsQueries)
    work.ctaBytes += counts.rowTile * features * counts.elementBytes;
  work.stages = 1;
  // Producers have two stages in any case.
  for (int64_t ahead : {keys, values})
    if (counts.producers > 0 ||
        work.ctaBytes + ahead <= getCommonSharedBytes()) {
      work.ctaBytes += ahead;
      work.stages = 2;
    }
}

/// The registers of a CTA: scores, accumulators, and operands of MMAs in
/// fragments. Warps that load have as many as the others.
static int64_t countCtaRegisters(const AttentionCounts &counts) {
  constexpr int64_t registerBytes = 4;
  int64_t threads = counts.warps * lanesPerWarp;
  int64_t operands = counts.rowTile * counts.colTile;
  // Scores that have become operands leave registers to those that follow.
  if (counts.usesWarpgroups)
    operands /= 4;
  if (counts.overlaps)
    operands += counts.rowTile * counts.colTile;
  if (counts.holdsQueries)
    operands += counts.rowTile * counts.features;
  // Two TF32 operands stand for one of f32.
  int64_t copies = counts.elementBytes > 2 ? 2 : 1;
  int64_t fragments = counts.rowTile * (counts.colTile + counts.valueFeatures) +
                      copies * operands * counts.elementBytes / registerBytes;
  int64_t others = attentionRegisters;
  if (counts.usesWarpgroups)
    others = counts.producers > 0 ? consumerRegisters : attentionGroupRegisters;
  int64_t perThread = std::min(
      fragments / threads + others + counts.maskRegisters, mostRegisters);
  if (counts.usesWarpgroups)
    perThread = llvm::alignTo(perThread, registerUnit);
  return perThread * lanesPerWarp * (counts.warps + counts.producers);
}

KernelWork stof::workOf(const AttentionCounts &counts) {
  assert(counts.rowTile > 0 && counts.colTile > 0 && counts.warps > 0 &&
         "tiles are positive");
  KernelWork work;
  int64_t tiles = counts.fullTiles + counts.partialTiles;
  int64_t rowTiles = llvm::divideCeil(counts.queries, counts.rowTile);
  int64_t scores = counts.rowTile * counts.colTile;
  int64_t features = counts.features + counts.valueFeatures;
  int64_t keyBytes = counts.colTile * features * counts.elementBytes;
  work.ctas = rowTiles * counts.heads * counts.batches + counts.moreCtas;
  work.keyTiles = tiles;
  work.longestKeyTiles = counts.longestKeyTiles;
  work.warps = counts.warps;
  work.producers = counts.producers;
  work.overlaps = counts.overlaps;
  work.resident = counts.resident;
  work.claims = counts.claims;
  work.usesWarpgroups = counts.usesWarpgroups;
  work.readsLists = counts.readsLists;
  work.isSinglePrecision = counts.elementBytes > 2;
  work.tensorFlops = tiles * scores * features * 2;
  work.exponentials = tiles * scores;
  double maskedScores = counts.partialTiles * scores;
  double rescaled = tiles * counts.rowTile * counts.valueFeatures;
  const AttentionFigures &kernel = getAttentionFigures(counts.usesWarpgroups);
  work.vectorOps = static_cast<int64_t>(maskedScores * kernel.partialOps +
                                        rescaled * kernel.rescaleOps);
  int64_t rowBytes = counts.heads * counts.batches * counts.queries * features *
                     counts.elementBytes;
  work.rowBytes = rowBytes;
  work.l2Bytes = tiles * keyBytes + rowBytes;
  work.hbmBytes = rowBytes + counts.keyHeads * counts.batches * counts.keys *
                                 features * counts.elementBytes;
  countShared(counts, work);
  work.ctaRegisters = countCtaRegisters(counts);
  return work;
}

KernelWork stof::workOf(const MatmulCounts &counts) {
  assert(counts.rowTile > 0 && counts.colTile > 0 && counts.blockK > 0 &&
         "tiles are positive");
  KernelWork work;
  int64_t rowTiles = llvm::divideCeil(counts.rows, counts.rowTile);
  int64_t columnTiles = llvm::divideCeil(counts.columns, counts.colTile);
  int64_t elements = counts.rowTile * counts.colTile;
  int64_t sides = counts.rowTile + counts.colTile;
  work.overlappedSteps = llvm::divideCeil(counts.reduction, counts.blockK);
  work.ctas = rowTiles * columnTiles * counts.batches;
  work.isSinglePrecision = counts.elementBytes > 2;
  work.usesWarpgroups = counts.usesWarpgroups;
  int64_t reduction = work.overlappedSteps * counts.blockK;
  work.tensorFlops = work.ctas * elements * reduction * 2;
  work.l2Bytes = work.ctas * sides * reduction * counts.elementBytes;
  work.epilogueOps =
      static_cast<int64_t>(work.ctas * elements * counts.epilogue.ops);
  work.storedBytes =
      static_cast<int64_t>(work.ctas * elements * counts.epilogue.bytes);
  work.hbmBytes = counts.bytes;
  work.vectorOps = counts.vectorOps;
  work.stages = counts.stages;
  work.warps = counts.warps;
  // Each warpgroup reads its rows and all columns. That it reads the rows once
  // for each right operand is not seen in measurements.
  int64_t readSides = counts.rowTile / tile::rowsPerGroup *
                      (tile::rowsPerGroup + counts.colTile);
  if (counts.usesWarpgroups)
    work.matmulSharedBytes =
        work.ctas * (readSides + sides) * reduction * counts.elementBytes;
  work.ctaBytes = sides * counts.blockK * counts.elementBytes * counts.stages;
  work.producers = counts.producers;
  work.resident = counts.resident;
  work.groups = counts.groups > 1 ? counts.groups : 0;
  // Warps that load have as many registers as the others, unless whole
  // warpgroups of them give theirs back to groups in turn.
  int64_t others = counts.usesWarpgroups ? warpgroupRegisters : warpRegisters;
  int64_t perWarp = elements / counts.warps + lanesPerWarp * others;
  bool areExchanged =
      counts.groups > 1 && counts.producers % tile::warpsPerGroup == 0;
  int64_t perProducer =
      areExchanged ? lanesPerWarp * tile::leastRegisters : perWarp;
  work.ctaRegisters =
      perWarp * counts.warps * counts.groups + perProducer * counts.producers;
  return work;
}

KernelWork stof::workOfElements(int64_t elements, int64_t opsPerElement,
                                int64_t elementsPerCta, int64_t bytes) {
  KernelWork work;
  work.ctas = llvm::divideCeil(elements, elementsPerCta);
  work.vectorOps = elements * opsPerElement;
  work.l2Bytes = bytes;
  work.hbmBytes = bytes;
  work.steps = 1;
  return work;
}

KernelWork stof::workOfMask(int64_t pairs, int64_t ctas, int64_t steps) {
  KernelWork work;
  work.vectorOps = pairs * maskOps;
  work.ctas = ctas;
  work.steps = steps;
  return work;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static constexpr std::pair<StringLiteral, int64_t KernelWork::*> fields[] = {
    {"tensor_flops", &KernelWork::tensorFlops},
    {"exponentials", &KernelWork::exponentials},
    {"vector_ops", &KernelWork::vectorOps},
    {"epilogue_ops", &KernelWork::epilogueOps},
    {"l2_bytes", &KernelWork::l2Bytes},
    {"row_bytes", &KernelWork::rowBytes},
    {"hbm_bytes", &KernelWork::hbmBytes},
    {"ctas", &KernelWork::ctas},
    {"steps", &KernelWork::steps},
    {"key_tiles", &KernelWork::keyTiles},
    {"longest_key_tiles", &KernelWork::longestKeyTiles},
    {"warps", &KernelWork::warps},
    {"producers", &KernelWork::producers},
    {"resident", &KernelWork::resident},
    {"groups", &KernelWork::groups},
    {"overlapped_steps", &KernelWork::overlappedSteps},
    {"stages", &KernelWork::stages},
    {"matmul_shared_bytes", &KernelWork::matmulSharedBytes},
    {"cta_bytes", &KernelWork::ctaBytes},
    {"cta_registers", &KernelWork::ctaRegisters},
    {"stored_bytes", &KernelWork::storedBytes}};
static constexpr StringLiteral singlePrecision = "single_precision",
                               upperBound = "at_most",
                               warpgroups = "warpgroups", overlap = "overlaps",
                               claimed = "claims", listed = "lists";

KernelWork &KernelWork::operator+=(const KernelWork &other) {
  // Per-CTA figures are not added up: the longest wait counts, resources are
  // those of the largest CTA, and iterations are averaged.
  KernelWork perCta;
  perCta.steps = std::max(steps, other.steps);
  perCta.longestKeyTiles = std::max(longestKeyTiles, other.longestKeyTiles);
  perCta.warps = std::max(warps, other.warps);
  perCta.producers = std::max(producers, other.producers);
  perCta.resident = std::max(resident, other.resident);
  perCta.groups = std::max(groups, other.groups);
  perCta.stages = std::max(stages, other.stages);
  perCta.ctaBytes = std::max(ctaBytes, other.ctaBytes);
  perCta.ctaRegisters = std::max(ctaRegisters, other.ctaRegisters);
  if (int64_t all = ctas + other.ctas)
    perCta.overlappedSteps = llvm::divideCeil(
        ctas * overlappedSteps + other.ctas * other.overlappedSteps, all);
  for (auto [name, field] : fields)
    this->*field += other.*field;
  for (auto field :
       {&KernelWork::steps, &KernelWork::longestKeyTiles, &KernelWork::warps,
        &KernelWork::producers, &KernelWork::resident, &KernelWork::groups,
        &KernelWork::stages, &KernelWork::ctaBytes, &KernelWork::ctaRegisters,
        &KernelWork::overlappedSteps})
    this->*field = perCta.*field;
  isSinglePrecision |= other.isSinglePrecision;
  usesWarpgroups |= other.usesWarpgroups;
  overlaps |= other.overlaps;
  claims |= other.claims;
  readsLists |= other.readsLists;
  isUpperBound |= other.isUpperBound;
  return *this;
}

DictionaryAttr KernelWork::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  NamedAttrList list;
  for (auto [name, field] : fields)
    if (this->*field)
      list.append(name, builder.getI64IntegerAttr(this->*field));
  if (isSinglePrecision)
    list.append(singlePrecision, builder.getUnitAttr());
  if (usesWarpgroups)
    list.append(warpgroups, builder.getUnitAttr());
  if (overlaps)
    list.append(overlap, builder.getUnitAttr());
  if (claims)
    list.append(claimed, builder.getUnitAttr());
  if (readsLists)
    list.append(listed, builder.getUnitAttr());
  if (isUpperBound)
    list.append(upperBound, builder.getUnitAttr());
  return list.getDictionary(context);
}

KernelWork KernelWork::fromAttribute(DictionaryAttr attribute) {
  KernelWork work;
  for (auto [name, field] : fields)
    if (auto value = attribute.getAs<IntegerAttr>(name))
      work.*field = value.getInt();
  work.isSinglePrecision = attribute.contains(singlePrecision);
  work.usesWarpgroups = attribute.contains(warpgroups);
  work.overlaps = attribute.contains(overlap);
  work.claims = attribute.contains(claimed);
  work.readsLists = attribute.contains(listed);
  work.isUpperBound = attribute.contains(upperBound);
  return work;
}

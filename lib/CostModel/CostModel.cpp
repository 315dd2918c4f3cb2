//===----------------------------------------------------------------------===//
// Figures of devices and of the kernels on them, and predictions from these.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/CostModel.h"

#include "stof/Support/WarpShape.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace stof;

namespace {
// Fractions of device peaks that kernels reach, and times of what they do:
// fitted to this project's attention kernels of f16 (mma.sync) on an H100, 326
// kernels of 7 masks and sizes and 50 tiles, 11 to 680 us; the fit is off by
// 14 % (root mean square).

/// Of tensor-core peak, which only wgmma reaches.
constexpr double tensorEfficiency = 0.5;
/// The part of exponentials that MMAs do not hide.
constexpr double exposedExponentials = 0.82;
/// Of the bandwidth of memory.
constexpr double hbmEfficiency = 0.8;
/// Clocks to begin and end a CTA.
constexpr double ctaClocks = 415;
/// Launch latency, in seconds.
constexpr double launchSeconds = 2.5e-6;
/// Latency of a serial mainloop iteration, in seconds: two matmuls and a
/// softmax, or one matmul, between dependent loads.
constexpr double stepSeconds = 0.5e-6;

// Contractions with pipelined mainloops.

struct Overlap {
  /// Fraction of tensor-core peak.
  double efficiency;
  /// Bandwidth of loads from L2 and of epilogue stores, in bytes per second.
  double loadedBytes, storedBytes;
  /// Iteration latency of a lone CTA: a fixed wait, and a fraction of its MMA
  /// time.
  double stepWait, waitShare;
  /// Start and end of a CTA outside its mainloop, and the part of its end that
  /// other CTAs cannot hide.
  double ctaFill, ctaEnd;
  /// Fraction of the epilogue store that is exposed when one CTA runs per SM.
  double storeShare;
  double launch;
};
/// mma.sync: fitted to 200 kernels of 10 sizes and 20 shapes, 4 to 2100 us; the
/// fit is off by 10 % (root mean square).
constexpr Overlap mmaSync = {0.378,   1.1e13,  6.7e12, 0.123e-6, 0.84,
                             0.68e-6, 0.36e-6, 0,      2.0e-6};
/// wgmma: 360 kernels of 12 sizes, 10 shapes and 3 epilogues, 4 to 330 us; off
/// by 10 %.
constexpr Overlap wgmma = {0.693, 1.28e13, 2.6e12, 0.044e-6, 1,
                           0,     0,       1,      1.5e-6};
/// Registers per thread in addition to its accumulators.
constexpr int64_t warpRegisters = 80, warpgroupRegisters = 40;

// Instructions per element.

/// Mask evaluation per score of a partial tile.
constexpr int64_t maskOps = 16;
/// Of a row in each key tile: its statistics, and rescaling its accumulators.
constexpr int64_t rowOps = 266;
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
  double ctas = work.ctas, numSMs = device->sms;
  double flops =
      work.isSinglePrecision ? device->tf32Flops / 3 : device->halfFlops;
  double tensor = work.tensorFlops / ctas / (flops / numSMs * tensorEfficiency);
  auto clocks = [&](double count) { return count / device->clock; };
  double exponential = clocks(work.exponentials / ctas / device->exponentials *
                              exposedExponentials);
  double vector = clocks(work.vectorOps / ctas / device->threads + ctaClocks);
  double shared = clocks(work.sharedBytes / ctas / device->sharedBytes);
  double l2 = work.l2Bytes / ctas / (device->l2Bytes / numSMs);
  Term compute = longest(
      {{tensor, "tensor"}, {exponential, "exponential"}, {vector, "vector"}});
  compute.seconds = tensor + exponential + vector;
  Term cta = longest({compute, {shared, "shared"}, {l2, "L2"}});

  double share = ctas / numSMs;
  double waves = std::max(1.0, share) + std::clamp(share - 1, 0.0, 1.0) / 2;
  cta.seconds *= waves;
  double hbm = work.hbmBytes / (device->hbmBytes * hbmEfficiency);
  return addLaunch(
      longest({cta, {work.steps * stepSeconds, "latency"}, {hbm, "HBM"}}),
      launchSeconds);
}

Prediction CostModel::explainOverlapped(const KernelWork &work) const {
  double numSMs = device->sms, ctas = work.ctas, steps = work.overlappedSteps;
  const Overlap &kernel = work.usesWarpgroups ? wgmma : mmaSync;
  double flops =
      work.isSinglePrecision ? device->tf32Flops / 3 : device->halfFlops;
  double mma =
      work.tensorFlops / ctas / steps / (flops / numSMs * kernel.efficiency);
  double loads = work.l2Bytes / ctas / steps / (kernel.loadedBytes / numSMs);
  // Elementwise work is not overlapped with loads.
  double vector = work.vectorOps / ctas / device->threads / device->clock;
  double stores = work.storedBytes / ctas / (kernel.storedBytes / numSMs);
  double throughput =
      steps * std::max(mma, loads) + vector + kernel.ctaEnd + stores;
  double alone =
      steps * std::max(kernel.stepWait + kernel.waitShare * mma, mma) + vector +
      kernel.ctaFill + kernel.storeShare * stores;
  // Shared memory that the system reserves per CTA.
  constexpr int64_t reserved = 1024;
  double resident = std::max<int64_t>(
      1, std::min(device->sharedCapacity / (work.ctaBytes + reserved),
                  device->registers / work.ctaRegisters));
  auto round = [&](double ctas) { return std::max(ctas * throughput, alone); };
  double rounds = std::floor(ctas / (numSMs * resident));
  double rest = ctas - rounds * numSMs * resident;
  Term all = longest({{steps * mma, "tensor"},
                      {steps * loads, "L2"},
                      {vector, "vector"},
                      {stores, "stores"}});
  double first = rounds > 0 ? resident : std::ceil(rest / numSMs);
  if (first * throughput < alone)
    all.resource = "latency";
  all.seconds = rounds * round(resident);
  if (rest > 0)
    all.seconds += round(std::ceil(rest / numSMs));
  double hbm = work.hbmBytes / (device->hbmBytes * hbmEfficiency);
  return addLaunch(longest({all, {hbm, "HBM"}}), kernel.launch);
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

KernelWork stof::workOf(const AttentionCounts &counts) {
  assert(counts.rowTile > 0 && counts.colTile > 0 && "tiles are positive");
  KernelWork work;
  int64_t tiles = counts.fullTiles + counts.partialTiles;
  int64_t rowTiles = llvm::divideCeil(counts.queries, counts.rowTile);
  int64_t scores = counts.rowTile * counts.colTile;
  int64_t features = counts.features + counts.valueFeatures;
  int64_t keyBytes = counts.colTile * features * counts.elementBytes;
  work.ctas = rowTiles * counts.heads * counts.batches + counts.moreCtas;
  work.isSinglePrecision = counts.elementBytes > 2;
  work.tensorFlops = tiles * scores * features * 2;
  work.exponentials = tiles * scores;
  work.vectorOps =
      counts.partialTiles * scores * maskOps + tiles * counts.rowTile * rowOps;
  work.sharedBytes = tiles * keyBytes;
  int64_t rowBytes = counts.heads * counts.batches * counts.queries * features *
                     counts.elementBytes;
  work.l2Bytes = tiles * keyBytes + rowBytes;
  work.hbmBytes = rowBytes + counts.keyHeads * counts.batches * counts.keys *
                                 features * counts.elementBytes;
  work.steps = work.ctas ? llvm::divideCeil(tiles, work.ctas) : 0;
  return work;
}

KernelWork stof::workOf(const MatmulCounts &counts) {
  assert(counts.rowTile > 0 && counts.colTile > 0 && counts.blockK > 0 &&
         "tiles are positive");
  KernelWork work;
  int64_t rowTiles = llvm::divideCeil(counts.rows, counts.rowTile);
  int64_t columnTiles = llvm::divideCeil(counts.columns, counts.colTile);
  int64_t tile = counts.rowTile * counts.colTile;
  int64_t sides = counts.rowTile + counts.colTile;
  work.overlappedSteps = llvm::divideCeil(counts.reduction, counts.blockK);
  work.ctas = rowTiles * columnTiles * counts.batches;
  work.isSinglePrecision = counts.elementBytes > 2;
  work.usesWarpgroups = counts.usesWarpgroups;
  int64_t reduction = work.overlappedSteps * counts.blockK;
  work.tensorFlops = work.ctas * tile * reduction * 2;
  work.l2Bytes = work.ctas * sides * reduction * counts.elementBytes;
  work.storedBytes = work.ctas * tile * counts.elementBytes;
  work.hbmBytes = counts.bytes;
  work.vectorOps = counts.vectorOps;
  work.ctaBytes = sides * counts.blockK * counts.elementBytes * counts.stages;
  int64_t threads = counts.warps * lanesPerWarp;
  work.ctaRegisters =
      tile +
      threads * (counts.usesWarpgroups ? warpgroupRegisters : warpRegisters);
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
    {"shared_bytes", &KernelWork::sharedBytes},
    {"l2_bytes", &KernelWork::l2Bytes},
    {"hbm_bytes", &KernelWork::hbmBytes},
    {"ctas", &KernelWork::ctas},
    {"steps", &KernelWork::steps},
    {"overlapped_steps", &KernelWork::overlappedSteps},
    {"cta_bytes", &KernelWork::ctaBytes},
    {"cta_registers", &KernelWork::ctaRegisters},
    {"stored_bytes", &KernelWork::storedBytes}};
static constexpr StringLiteral singlePrecision = "single_precision",
                               upperBound = "at_most",
                               warpgroups = "warpgroups";

KernelWork &KernelWork::operator+=(const KernelWork &other) {
  // Per-CTA figures are not added up: the longest wait counts, resources are
  // those of the largest CTA, and iterations are averaged.
  KernelWork perCta;
  perCta.steps = std::max(steps, other.steps);
  perCta.ctaBytes = std::max(ctaBytes, other.ctaBytes);
  perCta.ctaRegisters = std::max(ctaRegisters, other.ctaRegisters);
  if (int64_t all = ctas + other.ctas)
    perCta.overlappedSteps = llvm::divideCeil(
        ctas * overlappedSteps + other.ctas * other.overlappedSteps, all);
  for (auto [name, field] : fields)
    this->*field += other.*field;
  for (auto field : {&KernelWork::steps, &KernelWork::ctaBytes,
                     &KernelWork::ctaRegisters, &KernelWork::overlappedSteps})
    this->*field = perCta.*field;
  isSinglePrecision |= other.isSinglePrecision;
  usesWarpgroups |= other.usesWarpgroups;
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
  work.isUpperBound = attribute.contains(upperBound);
  return work;
}

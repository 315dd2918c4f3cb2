//===----------------------------------------------------------------------===//
// Figures of devices and of the kernels on them.
//===----------------------------------------------------------------------===//

#include "stof/CostModel/CostModel.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

struct CostModel::Device {
  StringLiteral name;
  double multiprocessors;
  /// In Hz.
  double clock;
  /// Of all multiprocessors, a second, dense: products of 16-bit numbers, and
  /// of TF32.
  double halfFlops, tf32Flops;
  /// Of a multiprocessor, a clock.
  double exponentials, threads, sharedBytes;
  /// Of all, in bytes a second.
  double l2Bytes, hbmBytes;
  /// Of a multiprocessor: bytes of shared memory and registers of 32 bits.
  int64_t sharedCapacity, registers;
};

namespace {
// What kernels reach of a device: fitted to this project's attention kernels of
// f16 (mma.sync) on an H200.

/// Of the peak of tensor cores, which only wgmma reaches: dense attention of 64
/// and of 128 features differ by their products alone.
constexpr double tensorEfficiency = 0.38;
/// Of the bandwidths of L2 and of memory.
constexpr double l2Efficiency = 0.6;
constexpr double hbmEfficiency = 0.8;
/// Clocks to begin and end a block.
constexpr double blockClocks = 300;
/// A launch, in seconds.
constexpr double launchSeconds = 2.5e-6;
/// From a load to the next that waits for it, in seconds: two products and a
/// softmax between them, or one product.
constexpr double stepSeconds = 0.5e-6;

// Products whose loads are ahead.

struct Overlap {
  /// Of the peak of tensor cores.
  double efficiency;
  /// What comes from L2 and what goes there at the end of blocks, in bytes a
  /// second.
  double loadedBytes, storedBytes;
  /// From a step to the next of one block: what it waits for, and of the time
  /// of its products.
  double stepWait, waitShare;
  /// From a block's start to its first step and from its last to its end; what
  /// of its end no other block can use.
  double blockFill, blockEnd;
  /// Of what a block stores, the share that it waits for if it is alone.
  double storeShare;
  double launch;
};
/// Multiplied by warps: fitted to 200 kernels of 10 sizes and 20 shapes, 4 to
/// 2100 us; the fit is off by 10 % (root of the mean square).
constexpr Overlap byWarps = {0.378,   1.1e13,  6.7e12, 0.123e-6, 0.84,
                             0.68e-6, 0.36e-6, 0,      2.0e-6};
/// By warpgroups: 360 kernels of 12 sizes, 10 shapes and 3 epilogues, 4 to 330
/// us; off by 10 %.
constexpr Overlap byWarpgroups = {0.693, 1.28e13, 2.6e12, 0.044e-6, 1,
                                  0,     0,       1,      1.5e-6};
/// Registers of a thread beside its accumulators.
constexpr int64_t threadsPerWarp = 32, warpRegisters = 80,
                  warpgroupRegisters = 40;

// What kernels do with an element, in instructions of a thread.

/// Asking the mask about a score of a partial tile. Window against dense.
constexpr int64_t maskOps = 26;
} // namespace

/// An H200. From NVIDIA's data sheet of it: 989 and 494 TFLOPS without
/// sparsity, 4.8 TB/s. From NVIDIA's H100 white paper: 132 multiprocessors, a
/// boost clock of 1.755 GHz. From the CUDA programming guide, throughput of
/// instructions for compute capability 9.0: 16 special functions and 128 f32
/// instructions a clock, 32 banks of 4 bytes of shared memory. From NVIDIA's
/// A100 white paper: 5120 bytes a clock from L2. From the programming guide,
/// compute capability 9.0: 228 KiB of shared memory, 65536 registers.
std::optional<CostModel> CostModel::forTarget(StringRef chip) {
  static constexpr Device h200{"H200",         132,    1.755e9,   989e12,
                               494e12,         16,     128,       128,
                               5120 * 1.755e9, 4.8e12, 228 << 10, 1 << 16};
  // Code for sm_80 was measured there as well.
  if (chip == "sm_80" || chip == "sm_90" || chip == "sm_90a")
    return CostModel(h200);
  return std::nullopt;
}

StringRef CostModel::getDevice() const { return device->name; }

int64_t CostModel::getNumMultiprocessors() const {
  return static_cast<int64_t>(device->multiprocessors);
}

double CostModel::predict(const KernelWork &work) const {
  if (work.blocks == 0)
    return 0;
  if (work.overlappedSteps > 0)
    return predictOverlapped(work);
  double blocks = work.blocks, processors = device->multiprocessors;
  double flops =
      work.isSinglePrecision ? device->tf32Flops / 3 : device->halfFlops;
  double tensor =
      work.tensorFlops / blocks / (flops / processors * tensorEfficiency);
  auto clocks = [&](double count) { return count / device->clock; };
  double exponential =
      clocks(work.exponentials / blocks / device->exponentials);
  double vector =
      clocks(work.vectorOps / blocks / device->threads + blockClocks);
  double shared = clocks(work.sharedBytes / blocks / device->sharedBytes);
  double l2 =
      work.l2Bytes / blocks / (device->l2Bytes / processors * l2Efficiency);
  double block = std::max({tensor + exponential + vector, shared, l2});

  double share = blocks / processors;
  double waves = std::max(1.0, share) + std::clamp(share - 1, 0.0, 1.0) / 2;
  double time = launchSeconds +
                std::max({waves * block, work.steps * stepSeconds,
                          work.hbmBytes / (device->hbmBytes * hbmEfficiency)});
  constexpr double microseconds = 1e6;
  return time * microseconds;
}

double CostModel::predictOverlapped(const KernelWork &work) const {
  double processors = device->multiprocessors, blocks = work.blocks,
         steps = work.overlappedSteps;
  const Overlap &kernel = work.usesWarpgroups ? byWarpgroups : byWarps;
  double flops =
      work.isSinglePrecision ? device->tf32Flops / 3 : device->halfFlops;
  double products = work.tensorFlops / blocks / steps /
                    (flops / processors * kernel.efficiency);
  double loads =
      work.l2Bytes / blocks / steps / (kernel.loadedBytes / processors);
  // Nothing is under way while threads compute.
  double vector = work.vectorOps / blocks / device->threads / device->clock;
  double stores = work.storedBytes / blocks / (kernel.storedBytes / processors);
  double throughput =
      steps * std::max(products, loads) + vector + kernel.blockEnd + stores;
  double alone = steps * std::max(kernel.stepWait + kernel.waitShare * products,
                                  products) +
                 vector + kernel.blockFill + kernel.storeShare * stores;
  // What a block takes for itself of shared memory.
  constexpr int64_t reserved = 1024;
  double resident = std::max<int64_t>(
      1, std::min(device->sharedCapacity / (work.blockBytes + reserved),
                  device->registers / work.blockRegisters));
  auto round = [&](double beside) {
    return std::max(beside * throughput, alone);
  };
  double rounds = std::floor(blocks / (processors * resident));
  double rest = blocks - rounds * processors * resident;
  double time = rounds * round(resident);
  if (rest > 0)
    time += round(std::ceil(rest / processors));
  time = kernel.launch +
         std::max(time, work.hbmBytes / (device->hbmBytes * hbmEfficiency));
  constexpr double microseconds = 1e6;
  return time * microseconds;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

KernelWork stof::workOf(const AttentionCounts &counts) {
  KernelWork work;
  int64_t tiles = counts.fullTiles + counts.partialTiles;
  int64_t rowTiles = llvm::divideCeil(counts.queries, counts.rowTile);
  int64_t scores = counts.rowTile * counts.colTile;
  int64_t features = counts.features + counts.valueFeatures;
  int64_t keyBytes = counts.colTile * features * counts.elementBytes;
  work.blocks = rowTiles * counts.heads * counts.batches + counts.moreBlocks;
  work.isSinglePrecision = counts.elementBytes > 2;
  work.tensorFlops = tiles * scores * features * 2;
  work.exponentials = tiles * scores;
  work.vectorOps = counts.partialTiles * scores * maskOps;
  // Keys and values go into shared memory once and out to every warp.
  work.sharedBytes = tiles * keyBytes * (1 + counts.warps);
  int64_t rowBytes = counts.heads * counts.batches * counts.queries * features *
                     counts.elementBytes;
  work.l2Bytes = tiles * keyBytes + rowBytes;
  work.hbmBytes = rowBytes + counts.keyHeads * counts.batches * counts.keys *
                                 features * counts.elementBytes;
  work.steps = work.blocks ? llvm::divideCeil(tiles, work.blocks) : 0;
  return work;
}

KernelWork stof::workOf(const ContractionCounts &counts) {
  KernelWork work;
  int64_t rowTiles = llvm::divideCeil(counts.rows, counts.rowTile);
  int64_t columnTiles = llvm::divideCeil(counts.columns, counts.colTile);
  int64_t tile = counts.rowTile * counts.colTile;
  int64_t sides = counts.rowTile + counts.colTile;
  work.overlappedSteps = llvm::divideCeil(counts.inner, counts.depth);
  work.blocks = rowTiles * columnTiles * counts.batches;
  work.isSinglePrecision = counts.elementBytes > 2;
  work.usesWarpgroups = counts.usesWarpgroups;
  int64_t inner = work.overlappedSteps * counts.depth;
  work.tensorFlops = work.blocks * tile * inner * 2;
  work.l2Bytes = work.blocks * sides * inner * counts.elementBytes;
  work.storedBytes = work.blocks * tile * counts.elementBytes;
  work.hbmBytes = counts.bytes;
  work.vectorOps = counts.vectorOps;
  work.blockBytes = sides * counts.depth * counts.elementBytes * counts.stages;
  int64_t threads = counts.warps * threadsPerWarp;
  work.blockRegisters =
      tile +
      threads * (counts.usesWarpgroups ? warpgroupRegisters : warpRegisters);
  return work;
}

KernelWork stof::workOfElements(int64_t elements, int64_t opsPerElement,
                                int64_t elementsPerBlock, int64_t bytes) {
  KernelWork work;
  work.blocks = llvm::divideCeil(elements, elementsPerBlock);
  work.vectorOps = elements * opsPerElement;
  work.l2Bytes = bytes;
  work.hbmBytes = bytes;
  work.steps = 1;
  return work;
}

KernelWork stof::workOfMask(int64_t pairs, int64_t blocks, int64_t steps) {
  KernelWork work;
  work.vectorOps = pairs * maskOps;
  work.blocks = blocks;
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
    {"blocks", &KernelWork::blocks},
    {"steps", &KernelWork::steps},
    {"overlapped_steps", &KernelWork::overlappedSteps},
    {"block_bytes", &KernelWork::blockBytes},
    {"block_registers", &KernelWork::blockRegisters},
    {"stored_bytes", &KernelWork::storedBytes}};
static constexpr StringLiteral singlePrecision = "single_precision",
                               upperBound = "at_most",
                               warpgroups = "warpgroups";

KernelWork &KernelWork::operator+=(const KernelWork &other) {
  // What is of one block: the longest wait counts, what all blocks are given,
  // and the steps of blocks on average.
  KernelWork block;
  block.steps = std::max(steps, other.steps);
  block.blockBytes = std::max(blockBytes, other.blockBytes);
  block.blockRegisters = std::max(blockRegisters, other.blockRegisters);
  if (int64_t all = blocks + other.blocks)
    block.overlappedSteps = llvm::divideCeil(
        blocks * overlappedSteps + other.blocks * other.overlappedSteps, all);
  for (auto [name, field] : fields)
    this->*field += other.*field;
  for (auto field : {&KernelWork::steps, &KernelWork::blockBytes,
                     &KernelWork::blockRegisters, &KernelWork::overlappedSteps})
    this->*field = block.*field;
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

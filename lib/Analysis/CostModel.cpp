//===----------------------------------------------------------------------===//
// Figures of devices and of the kernels on them.
//===----------------------------------------------------------------------===//

#include "stof/Analysis/CostModel.h"

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

// What kernels do with an element, in instructions of a thread.

/// Asking the mask about a score of a partial tile. Window against dense.
constexpr int64_t maskOps = 26;
} // namespace

/// An H200. From NVIDIA's data sheet of it: 989 and 494 TFLOPS without
/// sparsity, 4.8 TB/s. From NVIDIA's H100 white paper: 132 multiprocessors, a
/// boost clock of 1.755 GHz. From the CUDA programming guide, throughput of
/// instructions for compute capability 9.0: 16 special functions and 128 f32
/// instructions a clock, 32 banks of 4 bytes of shared memory. From NVIDIA's
/// A100 white paper: 5120 bytes a clock from L2.
std::optional<CostModel> CostModel::forTarget(StringRef chip) {
  static constexpr Device h200{"H200", 132, 1.755e9, 989e12,         494e12,
                               16,     128, 128,     5120 * 1.755e9, 4.8e12};
  // Code for sm_80 was measured there as well.
  if (chip == "sm_80" || chip == "sm_90" || chip == "sm_90a")
    return CostModel(h200);
  return std::nullopt;
}

StringRef CostModel::getDevice() const { return device->name; }

double CostModel::predict(const KernelWork &work) const {
  if (work.blocks == 0)
    return 0;
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
  work.steps = llvm::divideCeil(counts.inner, counts.depth);
  work.blocks = rowTiles * columnTiles * counts.batches;
  int64_t inner = work.steps * counts.depth;
  work.isSinglePrecision = counts.elementBytes > 2;
  work.tensorFlops = work.blocks * counts.rowTile * counts.colTile * inner * 2;
  int64_t operandBytes = work.blocks * (counts.rowTile + counts.colTile) *
                         inner * counts.elementBytes;
  // Warps lie in a square: each operand goes to every one of a side.
  work.sharedBytes =
      operandBytes * (1 + int64_t(std::sqrt(double(counts.warps))));
  work.l2Bytes = operandBytes;
  work.hbmBytes = counts.bytes;
  // Steps are loaded ahead of their products.
  work.steps = llvm::divideCeil(work.steps, 4);
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
    {"steps", &KernelWork::steps}};
static constexpr StringLiteral singlePrecision = "single_precision",
                               upperBound = "at_most";

DictionaryAttr KernelWork::toAttribute(MLIRContext *context) const {
  Builder builder(context);
  NamedAttrList list;
  for (auto [name, field] : fields)
    if (this->*field)
      list.append(name, builder.getI64IntegerAttr(this->*field));
  if (isSinglePrecision)
    list.append(singlePrecision, builder.getUnitAttr());
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
  work.isUpperBound = attribute.contains(upperBound);
  return work;
}

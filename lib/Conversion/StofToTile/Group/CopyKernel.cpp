//===----------------------------------------------------------------------===//
// The kernel that copies a buffer.
//===----------------------------------------------------------------------===//

#include "CopyKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stof;

/// Warps of a CTA.
static constexpr int64_t warps = 4;

LogicalResult stof::emitCopyKernel(KernelBuilder &kernel, Value from,
                                   Value to) {
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body();
  int64_t elements = 4, tileSize = elements * lanesPerWarp * warps;
  kernel.setNumWarps(warps);
  kernel.setSchedule("copy", {{"elements", tileSize}});
  OpFoldResult count =
      productOf(kernel.host(), loc, sizesOf(kernel.host(), loc, to));
  Value source = reshapeBuffer(kernel.host(), loc, from, count);
  Value destination = reshapeBuffer(kernel.host(), loc, to, count);
  auto layout = tile::BlockedAttr::get(body.getContext(), {elements},
                                       {lanesPerWarp}, {warps});
  auto type = tile::FragmentType::get(
      body.getContext(), {tileSize},
      cast<MemRefType>(to.getType()).getElementType(), layout);
  Value first = arith::MulIOp::create(
      body, loc, kernel.getBlockId(gpu::Dimension::x), kernel.index(tileSize));
  auto along = body.getDenseI64ArrayAttr({0});
  Value moved = tile::LoadOp::create(body, loc, type,
                                     kernel.getArgument(source), first, along);
  tile::StoreOp::create(body, loc, moved, kernel.getArgument(destination),
                        first, along);
  return kernel.launch(ceilDiv(kernel.host(), loc, count, tileSize));
}

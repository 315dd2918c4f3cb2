//===----------------------------------------------------------------------===//
// What of a kernel warps can do that only load: the loads of its mainloops, and
// those outside of loops, as far as they follow from scalars that all threads
// know.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_PRODUCIBLELOADS_H
#define STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_PRODUCIBLELOADS_H

#include "../LoopSlice.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stof::tile {

/// A loop whose loads producers can issue.
struct Mainloop {
  LoopSlice slice;
  llvm::SmallVector<LoadOp> loads;
};

/// The channel for tiles that `load` loads.
ChannelType getChannelType(LoadOp load, int64_t stages);

/// The channel of what is claimed. Warps receive a number at the end of the
/// tile before, and a warp that is a tile ahead of them claims no further one:
/// it would be done later elsewhere.
ChannelType getClaimsType(ClaimOp claim);

/// The loads of one kernel, sorted; all else is for consumers.
class ProducibleLoads {
public:
  explicit ProducibleLoads(mlir::gpu::GPUFuncOp kernel);

  /// Finds the mainloops, and moves scalars out of branches; returns the number
  /// of the former.
  size_t find();

  /// A bound of the shared memory of the kernel with so many `stages`, in
  /// bytes.
  int64_t getBytes(int64_t stages);
  /// What keeps groups from sharing the tiles of a CTA; empty if nothing does.
  llvm::StringRef explainNoGroups();

  mlir::gpu::GPUFuncOp getKernel() const { return kernel; }
  /// The loop over the tiles of the CTA, if it has several, an `scf.for` or an
  /// `scf.while`; and what claims the next one in the latter.
  mlir::Operation *getTileLoop() const { return around; }
  ClaimOp getClaim() const { return claim; }
  /// The block of a tile of the CTA.
  mlir::Block &getTileBlock();

  /// The loops whose loads producers can issue, all of which load alike.
  llvm::MutableArrayRef<Mainloop> getMainloops() { return mainloops; }
  /// The mainloop that `op` is; null if it is none.
  Mainloop *getMainloop(mlir::Operation &op);
  /// Whether `op` has branches with mainloops.
  bool hasMainloops(mlir::scf::IfOp op);
  /// The loads outside of loops.
  llvm::MutableArrayRef<LoadOp> getOnce() { return once; }

  /// Whether all threads run `op`, or both roles for each tile.
  bool isCommon(mlir::Operation *op) const { return common.contains(op); }
  void addCommon(mlir::Operation *op) { common.insert(op); }

private:
  /// Whether all threads can compute `value` before they take their roles.
  bool canShare(mlir::Value value) const;
  bool canShare(mlir::Operation *op, bool afterWrites) const;
  /// Whether producers can load `load`, and run `mainloop`.
  bool canProduceOnce(LoadOp load) const;
  bool canProduce(const Mainloop &mainloop) const;

  /// Sorts the operations of `block`, before which memory may have been written
  /// to if `afterWrites` is set.
  void find(mlir::Block &block, bool afterWrites);
  /// The same for the blocks of `branch`, whose scalars move before it.
  void find(mlir::scf::IfOp branch, bool afterWrites);
  /// The iterations of the mainloops in `block`, if they are static and the
  /// same in all branches.
  std::optional<int64_t> countIterations(mlir::Block &block);

  mlir::gpu::GPUFuncOp kernel;
  mlir::Operation *around;
  ClaimOp claim;
  llvm::SmallDenseSet<mlir::Operation *> common;
  llvm::SmallVector<Mainloop> mainloops;
  llvm::SmallVector<LoadOp> once;
};

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_SPECIALIZEWARPS_PRODUCIBLELOADS_H

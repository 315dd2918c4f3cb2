//===----------------------------------------------------------------------===//
// A mainloop of back-to-back GEMMs whose iterations are overlapped, alone or
// with the one that goes on where it ends.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_OVERLAPPER_H
#define STOF_LIB_TILE_TRANSFORMS_OVERLAPPER_H

#include "LoopSlice.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace stof::tile {

/// Overlaps the iterations of one loop.
class Overlapper {
public:
  explicit Overlapper(mlir::scf::WhileOp loop);

  /// Divides the body; returns whether it has a head and a tail with a
  /// contraction each.
  bool divide();
  /// The number of warpgroups that take turns in the contractions, or 0.
  int64_t countTakers() const;
  /// Whether `next`, divided too, goes on where this loop ends: it takes over
  /// the accumulator, has the same tail, and needs nothing else in between.
  bool goesOnIn(const Overlapper &next) const;

  /// Overlaps the iterations of the loop.
  void run();
  /// Overlaps those of both loops, the first one of `next` with the last one
  /// of this loop.
  void runInto(Overlapper &next);

  mlir::scf::WhileOp getLoop() const { return loop; }

private:
  using Values = llvm::SmallVector<mlir::Value>;

  /// Whether `op` is in the loop, but not in its tail.
  bool isInHead(mlir::Operation *op) const;
  /// Whether `op` belongs to the tail, given that its users are known to.
  bool isOfTail(mlir::Operation &op) const;
  /// Finds the operations of `update`; returns whether they only compute.
  bool findUpdate(ContractOp last);
  /// Finds `needed`; returns whether the tail can run an iteration later.
  bool findNeeded();
  /// Whether the tails of both loops do the same.
  bool hasTailOf(const Overlapper &other) const;

  /// Clones the operations of the body before or after the first contraction
  /// that belong to the head, or those of the tail.
  void cloneHead(mlir::OpBuilder &builder, mlir::IRMapping &map,
                 bool first) const;
  void cloneTail(mlir::OpBuilder &builder, mlir::IRMapping &map) const;
  /// Clones what the tail computes of the accumulator, `current`, before its
  /// contraction. Returns the result.
  mlir::Value cloneUpdate(mlir::OpBuilder &builder, mlir::IRMapping &map,
                          mlir::Value current) const;

  /// Releases tiles of the head, cloned under `map`, after its exponentials.
  /// ptxas moves the wait for the last contraction up to what it has to follow,
  /// a release for one: it would come before all exponentials. Returns the last
  /// of these operations, or null.
  mlir::Operation *releaseLate(const mlir::IRMapping &map) const;

  /// Lets warpgroups take turns from the first contraction to the last one.
  void takeTurns(const mlir::IRMapping &head,
                 const mlir::IRMapping &tail) const;

  /// What an iteration hands on, under `map`: the carried values, then those
  /// that its tail needs. The accumulator has not been updated.
  Values getHandedOn(const mlir::IRMapping &map, mlir::Value accumulator) const;
  /// Maps what the tail of the iteration before needs.
  void enterTail(mlir::IRMapping &map, mlir::ValueRange handedOn) const;

  /// Clones the condition for carried `values`, and maps the arguments of the
  /// body to what it passes on.
  mlir::Value test(mlir::OpBuilder &builder, mlir::ValueRange values,
                   mlir::IRMapping &map) const;
  /// What the condition passed on under `map`.
  Values getPassedOn(const mlir::IRMapping &map) const;
  /// The parts of the overlapped loop, each from what is handed on to it to
  /// what it hands on: the head of the first iteration, all further iterations,
  /// the tail of the last one, which gives the results of the loop.
  Values begin(mlir::OpBuilder &builder, mlir::IRMapping &first) const;
  Values iterate(mlir::OpBuilder &builder, mlir::ValueRange handedOn) const;
  Values finish(mlir::OpBuilder &builder, mlir::ValueRange handedOn) const;
  /// Finds the releases behind the loop of tiles that its tail does not read:
  /// they need not wait for the last one. `before` is a loop that reads them
  /// too, or null.
  llvm::SmallVector<ReleaseOp> findReleases(const Overlapper *before) const;
  /// An iteration but for its tail, with the tail of the one before.
  Values overlap(mlir::OpBuilder &builder, mlir::ValueRange handedOn) const;
  /// The initial values of `next`, given the results of this loop.
  Values getInitsOf(const Overlapper &next, mlir::ValueRange results) const;

  mlir::scf::WhileOp loop;
  LoopSlice slice;
  mlir::Block &body;
  mlir::Location loc;
  /// The number of the carried accumulator.
  unsigned accumulator = 0;
  mlir::Operation *firstContraction = nullptr;
  llvm::SmallDenseSet<mlir::Operation *> tail;
  /// The operations of the tail between the carried accumulator and
  /// `accumulated`, that of the last contraction.
  llvm::SmallDenseSet<mlir::Operation *> update;
  mlir::Value accumulated;
  /// Values of the head that the rest of the tail needs.
  llvm::SetVector<mlir::Value> needed;
};

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_OVERLAPPER_H

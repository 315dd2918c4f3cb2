//===----------------------------------------------------------------------===//
// The pass that overlaps an iteration of a mainloop with the next.
//
// A mainloop of back-to-back GEMMs has a chain of dependences in each
// iteration: the first contraction, elementwise operations, the second
// contraction. Here the second one runs in the next iteration, with the first
// one of that iteration in flight before it (FlashAttention-3, section 3.2):
//
//   for j:                        if there is an iteration:
//     s = q k[j]                    s = q k[0], p = f(s), acc = g(acc)
//     p = f(s)             =>       for j from 1 on:
//     acc = g(acc) + p v[j]           s' = q k[j]
//                                     acc = acc + p v[j - 1]
//                                     p' = f(s'), acc = g(acc)
//                                   acc = acc + p v[last]
//
// A loop that goes on where another one ends takes its pipeline over: the last
// tail of that one runs under its first head.
//
// If several warpgroups run it, they take turns in both products: one of them
// multiplies while another computes f (section 3.1 there).
//
// The tail of an iteration are the operations that only the accumulator needs,
// its head all others. Tiles come from channels, in the order of their numbers,
// so the tail can receive its tile an iteration later. What it computes of the
// accumulator before the contraction, g, it does at once: while exponentials
// are computed, other units are idle.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "Overlapper.h"
#include "stof/IR/KernelAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace stof {
#define GEN_PASS_DEF_OVERLAPITERATIONSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

static remark::RemarkOpts getRemark() {
  return remark::RemarkOpts::name("Overlap").category(
      "stof-overlap-iterations");
}

/// The loop as an `scf.while` that carries the induction variable first.
/// Upstream has that as a pass on all loops only (scf-for-to-while).
static scf::WhileOp convertToWhile(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> inits{loop.getLowerBound()};
  llvm::append_range(inits, loop.getInits());
  auto converted = scf::WhileOp::create(
      builder, loc, TypeRange(ValueRange(inits)), inits,
      [&](OpBuilder &inner, Location, ValueRange values) {
        auto order = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                           : arith::CmpIPredicate::slt;
        Value more = arith::CmpIOp::create(inner, loc, order, values.front(),
                                           loop.getUpperBound());
        scf::ConditionOp::create(inner, loc, more, values);
      },
      /*afterBuilder=*/nullptr);
  converted.getAfter().takeBody(loop.getRegion());
  Operation *yield = converted.getAfterBody()->getTerminator();
  builder.setInsertionPoint(yield);
  Value next = arith::AddIOp::create(
      builder, loc, converted.getAfterArguments().front(), loop.getStep());
  yield->insertOperands(0, next);
  loop.replaceAllUsesWith(converted.getResults().drop_front());
  loop.erase();
  return converted;
}

/// Erases what nothing uses in `block`: it would be taken for a part of a tail,
/// or of what is between two loops.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// The loops of `function` whose iterations can be overlapped.
static std::vector<std::unique_ptr<Overlapper>>
findLoops(gpu::GPUFuncOp function) {
  SmallVector<scf::ForOp> counted;
  function.walk([&](scf::ForOp loop) {
    if (llvm::range_size(loop.getBody()->getOps<ContractOp>()) == 2)
      counted.push_back(loop);
  });
  for (scf::ForOp loop : counted)
    convertToWhile(loop);
  SmallVector<scf::WhileOp> loops;
  function.walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  std::vector<std::unique_ptr<Overlapper>> divided;
  for (scf::WhileOp loop : loops) {
    if (loop.getAfterBody()->getOps<ContractOp>().empty())
      continue;
    eraseUnused(*loop->getBlock());
    eraseUnused(*loop.getAfterBody());
    auto overlapper = std::make_unique<Overlapper>(loop);
    if (!overlapper->divide()) {
      remark::missed(loop.getLoc(), getRemark()) << remark::reason(
          "its second contraction does not only accumulate, of tiles of its "
          "own, what the first one and registers give");
      continue;
    }
    divided.push_back(std::move(overlapper));
  }
  return divided;
}

namespace {
struct OverlapIterationsPass
    : stof::impl::OverlapIterationsPassBase<OverlapIterationsPass> {
  using Base::Base;

  void runOnOperation() override {
    DictionaryAttr schedule = stof::scheduleAttr.get(getOperation());
    if (!always && !(schedule && schedule.contains(stof::overlapsEntry)))
      return;
    auto loops = findLoops(getOperation());
    for (size_t i = 0; i < loops.size(); ++i) {
      Overlapper &loop = *loops[i];
      bool goesOn = i + 1 < loops.size() && loop.goesOnIn(*loops[i + 1]);
      remark::passed(loop.getLoop().getLoc(), getRemark())
          << remark::metric("TakingTurns", loop.countTakers())
          << remark::metric("Loops", goesOn ? 2 : 1);
      if (goesOn)
        loop.runInto(*loops[++i]);
      else
        loop.run();
    }
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Kernels that combine the elements of rows, with elementwise computation
// before, between and after.
//
// Where a row fits into registers, a block loads a few of them, computes all
// operations on them and stores what is asked for. Else it walks over its rows:
//
//   1. A reduction can be made once the reductions that it depends on are done;
//      those that can be made at the same time share a walk.
//   2. On each walk tiles are loaded, and computed anew from what is known of
//      their rows.
//   3. The last walk computes and stores the results that have columns.
//===----------------------------------------------------------------------===//

#include "GroupGrid.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

using Role = GroupPlan::Role;

/// Computes rows that are held whole.
static void emitWhole(GroupContext &context, FragmentProgram &program) {
  OpBuilder &body = context.kernel().body();
  for (linalg::LinalgOp op : context.getPlan().getOperations()) {
    if (context.getPlan().getRole(op) == Role::Reduction)
      program.reduce(body, op);
    else
      program.evaluate(body, op);
  }
  program.storeResults(body, /*rowValued=*/true);
  program.storeResults(body, /*rowValued=*/false);
}

namespace {
/// Walks over rows that are not.
class RowWalk {
public:
  RowWalk(GroupContext &context, FragmentProgram &program, int64_t step)
      : context(context), plan(context.getPlan()), program(program),
        step(step) {}

  void emit();

private:
  /// The number of walks after which what `op` needs is known.
  unsigned getTime(linalg::LinalgOp op) const;
  /// Elementwise operations with columns that the results of `wanted` need.
  SmallVector<linalg::LinalgOp> collect(ArrayRef<Operation *> wanted) const;
  void computeRows(unsigned time);
  void combine(ArrayRef<linalg::LinalgOp> reductions);
  void store();

  GroupContext &context;
  const GroupPlan &plan;
  FragmentProgram &program;
  int64_t step;
  /// For each operation, after how many walks its result is known.
  llvm::DenseMap<Operation *, unsigned> known;
};
} // namespace

unsigned RowWalk::getTime(linalg::LinalgOp op) const {
  unsigned time = 0;
  for (Value operand : op->getOperands())
    if (plan.isInner(operand))
      time = std::max(time, known.lookup(plan.getOrigin(operand).getOwner()));
  return time;
}

SmallVector<linalg::LinalgOp>
RowWalk::collect(ArrayRef<Operation *> wanted) const {
  llvm::SmallPtrSet<Operation *, 8> needed(wanted.begin(), wanted.end());
  SmallVector<linalg::LinalgOp> result;
  for (linalg::LinalgOp op : llvm::reverse(plan.getOperations())) {
    if (!needed.contains(op))
      continue;
    bool isHere = plan.isRowValued(op);
    if (!isHere)
      result.insert(result.begin(), op);
    if (isHere && !llvm::is_contained(wanted, op.getOperation()))
      continue;
    for (Value operand : op->getOperands())
      if (plan.isInner(operand))
        needed.insert(plan.getOrigin(operand).getOwner());
  }
  return result;
}

void RowWalk::computeRows(unsigned time) {
  for (linalg::LinalgOp op : plan.getOperations())
    if (plan.getRole(op) == Role::Map && plan.isRowValued(op) &&
        known.lookup(op) == time)
      program.evaluate(context.kernel().body(), op);
}

void RowWalk::combine(ArrayRef<linalg::LinalgOp> reductions) {
  KernelBuilder &kernel = context.kernel();
  OpBuilder &body = kernel.body();
  SmallVector<Value> partials;
  SmallVector<Operation *> wanted;
  for (linalg::LinalgOp op : reductions) {
    partials.push_back(program.beginReduction(body, op));
    wanted.push_back(op);
  }
  auto walk = scf::ForOp::create(
      body, kernel.loc(), kernel.index(0), context.getSize(plan.getColumns()),
      kernel.index(step), partials,
      [&](OpBuilder &inner, Location loc, Value at, ValueRange sofar) {
        program.moveTo(at);
        for (linalg::LinalgOp op : collect(wanted))
          program.evaluate(inner, op);
        SmallVector<Value> next;
        for (auto [op, partial] : llvm::zip(reductions, sofar))
          next.push_back(program.accumulate(inner, op, partial));
        scf::YieldOp::create(inner, loc, next);
      });
  for (auto [op, partial] : llvm::zip(reductions, walk.getResults()))
    program.finishReduction(body, op, partial);
}

void RowWalk::store() {
  KernelBuilder &kernel = context.kernel();
  SmallVector<Operation *> wanted;
  for (OpResult result : plan.getResults())
    if (!plan.isRowValued(cast<linalg::LinalgOp>(result.getOwner())))
      wanted.push_back(result.getOwner());
  if (wanted.empty())
    return;
  scf::ForOp::create(kernel.body(), kernel.loc(), kernel.index(0),
                     context.getSize(plan.getColumns()), kernel.index(step), {},
                     [&](OpBuilder &inner, Location loc, Value at, ValueRange) {
                       program.moveTo(at);
                       for (linalg::LinalgOp op : collect(wanted))
                         program.evaluate(inner, op);
                       program.storeResults(inner, /*rowValued=*/false);
                       scf::YieldOp::create(inner, loc);
                     });
}

void RowWalk::emit() {
  unsigned walks = 0;
  for (linalg::LinalgOp op : plan.getOperations()) {
    bool isReduction = plan.getRole(op) == Role::Reduction;
    known[op] = getTime(op) + isReduction;
    walks = std::max(walks, known[op]);
  }
  program.loadRows(context.kernel().body());
  for (unsigned time = 0; time < walks; ++time) {
    computeRows(time);
    SmallVector<linalg::LinalgOp> reductions;
    for (linalg::LinalgOp op : plan.getOperations())
      if (plan.getRole(op) == Role::Reduction && known[op] == time + 1)
        reductions.push_back(op);
    combine(reductions);
  }
  computeRows(walks);
  program.storeResults(context.kernel().body(), /*rowValued=*/true);
  store();
}

void stof::emitRows(GroupContext &context, const GroupShape &shape) {
  context.kernel().setSchedule(
      shape.isWhole ? "rows" : "row walk",
      {{"rows", shape.rows}, {"columns", shape.columns}});
  FragmentProgram program(context, placeTile(context, shape));
  if (shape.isWhole)
    emitWhole(context, program);
  else
    RowWalk(context, program, shape.columns).emit();
}

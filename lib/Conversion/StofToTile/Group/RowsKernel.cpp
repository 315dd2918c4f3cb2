//===----------------------------------------------------------------------===//
// Row reductions, with elementwise computation before, between and after.
//
// If a row fits in registers, a CTA loads a full-N tile, evaluates all
// operations on it and stores the results. Else it iterates over column tiles:
//
//   1. A reduction follows the reductions that it depends on; independent ones
//      share a loop.
//   2. Each loop loads tiles and recomputes elementwise operations from known
//      row values.
//   3. The last loop computes and stores the results with columns.
//===----------------------------------------------------------------------===//

#include "RowsKernel.h"
#include "GroupGrid.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

using Role = OperationRole;

/// Computes full-N tiles.
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
/// Iterates over the column tiles of rows that do not fit in registers.
class RowReductionLoop {
public:
  RowReductionLoop(GroupContext &context, FragmentProgram &program,
                   int64_t step)
      : context(context), plan(context.getPlan()), program(program),
        step(step) {}

  void emit();

private:
  /// The number of loops after which the operands of `op` are known.
  unsigned getTime(linalg::LinalgOp op) const;
  /// Elementwise operations with columns in the backward slice of `wanted`.
  SmallVector<linalg::LinalgOp> collect(ArrayRef<Operation *> wanted) const;
  void computeRows(unsigned time);
  void combine(ArrayRef<linalg::LinalgOp> reductions);
  void store();

  GroupContext &context;
  const GroupPlan &plan;
  FragmentProgram &program;
  int64_t step;
  /// The number of loops after which the result of an operation is known.
  llvm::DenseMap<Operation *, unsigned> known;
};
} // namespace

unsigned RowReductionLoop::getTime(linalg::LinalgOp op) const {
  unsigned time = 0;
  for (Value operand : op->getOperands())
    if (plan.isInner(operand))
      time = std::max(time, known.lookup(getOrigin(operand).getOwner()));
  return time;
}

SmallVector<linalg::LinalgOp>
RowReductionLoop::collect(ArrayRef<Operation *> wanted) const {
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
        needed.insert(getOrigin(operand).getOwner());
  }
  return result;
}

void RowReductionLoop::computeRows(unsigned time) {
  for (linalg::LinalgOp op : plan.getOperations())
    if (plan.getRole(op) == Role::Map && plan.isRowValued(op) &&
        known.lookup(op) == time)
      program.evaluate(context.kernel().body(), op);
}

void RowReductionLoop::combine(ArrayRef<linalg::LinalgOp> reductions) {
  KernelBuilder &kernel = context.kernel();
  OpBuilder &body = kernel.body();
  SmallVector<Value> partials;
  SmallVector<Operation *> wanted;
  for (linalg::LinalgOp op : reductions) {
    partials.push_back(program.beginReduction(body, op));
    wanted.push_back(op);
  }
  auto loop = scf::ForOp::create(
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
  for (auto [op, partial] : llvm::zip(reductions, loop.getResults()))
    program.finishReduction(body, op, partial);
}

void RowReductionLoop::store() {
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

void RowReductionLoop::emit() {
  unsigned loops = 0;
  for (linalg::LinalgOp op : plan.getOperations()) {
    bool isReduction = plan.getRole(op) == Role::Reduction;
    known[op] = getTime(op) + isReduction;
    loops = std::max(loops, known[op]);
  }
  program.loadRows(context.kernel().body());
  for (unsigned time = 0; time < loops; ++time) {
    computeRows(time);
    SmallVector<linalg::LinalgOp> reductions;
    for (linalg::LinalgOp op : plan.getOperations())
      if (plan.getRole(op) == Role::Reduction && known[op] == time + 1)
        reductions.push_back(op);
    combine(reductions);
  }
  computeRows(loops);
  program.storeResults(context.kernel().body(), /*rowValued=*/true);
  store();
}

void stof::emitRows(GroupContext &context, const GroupShape &shape) {
  context.kernel().setSchedule(
      shape.isWhole ? "rows" : "row loop",
      {{"rows", shape.rows}, {"columns", shape.columns}});
  FragmentProgram program(context, placeTile(context, shape));
  if (shape.isWhole)
    emitWhole(context, program);
  else
    RowReductionLoop(context, program, shape.columns).emit();
}

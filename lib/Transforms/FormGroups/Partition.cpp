//===----------------------------------------------------------------------===//
// Greedy partition of operations into kernels by predicted gain.
//===----------------------------------------------------------------------===//

#include "FormGroups.h"
#include "stof/CostModel/GroupCost.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "stof-form-groups"

using namespace mlir;
using namespace stof;

static remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category(DEBUG_TYPE);
}

namespace {
/// The gain of sharing a kernel, or the reason against it.
struct Joining {
  GroupCost cost;
  double gain = 0;
  double bytesSaved = 0;
  std::string reason;
};

/// A sequence that may still grow, and its cost.
struct Candidate {
  Run run;
  GroupCost cost;
  /// With the next candidate, and with the next two.
  std::optional<Joining> joinings[2];
};
} // namespace

std::string stof::describeRun(ArrayRef<Operation *> run) {
  std::string names;
  for (Operation *op : run)
    names += (names.empty() ? "" : ", ") + op->getName().getStringRef().str();
  return names;
}

static std::string describeNeighbours(ArrayRef<Candidate> neighbours) {
  return llvm::join(llvm::map_range(neighbours,
                                    [](const Candidate &candidate) {
                                      return describeRun(candidate.run);
                                    }),
                    " with ");
}

static Run join(ArrayRef<Candidate> neighbours) {
  Run run;
  for (const Candidate &neighbour : neighbours)
    llvm::append_range(run, neighbour.run);
  return run;
}

/// Evaluates whether neighbours can share a kernel, and the gain.
static Joining evaluateJoining(ArrayRef<Candidate> neighbours,
                               PlanCache &plans) {
  Joining joining;
  const RunPlan &plan = plans.getPlan(join(neighbours));
  if (!plan) {
    joining.reason = plan.getRefusal().reason;
    return joining;
  }
  joining.cost = estimateCost(*plan, plans.getTarget());
  joining.gain = -joining.cost.microseconds;
  joining.bytesSaved = -joining.cost.bytes;
  for (const Candidate &neighbour : neighbours) {
    joining.gain += neighbour.cost.microseconds;
    joining.bytesSaved += neighbour.cost.bytes;
  }
  if (joining.gain <= 0)
    joining.reason = "the joint kernel is predicted to be slower";
  LDBG() << describeNeighbours(neighbours) << ": a gain of "
         << llvm::formatv("{0:f1}", joining.gain) << " us";
  return joining;
}

/// The index at which joining a candidate with the next `count` gains most;
/// nothing if no join gains.
static std::optional<size_t> findBest(MutableArrayRef<Candidate> candidates,
                                      size_t count, PlanCache &plans) {
  std::optional<size_t> best;
  double most = 0;
  for (size_t i = 0; i + count < candidates.size(); ++i) {
    std::optional<Joining> &joining = candidates[i].joinings[count - 1];
    if (!joining)
      joining = evaluateJoining(candidates.slice(i, count + 1), plans);
    if (joining->gain > most) {
      most = joining->gain;
      best = i;
    }
  }
  return best;
}

/// Whether data flows from one to the other.
static bool areRelated(const Candidate &first, const Candidate &second) {
  llvm::SmallPtrSet<Operation *, 8> users(second.run.begin(), second.run.end());
  SmallVector<Operation *> worklist(first.run);
  Block *block = first.run.front()->getBlock();
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      user = block->findAncestorOpInBlock(*user);
      if (!user)
        continue;
      if (users.contains(user))
        return true;
      if (isReshape(user))
        worklist.push_back(user);
    }
  return false;
}

static GroupCost costOf(ArrayRef<Operation *> run, PlanCache &plans) {
  const RunPlan &plan = plans.getPlan(run);
  bool hasKernel = plan && !plan->isAttention();
  return hasKernel ? estimateCost(*plan, plans.getTarget()) : GroupCost();
}

SmallVector<Run> stof::partition(ArrayRef<Operation *> operations,
                                 PlanCache &plans) {
  SmallVector<Candidate> candidates;
  for (Operation *op : operations) {
    Candidate &candidate = candidates.emplace_back();
    candidate.run = {op};
    candidate.cost = costOf(candidate.run, plans);
  }
  // Also try triples: contractions may gain only jointly if one of them is
  // rotated, since that changes the best tile of all.
  while (true) {
    size_t count = 1;
    std::optional<size_t> best = findBest(candidates, count, plans);
    if (!best)
      best = findBest(candidates, ++count, plans);
    if (!best)
      break;
    ArrayRef<Candidate> joined =
        ArrayRef<Candidate>(candidates).slice(*best, count + 1);
    Candidate all;
    all.run = join(joined);
    all.cost = joined[0].joinings[count - 1]->cost;
    int64_t bytes = joined[0].joinings[count - 1]->bytesSaved;
    LDBG() << describeNeighbours(joined) << ": share a kernel";
    remark::passed(joined.back().run.back()->getLoc(), named("Fused"))
        << describeNeighbours(joined)
        << remark::metric("BytesSaved", std::to_string(bytes));
    candidates[*best] = std::move(all);
    candidates.erase(candidates.begin() + *best + 1,
                     candidates.begin() + *best + 1 + count);
    for (size_t before = 1; before <= std::min<size_t>(2, *best); ++before)
      for (size_t with = before; with <= 2; ++with)
        candidates[*best - before].joinings[with - 1].reset();
  }
  SmallVector<Run> runs;
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    if (i + 1 < candidates.size() && areRelated(candidate, candidates[i + 1]))
      remark::missed(candidates[i + 1].run.front()->getLoc(), named("NotFused"))
          << describeRun(candidate.run) + " with " +
                 describeRun(candidates[i + 1].run)
          << remark::reason("{0}", candidate.joinings[0]->reason);
    runs.push_back(candidate.run);
  }
  return runs;
}

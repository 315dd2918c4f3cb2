//===----------------------------------------------------------------------===//
// Greedy partition of operations into kernels by predicted gain.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/FormGroups/Steps.h"

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
  OpSequence sequence;
  GroupCost cost;
  /// With the next candidate, and with the next two.
  std::optional<Joining> joinings[2];
};
} // namespace

std::string stof::describeSequence(ArrayRef<Operation *> sequence) {
  std::string names;
  for (Operation *op : sequence)
    names += (names.empty() ? "" : ", ") + op->getName().getStringRef().str();
  return names;
}

static std::string describeNeighbours(ArrayRef<Candidate> neighbours) {
  return llvm::join(llvm::map_range(neighbours,
                                    [](const Candidate &candidate) {
                                      return describeSequence(
                                          candidate.sequence);
                                    }),
                    " with ");
}

static OpSequence join(ArrayRef<Candidate> neighbours) {
  OpSequence sequence;
  for (const Candidate &neighbour : neighbours)
    llvm::append_range(sequence, neighbour.sequence);
  return sequence;
}

/// Evaluates whether neighbours can share a kernel, and the gain.
static Joining evaluateJoining(ArrayRef<Candidate> neighbours,
                               PlanCache &plans) {
  Joining joining;
  const SequencePlan &plan = plans.getPlan(join(neighbours));
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
  llvm::SmallPtrSet<Operation *, 8> users(second.sequence.begin(),
                                          second.sequence.end());
  SmallVector<Operation *> worklist(first.sequence);
  Block *block = first.sequence.front()->getBlock();
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

GroupCost stof::estimateCost(ArrayRef<Operation *> sequence, PlanCache &plans) {
  const SequencePlan &plan = plans.getPlan(sequence);
  bool hasKernel = plan && !plan->isAttention();
  return hasKernel ? stof::estimateCost(*plan, plans.getTarget()) : GroupCost();
}

SmallVector<OpSequence> stof::partition(ArrayRef<Operation *> operations,
                                        PlanCache &plans) {
  SmallVector<Candidate> candidates;
  for (Operation *op : operations) {
    Candidate &candidate = candidates.emplace_back();
    candidate.sequence = {op};
    candidate.cost = estimateCost(candidate.sequence, plans);
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
    all.sequence = join(joined);
    all.cost = joined[0].joinings[count - 1]->cost;
    int64_t bytes = joined[0].joinings[count - 1]->bytesSaved;
    LDBG() << describeNeighbours(joined) << ": share a kernel";
    remark::passed(joined.back().sequence.back()->getLoc(), named("Fused"))
        << describeNeighbours(joined)
        << remark::metric("BytesSaved", std::to_string(bytes));
    candidates[*best] = std::move(all);
    candidates.erase(candidates.begin() + *best + 1,
                     candidates.begin() + *best + 1 + count);
    for (size_t before = 1; before <= std::min<size_t>(2, *best); ++before)
      for (size_t with = before; with <= 2; ++with)
        candidates[*best - before].joinings[with - 1].reset();
  }
  SmallVector<OpSequence> sequences;
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    if (i + 1 < candidates.size() && areRelated(candidate, candidates[i + 1]))
      remark::missed(candidates[i + 1].sequence.front()->getLoc(),
                     named("NotFused"))
          << describeSequence(candidate.sequence) + " with " +
                 describeSequence(candidates[i + 1].sequence)
          << remark::reason("{0}", candidate.joinings[0]->reason);
    sequences.push_back(candidate.sequence);
  }
  return sequences;
}

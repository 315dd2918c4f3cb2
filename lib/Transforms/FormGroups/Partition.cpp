//===----------------------------------------------------------------------===//
// Which operations share a kernel.
//===----------------------------------------------------------------------===//

#include "FormGroups.h"
#include "stof/Analysis/GroupCost.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace stof;

static remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-form-groups");
}

namespace {
/// A run that may still grow, and what it costs.
struct Candidate {
  Run run;
  GroupCost cost;
  /// What joining it with the next one saves, or why it is not done.
  double gain = 0;
  double bytesSaved = 0;
  std::string reason;
  bool isAsked = false;
};
} // namespace

std::string stof::describeRun(ArrayRef<Operation *> run) {
  std::string names;
  for (Operation *op : run)
    names += (names.empty() ? "" : ", ") + op->getName().getStringRef().str();
  return names;
}

static Run join(const Candidate &first, const Candidate &second) {
  Run run(first.run);
  llvm::append_range(run, second.run);
  return run;
}

/// Asks whether two neighbours can share a kernel, and what that gains.
static void ask(Candidate &first, const Candidate &second, StringRef chip) {
  first.isAsked = true;
  first.gain = 0;
  GroupSections sections = planRun(join(first, second));
  if (!sections.isLegal()) {
    first.reason = sections.getReason();
    return;
  }
  GroupCost both = estimateCost(sections, chip);
  first.gain =
      first.cost.microseconds + second.cost.microseconds - both.microseconds;
  first.bytesSaved = first.cost.bytes + second.cost.bytes - both.bytes;
  if (first.gain <= 0)
    first.reason = "it would take longer";
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

static GroupCost costOf(ArrayRef<Operation *> run, StringRef chip) {
  GroupSections sections = planRun(run);
  bool hasKernel = sections.isLegal() && !sections.isAttention();
  return hasKernel ? estimateCost(sections, chip) : GroupCost();
}

SmallVector<Run> stof::partition(ArrayRef<Operation *> operations,
                                 StringRef chip) {
  SmallVector<Candidate> candidates;
  for (Operation *op : operations) {
    Candidate &candidate = candidates.emplace_back();
    candidate.run = {op};
    candidate.cost = costOf(candidate.run, chip);
  }
  while (candidates.size() > 1) {
    size_t best = 0;
    for (size_t i = 0; i + 1 < candidates.size(); ++i) {
      if (!candidates[i].isAsked)
        ask(candidates[i], candidates[i + 1], chip);
      if (candidates[i].gain > candidates[best].gain)
        best = i;
    }
    Candidate &first = candidates[best], &second = candidates[best + 1];
    if (first.gain <= 0)
      break;
    remark::passed(second.run.back()->getLoc(), named("Fused"))
        << describeRun(first.run) + " with " + describeRun(second.run)
        << remark::metric("BytesSaved", std::to_string(static_cast<int64_t>(
                                            first.bytesSaved)));
    first.run = join(first, second);
    first.cost = costOf(first.run, chip);
    first.isAsked = false;
    candidates.erase(candidates.begin() + best + 1);
    if (best > 0)
      candidates[best - 1].isAsked = false;
  }
  SmallVector<Run> runs;
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    if (i + 1 < candidates.size() && areRelated(candidate, candidates[i + 1]))
      remark::missed(candidates[i + 1].run.front()->getLoc(), named("NotFused"))
          << describeRun(candidate.run) + " with " +
                 describeRun(candidates[i + 1].run)
          << remark::reason("{0}", candidate.reason);
    runs.push_back(candidate.run);
  }
  return runs;
}

//===----------------------------------------------------------------------===//
// Forms groups of operations that one kernel computes, as a scheme or the cost
// model decides.
//===----------------------------------------------------------------------===//

#include "stof/Support/ResolveTarget.h"
#include "stof/Transforms/FormGroups/Steps.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_FORMGROUPSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

struct FormGroupsPass : stof::impl::FormGroupsPassBase<FormGroupsPass> {
  using Base::Base;
  void runOnOperation() override {
    FailureOr<const TargetInfo *> known = resolveTarget(getOperation(), chip);
    if (failed(known))
      return signalPassFailure();
    const TargetInfo *target = *known;
    if (target && !target->hasOwnFigures())
      remark::analysis(getOperation().getLoc(),
                       remark::RemarkOpts::name("StandInFigures")
                           .category("stof-form-groups"))
          << ("kernels for " + target->name +
              " are ranked by the figures of the " + target->getFigures().name +
              ", since no device of that architecture was measured")
                 .str();
    IRRewriter rewriter(&getContext());
    for (Block &block : getOperation().getBody())
      prepareOperations(rewriter, block);
    PlanCache plans(target);
    // The attribute of a function with groups describes these already.
    bool isFirst = getOperation().getOps<GroupOp>().empty();
    FailureOr<SmallVector<OpSequence>> sequences =
        findSequences(plans, isFirst);
    if (failed(sequences))
      return signalPassFailure();
    std::string used;
    for (auto [number, sequence] : llvm::enumerate(*sequences))
      used.append(sequence.size(), number % 2 ? '1' : '0');
    if (!used.empty() && isFirst)
      getOperation()->setAttr(schemeAttrName,
                              SchemeAttr::get(&getContext(), used));
    // Groups change the operations that other plans name.
    auto planned =
        llvm::map_to_vector(*sequences, [&](const OpSequence &sequence) {
          return &plans.getPlan(sequence);
        });
    for (auto [sequence, plan] : llvm::zip(*sequences, planned))
      if (!isa<AttentionOp>(sequence.front()))
        form(rewriter, sequence, *plan);
    for (Block &block : getOperation().getBody())
      sortTopologically(&block);
  }

private:
  /// The operations of each group: those of the scheme, if one is asked for,
  /// else those that the cost model chooses.
  FailureOr<SmallVector<OpSequence>> findSequences(PlanCache &plans,
                                                   bool isFirst) {
    SmallVector<OpSequence> listed =
        llvm::map_to_vector(getOperation().getBody(), [&](Block &block) {
          return listOperations(block, plans);
        });
    FailureOr<std::optional<std::string>> asked =
        isFirst || !scheme.empty() ? getScheme() : std::optional<std::string>();
    if (failed(asked))
      return failure();
    if (*asked) {
      OpSequence operations;
      for (const OpSequence &ofBlock : listed)
        llvm::append_range(operations, ofBlock);
      return applyScheme(**asked, operations, plans);
    }
    SmallVector<OpSequence> sequences;
    for (const OpSequence &ofBlock : listed)
      llvm::append_range(sequences, stof::partition(ofBlock, plans));
    return sequences;
  }

  /// The bits of the option or the attribute, if there are any.
  FailureOr<std::optional<std::string>> getScheme() {
    if (!scheme.empty()) {
      std::optional<std::string> bits = SchemeAttr::readBits(scheme);
      if (bits)
        return bits;
      return getOperation().emitOpError()
             << "expects a scheme of bits 0 and 1, or 0xDIGITS:LENGTH, but got "
                "'"
             << scheme << "'";
    }
    Attribute given = getOperation()->getAttr(schemeAttrName);
    if (!given)
      return std::optional<std::string>();
    if (auto attribute = dyn_cast<SchemeAttr>(given))
      return std::optional(attribute.getBits().str());
    return getOperation().emitOpError()
           << "expects attribute '" << schemeAttrName
           << "' to be a #stof.scheme, but got " << given;
  }

  FailureOr<SmallVector<OpSequence>>
  applyScheme(StringRef bits, ArrayRef<Operation *> operations,
              PlanCache &plans) {
    if (bits.size() != operations.size())
      return getOperation().emitOpError()
             << "expects a scheme of " << operations.size()
             << " bits, one for each operation, but got " << bits.size();
    SmallVector<OpSequence> sequences;
    for (auto [number, op] : llvm::enumerate(operations)) {
      if (number == 0 || bits[number] != bits[number - 1] ||
          op->getBlock() != operations[number - 1]->getBlock())
        sequences.emplace_back();
      sequences.back().push_back(op);
    }
    for (const OpSequence &sequence : sequences) {
      const SequencePlan &plan = plans.getPlan(sequence);
      if (plan || sequence.size() == 1)
        continue;
      InFlightDiagnostic error =
          getOperation().emitOpError()
          << "cannot be grouped by the scheme '" << bits
          << "': " << describeOperation(plan.getRefusal().op) << ": "
          << plan.getRefusal().reason;
      error.attachNote(plan.getRefusal().op->getLoc())
          << "the operation is here";
      return error;
    }
    return sequences;
  }

  void form(IRRewriter &rewriter, const OpSequence &sequence,
            const SequencePlan &plan) {
    int64_t intensive = llvm::count_if(sequence, [](Operation *op) {
      return classifyOperation(op) == OperationClass::ComputeIntensive;
    });
    std::string names = describeSequence(sequence);
    size_t branches = plan ? plan->getBranches().size() : 1;
    GroupOp group = buildGroup(rewriter, sequence, plan);
    remark::analysis(
        group.getLoc(),
        remark::RemarkOpts::name("FormedGroup").category("stof-form-groups"))
        << "a group of " + names
        << remark::metric("ComputeIntensive", std::to_string(intensive))
        << remark::metric("MemoryIntensive",
                          std::to_string(sequence.size() - intensive))
        << remark::metric("Branches", std::to_string(branches));
  }
};

} // namespace

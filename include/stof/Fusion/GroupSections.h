//===----------------------------------------------------------------------===//
// The parts of a group.
//
// A group is one computation over one domain (GroupPlan.h), or, if it has no
// such plan, one for each of the parts between which no data flows; parts that
// read the same and have a plan together remain one. One kernel computes all:
// its grid has the blocks of one section after the other's, and a block finds
// its section by its number.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPSECTIONS_H
#define STOF_FUSION_GROUPSECTIONS_H

#include "stof/Fusion/GroupPlan.h"

namespace stof {

class GroupSections {
public:
  /// Plans the group of `members`: the operations in order, and reshapes
  /// between them. What else is among them may only carry what they read.
  explicit GroupSections(llvm::ArrayRef<mlir::Operation *> members);

  /// Takes back that there is a kernel.
  bool refuse(mlir::Operation *op, llvm::StringRef why);

  bool isLegal() const { return reason.empty(); }
  /// Why there is no kernel, and the operation to blame.
  llvm::StringRef getReason() const { return reason; }
  mlir::Operation *getCulprit() const { return culprit; }

  /// Those whose blocks take longest come first, so that shorter ones fill the
  /// last wave of blocks.
  llvm::ArrayRef<GroupPlan> getSections() const { return sections; }
  bool isAttention() const {
    return sections.front().getTemplate() == GroupTemplate::Attention;
  }
  /// What computes, section after section; no attention.
  llvm::SmallVector<mlir::linalg::LinalgOp> getOperations() const;
  /// The results of operations that somebody else uses.
  llvm::SmallVector<mlir::OpResult> getResults() const;

private:
  void plan(llvm::ArrayRef<llvm::SmallVector<mlir::Operation *>> parts);
  bool checkOrder(llvm::ArrayRef<mlir::Operation *> members);

  std::string reason;
  mlir::Operation *culprit = nullptr;
  llvm::SmallVector<GroupPlan, 0> sections;
};

} // namespace stof

#endif // STOF_FUSION_GROUPSECTIONS_H

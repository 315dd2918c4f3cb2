//===----------------------------------------------------------------------===//
// The plan of a kernel for a group of operations, or the reason why none
// exists.
//
// Loops of all operations are related through the values that connect them and
// their indexing maps. Together they form the iteration space of the group, a
// set of dim factors (IterationSpace.h). A kernel tiles two contiguous
// sequences of them, rows and columns, and takes single values of the others,
// the batch:
//
//   elementwise   columns are the innermost contiguous dim factors, rows those
//                 before them;
//   rows          columns are reduced: a tile has all of them, or the kernel
//                 iterates over them;
//   contraction   rows and columns are M and N of the contractions, several of
//                 which may share their loops. Operands may be computed
//                 elementwise by producers, among them other contractions
//                 (back-to-back GEMM). The epilogue may read other columns of
//                 its row, or reduce columns: the tile then is a full-N tile.
//
// Each step of a plan is a function from the values of the steps before it to a
// value or a Refusal:
//
//   collectMembers       operations and results        GroupMembers
//   relateLoops          the iteration space           GroupLoops
//   assignRoles          what each operation is        OperationRoles
//   findPrologues        producers of operands         GroupPrologues
//   shareMainloop        one K for all contractions    GroupLoops
//   findUnsplitColumns   what an epilogue needs whole  DimFactors
//   findDomain           what tiles cover              GroupDomain
//   chooseAxes           rows, columns, batch          GroupAxes
//
// No step asks a target or a cost: whether a plan has tiles is asked in
// CostModel. Group formation and lowering plan by the same function: a group
// that is formed compiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPPLAN_H
#define STOF_FUSION_GROUPPLAN_H

#include "stof/Fusion/GroupAxes.h"

namespace stof {

/// The values of all steps. A plan names operations and values of the group; it
/// is valid until one of them changes.
class GroupPlan {
public:
  /// Plans the group of `ops`: its operations in order and the reshapes between
  /// them. Other operations are ignored.
  static PlanResult<GroupPlan> of(llvm::ArrayRef<mlir::Operation *> ops);

  //===--------------------------------------------------------------------===//
  // Members and their roles
  //===--------------------------------------------------------------------===//

  GroupTemplate getTemplate() const { return roles.kind; }
  /// The operations in order, without attention.
  llvm::ArrayRef<mlir::linalg::LinalgOp> getOperations() const {
    return members.operations;
  }
  /// Results with uses outside the group.
  llvm::ArrayRef<mlir::OpResult> getResults() const { return members.results; }
  /// The first contraction, else the first operation.
  mlir::linalg::LinalgOp getMainOperation() const {
    return roles.getMain(members);
  }
  llvm::ArrayRef<mlir::linalg::LinalgOp> getContractions() const {
    return roles.contractions;
  }
  /// The contractions that operands of getContractions() are computed from.
  llvm::ArrayRef<mlir::linalg::LinalgOp> getBackToBack() const {
    return roles.backToBack;
  }
  bool isBackToBack(mlir::linalg::LinalgOp op) const {
    return roles.isBackToBack(op);
  }
  OperationRole getRole(mlir::linalg::LinalgOp op) const {
    return roles.getRole(op);
  }

  /// The fused producers of a contraction operand in program order; empty if
  /// the operand is a group input.
  llvm::ArrayRef<mlir::linalg::LinalgOp>
  getPrologue(const mlir::OpOperand &operand) const {
    return prologues.get(operand.get(), loops);
  }
  bool hasPrologues() const { return !prologues.empty(); }
  bool isInPrologue(mlir::Operation *op) const {
    return prologues.contains(op);
  }

  //===--------------------------------------------------------------------===//
  // The iteration space
  //===--------------------------------------------------------------------===//

  // GroupLoops.h documents these.
  bool isInner(mlir::Value value) const { return loops.isInner(value); }
  const FactorExtent &getExtent(unsigned dimFactor) const {
    return loops.getExtent(dimFactor);
  }
  DimFactors flattenLoop(mlir::linalg::LinalgOp op, unsigned loop) const {
    return loops.flattenLoop(op, loop);
  }
  std::optional<DimFactors> getLoopDimFactors(mlir::linalg::LinalgOp op,
                                              unsigned loop) const {
    return loops.getLoopDimFactors(op, loop);
  }
  DimFactors getIterationDimFactors(mlir::linalg::LinalgOp op) const {
    return loops.getIterationDimFactors(op);
  }
  DimFactors getResultDimFactors(mlir::OpResult result) const {
    return loops.getValueDimFactors(result);
  }
  std::optional<llvm::SmallVector<DimFactors>>
  getOperandDims(mlir::OpOperand &operand) const {
    return loops.getOperandDims(operand);
  }
  std::optional<DimFactors>
  getOperandDimFactors(mlir::OpOperand &operand) const {
    return loops.getOperandDimFactors(operand);
  }
  llvm::ArrayRef<ElementRead> getElementReads() const {
    return loops.getElementReads();
  }
  DimFactors getReadDimFactors(const ElementRead &read, unsigned dim) const {
    return loops.getReadDimFactors(read, dim);
  }

  /// Whether an operation has one value for all columns, those of the plan or
  /// given ones.
  bool isRowValued(mlir::linalg::LinalgOp op) const {
    return isRowValued(op, getColumns());
  }
  bool isRowValued(mlir::linalg::LinalgOp op,
                   llvm::ArrayRef<unsigned> columns) const {
    return stof::isRowValued(op, columns, loops, roles);
  }

  //===--------------------------------------------------------------------===//
  // Axes
  //===--------------------------------------------------------------------===//

  llvm::ArrayRef<unsigned> getBatch() const { return axes.batch; }
  llvm::ArrayRef<unsigned> getRows() const { return axes.rows; }
  llvm::ArrayRef<unsigned> getColumns() const { return axes.column.columns; }
  // ColumnAxis documents these.
  llvm::ArrayRef<unsigned> getUnsplitColumns() const {
    return axes.column.unsplit;
  }
  int64_t getColumnUnit() const { return axes.column.unit; }
  bool needsFullN() const { return axes.column.needsFullN; }
  llvm::ArrayRef<FullNTile> getFullNTiles() const {
    return axes.column.fullNTiles;
  }
  /// K of a contraction, and of those that share the mainloop.
  const ReductionFactors &
  getReductionFactors(mlir::linalg::LinalgOp contraction) const;
  llvm::ArrayRef<unsigned> getKFactors() const {
    return getReductionFactors(roles.contractions.front()).steps;
  }
  llvm::ArrayRef<unsigned> getOuterKFactors() const {
    return getReductionFactors(roles.contractions.front()).outer;
  }
  /// The batch dim factor whose columns a tile may span (GroupAxes).
  std::optional<unsigned> getFoldedBatch() const { return axes.foldedBatch; }
  std::optional<unsigned>
  findLeftOperand(mlir::linalg::LinalgOp contraction,
                  llvm::ArrayRef<unsigned> rows,
                  llvm::ArrayRef<unsigned> columns) const {
    return stof::findLeftOperand(loops, contraction, rows, columns);
  }

private:
  GroupPlan(GroupMembers members, GroupLoops loops, OperationRoles roles,
            GroupPrologues prologues, GroupAxes axes);

  GroupMembers members;
  GroupLoops loops;
  OperationRoles roles;
  GroupPrologues prologues;
  GroupAxes axes;
};

} // namespace stof

#endif // STOF_FUSION_GROUPPLAN_H

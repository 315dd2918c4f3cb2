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
// Group formation and lowering share this class: a group that is formed
// compiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPPLAN_H
#define STOF_FUSION_GROUPPLAN_H

#include "stof/Fusion/FullNTile.h"
#include "stof/Fusion/IterationSpace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// Whether an operation is bound by arithmetic or by memory.
enum class OperationClass { ComputeIntensive, MemoryIntensive };

OperationClass classifyOperation(mlir::Operation *op);

/// Whether a kernel computes `op`, alone or in a group: an attention, or a
/// linalg operation on tensors other than an initial value.
bool isGroupable(mlir::Operation *op);

/// Whether `op` only changes the shape of a tensor.
bool isReshape(mlir::Operation *op);

/// The loops of a contraction. Batch loops index the result and both operands,
/// rows (M) and columns (N) the result and one operand, inner (K) the operands
/// only.
struct ContractionLoops {
  llvm::SmallVector<unsigned, 2> batch, rows, columns, inner;
};

/// The loops of a contraction for tensor cores: operands of one 16-bit float
/// type or f32.
std::optional<ContractionLoops> getContractionLoops(mlir::linalg::LinalgOp op);

/// The operation that combines the accumulator of a reduction with a new value;
/// null unless it is the only one and has a neutral element.
mlir::Operation *getCombiner(mlir::linalg::LinalgOp op);

/// A read of a value of the group at another element than the reader's own.
struct ElementRead {
  mlir::linalg::LinalgOp reader;
  mlir::Operation *extract;
  /// The dims whose index is not the reader's own.
  llvm::SmallVector<unsigned, 2> moved;
  /// Whether an index depends on elements of tensors.
  bool isFound = false;

  mlir::Value getTensor() const { return extract->getOperand(0); }
};

enum class GroupTemplate { Elementwise, Rows, Contraction, Attention };

class GroupPlan {
public:
  /// The role of an operation in its group.
  enum class Role {
    /// Elementwise; reduction loops run per element.
    Map,
    /// Reduces the columns.
    Reduction,
    Contraction
  };

  /// Plans the group of `members`: its operations in order and the reshapes
  /// between them. Other operations are ignored.
  explicit GroupPlan(llvm::ArrayRef<mlir::Operation *> members);

  bool isLegal() const { return reason.empty(); }
  /// The reason why no kernel exists, and the operation that causes it.
  llvm::StringRef getReason() const { return reason; }
  mlir::Operation *getCulprit() const { return culprit; }

  GroupTemplate getTemplate() const { return kind; }
  /// The operations in order, without attention.
  llvm::ArrayRef<mlir::linalg::LinalgOp> getOperations() const {
    return operations;
  }
  /// The first contraction, else the first operation.
  mlir::linalg::LinalgOp getMainOperation() const {
    return contractions.empty() ? operations.front() : contractions.front();
  }
  llvm::ArrayRef<mlir::linalg::LinalgOp> getContractions() const {
    return contractions;
  }
  /// The contractions that operands of getContractions() are computed from.
  llvm::ArrayRef<mlir::linalg::LinalgOp> getBackToBack() const {
    return backToBack;
  }
  bool isBackToBack(mlir::linalg::LinalgOp op) const {
    return llvm::is_contained(backToBack, op);
  }
  /// Results with uses outside the group.
  llvm::ArrayRef<mlir::OpResult> getResults() const { return results; }

  Role getRole(mlir::linalg::LinalgOp op) const;

  /// The fused producers of a contraction operand in program order; empty if
  /// the operand is a group input.
  llvm::ArrayRef<mlir::linalg::LinalgOp>
  getPrologue(const mlir::OpOperand &operand) const;
  bool hasPrologues() const { return !beforeContractions.empty(); }
  bool isInPrologue(mlir::Operation *op) const {
    return beforeContractions.contains(op);
  }

  /// Whether the group computes `value`, and the operation result that `value`
  /// is a reshape of.
  bool isInner(mlir::Value value) const { return computed.contains(value); }
  mlir::OpResult getOrigin(mlir::Value value) const;

  /// The iteration space.
  llvm::ArrayRef<unsigned> getBatch() const { return batch; }
  llvm::ArrayRef<unsigned> getRows() const { return rows; }
  llvm::ArrayRef<unsigned> getColumns() const { return columns; }
  /// The dim factors of K that K tiles divide, and those that are iterated one
  /// value at a time.
  llvm::ArrayRef<unsigned> getKFactors() const {
    return getSummed(contractions.front()).steps;
  }
  llvm::ArrayRef<unsigned> getOuterKFactors() const {
    return getSummed(contractions.front()).outer;
  }
  /// The same for any contraction.
  struct ReductionFactors {
    DimFactors steps, outer;

    bool operator==(const ReductionFactors &other) const {
      return steps == other.steps && outer == other.outer;
    }
  };
  const ReductionFactors &getSummed(mlir::linalg::LinalgOp contraction) const {
    // Contractions that share a mainloop share its K dims.
    mlir::Operation *own =
        isBackToBack(contraction) ? contraction : contractions.front();
    return summed.find(own)->second;
  }
  /// The operand of a back-to-back contraction with the rows of its tiles,
  /// given the dim factors of the `rows` and `columns` of these; nothing if
  /// neither operand matches.
  std::optional<unsigned>
  findLeftOperand(mlir::linalg::LinalgOp contraction,
                  llvm::ArrayRef<unsigned> rows,
                  llvm::ArrayRef<unsigned> columns) const;
  const FactorExtent &getExtent(unsigned dimFactor) const {
    return table.getExtent(dimFactor);
  }
  /// The trailing column dim factors of a contraction that a tile must not
  /// split.
  llvm::ArrayRef<unsigned> getUnsplitColumns() const { return unsplitColumns; }
  /// Number of unsplit columns; the width of a tile is a multiple of it.
  int64_t getColumnUnit() const { return columnUnit; }
  /// Tiles that fit in registers, and whether a tile needs all unsplit columns.
  llvm::ArrayRef<FullNTile> getFullNTiles() const { return fullNTiles; }
  bool needsFullN() const { return mustBeFullN; }
  /// The batch dim factor that directly precedes the columns in the right
  /// operands of all contractions and is absent from the left ones. A tile may
  /// span the columns of several of its values, e.g. of several heads.
  std::optional<unsigned> getFoldedBatch() const { return foldedBatch; }

  llvm::ArrayRef<ElementRead> getElementReads() const { return reads; }
  /// The dim factors of index `dim` of a read.
  DimFactors getReadDimFactors(const ElementRead &read, unsigned dim) const;

  /// The dim factors of a loop; nothing for a reduction loop that runs per
  /// element.
  std::optional<DimFactors> getLoopDimFactors(mlir::linalg::LinalgOp op,
                                              unsigned loop) const;
  /// The same, also for loops that run per element.
  DimFactors flattenLoop(mlir::linalg::LinalgOp op, unsigned loop) const {
    return table.flatten(loops.at(op)[loop]);
  }
  /// The dim factors of an operand in row-major order, if its operation reads
  /// each element exactly once.
  std::optional<DimFactors>
  getOperandDimFactors(mlir::OpOperand &operand) const;
  /// The same per dim of the operand.
  std::optional<llvm::SmallVector<DimFactors>>
  getOperandDims(mlir::OpOperand &operand) const;
  DimFactors getResultDimFactors(mlir::OpResult result) const;
  /// The dim factors of all loops, also of those that run per element.
  DimFactors getIterationDimFactors(mlir::linalg::LinalgOp op) const {
    return getAllDimFactors(op, /*parallel=*/true, /*reduced=*/true);
  }

  /// Whether an operation has one value for all columns, those of the plan or
  /// given ones.
  bool isRowValued(mlir::linalg::LinalgOp op) const {
    return isRowValued(op, columns);
  }
  bool isRowValued(mlir::linalg::LinalgOp op,
                   llvm::ArrayRef<unsigned> columns) const;

private:
  bool refuse(mlir::Operation *op, const llvm::Twine &why);
  bool collect(llvm::ArrayRef<mlir::Operation *> members);
  bool addLoops(mlir::linalg::LinalgOp op);
  bool addReshape(mlir::Operation *op);
  bool relate(mlir::linalg::LinalgOp op, mlir::OpOperand &operand);
  void connect();
  bool isInjective(mlir::linalg::LinalgOp op,
                   const IterationSpace &dimFactors) const;
  bool relateElements(mlir::linalg::LinalgOp op);
  bool relateElement(mlir::linalg::LinalgOp op, mlir::Operation *user);
  bool checkElements();
  bool chooseTemplate();
  bool checkContractions();
  bool addPrologue(mlir::linalg::LinalgOp contraction,
                   mlir::OpOperand &operand);
  bool checkPrologues();
  void findBackToBack();
  bool checkBackToBack();
  bool checkDomain();
  bool chooseAxes();
  void chooseSummed(mlir::linalg::LinalgOp contraction,
                    llvm::ArrayRef<DimFactors> orders);
  bool chooseColumns(DimFactors available, llvm::ArrayRef<DimFactors> orders);
  std::optional<unsigned> findFoldedBatch() const;
  llvm::SmallVector<DimFactors> collectOrders() const;
  DimFactors getDimFactors(mlir::linalg::LinalgOp op,
                           llvm::ArrayRef<unsigned> which) const;
  DimFactors getAllDimFactors(mlir::linalg::LinalgOp op, bool parallel,
                              bool reduced) const;

  std::string reason;
  mlir::Operation *culprit = nullptr;
  GroupTemplate kind = GroupTemplate::Elementwise;
  llvm::SmallVector<mlir::linalg::LinalgOp> operations;
  llvm::SmallVector<mlir::OpResult> results;
  llvm::SmallVector<mlir::linalg::LinalgOp, 2> contractions, backToBack;
  /// The producers of contraction operands by the result that they compute.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::linalg::LinalgOp>>
      prologues;
  llvm::SmallPtrSet<mlir::Operation *, 4> beforeContractions;
  llvm::SmallVector<ElementRead> reads;
  IterationSpace table;
  /// The initial dim factor of each loop; `table` records how it was split.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> loops;
  /// The dims of each value of the group.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<DimFactors>> computed;
  DimFactors batch, rows, columns, domain;
  llvm::DenseMap<mlir::Operation *, ReductionFactors> summed;
  /// Columns that are reduced, and those that a tile must not split.
  DimFactors combined, unsplitColumns;
  int64_t columnUnit = 1;
  llvm::SmallVector<FullNTile, 2> fullNTiles;
  bool mustBeFullN = false;
  std::optional<unsigned> foldedBatch;
};

/// The name of `op` in messages.
std::string describeOperation(mlir::Operation *op);

} // namespace stof

#endif // STOF_FUSION_GROUPPLAN_H

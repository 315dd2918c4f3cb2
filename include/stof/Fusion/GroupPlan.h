//===----------------------------------------------------------------------===//
// How one kernel computes several operations that belong together, or why none
// can.
//
// The loops of all operations are related to each other through the values that
// they hand on and the indexing maps by which they do. What they count is the
// domain of the group, a set of digits (GroupDigits.h). A kernel takes tiles of
// two runs of digits, the rows and the columns, and of single values of the
// others, the batch:
//
//   elementwise   columns lie next to each other in memory, rows behind them;
//   rows          all columns are combined: the tile is as wide as they are, or
//                 the kernel walks over them;
//   contraction   rows and columns are those of the products, of which there
//                 are several if they have the same loops. What they multiply
//                 may be computed of elements at the same places (a prologue),
//                 those of other products among them (chained products).
//                 What finishes them may read at other columns of its row, or
//                 combine columns: a tile then holds all that belong together.
//
// Whoever forms groups and whoever compiles them asks this class, so that a
// group which was formed is compiled.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPPLAN_H
#define STOF_FUSION_GROUPPLAN_H

#include "stof/Fusion/GroupDigits.h"
#include "stof/Fusion/HeldTile.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// What limits an operation: arithmetic, or the memory that it goes over.
enum class OperationClass { ComputeIntensive, MemoryIntensive };

OperationClass classifyOperation(mlir::Operation *op);

/// Whether a kernel computes `op`, alone or in a group: a linalg operation on
/// tensors that is no initial value, or an attention.
bool isGroupable(mlir::Operation *op);

/// Whether `op` only shows the elements of a tensor in another shape.
bool isReshape(mlir::Operation *op);

/// The loops of a matrix product: each belongs to the results and both
/// operands, or to the results and one, or it is summed over.
struct ContractionLoops {
  llvm::SmallVector<unsigned, 2> batch, rows, columns, inner;
};

/// The loops of a product on tensor cores: operands of one 16-bit type or f32.
std::optional<ContractionLoops> getContractionLoops(mlir::linalg::LinalgOp op);

/// The operation that combines the one result so far with a new value, if it is
/// associative and has a neutral element; else null.
mlir::Operation *getCombiner(mlir::linalg::LinalgOp op);

/// A place where an operation reads what its group computes at an element other
/// than its own.
struct ElementRead {
  mlir::linalg::LinalgOp reader;
  mlir::Operation *extract;
  /// The dimensions along which it is another one.
  llvm::SmallVector<unsigned, 2> moved;
  /// Whether the place follows from elements that the operation reads.
  bool isFound = false;

  mlir::Value getTensor() const { return extract->getOperand(0); }
};

enum class GroupTemplate { Elementwise, Rows, Contraction, Attention };

class GroupPlan {
public:
  /// How an operation of a group is computed.
  enum class Role {
    /// Each element on its own; loops that reduce run inside.
    Map,
    /// The columns are combined.
    Reduction,
    /// A matrix product.
    Product
  };

  /// Plans the group of `members`: the operations in order, and reshapes
  /// between them. What else is among them is passed over.
  explicit GroupPlan(llvm::ArrayRef<mlir::Operation *> members);

  bool isLegal() const { return reason.empty(); }
  /// Why there is no kernel, and the operation to blame.
  llvm::StringRef getReason() const { return reason; }
  mlir::Operation *getCulprit() const { return culprit; }

  GroupTemplate getTemplate() const { return kind; }
  /// What computes, in order; no attention.
  llvm::ArrayRef<mlir::linalg::LinalgOp> getOperations() const {
    return operations;
  }
  /// The first matrix product, or what comes first.
  mlir::linalg::LinalgOp getMainOperation() const {
    return products.empty() ? operations.front() : products.front();
  }
  llvm::ArrayRef<mlir::linalg::LinalgOp> getProducts() const {
    return products;
  }
  /// The products of which those multiply what is computed.
  llvm::ArrayRef<mlir::linalg::LinalgOp> getChained() const { return chained; }
  bool isChained(mlir::linalg::LinalgOp op) const {
    return llvm::is_contained(chained, op);
  }
  /// The results of operations that somebody else uses.
  llvm::ArrayRef<mlir::OpResult> getResults() const { return results; }

  Role getRole(mlir::linalg::LinalgOp op) const;

  /// The operations that compute what a product multiplies, an operand of it,
  /// in order; none where it comes from outside.
  llvm::ArrayRef<mlir::linalg::LinalgOp>
  getPrologue(const mlir::OpOperand &operand) const;
  bool hasPrologues() const { return !beforeProducts.empty(); }
  bool isInPrologue(mlir::Operation *op) const {
    return beforeProducts.contains(op);
  }

  /// Whether an operation of the group computes `value`; then what it computes,
  /// in its own shape.
  bool isInner(mlir::Value value) const { return computed.contains(value); }
  mlir::OpResult getOrigin(mlir::Value value) const;

  /// The domain.
  llvm::ArrayRef<unsigned> getBatch() const { return batch; }
  llvm::ArrayRef<unsigned> getRows() const { return rows; }
  llvm::ArrayRef<unsigned> getColumns() const { return columns; }
  /// Of what the products sum over, the digits that are taken in steps, and
  /// those that are taken one value at a time.
  llvm::ArrayRef<unsigned> getInner() const {
    return getSummed(products.front()).steps;
  }
  llvm::ArrayRef<unsigned> getOuterInner() const {
    return getSummed(products.front()).outer;
  }
  /// The same of any product.
  struct SummedDigits {
    Digits steps, outer;

    bool operator==(const SummedDigits &other) const {
      return steps == other.steps && outer == other.outer;
    }
  };
  const SummedDigits &getSummed(mlir::linalg::LinalgOp product) const {
    // Products that are walked over together sum over the same.
    mlir::Operation *own = isChained(product) ? product : products.front();
    return summed.find(own)->second;
  }
  /// The operand of a chained product that the rows of its tiles are of, where
  /// these digits are rows and columns of tiles; nothing if they cannot be.
  std::optional<unsigned>
  findLeftOperand(mlir::linalg::LinalgOp product, llvm::ArrayRef<unsigned> rows,
                  llvm::ArrayRef<unsigned> columns) const;
  const DigitExtent &getExtent(unsigned digit) const {
    return table.getExtent(digit);
  }
  /// The last of a product's columns, whose values a tile has together.
  llvm::ArrayRef<unsigned> getHeld() const { return held; }
  /// How many columns of a product that is: those of its tiles are a multiple.
  int64_t getColumnUnit() const { return columnUnit; }
  /// Tiles of a product that serve, and whether they have to be as wide.
  llvm::ArrayRef<HeldTile> getHeldTiles() const { return heldTiles; }
  bool isHeldWhole() const { return heldWhole; }
  /// The digit of the batch that continues the columns in the right operands
  /// of all products, and is not in the left ones: a tile may have the columns
  /// of several of its values, as of several heads.
  std::optional<unsigned> getSpread() const { return spread; }

  llvm::ArrayRef<ElementRead> getElementReads() const { return reads; }
  /// The digits that index `dim` of such a read counts.
  Digits getReadDigits(const ElementRead &read, unsigned dim) const;

  /// The digits that a loop counts; nothing for one that runs inside.
  std::optional<Digits> getLoopDigits(mlir::linalg::LinalgOp op,
                                      unsigned loop) const;
  /// The same, of one that runs inside as well.
  Digits flattenLoop(mlir::linalg::LinalgOp op, unsigned loop) const {
    return table.flatten(loops.at(op)[loop]);
  }
  /// The digits of an operand's elements in their order, if its operation reads
  /// all of them, each once.
  std::optional<Digits> getOperandDigits(mlir::OpOperand &operand) const;
  /// The same for each of its dimensions.
  std::optional<llvm::SmallVector<Digits>>
  getOperandDims(mlir::OpOperand &operand) const;
  Digits getResultDigits(mlir::OpResult result) const;
  /// The digits of all loops, those that run inside as well.
  Digits getIterationDigits(mlir::linalg::LinalgOp op) const {
    return getAllDigits(op, /*parallel=*/true, /*reduced=*/true);
  }

  /// Whether an operation has the same value for all columns; for those of
  /// other tiles than the plan's.
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
  bool isInjective(mlir::linalg::LinalgOp op, const DigitTable &digits) const;
  bool relateElements(mlir::linalg::LinalgOp op);
  bool relateElement(mlir::linalg::LinalgOp op, mlir::Operation *user);
  bool checkElements();
  bool chooseTemplate();
  bool checkProducts();
  bool addPrologue(mlir::linalg::LinalgOp product, mlir::OpOperand &operand);
  bool checkPrologues();
  void findChained();
  bool checkChained();
  bool checkDomain();
  bool chooseAxes();
  void chooseSummed(mlir::linalg::LinalgOp product,
                    llvm::ArrayRef<Digits> orders);
  bool chooseColumns(Digits available, llvm::ArrayRef<Digits> orders);
  std::optional<unsigned> findSpread() const;
  llvm::SmallVector<Digits> collectOrders() const;
  Digits getDigits(mlir::linalg::LinalgOp op,
                   llvm::ArrayRef<unsigned> which) const;
  Digits getAllDigits(mlir::linalg::LinalgOp op, bool parallel,
                      bool reduced) const;

  std::string reason;
  mlir::Operation *culprit = nullptr;
  GroupTemplate kind = GroupTemplate::Elementwise;
  llvm::SmallVector<mlir::linalg::LinalgOp> operations;
  llvm::SmallVector<mlir::OpResult> results;
  llvm::SmallVector<mlir::linalg::LinalgOp, 2> products, chained;
  /// What computes operands of products, by what it computes.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::linalg::LinalgOp>>
      prologues;
  llvm::SmallPtrSet<mlir::Operation *, 4> beforeProducts;
  llvm::SmallVector<ElementRead> reads;
  DigitTable table;
  /// One digit for each loop; what it has become is asked of the table.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned>> loops;
  /// The dimensions of what the group computes.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<Digits>> computed;
  Digits batch, rows, columns, domain;
  llvm::DenseMap<mlir::Operation *, SummedDigits> summed;
  /// What reductions combine, and columns that a tile has together.
  Digits combined, held;
  int64_t columnUnit = 1;
  llvm::SmallVector<HeldTile, 2> heldTiles;
  bool heldWhole = false;
  std::optional<unsigned> spread;
};

/// Name of `op` for messages.
std::string describeOperation(mlir::Operation *op);

} // namespace stof

#endif // STOF_FUSION_GROUPPLAN_H

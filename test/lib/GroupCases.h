//===----------------------------------------------------------------------===//
// Groups of operations for unit tests, parsed from text.
//===----------------------------------------------------------------------===//

#ifndef STOF_TEST_LIB_GROUPCASES_H
#define STOF_TEST_LIB_GROUPCASES_H

#include "stof/Fusion/GroupPlan.h"
#include "stof/Fusion/RelateLoops.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

namespace stof::test {

using Sizes = llvm::SmallVector<int64_t>;

/// The operations of a function, which are one group.
class GroupCase {
public:
  /// `text` is the signature of a function and what is in its body.
  explicit GroupCase(llvm::StringRef text) {
    context.loadDialect<StofDialect, mlir::arith::ArithDialect,
                        mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                        mlir::math::MathDialect, mlir::tensor::TensorDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        ("#id = affine_map<(i, j) -> (i, j)>\n"
         "#row = affine_map<(i, j) -> (i)>\n"
         "func.func @group" +
         text)
            .str(),
        &context);
    if (!module)
      llvm::report_fatal_error("expects a function");
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    for (mlir::Operation &op : function.getBody().front().without_terminator())
      ops.push_back(&op);
  }

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }

  /// The linalg operation called `name` by an attribute of it.
  mlir::linalg::LinalgOp get(llvm::StringRef name) const {
    for (mlir::Operation *op : ops)
      if (op->hasAttr(name))
        return mlir::cast<mlir::linalg::LinalgOp>(op);
    llvm::report_fatal_error("no operation is called " + name);
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallVector<mlir::Operation *> ops;
};

/// The steps that all others take the values of.
struct FirstSteps {
  explicit FirstSteps(const GroupCase &group)
      : members(*collectMembers(group.getOps())), loops(*relateLoops(members)),
        roles(assignRoles(members, loops)) {}

  GroupMembers members;
  GroupLoops loops;
  OperationRoles roles;
};

/// The extents of dim factors; those of `loops` or of a plan.
template <typename Loops>
Sizes getSizes(const Loops &loops, llvm::ArrayRef<unsigned> dimFactors) {
  return llvm::map_to_vector(dimFactors, [&](unsigned dimFactor) {
    return loops.getExtent(dimFactor).size;
  });
}

/// The reason of a refusal; empty if there is none.
template <typename Value>
std::string getReason(const PlanResult<Value> &result) {
  return result ? std::string() : result.getRefusal().reason;
}

} // namespace stof::test

#endif // STOF_TEST_LIB_GROUPCASES_H

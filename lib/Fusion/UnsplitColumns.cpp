//===----------------------------------------------------------------------===//
// Columns that an epilogue reduces, and those that it reads at computed
// indices.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/UnsplitColumns.h"

using namespace mlir;
using namespace stof;

static bool areAmong(ArrayRef<unsigned> some, ArrayRef<unsigned> all) {
  return llvm::all_of(some, [&](unsigned dimFactor) {
    return llvm::is_contained(all, dimFactor);
  });
}

/// The columns that the last reduction of an epilogue reduces, which may be
/// none; findDomain compares it with the others.
static PlanResult<DimFactors> findReduced(const GroupMembers &members,
                                          const GroupLoops &loops,
                                          const OperationRoles &roles,
                                          ArrayRef<unsigned> columns) {
  DimFactors reduced;
  for (linalg::LinalgOp op : members.operations) {
    if (roles.getRole(op) != OperationRole::Reduction)
      continue;
    std::string producer = describeOperation(roles.contractions.front());
    reduced = loops.getReducedDimFactors(op);
    if (!areAmong(reduced, columns))
      return Refusal(op,
                     "it reduces dims other than the columns of " + producer);
    if (!loops.areStatic(reduced))
      return Refusal(op,
                     "it reduces a dynamic number of columns of " + producer);
  }
  return reduced;
}

/// The columns within which a read moves. `reduced` are those of row
/// reductions.
static PlanResult<DimFactors> findMoved(const ElementRead &read,
                                        const GroupLoops &loops,
                                        const OperationRoles &roles,
                                        ArrayRef<unsigned> columns,
                                        ArrayRef<unsigned> reduced) {
  linalg::LinalgOp op = read.reader;
  std::string producer =
      describeOperation(getOrigin(read.getTensor()).getOwner());
  Refusal elsewhere(op, "it reads the result of " + producer +
                            " at computed indices");
  // Elements are moved through shared memory.
  Type element = read.extract->getResult(0).getType();
  bool isShared = element.isIntOrFloat() && !element.isInteger(1);
  if (roles.contractions.empty() || !isShared)
    return elsewhere;
  DimFactors own = loops.getIterationDimFactors(op), moved;
  for (unsigned dim : read.moved)
    llvm::append_range(moved, loops.getReadDimFactors(read, dim));
  for (unsigned dimFactor : moved) {
    if (!areAmong(dimFactor, columns) || !areAmong(dimFactor, own))
      return elsewhere;
    if (!reduced.empty() && !areAmong(dimFactor, reduced))
      return Refusal(op, "it reads columns of " + producer +
                             " other than the reduced ones");
    if (!loops.areStatic(dimFactor))
      return Refusal(op, "it reads a dynamic number of columns of " + producer);
  }
  return moved;
}

PlanResult<DimFactors> stof::findUnsplitColumns(const GroupMembers &members,
                                                const GroupLoops &loops,
                                                const OperationRoles &roles) {
  DimFactors columns, unsplit, reduced;
  if (!roles.contractions.empty()) {
    linalg::LinalgOp first = roles.contractions.front();
    columns = loops.getDimFactors(first, getContractionLoops(first)->columns);
    PlanResult<DimFactors> found = findReduced(members, loops, roles, columns);
    if (!found)
      return found.getRefusal();
    reduced = *found;
    unsplit = reduced;
  }
  for (const ElementRead &read : loops.getElementReads()) {
    PlanResult<DimFactors> moved =
        findMoved(read, loops, roles, columns, reduced);
    if (!moved)
      return moved.getRefusal();
    for (unsigned dimFactor : *moved)
      if (!llvm::is_contained(unsplit, dimFactor))
        unsplit.push_back(dimFactor);
  }
  return unsplit;
}

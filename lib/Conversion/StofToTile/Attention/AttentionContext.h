//===----------------------------------------------------------------------===//
// The state that the parts of an attention kernel share: the operation, its
// tile sizes, and the types of its fragments.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONCONTEXT_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONCONTEXT_H

#include "stof/Conversion/KernelBuilder.h"
#include "stof/CostModel/AttentionTile.h"
#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

namespace stof {

class AttentionContext {
public:
  AttentionContext(KernelBuilder &kernel, AttentionOp op,
                   const AttentionTile &tile);

  AttentionOp getOp() const { return op; }

  /// The kernel's argument for an operand.
  mlir::Value getArgument(mlir::Value operand) const;

  /// A size of an operand, on the host and in the kernel.
  mlir::OpFoldResult getHostSize(mlir::Value operand, unsigned dim) const;
  mlir::Value getSize(mlir::Value operand, unsigned dim) const;

  /// The fragment with a row for each query of the row tile.
  tile::FragmentType getFragmentType(int64_t columns, mlir::Type element) const;
  /// The fragment with one value for each of these rows.
  tile::FragmentType getRowType(mlir::Type element) const;
  /// The same of f32.
  tile::FragmentType getRowType() const;

  /// The number of row tiles that are ahead, computed for all heads first.
  int64_t getNumAhead() const;
  /// The number of split-KV CTAs for each of them.
  int64_t getNumSplits() const;
  /// The stride of the queries of a row tile.
  int64_t getRowStride() const;

  KernelBuilder &kernel;
  AttentionTile tile;
  mlir::Location loc;
  /// The element type of Q, K, V and the output.
  mlir::Type element;

private:
  AttentionOp op;
  tile::MmaAttr fragmentLayout;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_ATTENTIONCONTEXT_H

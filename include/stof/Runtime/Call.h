//===----------------------------------------------------------------------===//
// One call of a function with the sizes of its tensors known: symbols solved,
// checks passed, every expression evaluated. Pointers are still open, so a call
// can run again and again on tensors of the same shapes.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_CALL_H
#define STOF_RUNTIME_CALL_H

#include "stof/Runtime/Manifest.h"

namespace stof::runtime {

/// What the caller says about an input.
struct InputShape {
  DType dtype;
  std::vector<int64_t> shape;
};

/// A place `offset` bytes behind the start of a buffer.
struct BoundBuffer {
  BufferRef::Kind kind;
  unsigned index;
  int64_t offset;
};

/// The bits of a number, in the low bytes of a word.
struct BoundScalar {
  uint64_t bits;
};

/// A tensor map whose sizes are known; see TensorMapParameter.
struct BoundTensorMap {
  const TensorMapParameter *spec;
  BoundBuffer buffer;
  std::vector<uint64_t> dims;
  std::vector<uint64_t> strides;
};

using BoundParameter = std::variant<BoundBuffer, BoundScalar, BoundTensorMap>;

/// A step with its sizes known. Native steps have no grid.
struct BoundStep {
  const Step *step;
  std::array<int64_t, 3> grid = {1, 1, 1};
  int64_t sharedBytes = 0;
  std::vector<BoundParameter> parameters;

  /// A kernel launched over no blocks does nothing.
  bool isEmpty() const { return grid[0] == 0 || grid[1] == 0 || grid[2] == 0; }
};

/// It refers to the function and the target that it was bound from.
struct Call {
  const Function *function;
  const Target *target;
  std::vector<int64_t> symbols;
  std::vector<int64_t> inputBytes;
  std::vector<std::vector<int64_t>> resultShapes;
  std::vector<int64_t> resultBytes;
  int64_t workspaceBytes;
  std::vector<BoundStep> steps;
};

/// Binds `function` to `inputs`, one for each of its inputs in order. An input
/// of another dtype or shape is an error that names it with both; so is a check
/// of the function that does not hold, with the check's message, and a
/// parameter that points outside its buffer.
llvm::Expected<Call> bindCall(const Function &function, const Target &target,
                              llvm::ArrayRef<InputShape> inputs);

} // namespace stof::runtime

#endif // STOF_RUNTIME_CALL_H

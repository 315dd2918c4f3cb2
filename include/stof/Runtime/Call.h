//===----------------------------------------------------------------------===//
// A call of a function bound to the sizes of its tensors: symbols are solved,
// checks passed and expressions evaluated. Pointers are unbound, so a call can
// run repeatedly on tensors of the same shapes.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_CALL_H
#define STOF_RUNTIME_CALL_H

#include "stof/Runtime/Manifest.h"

namespace stof::runtime {

/// The type and shape of an input, given by the caller.
struct InputShape {
  DType dtype;
  std::vector<int64_t> shape;
};

/// An address `offset` bytes after the start of a buffer.
struct BoundBuffer {
  BufferRef::Kind kind;
  unsigned index;
  int64_t offset;
};

/// The bits of a number in the low bytes of a word.
struct BoundScalar {
  uint64_t bits;
};

/// A tensor map with known sizes; see TensorMapParameter.
struct BoundTensorMap {
  const TensorMapParameter *spec;
  BoundBuffer buffer;
  std::vector<uint64_t> dims;
  std::vector<uint64_t> strides;
};

using BoundParameter = std::variant<BoundBuffer, BoundScalar, BoundTensorMap>;

/// A step with known sizes. Native steps have no grid.
struct BoundStep {
  const Step *step;
  std::array<int64_t, 3> grid = {1, 1, 1};
  int64_t sharedBytes = 0;
  std::vector<BoundParameter> parameters;

  /// Whether the grid has no CTAs, so that the launch is skipped.
  bool isEmpty() const { return grid[0] == 0 || grid[1] == 0 || grid[2] == 0; }
};

/// Function and target must outlive the call.
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

/// Binds `function` to `inputs`, one for each of its inputs in order. Errors
/// are an input of another dtype or shape, a failed check of the function, with
/// the message of the check, and a parameter that points outside its buffer.
llvm::Expected<Call> bindCall(const Function &function, const Target &target,
                              llvm::ArrayRef<InputShape> inputs);

} // namespace stof::runtime

#endif // STOF_RUNTIME_CALL_H

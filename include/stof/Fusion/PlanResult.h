//===----------------------------------------------------------------------===//
// The outcome of a step of planning: a value, or the reason why no kernel
// exists. The reason becomes the text of a remark or an error.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_PLANRESULT_H
#define STOF_FUSION_PLANRESULT_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <variant>

namespace stof {

struct Refusal {
  /// The operation that causes it; null if the group is empty.
  mlir::Operation *op = nullptr;
  /// A clause that follows the name of `op`.
  std::string reason;

  Refusal(mlir::Operation *op, const llvm::Twine &reason)
      : op(op), reason(reason.str()) {}
};

/// A `Value` or a Refusal. True if it is a value.
template <typename Value>
class [[nodiscard]] PlanResult {
public:
  PlanResult(Value value) : outcome(std::move(value)) {}
  PlanResult(Refusal refusal) : outcome(std::move(refusal)) {}

  explicit operator bool() const {
    return std::holds_alternative<Value>(outcome);
  }

  /// The value; there must be one.
  const Value &operator*() const {
    assert(*this && "expects a value, not a refusal");
    return std::get<Value>(outcome);
  }
  Value &operator*() {
    assert(*this && "expects a value, not a refusal");
    return std::get<Value>(outcome);
  }
  const Value *operator->() const { return &**this; }

  /// The reason; there must not be a value.
  const Refusal &getRefusal() const {
    assert(!*this && "expects a refusal");
    return std::get<Refusal>(outcome);
  }

private:
  std::variant<Value, Refusal> outcome;
};

} // namespace stof

#endif // STOF_FUSION_PLANRESULT_H

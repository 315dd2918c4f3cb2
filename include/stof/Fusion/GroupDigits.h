//===----------------------------------------------------------------------===//
// Which loops of several operations are the same.
//
// The loops of a group's operations are numbers in a mixed radix. A reshape of
// tensor<4096x768> to tensor<8x512x768> between two operations says that a loop
// over 4096 of the first counts what two loops, over 8 and over 512, of the
// second do: it is split into two digits. What remains is a set of digits that
// every loop is a sequence of, most significant first.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPDIGITS_H
#define STOF_FUSION_GROUPDIGITS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace stof {

/// Digits by number, most significant first.
using Digits = llvm::SmallVector<unsigned, 4>;

/// How many values a digit has.
struct DigitExtent {
  /// The number itself, or dynamic.
  int64_t size = mlir::ShapedType::kDynamic;
  /// Where a dynamic one is found: a dimension of a tensor, or an index.
  mlir::Value tensor;
  int64_t dim = 0;
  mlir::Value index;

  static DigitExtent ofSize(int64_t size) {
    DigitExtent extent;
    extent.size = size;
    return extent;
  }
  bool isStatic() const { return !mlir::ShapedType::isDynamic(size); }
  bool isKnown() const { return isStatic() || tensor || index; }
};

class DigitTable {
public:
  unsigned add(const DigitExtent &extent);

  /// Adds what is known about the extent of an unsplit digit.
  void learn(unsigned digit, const DigitExtent &extent);

  /// What `digits` have been split into, without those of one value only.
  Digits flatten(llvm::ArrayRef<unsigned> digits) const;

  /// Makes two sequences the same, which count the same; false if their sizes
  /// show no way to. The table is then not to be used any more.
  bool unify(llvm::ArrayRef<unsigned> lhs, llvm::ArrayRef<unsigned> rhs);

  /// The extent of a digit that flatten has returned.
  const DigitExtent &getExtent(unsigned digit) const {
    return digits[digit].extent;
  }

private:
  struct Digit {
    DigitExtent extent;
    /// What stands for this digit: another one it equals, or its parts.
    Digits parts;
  };
  bool merge(unsigned lhs, unsigned rhs);

  llvm::SmallVector<Digit> digits;
};

} // namespace stof

#endif // STOF_FUSION_GROUPDIGITS_H

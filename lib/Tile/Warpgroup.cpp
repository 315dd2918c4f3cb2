//===----------------------------------------------------------------------===//
// Which contractions a warpgroup can compute.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Warpgroup.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace stof::tile;

static constexpr int64_t mostColumns = 256;
/// Of f16 and bf16.
static constexpr int64_t elementBytes = 2;

bool WarpgroupOperand::isReadable() const {
  Type element = type.getElementType();
  return (element.isF16() || element.isBF16()) &&
         type.getShape()[1] * elementBytes % rowBytes == 0 &&
         type.getShape()[0] % (windowBytes / rowBytes) == 0;
}

int64_t WarpgroupOperand::getOffsetOfK(int64_t k) const {
  assert(k % stepOfK == 0 && "expects the start of a wgmma");
  if (!isKMajor)
    return k * rowBytes;
  int64_t byte = k * elementBytes;
  return byte / rowBytes * getPanelBytes() + byte % rowBytes;
}

int64_t WarpgroupOperand::getOffsetOfOuter(int64_t number) const {
  if (isKMajor)
    return number * rowBytes;
  int64_t byte = number * elementBytes;
  assert(byte % rowBytes == 0 && "expects the start of a panel");
  return byte / rowBytes * getPanelBytes();
}

/// The parts of a message one after another, types in quotes as in diagnostics.
template <typename... Parts>
static std::string join(const Parts &...parts) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto print = [&](const auto &part) {
    if constexpr (std::is_convertible_v<decltype(part), Type>)
      out << '\'' << Type(part) << '\'';
    else
      out << part;
  };
  (print(parts), ...);
  return text;
}

int64_t stof::tile::countBlocks(FragmentType accumulator) {
  int64_t groups = accumulator.getLayout().getNumWarps() / warpsPerGroup;
  return accumulator.getShape()[0] / groups / rowsPerGroup;
}

std::string stof::tile::explainNoAccumulators(FragmentType fragment) {
  // (G1)
  if (!fragment.getElementType().isF32())
    return join("expects accumulators of f32, but got ", fragment);
  // (G2)
  auto layout = dyn_cast<MmaAttr>(fragment.getLayout());
  if (!layout || layout.getColumns() != 1 ||
      layout.getRows() % warpsPerGroup != 0)
    return join("expects whole warpgroups that divide the rows, but got ",
                fragment);
  // (G3)
  if (fragment.getShape()[1] > mostColumns)
    return join("expects at most ", mostColumns, " columns, but got ",
                fragment.getShape()[1]);
  return {};
}

std::string stof::tile::explainNoWgmma(ShapedType lhs, SharedType rhs,
                                       FragmentType accumulator,
                                       bool transposeLhs, bool transposeRhs) {
  if (lhs.getShape().size() != 2)
    return join("expects lhs of rank 2, but got ", lhs);
  // (W1)
  int64_t m = lhs.getDimSize(transposeLhs ? 1 : 0);
  int64_t lhsK = lhs.getDimSize(transposeLhs ? 0 : 1);
  int64_t rhsK = rhs.getShape()[transposeRhs ? 1 : 0];
  int64_t n = rhs.getShape()[transposeRhs ? 0 : 1];
  ArrayRef<int64_t> shape = accumulator.getShape();
  if (lhsK != rhsK || lhsK % stepOfK != 0 || shape[0] != m || shape[1] != n)
    return join(
        "expects M x K times K x N to give M x N, with K a multiple of ",
        stepOfK, ", but got ", m, " x ", lhsK, " times ", rhsK, " x ", n,
        " for ", accumulator);
  // (W2)
  Type element = lhs.getElementType();
  if (element != rhs.getElementType() || !(element.isF16() || element.isBF16()))
    return join("expects operands of one type, f16 or bf16, but got ", lhs,
                " and ", rhs);
  // (W3)
  auto fragment = dyn_cast<FragmentType>(lhs);
  if (fragment &&
      (transposeLhs || fragment.getLayout() != accumulator.getLayout()))
    return join("expects lhs in registers to have the layout of the "
                "accumulator and not to be transposed, but got ",
                fragment, " and ", accumulator);
  // (W4)
  for (ShapedType operand : {lhs, ShapedType(rhs)})
    if (auto shared = dyn_cast<SharedType>(operand);
        shared && !WarpgroupOperand{shared, true}.isReadable())
      return join("expects shared tiles of whole rows of 128 bytes, eight at a "
                  "time, but got ",
                  shared);
  return {};
}

//===----------------------------------------------------------------------===//
// Fragments and shared tiles: syntax and verifiers.
//===----------------------------------------------------------------------===//

#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

using namespace mlir;
using namespace stof::tile;

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

Type FragmentType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  LayoutInterface layout;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseAttribute(layout) || parser.parseGreater())
    return {};
  return parser.getChecked<FragmentType>(where, parser.getContext(),
                                         ArrayRef<int64_t>(shape), elementType,
                                         layout);
}

void FragmentType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << ", " << getLayout() << '>';
}

LogicalResult FragmentType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> shape, Type elementType,
                                   LayoutInterface layout) {
  // (F1)
  if (layout.getLayoutRank() != shape.size())
    return emitError() << "expects a layout of rank " << shape.size()
                       << ", but got " << layout << " of rank "
                       << layout.getLayoutRank();
  // (F2)
  for (auto [dim, size] : llvm::enumerate(shape))
    if (int64_t unit = layout.getUnitAlong(dim); size <= 0 || size % unit != 0)
      return emitError() << "expects dimension " << dim
                         << " to be a positive multiple of " << unit << " for "
                         << layout << ", but got " << size;
  return success();
}

FragmentType FragmentType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                                     Type elementType) const {
  return get(getContext(), shape.value_or(getShape()), elementType,
             getLayout());
}

//===----------------------------------------------------------------------===//
// Shared tiles
//===----------------------------------------------------------------------===//

Type SharedType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<SharedType>(where, parser.getContext(),
                                       ArrayRef<int64_t>(shape), elementType);
}

void SharedType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << 'x' << getElementType() << '>';
}

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType) {
  // (H1)
  if (shape.size() != 2 || shape[0] <= 0 || shape[1] <= 0)
    return emitError() << "expects a shared tile of two positive dimensions, "
                          "but got "
                       << shape.size() << " dimensions of sizes [" << shape
                       << "]";
  if (!elementType.isIntOrFloat() || elementType.getIntOrFloatBitWidth() % 8)
    return emitError() << "expects elements of whole bytes in shared memory, "
                          "but got "
                       << elementType;
  return success();
}

SharedType SharedType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                                 Type elementType) const {
  return get(getContext(), shape.value_or(getShape()), elementType);
}

int64_t SharedType::getRowBytes() const {
  constexpr int64_t chunkBytes = 16;
  return llvm::alignTo(getShape()[1] * getElementBytes(getElementType()),
                       chunkBytes);
}

//===----------------------------------------------------------------------===//
// Accumulators in flight
//===----------------------------------------------------------------------===//

Type InFlightType::parse(AsmParser &parser) {
  SMLoc where = parser.getCurrentLocation();
  auto fragment = dyn_cast_or_null<FragmentType>(FragmentType::parse(parser));
  if (!fragment)
    return {};
  return parser.getChecked<InFlightType>(where, parser.getContext(), fragment);
}

void InFlightType::print(AsmPrinter &printer) const {
  getFragment().print(printer);
}

LogicalResult InFlightType::verify(function_ref<InFlightDiagnostic()> emitError,
                                   FragmentType fragment) {
  std::string reason = explainNoAccumulators(fragment);
  return reason.empty() ? success() : emitError() << reason;
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

LogicalResult ChannelType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  SharedType tile, int64_t stages) {
  // (K1)
  if (stages < 1)
    return emitError() << "expects at least one stage, but got " << stages;
  return success();
}

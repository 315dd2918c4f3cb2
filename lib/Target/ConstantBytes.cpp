//===----------------------------------------------------------------------===//
// Bytes of constant tensors.
//===----------------------------------------------------------------------===//

#include "ConstantBytes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

std::optional<std::string> stof::readConstantBytes(Attribute value) {
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    return std::string(blob->getData().begin(), blob->getData().end());
  }
  auto elements = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!elements)
    return std::nullopt;
  std::string bytes;
  if (elements.getElementType().isInteger(1)) {
    for (bool element : elements.getValues<bool>())
      bytes.push_back(element);
    return bytes;
  }
  ArrayRef<char> raw = elements.getRawData();
  int64_t copies = elements.isSplat() ? elements.getNumElements() : 1;
  for (int64_t copy = 0; copy < copies; ++copy)
    bytes.append(raw.begin(), raw.end());
  return bytes;
}

//===----------------------------------------------------------------------===//
// Data of constant tensors from dense elements and resources.
//===----------------------------------------------------------------------===//

#include "ConstantBytes.h"

#include "stof/Support/ElementBytes.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

/// The data of a resource; null if `global` is not one or its data is missing.
static AsmResourceBlob *getBlob(memref::GlobalOp global) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(
      global.getConstantInitValue());
  return resource ? resource.getRawHandle().getBlob() : nullptr;
}

LogicalResult stof::verifyConstantBytes(memref::GlobalOp global) {
  AsmResourceBlob *blob = getBlob(global);
  if (!blob)
    return success();
  MemRefType type = global.getType();
  uint64_t expected = type.getNumElements() * stof::getElementBytes(type);
  if (blob->getData().size() == expected)
    return success();
  return global.emitError()
         << "expects a constant of " << expected
         << " bytes, but got a resource of " << blob->getData().size();
}

std::optional<std::string> stof::readConstantBytes(memref::GlobalOp global) {
  Attribute value = global.getConstantInitValue();
  if (AsmResourceBlob *blob = getBlob(global))
    return std::string(blob->getData().begin(), blob->getData().end());
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

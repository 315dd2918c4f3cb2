//===----------------------------------------------------------------------===//
// Registration of the dialect's types, attributes and operations, and the mask
// type.
//===----------------------------------------------------------------------===//

#include "stof/IR/MaskBufferization.h"
#include "stof/Support/InlineAnywhere.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;

#include "stof/IR/StofDialect.cpp.inc"
#include "stof/IR/StofEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "stof/IR/StofAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "stof/IR/StofTypes.cpp.inc"

void StofDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "stof/IR/StofAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "stof/IR/StofTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "stof/IR/StofOps.cpp.inc"
      >();
  addInterfaces<InlineAnywhere>();
  MaskOp::attachInterface<MaskBufferization<MaskOp>>(*getContext());
  BlockMaskOp::attachInterface<MaskBufferization<BlockMaskOp>>(*getContext());
}

Type MaskType::parse(AsmParser &parser) {
  SmallVector<int64_t> lengths;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseLess() ||
      parser.parseDimensionList(lengths, /*allowDynamic=*/true,
                                /*withTrailingX=*/false) ||
      parser.parseGreater())
    return {};
  if (lengths.size() != 2) {
    parser.emitError(where) << "expects a mask of queries x keys, but got "
                            << lengths.size() << " dimensions";
    return {};
  }
  return parser.getChecked<MaskType>(where, parser.getContext(), lengths[0],
                                     lengths[1]);
}

void MaskType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList({getQueries(), getKeys()});
  printer << '>';
}

LogicalResult MaskType::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t queries, int64_t keys) {
  // (T1)
  for (int64_t length : {queries, keys}) {
    if (ShapedType::isDynamic(length))
      continue;
    if (length <= 0)
      return emitError() << "expects a mask over at least one position, but "
                            "got a length of "
                         << length;
    if (length > mostPositions)
      return emitError() << "expects a mask over less than 2^31 positions, but "
                            "got a length of "
                         << length;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rejects operations with unknown regions, dimensions out of range and
// constants of dynamic or wrong sizes. Upstream's verifiers accept them, but
// its patterns fail on them.
//===----------------------------------------------------------------------===//

#include "stof/Support/ElementBytes.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace stof {
#define GEN_PASS_DEF_VERIFYOPERATIONSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

/// Whether `op` has regions of unknown semantics.
static bool isUnknown(Operation *op) {
  return !op->isRegistered() && op->getNumRegions() > 0;
}

/// Whether `op` is a `dim` out of range.
static bool hasDimOutOfRange(Operation *op) {
  std::optional<int64_t> index;
  Type type;
  llvm::TypeSwitch<Operation *>(op).Case<tensor::DimOp, memref::DimOp>(
      [&](auto dim) {
        index = dim.getConstantIndex();
        type = dim.getSource().getType();
      });
  auto shaped = dyn_cast_or_null<ShapedType>(type);
  return index && shaped && shaped.hasRank() &&
         (*index < 0 || *index >= shaped.getRank());
}

/// Whether the reassociation of `op` does not list consecutive dimensions.
static bool hasUnorderedReassociation(Operation *op) {
  SmallVector<ReassociationIndices> groups;
  llvm::TypeSwitch<Operation *>(op)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            memref::ExpandShapeOp, memref::CollapseShapeOp>(
          [&](auto reshape) { groups = reshape.getReassociationIndices(); });
  int64_t next = 0;
  for (const ReassociationIndices &group : groups)
    for (int64_t dim : group)
      if (dim != next++)
        return true;
  return false;
}

/// Whether `op` is a constant of dynamic shape.
static bool isDynamicConstant(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto type =
      constant ? dyn_cast<ShapedType>(constant.getType()) : ShapedType();
  return type && !type.hasStaticShape();
}

/// The expected bytes of a constant and the actual bytes of its resource, if
/// they differ.
static std::optional<std::pair<uint64_t, uint64_t>>
findOtherBytes(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto resource = constant
                      ? dyn_cast<DenseResourceElementsAttr>(constant.getValue())
                      : DenseResourceElementsAttr();
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob || !resource.getType().hasStaticShape() ||
      !resource.getElementType().isIntOrFloat())
    return std::nullopt;
  uint64_t bytes =
      resource.getNumElements() * stof::getElementBytes(resource.getType());
  if (blob->getData().size() == bytes)
    return std::nullopt;
  return std::pair(bytes, uint64_t(blob->getData().size()));
}

/// Whether `op` is a symbol with a NUL character in its name: loaders of
/// objects and PTX look up functions by C strings.
static bool hasNameWithNul(Operation *op) {
  auto symbol = dyn_cast<SymbolOpInterface>(op);
  StringAttr name = symbol ? symbol.getNameAttr() : StringAttr();
  return name && name.getValue().contains('\0');
}

static constexpr int64_t longestRank = 64;

/// The rank of a result or argument above `longestRank`, for which analyses
/// would take minutes.
static std::optional<int64_t> findLongRank(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  for (Type type : types)
    if (auto shaped = dyn_cast<ShapedType>(type);
        shaped && shaped.hasRank() && shaped.getRank() > longestRank)
      return shaped.getRank();
  return std::nullopt;
}

namespace {

struct VerifyOperationsPass
    : stof::impl::VerifyOperationsPassBase<VerifyOperationsPass> {
  using Base::Base;
  void runOnOperation() override {
    auto refuse = [](Operation *op, const Twine &why) {
      op->emitOpError("cannot be compiled: expects " + why);
      return WalkResult::interrupt();
    };
    WalkResult known = getOperation()->walk([&](Operation *op) {
      if (isUnknown(op))
        return refuse(op, "an operation of a known dialect, but got an "
                          "unregistered one with a region");
      if (std::optional<int64_t> rank = findLongRank(op))
        return refuse(op, "at most " + Twine(longestRank) +
                              " dimensions, but got " + Twine(*rank));
      if (hasDimOutOfRange(op))
        return refuse(op, "a dimension of its source");
      if (hasUnorderedReassociation(op))
        return refuse(op, "all dimensions in order in its reassociation");
      if (hasNameWithNul(op))
        return refuse(op, "a name without the character 0");
      if (isDynamicConstant(op))
        return refuse(
            op, Twine("a constant of static sizes, but got ") +
                    llvm::formatv("{0}", op->getResult(0).getType()).str());
      if (auto bytes = findOtherBytes(op))
        return refuse(op, "a constant of " + Twine(bytes->first) +
                              " bytes, but got a resource of " +
                              Twine(bytes->second));
      return WalkResult::advance();
    });
    if (known.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace

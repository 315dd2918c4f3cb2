//===----------------------------------------------------------------------===//
// Extraction of kernel operations into modules.
//===----------------------------------------------------------------------===//

#include "stof/Search/KernelModule.h"

#include "stof/Fusion/GroupOperations.h"
#include "stof/Fusion/LinalgUtils.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"

#include <map>

using namespace mlir;
using namespace stof;

namespace {

/// Clones an operation into a function, with what defines its operands as far
/// as that has an influence on the kernel.
class Extraction {
public:
  explicit Extraction(MLIRContext *context)
      : module(ModuleOp::create(UnknownLoc::get(context))),
        builder(module->getBodyRegion()),
        function(func::FuncOp::create(builder, UnknownLoc::get(context),
                                      "kernel",
                                      builder.getFunctionType({}, {}))) {
    builder.setInsertionPointToStart(function.addEntryBlock());
  }

  /// The reason if that is not possible.
  std::optional<std::string> add(Operation *op) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used)
      if (!isStatic(value.getType()))
        return "its sizes are known at run time";
    for (Value value : used)
      if (std::optional<std::string> reason = define(value, /*ofMask=*/false))
        return reason;
    Operation *copy = clone(op);
    func::ReturnOp::create(builder, copy->getLoc(), copy->getResults());
    function.setFunctionType(builder.getFunctionType(
        function.getBody().getArgumentTypes(), copy->getResultTypes()));
    return std::nullopt;
  }

  OwningOpRef<ModuleOp> take() { return std::move(module); }

private:
  /// Constants of at most so many bytes are part of the kernel.
  static constexpr int64_t mostConstantBytes = 1 << 12;

  static bool isStatic(Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || shaped.hasStaticShape();
  }

  Operation *clone(Operation *op) {
    Operation *copy = builder.clone(*op, mapping);
    copy->walk([](Operation *inner) {
      inner->setLoc(UnknownLoc::get(inner->getContext()));
    });
    return copy;
  }

  /// Whether the tensor that `op` defines, if that is known, is defined in the
  /// function as well; else it is an argument.
  static bool isPart(Operation *op, bool ofMask) {
    if (isa_and_present<tensor::EmptyOp, linalg::FillOp>(op))
      return true;
    auto constant = dyn_cast_or_null<arith::ConstantOp>(op);
    auto elements =
        constant ? dyn_cast<ElementsAttr>(constant.getValue()) : nullptr;
    return elements &&
           (ofMask || elements.isSplat() ||
            elements.getNumElements() *
                    elements.getElementType().getIntOrFloatBitWidth() <=
                mostConstantBytes * CHAR_BIT);
  }

  std::optional<std::string> define(Value value, bool ofMask) {
    if (mapping.contains(value))
      return std::nullopt;
    Operation *op = value.getDefiningOp();
    if (isa<ShapedType>(value.getType()) && !isPart(op, ofMask)) {
      if (ofMask)
        return "its mask depends on data that is known at run time";
      mapping.map(value, function.getBody().addArgument(value.getType(),
                                                        function.getLoc()));
      return std::nullopt;
    }
    if (!op || !isMemoryEffectFree(op))
      return "a scalar is known at run time";
    bool isMask = ofMask || isa<MaskType>(value.getType());
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value operand : used)
      if (std::optional<std::string> reason = define(operand, isMask))
        return reason;
    clone(op);
    return std::nullopt;
  }

  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  func::FuncOp function;
  IRMapping mapping;
};

} // namespace

/// `2048x64`; a size that is known at run time is `?`.
static std::string formatSizes(ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << '?';
    else
      os << size;
  };
  llvm::interleave(sizes, os, print, "x");
  return text;
}

/// `MxNxK`, after the batch if there is one: `8 x 64x64x16`.
static std::string formatContraction(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims))
    return formatSizes(ranges);
  auto multiply = [&](ArrayRef<unsigned> loops) {
    int64_t product = 1;
    for (unsigned loop : loops) {
      if (ShapedType::isDynamic(ranges[loop]))
        return ShapedType::kDynamic;
      product *= ranges[loop];
    }
    return product;
  };
  std::string sizes =
      formatSizes({multiply(dims->m), multiply(dims->n), multiply(dims->k)});
  int64_t batch = multiply(dims->batch);
  return batch == 1 ? sizes : formatSizes(batch) + " x " + sizes;
}

/// `elementwise`, `3 elementwise`.
static std::string formatCount(unsigned count, const Twine &what) {
  return ((count == 1 ? "" : std::to_string(count) + " ") + what).str();
}

static std::string formatElementType(Value value) {
  return llvm::formatv("{0}", getElementTypeOrSelf(value.getType()));
}

/// The contractions, then how many other operations there are. Without a
/// contraction, the sizes of the largest operation follow.
static std::string describeGroup(ArrayRef<linalg::LinalgOp> members) {
  std::map<std::string, unsigned> contractions;
  unsigned reductions = 0, elementwise = 0;
  auto size = [](linalg::LinalgOp op) {
    int64_t product = 1;
    for (int64_t range : op.getStaticLoopRanges())
      product *= ShapedType::isDynamic(range) ? 1 : range;
    return product;
  };
  linalg::LinalgOp largest = members.front();
  for (linalg::LinalgOp op : members) {
    if (size(op) > size(largest))
      largest = op;
    if (isPlainContraction(op))
      ++contractions["matmul " + formatContraction(op) + " " +
                     formatElementType(op->getOperand(0))];
    else
      ++(op.getNumReductionLoops() > 0 ? reductions : elementwise);
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator separator(" + ");
  for (const auto &[contraction, count] : contractions)
    os << separator << formatCount(count, contraction);
  if (reductions > 0)
    os << separator
       << formatCount(reductions, reductions > 1 ? "reductions" : "reduction");
  if (elementwise > 0)
    os << separator << formatCount(elementwise, "elementwise");
  if (contractions.empty())
    os << ' ' << formatSizes(largest.getStaticLoopRanges()) << ' '
       << formatElementType(largest->getOperand(0));
  return text;
}

/// The operation with the shapes of what it reads, those in a row that are
/// equal once.
static std::string describeAlone(Operation *op) {
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  SmallVector<Value> read(op->getOperands());
  if (destination)
    read = destination.getDpsInputs();
  SmallVector<std::string> shapes;
  std::string elementType, suffix;
  for (Value value : read) {
    if (isa<MaskType>(value.getType()))
      suffix = ", masked";
    auto shaped = dyn_cast<ShapedType>(value.getType());
    if (!shaped)
      continue;
    std::string shape = formatSizes(shaped.getShape());
    if (shapes.empty())
      elementType = formatElementType(value);
    if (shapes.empty() || shapes.back() != shape)
      shapes.push_back(shape);
  }
  return llvm::formatv("{0} {1} {2}{3}", op->getName().stripDialect(),
                       llvm::join(shapes, " x "), elementType, suffix);
}

std::string stof::describeKernel(KernelOpInterface op) {
  SmallVector<linalg::LinalgOp> members;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (auto member = dyn_cast<linalg::LinalgOp>(inner);
          member && isGroupable(member))
        members.push_back(member);
  return members.empty() ? describeAlone(op) : describeGroup(members);
}

std::string stof::signOperation(Operation *op, StringRef suffix) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().printGenericOpForm());
  os << suffix;
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}

KernelOpInterface stof::findKernelOperation(ModuleOp module) {
  KernelOpInterface found;
  module.walk([&](KernelOpInterface op) {
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

std::optional<KernelModule> stof::extractKernel(KernelOpInterface op,
                                                KernelSigner &signer,
                                                std::string &reason) {
  Extraction extraction(op->getContext());
  if (std::optional<std::string> refused = extraction.add(op)) {
    reason = *refused;
    return std::nullopt;
  }
  KernelModule kernel{extraction.take(), "", describeKernel(op)};
  KernelOpInterface alone = findKernelOperation(*kernel.module);
  if (!alone.getScheduleName().empty())
    alone.setSchedule(nullptr);
  kernel.signature = signer.sign(*kernel.module);
  return kernel;
}

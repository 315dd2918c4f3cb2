//===----------------------------------------------------------------------===//
// The interface of a function. The sizes of results are resolved in a copy of
// the function.
//===----------------------------------------------------------------------===//

#include "stof/Target/Interface.h"

#include "stof/IR/Donation.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Size/IntegerReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace stof;

std::optional<StringRef> stof::getDTypeName(Type type) {
  if (type.isF64())
    return "f64";
  if (type.isF32())
    return "f32";
  if (type.isF16())
    return "f16";
  if (type.isBF16())
    return "bf16";
  if (isa<Float8E4M3FNType>(type))
    return "f8E4M3FN";
  if (isa<Float8E5M2Type>(type))
    return "f8E5M2";
  if (!type.isSignlessInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 64:
    return "i64";
  case 32:
    return "i32";
  case 16:
    return "i16";
  case 8:
    return "i8";
  case 1:
    return "i1";
  default:
    return std::nullopt;
  }
}

namespace {

/// Builds the interface of one function.
class InterfaceReader {
public:
  explicit InterfaceReader(func::FuncOp function) : function(function) {}
  FailureOr<PackagedFunction> read();

private:
  LogicalResult describeTensors(TypeRange types, StringRef what, StringRef name,
                                std::vector<PackagedTensor> &tensors);
  LogicalResult resolveSizes();
  void nameSizes();
  void nameGlobals();
  LogicalResult describeResultShapes();
  LogicalResult describeDonations();
  void describeChecks();
  std::optional<SizeExpr> readSizeOfInput(Value value, int64_t dim);

  func::FuncOp function;
  PackagedFunction interface;
  /// A module with a copy of the function that returns the dynamic sizes.
  OwningOpRef<ModuleOp> module;
  func::FuncOp copy;
  /// The name of each dynamic size, by input and dimension.
  std::map<std::pair<unsigned, unsigned>, std::string> symbols;
};

} // namespace

/// Describes tensors except for their dynamic sizes.
LogicalResult
InterfaceReader::describeTensors(TypeRange types, StringRef what,
                                 StringRef name,
                                 std::vector<PackagedTensor> &tensors) {
  for (auto [position, type] : llvm::enumerate(types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<StringRef> dtype =
        tensor ? getDTypeName(tensor.getElementType()) : std::nullopt;
    if (!dtype)
      return function.emitOpError() << "expects " << what << " " << position
                                    << " to be a ranked tensor of f64, f32, "
                                       "f16, bf16, f8E4M3FN, f8E5M2, "
                                       "i64, i32, i16, i8 or i1, but got "
                                    << type;
    PackagedTensor &described = tensors.emplace_back();
    described.name = (name + Twine(position)).str();
    described.dtype = dtype->str();
    for (int64_t size : tensor.getShape())
      described.shape.emplace_back(ShapedType::isDynamic(size) ? 0 : size);
  }
  return success();
}

/// Names the globals of inputs and results that a pass has appended for them.
void InterfaceReader::nameGlobals() {
  auto nameOf = [](Attribute attribute) {
    auto name = dyn_cast_or_null<StringAttr>(attribute);
    return name ? name.str() : std::string();
  };
  for (auto [position, input] : llvm::enumerate(interface.inputs))
    input.global = nameOf(function.getArgAttr(position, globalAttrName));
  for (auto [position, result] : llvm::enumerate(interface.results))
    result.global = nameOf(function.getResultAttr(position, globalAttrName));
}

/// Makes the copy and resolves the sizes of its results to those of its
/// arguments by upstream's passes.
LogicalResult InterfaceReader::resolveSizes() {
  // The dialects of the operations below, which the source need not contain.
  function.getContext()
      ->loadDialect<arith::ArithDialect, tensor::TensorDialect>();
  module = ModuleOp::create(function.getLoc());
  OpBuilder builder(module->getBodyRegion());
  copy = cast<func::FuncOp>(builder.clone(*function));
  Operation *end = copy.getBody().back().getTerminator();
  builder.setInsertionPoint(end);
  SmallVector<Value> sizes;
  for (Value result : end->getOperands()) {
    auto type = cast<RankedTensorType>(result.getType());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(
            tensor::DimOp::create(builder, result.getLoc(), result, dim));
  }
  end->setOperands(sizes);
  copy.removeResAttrsAttr();
  copy.setFunctionType(builder.getFunctionType(copy.getArgumentTypes(),
                                               ValueRange(sizes).getTypes()));

  PassManager pm(function.getContext());
  pm.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  return pm.run(*module);
}

/// Matches `value` as the size of an argument; returns argument and dimension.
static std::optional<std::pair<unsigned, unsigned>>
matchInputSize(Value value) {
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto dim = value.getDefiningOp<tensor::DimOp>();
  if (!dim || !dim.getConstantIndex())
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(dim.getSource());
  if (!argument)
    return std::nullopt;
  return std::pair<unsigned, unsigned>(argument.getArgNumber(),
                                       *dim.getConstantIndex());
}

/// Gives equal sizes one symbol, numbered in the order of the inputs, and
/// records the asserted equality of the later ones.
void InterfaceReader::nameSizes() {
  using Size = std::pair<unsigned, unsigned>;
  llvm::EquivalenceClasses<Size> equal;
  for (auto check : copy.getBody().front().getOps<cf::AssertOp>()) {
    auto compared = check.getArg().getDefiningOp<arith::CmpIOp>();
    if (!compared || compared.getPredicate() != arith::CmpIPredicate::eq)
      continue;
    std::optional<Size> lhs = matchInputSize(compared.getLhs()),
                        rhs = matchInputSize(compared.getRhs());
    if (!lhs || !rhs || *lhs == *rhs)
      continue;
    equal.unionSets(*lhs, *rhs);
    auto [input, dim] = std::max(*lhs, *rhs);
    bool isKnown = llvm::any_of(
        interface.equalities, [&, input = input, dim = dim](const auto &known) {
          return known.input == input && known.dim == dim;
        });
    if (!isKnown)
      interface.equalities.push_back({input, dim, check.getMsg().str()});
  }
  std::map<Size, std::string> nameOfLeader;
  for (BlockArgument argument : copy.getArguments()) {
    auto type = cast<RankedTensorType>(argument.getType());
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Size size(argument.getArgNumber(), dim);
      auto leader = equal.findLeader(size);
      std::string &name =
          nameOfLeader[leader == equal.member_end() ? size : *leader];
      if (name.empty()) {
        name = "s" + std::to_string(interface.symbols.size());
        interface.symbols.push_back({name, size.first, size.second});
      }
      symbols[size] = name;
      interface.inputs[size.first].shape[dim] = SizeExpr::symbol(name);
    }
  }
}

std::optional<SizeExpr> InterfaceReader::readSizeOfInput(Value value,
                                                         int64_t dim) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &copy.getBody().front())
    return std::nullopt;
  // The dimension can be out of range.
  auto known = symbols.find({argument.getArgNumber(), dim});
  return known == symbols.end()
             ? std::nullopt
             : std::optional(SizeExpr::symbol(known->second));
}

LogicalResult InterfaceReader::describeResultShapes() {
  IntegerReader reader(
      [this](Value value, int64_t dim) { return readSizeOfInput(value, dim); });
  ValueRange sizes = copy.getBody().back().getTerminator()->getOperands();
  unsigned next = 0;
  for (auto [result, type] :
       llvm::zip(interface.results, function.getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    for (int64_t dim = 0; dim < tensor.getRank(); ++dim) {
      if (!tensor.isDynamicDim(dim))
        continue;
      std::optional<SizeExpr> size = reader.read(sizes[next++]);
      if (!size) {
        InFlightDiagnostic error =
            function.emitOpError()
            << "expects dimension " << dim << " of " << result.name
            << " to be a function of the sizes of inputs, but got a size that "
               "depends on other values";
        Diagnostic &note = error.attachNote(reader.getObstacle().getLoc());
        note << "for example this one";
        if (isa_and_nonnull<tensor::ExtractOp>(
                reader.getObstacle().getDefiningOp()))
          note << ", which is read from a tensor (boolean mask, nonzero); use "
                  "torch.where or a fixed number of elements instead";
        return error;
      }
      result.shape[dim] = *size;
    }
  }
  assert(next == sizes.size() && "all sizes are those of results");
  return success();
}

/// Records the donated input of each result.
LogicalResult InterfaceReader::describeDonations() {
  auto donations = readDonations(function);
  if (failed(donations))
    return failure();
  for (auto [position, argument] : llvm::enumerate(*donations)) {
    if (!argument)
      continue;
    PackagedTensor &result = interface.results[position];
    const PackagedTensor &input = interface.inputs[*argument];
    if (result.shape != input.shape)
      return function.emitOpError()
             << "expects " << result.name << " to have the sizes of "
             << input.name << ", whose buffer it takes over, but got others";
    result.alias = input.name;
  }
  return success();
}

/// Turns assertions on sizes in the body of the function into checks.
void InterfaceReader::describeChecks() {
  IntegerReader reader(
      [this](Value value, int64_t dim) { return readSizeOfInput(value, dim); });
  for (auto check : copy.getBody().front().getOps<cf::AssertOp>()) {
    std::optional<SizeExpr> holds = reader.read(check.getArg());
    if (!holds || (holds->constant() && *holds->constant() != 0))
      continue;
    bool isKnown = llvm::any_of(interface.checks, [&](const auto &known) {
      return known.holds == *holds;
    });
    if (!isKnown)
      interface.checks.push_back({*holds, check.getMsg().str()});
  }
}

FailureOr<PackagedFunction> InterfaceReader::read() {
  interface.name = function.getName().str();
  if (!llvm::json::isUTF8(interface.name)) {
    InFlightDiagnostic error = function.emitOpError()
                               << "expects a name in UTF-8, but got '";
    std::string escaped;
    llvm::raw_string_ostream stream(escaped);
    llvm::printEscapedString(interface.name, stream);
    return error << escaped << "'";
  }
  if (failed(describeTensors(function.getArgumentTypes(), "argument", "arg",
                             interface.inputs)) ||
      failed(describeTensors(function.getResultTypes(), "result", "result",
                             interface.results)))
    return failure();
  nameGlobals();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expects a body of one block, but got ")
           << function.getBody().getBlocks().size();
  if (failed(resolveSizes()))
    return failure();
  nameSizes();
  if (failed(describeResultShapes()) || failed(describeDonations()))
    return failure();
  describeChecks();
  return std::move(interface);
}

FailureOr<PackagedFunction> stof::describeInterface(func::FuncOp function) {
  return InterfaceReader(function).read();
}

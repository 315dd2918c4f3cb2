//===----------------------------------------------------------------------===//
// Entry points with a uniform signature: a runtime passes the parameters of any
// native function as an array of 64-bit words.
//===----------------------------------------------------------------------===//

#include "stof/Support/NativeAbi.h"
#include "stof/Transforms/Host/Passes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace stof {
#define GEN_PASS_DEF_EMITENTRYPOINTSPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

/// Reads the words of the parameter array in order.
class ParameterReader {
public:
  ParameterReader(ImplicitLocOpBuilder &builder, Value array)
      : builder(builder), array(array) {}

  unsigned getCount() const { return position; }

  Value next(Type type) {
    Value word = LLVM::GEPOp::create(
        builder, array.getType(), builder.getI64Type(), array,
        ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(position++)));
    return LLVM::LoadOp::create(builder, type, word);
  }

private:
  ImplicitLocOpBuilder &builder;
  Value array;
  unsigned position = 0;
};

} // namespace

/// A contiguous buffer: a pointer, then the size of each dynamic dimension.
static Value readBuffer(ImplicitLocOpBuilder &builder,
                        const LLVMTypeConverter &converter,
                        ParameterReader &parameters, MemRefType type) {
  Value pointer =
      parameters.next(LLVM::LLVMPointerType::get(builder.getContext()));
  MemRefDescriptor descriptor = MemRefDescriptor::poison(
      builder, builder.getLoc(), converter.convertType(type));
  descriptor.setAllocatedPtr(builder, builder.getLoc(), pointer);
  descriptor.setAlignedPtr(builder, builder.getLoc(), pointer);
  descriptor.setConstantOffset(builder, builder.getLoc(), 0);
  SmallVector<Value> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size)
                        ? parameters.next(builder.getI64Type())
                        : LLVM::ConstantOp::create(
                              builder, builder.getI64IntegerAttr(size)));
  Value stride =
      LLVM::ConstantOp::create(builder, builder.getI64IntegerAttr(1));
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    descriptor.setSize(builder, builder.getLoc(), dim, sizes[dim]);
    descriptor.setStride(builder, builder.getLoc(), dim, stride);
    if (dim > 0)
      stride = LLVM::MulOp::create(builder, stride, sizes[dim]);
  }
  return UnrealizedConversionCastOp::create(builder, type, Value(descriptor))
      .getResult(0);
}

/// The symbol that holds the number of parameter words of an entry.
static std::string nameCount(StringRef entry) {
  return (STOF_NATIVE_COUNT + entry).str();
}

/// Adds `name(parameters, api)`, which calls `function`, and the number of
/// parameter words.
static LogicalResult wrapEntry(func::FuncOp function, StringRef name,
                               SymbolTable &symbols,
                               const LLVMTypeConverter &converter) {
  // The runtime's table, if used, is the last argument.
  TypeRange buffers = function.getArgumentTypes();
  bool usesRuntime =
      !buffers.empty() && isa<LLVM::LLVMPointerType>(buffers.back());
  if (usesRuntime)
    buffers = buffers.drop_back();
  for (auto [position, type] : llvm::enumerate(buffers)) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (!buffer || !buffer.getLayout().isIdentity())
      return function.emitOpError()
             << "expects argument " << position
             << " to be a contiguous buffer, but got " << type;
  }
  if (function.getNumResults() != 0)
    return function.emitOpError(
               "expects results to be passed as buffers, but got ")
           << function.getFunctionType();

  ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
  builder.setInsertionPointAfter(function);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto entry = func::FuncOp::create(
      builder, name, builder.getFunctionType({pointer, pointer}, {}));
  symbols.insert(entry);
  builder.setInsertionPointToStart(entry.addEntryBlock());
  ParameterReader parameters(builder, entry.getArgument(0));
  SmallVector<Value> arguments;
  for (Type type : buffers)
    arguments.push_back(
        readBuffer(builder, converter, parameters, cast<MemRefType>(type)));
  if (usesRuntime)
    arguments.push_back(entry.getArgument(1));
  func::CallOp::create(builder, function, arguments);
  func::ReturnOp::create(builder);
  builder.setInsertionPointAfter(entry);
  symbols.insert(
      LLVM::GlobalOp::create(builder, builder.getI64Type(), /*isConstant=*/true,
                             LLVM::Linkage::External, nameCount(name),
                             builder.getI64IntegerAttr(parameters.getCount())));
  function.setPrivate();
  return success();
}

/// Gives `symbol` and its uses a unique name.
static void moveAway(Operation *symbol, SymbolTable &symbols) {
  // Fails only for unregistered operations that may be symbol tables.
  (void)symbols.renameToUnique(symbol, {});
}

namespace {

struct EmitEntryPointsPass
    : stof::impl::EmitEntryPointsPassBase<EmitEntryPointsPass> {
  using Base::Base;
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    SymbolTable symbols(getOperation());
    SmallVector<std::pair<func::FuncOp, std::string>> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        entries.emplace_back(function, ("stof_" + function.getName()).str());
    // Functions of a model may have any name, including malloc and stof_f.
    for (auto &[function, name] : entries)
      moveAway(function, symbols);
    for (auto &[function, name] : entries) {
      for (const std::string &taken : {name, nameCount(name)})
        if (Operation *other = symbols.lookup(taken))
          moveAway(other, symbols);
      if (failed(wrapEntry(function, name, symbols, converter)))
        return signalPassFailure();
    }
  }
};

} // namespace

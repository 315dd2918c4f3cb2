//===----------------------------------------------------------------------===//
// Conversion of memref arguments to pointers and sizes.
//===----------------------------------------------------------------------===//

#include "KernelSignature.h"

#include "stof/IR/KernelAttributes.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;

static constexpr unsigned pointerAlignment = 16;

/// All memrefs of a kernel are its arguments or views of them, hence global.
static Type inGlobalMemory(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getMemorySpace())
    return type;
  return MemRefType::Builder(memref).setMemorySpace(
      gpu::AddressSpaceAttr::get(type.getContext(), gpu::AddressSpace::Global));
}

static void placeInGlobalMemory(gpu::GPUFuncOp kernel) {
  kernel.walk([](Block *block) {
    for (BlockArgument argument : block->getArguments())
      argument.setType(inGlobalMemory(argument.getType()));
    for (Operation &op : *block)
      for (OpResult result : op.getResults())
        result.setType(inGlobalMemory(result.getType()));
  });
}

/// Builds a memref descriptor from the parameters of an argument: a pointer and
/// the dynamic sizes.
static Value makeDescriptor(OpBuilder &builder, Location loc, MemRefType type,
                            const LLVMTypeConverter &converter,
                            ValueRange parameters) {
  assert(parameters.size() == type.getNumDynamicDims() + 1 &&
         "expects a pointer and the dynamic sizes");
  auto descriptor =
      MemRefDescriptor::poison(builder, loc, converter.convertType(type));
  descriptor.setAllocatedPtr(builder, loc, parameters.front());
  descriptor.setAlignedPtr(builder, loc, parameters.front());
  descriptor.setConstantOffset(builder, loc, 0);
  ValueRange sizes = parameters.drop_front();
  Type i64 = builder.getI64Type();
  Value stride = LLVM::ConstantOp::create(builder, loc, i64, 1);
  unsigned dynamic = type.getNumDynamicDims();
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    Value size =
        type.isDynamicDim(dim)
            ? sizes[--dynamic]
            : LLVM::ConstantOp::create(builder, loc, i64, type.getDimSize(dim))
                  .getResult();
    descriptor.setSize(builder, loc, dim, size);
    descriptor.setStride(builder, loc, dim, stride);
    if (dim > 0)
      stride = LLVM::MulOp::create(builder, loc, stride, size);
  }
  return descriptor;
}

/// The parameters for an argument of type `type`.
static FailureOr<SmallVector<Type>>
getParameters(gpu::GPUFuncOp kernel, Type type,
              const LLVMTypeConverter &converter) {
  if (isa<nvgpu::TensorMapDescriptorType>(type))
    return SmallVector<Type>{LLVM::LLVMPointerType::get(kernel.getContext())};
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    Type scalar = converter.convertType(type);
    if (!scalar || isa<BaseMemRefType>(type) || !type.isIntOrIndexOrFloat())
      return kernel.emitOpError()
             << "expects scalars and memrefs as arguments, but got " << type;
    return SmallVector<Type>{scalar};
  }
  if (!memref.getLayout().isIdentity())
    return kernel.emitOpError()
           << "expects contiguous memrefs as arguments, but got " << type;
  MLIRContext *context = kernel.getContext();
  SmallVector<Type> parameters(memref.getNumDynamicDims() + 1,
                               IntegerType::get(context, 64));
  parameters.front() = LLVM::LLVMPointerType::get(
      context, static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  return parameters;
}

/// Sets the NVVM attributes of a kernel and its CTA size.
static void setKernelAttributes(gpu::GPUFuncOp kernel, LLVM::LLVMFuncOp func) {
  OpBuilder builder(kernel);
  // Inherent attributes of gpu.func have no dialect prefix.
  for (NamedAttribute attribute : kernel->getDiscardableAttrs())
    if (attribute.getNameDialect())
      func->setDiscardableAttr(attribute.getName(), attribute.getValue());
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  // Gives the value ranges of CTA indices.
  if (DenseI32ArrayAttr gridSize = kernel.getKnownGridSizeAttr())
    func->setAttr(gpu::GPUDialect::KnownGridSizeAttrHelper::getNameStr(),
                  gridSize);
  DenseI32ArrayAttr blockSize = kernel.getKnownBlockSizeAttr();
  if (!blockSize)
    return;
  func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), blockSize);
  // Without a number, ptxas spills a few registers for higher occupancy.
  DictionaryAttr schedule = stof::scheduleAttr.get(kernel);
  auto ctasPerSM = schedule ? schedule.getAs<IntegerAttr>(stof::ctasPerSMEntry)
                            : IntegerAttr();
  if (!func->hasAttr(NVVM::NVVMDialect::getMinctasmAttrName()))
    func->setAttr(
        NVVM::NVVMDialect::getMinctasmAttrName(),
        builder.getI32IntegerAttr(ctasPerSM ? ctasPerSM.getInt() : 1));
  // Gives the value ranges of thread indices.
  func->setAttr(gpu::GPUDialect::KnownBlockSizeAttrHelper::getNameStr(),
                blockSize);
}

/// Makes a pointer that of a tensor map, which is a parameter itself.
static void passByValue(LLVM::LLVMFuncOp func, unsigned argument) {
  constexpr unsigned bytes = 128, alignment = 64;
  OpBuilder builder(func);
  func.setArgAttr(
      argument, LLVM::LLVMDialect::getByValAttrName(),
      TypeAttr::get(LLVM::LLVMArrayType::get(builder.getI8Type(), bytes)));
  func.setArgAttr(argument, NVVM::NVVMDialect::getGridConstantAttrName(),
                  builder.getUnitAttr());
  func.setArgAttr(argument, LLVM::LLVMDialect::getAlignAttrName(),
                  builder.getI64IntegerAttr(alignment));
}

LogicalResult stof::convertSignature(gpu::GPUFuncOp kernel,
                                     const LLVMTypeConverter &converter) {
  SmallVector<SmallVector<Type>> parameters;
  SmallVector<Type> all;
  for (Type type : kernel.getArgumentTypes()) {
    FailureOr<SmallVector<Type>> converted =
        getParameters(kernel, type, converter);
    if (failed(converted))
      return failure();
    llvm::append_range(all, *converted);
    parameters.push_back(std::move(*converted));
  }
  placeInGlobalMemory(kernel);

  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(kernel.getContext()), all);
  auto func = LLVM::LLVMFuncOp::create(builder, loc, kernel.getName(), type);
  setKernelAttributes(kernel, func);
  func.getBody().takeBody(kernel.getBody());

  Block &entry = func.getBody().front();
  builder.setInsertionPointToStart(&entry);
  unsigned numArguments = entry.getNumArguments();
  for (auto [number, types] : llvm::enumerate(parameters)) {
    BlockArgument old = entry.getArgument(number);
    SmallVector<Value> passed;
    for (Type parameter : types) {
      BlockArgument argument = entry.addArgument(parameter, old.getLoc());
      passed.push_back(argument);
      unsigned position = argument.getArgNumber() - numArguments;
      if (isa<nvgpu::TensorMapDescriptorType>(old.getType()))
        passByValue(func, position);
      else if (isa<LLVM::LLVMPointerType>(parameter))
        func.setArgAttr(position, LLVM::LLVMDialect::getAlignAttrName(),
                        builder.getI64IntegerAttr(pointerAlignment));
    }
    Value value = passed.front();
    if (auto memref = dyn_cast<MemRefType>(old.getType()))
      value = makeDescriptor(builder, old.getLoc(), memref, converter, passed);
    if (value.getType() != old.getType())
      value = UnrealizedConversionCastOp::create(builder, old.getLoc(),
                                                 old.getType(), value)
                  .getResult(0);
    old.replaceAllUsesWith(value);
  }
  entry.eraseArguments(0, numArguments);
  kernel.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// Reading of host functions. Every buffer is a view of one in the manifest, at
// an offset that is an expression of sizes.
//===----------------------------------------------------------------------===//

#include "stof/Target/LaunchPlan.h"

#include "ConstantBytes.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/IR/StatusWord.h"
#include "stof/Size/IntegerReader.h"
#include "stof/Support/ElementBytes.h"
#include "stof/Target/Interface.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

namespace {

constexpr StringLiteral workspaceName = "workspace";
constexpr StringLiteral statusWordName = "status";
/// The alignment of constants in their file, in bytes.
constexpr uint64_t constantAlignment = 256;

/// A contiguous view of a buffer of the manifest.
struct BufferView {
  std::string buffer;
  SizeExpr offset;
  SmallVector<SizeExpr> shape;
};

class HostReader {
public:
  HostReader(func::FuncOp host, PackagedFunction &function,
             ConstantsFile *constants)
      : host(host), function(function), constants(constants),
        sizes(
            [this](Value value, int64_t dim) { return readDim(value, dim); }) {}

  FailureOr<PackagedTarget> readSteps(StringRef target, StringRef file);
  FailureOr<PackagedTarget> readNative(StringRef target, StringRef file);

private:
  LogicalResult begin(StringRef target);
  LogicalResult mapArguments();
  /// Reads the assertions that numbers in the status word stand for.
  void readChecks();
  void addBuffer(const BufferView &bufferView, MemRefType type,
                 PackagedStep &step);
  LogicalResult readOp(Operation &op);
  LogicalResult readView(memref::ViewOp view);
  LogicalResult readAlias(Operation *op, Value source);
  PackagedConstant addConstant(StringRef bytes);
  LogicalResult readConstant(memref::GetGlobalOp global);
  LogicalResult readAssertion(cf::AssertOp assertion);
  LogicalResult readLaunch(gpu::LaunchFuncOp launch);
  LogicalResult readParameter(gpu::LaunchFuncOp launch, Value operand,
                              PackagedStep &step);
  LogicalResult readTensorMap(nvgpu::TmaCreateDescriptorOp map,
                              PackagedStep &step);

  std::optional<SizeExpr> readDim(Value value, int64_t dim);
  /// The size as an expression; an error at `op` if it depends on more than
  /// sizes.
  FailureOr<SizeExpr> readSize(Operation *op, Value value);
  FailureOr<SizeExpr> readSize(Operation *op, OpFoldResult value);
  FailureOr<SmallVector<SizeExpr>> readShape(Operation *op, MemRefType type,
                                             ValueRange dynamic);

  func::FuncOp host;
  PackagedFunction &function;
  ConstantsFile *constants;
  IntegerReader sizes;
  DenseMap<Value, BufferView> views;
  PackagedTarget result;
  StringRef module;
};

SizeExpr bytesOf(MemRefType type, ArrayRef<SizeExpr> shape) {
  SizeExpr bytes = getElementBytes(type);
  for (const SizeExpr &size : shape)
    bytes = size * bytes;
  return bytes;
}

} // namespace

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

std::optional<SizeExpr> HostReader::readDim(Value value, int64_t dim) {
  auto bufferView = views.find(value);
  if (bufferView == views.end() ||
      dim >= static_cast<int64_t>(bufferView->second.shape.size()))
    return std::nullopt;
  return bufferView->second.shape[dim];
}

FailureOr<SizeExpr> HostReader::readSize(Operation *op, Value value) {
  if (std::optional<SizeExpr> size = sizes.read(value))
    return *size;
  InFlightDiagnostic error =
      op->emitOpError("expects arithmetic on sizes that packages can express, "
                      "but got another value");
  error.attachNote(sizes.getObstacle().getLoc()) << "computed here";
  return error;
}

FailureOr<SizeExpr> HostReader::readSize(Operation *op, OpFoldResult value) {
  if (auto known = dyn_cast<Attribute>(value))
    return SizeExpr(cast<IntegerAttr>(known).getInt());
  return readSize(op, cast<Value>(value));
}

FailureOr<SmallVector<SizeExpr>>
HostReader::readShape(Operation *op, MemRefType type, ValueRange dynamic) {
  SmallVector<SizeExpr> shape;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(size);
      continue;
    }
    FailureOr<SizeExpr> read = readSize(op, dynamic.front());
    if (failed(read))
      return failure();
    shape.push_back(*read);
    dynamic = dynamic.drop_front();
  }
  return shape;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

LogicalResult HostReader::mapArguments() {
  std::vector<PackagedTensor> tensors = function.inputs;
  llvm::append_range(tensors, function.results);
  unsigned numArguments = host.getNumArguments();
  for (BlockArgument argument : host.getArguments())
    if (host.getArgAttr(argument.getArgNumber(), statusName)) {
      views[argument] = {statusWordName.str(), 0, {1}};
      --numArguments;
    }
  if (numArguments != tensors.size() && numArguments != tensors.size() + 1)
    return host.emitOpError("expects one argument for each of the ")
           << tensors.size()
           << " inputs and results and at most one more, but got "
           << numArguments;
  for (auto [argument, tensor] : llvm::zip(host.getArguments(), tensors)) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || type.getRank() != static_cast<int64_t>(tensor.shape.size()))
      return host.emitOpError("expects a buffer for ")
             << tensor.name << ", but got " << argument.getType();
    views[argument] = {tensor.name, 0, llvm::to_vector(tensor.shape)};
  }
  if (numArguments == tensors.size())
    return success();
  auto workspace = dyn_cast<MemRefType>(host.getArgumentTypes().back());
  if (!workspace || workspace.getRank() != 1 ||
      !workspace.getElementType().isInteger(8))
    return host.emitOpError("expects a workspace of bytes, but got ")
           << host.getArgumentTypes().back();
  views[host.getArguments().back()] = {workspaceName.str(), 0, {}};
  return success();
}

void HostReader::readChecks() {
  if (auto assertions = host->getAttrOfType<ArrayAttr>(assertionsName))
    for (auto assertion : assertions.getAsRange<NameLoc>())
      result.assertions.push_back(
          {assertion.getName().str(), printPlace(assertion.getChildLoc())});
}

LogicalResult HostReader::readView(memref::ViewOp view) {
  FailureOr<SizeExpr> shift = readSize(view, view.getByteShift());
  FailureOr<SmallVector<SizeExpr>> shape =
      readShape(view, view.getType(), view.getSizes());
  if (failed(shift) || failed(shape))
    return failure();
  BufferView bufferView = views.at(view.getSource());
  bufferView.offset = bufferView.offset + *shift;
  bufferView.shape = *shape;
  if (bufferView.buffer == workspaceName)
    result.workspace = SizeExpr::get(
        SizeOperator::Maximum, result.workspace,
        bufferView.offset + bytesOf(view.getType(), bufferView.shape));
  views[view] = bufferView;
  return success();
}

/// Reads a reshape or a cast of a buffer.
LogicalResult HostReader::readAlias(Operation *op, Value source) {
  BufferView bufferView = views.at(source);
  std::optional<SmallVector<OpFoldResult>> given;
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    given = expand.getMixedOutputShape();
  } else if (auto again = dyn_cast<memref::ReinterpretCastOp>(op)) {
    given = again.getMixedSizes();
    FailureOr<SizeExpr> offset = readSize(op, again.getMixedOffsets().front());
    if (failed(offset))
      return failure();
    SizeExpr bytes = bytesOf(again.getType(), {});
    bufferView.offset = bufferView.offset + *offset * bytes;
  } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    SmallVector<SizeExpr> shape;
    for (const ReassociationIndices &dims :
         collapse.getReassociationIndices()) {
      SizeExpr size = 1;
      for (int64_t dim : dims)
        size = size * bufferView.shape[dim];
      shape.push_back(size);
    }
    bufferView.shape = std::move(shape);
  }
  if (given) {
    bufferView.shape.clear();
    for (OpFoldResult size : *given) {
      FailureOr<SizeExpr> read = readSize(op, size);
      if (failed(read))
        return failure();
      bufferView.shape.push_back(*read);
    }
  }
  views[op->getResult(0)] = bufferView;
  return success();
}

/// The constant of the function with these bytes. It is shared with other
/// targets.
PackagedConstant HostReader::addConstant(StringRef bytes) {
  StringRef all = constants->bytes;
  for (const PackagedConstant &known : function.constants)
    if (all.substr(known.offset, known.bytes) == bytes)
      return known;
  constants->bytes.resize(llvm::alignTo(all.size(), constantAlignment));
  function.constants.push_back(
      {"const" + std::to_string(function.constants.size()),
       ConstantsFile::name.str(), constants->bytes.size(), bytes.size()});
  constants->bytes += bytes;
  return function.constants.back();
}

LogicalResult HostReader::readConstant(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  if (global && failed(verifyConstantBytes(global)))
    return failure();
  std::optional<std::string> bytes =
      global ? readConstantBytes(global) : std::nullopt;
  if (!bytes)
    return op.emitOpError("expects a global buffer with a constant value, but "
                          "got '")
           << op.getName() << "'";
  PackagedConstant constant = addConstant(*bytes);
  BufferView bufferView{constant.name, 0, {}};
  for (int64_t size : op.getType().getShape())
    bufferView.shape.push_back(size);
  views[op] = bufferView;
  return success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Adds the address of a buffer, then its dynamic sizes.
void HostReader::addBuffer(const BufferView &bufferView, MemRefType type,
                           PackagedStep &step) {
  step.parameters.push_back(
      PackagedParameter::address(bufferView.buffer, bufferView.offset));
  for (auto [size, dim] : llvm::zip_equal(bufferView.shape, type.getShape()))
    if (ShapedType::isDynamic(dim))
      step.parameters.push_back(PackagedParameter::size(size));
}

/// Adds a tensor map of a contiguous buffer, whose innermost dimension is first
/// in a manifest.
LogicalResult HostReader::readTensorMap(nvgpu::TmaCreateDescriptorOp map,
                                        PackagedStep &step) {
  nvgpu::TensorMapDescriptorType type = map.getTensorMap().getType();
  if (type.getSwizzle() != nvgpu::TensorMapSwizzleKind::SWIZZLE_128B ||
      type.getOob() != nvgpu::TensorMapOOBKind::OOB_ZERO ||
      type.getL2promo() != nvgpu::TensorMapL2PromoKind::L2PROMO_NONE ||
      type.getInterleave() != nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE)
    return map.emitOpError("expects a map with the 128-byte swizzle, zeros out "
                           "of bounds and nothing else, but got ")
           << type;
  const BufferView &view = views.at(map.getTensor());
  MemRefType box = type.getTensor();
  llvm::json::Array dims, strides, sides;
  SizeExpr bytes = bytesOf(box, {});
  for (auto [size, side] :
       llvm::reverse(llvm::zip_equal(view.shape, box.getShape()))) {
    if (!dims.empty())
      strides.push_back(bytes.toJSON());
    dims.push_back(size.toJSON());
    sides.push_back(side);
    bytes = size * bytes;
  }
  PackagedParameter parameter =
      PackagedParameter::address(view.buffer, view.offset);
  parameter.map =
      llvm::json::Object{{"dtype", *getDTypeName(box.getElementType())},
                         {"dims", std::move(dims)},
                         {"strides", std::move(strides)},
                         {"box", std::move(sides)},
                         {"swizzle", "128B"}};
  step.parameters.push_back(std::move(parameter));
  return success();
}

LogicalResult HostReader::readParameter(gpu::LaunchFuncOp launch, Value operand,
                                        PackagedStep &step) {
  Type type = operand.getType();
  if (auto buffer = dyn_cast<MemRefType>(type)) {
    const BufferView &bufferView = views.at(operand);
    if (bufferView.buffer == workspaceName && isa<BlockArgument>(operand))
      return launch.emitOpError("expects views of the workspace as parameters, "
                                "but got all of it");
    addBuffer(bufferView, buffer, step);
    return success();
  }
  if (auto map = operand.getDefiningOp<nvgpu::TmaCreateDescriptorOp>())
    return readTensorMap(map, step);
  FloatAttr number;
  if (type.isF32() && matchPattern(operand, m_Constant(&number))) {
    step.parameters.push_back({"", number.getValueAsDouble(), "f32"});
    return success();
  }
  if (!type.isIndex() && !type.isInteger(32) && !type.isInteger(64))
    return launch.emitOpError("expects buffers, integers and constant f32 as "
                              "parameters, but got ")
           << type;
  FailureOr<SizeExpr> size = readSize(launch, operand);
  if (failed(size))
    return failure();
  step.parameters.push_back(
      {"", size->toJSON(), type.isInteger(32) ? "i32" : "i64"});
  return success();
}

LogicalResult HostReader::readLaunch(gpu::LaunchFuncOp launch) {
  Operation *kernel =
      SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernel());
  PackagedStep step;
  step.function = launch.getKernelName().str();
  step.module = module.str();
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value ctas : {grid.x, grid.y, grid.z}) {
    FailureOr<SizeExpr> size = readSize(launch, ctas);
    if (failed(size))
      return failure();
    step.grid.push_back(*size);
  }
  for (Value threads : {block.x, block.y, block.z}) {
    FailureOr<SizeExpr> size = readSize(launch, threads);
    if (failed(size))
      return failure();
    if (!size->constant())
      return launch.emitOpError("expects a constant number of threads, but got "
                                "one that depends on sizes");
    step.block.push_back(*size->constant());
  }
  if (kernel) {
    if (IntegerAttr bytes = sharedBytesAttr.get(kernel))
      step.sharedBytes = bytes.getInt();
    step.programmatic = programmaticAttr.isOn(kernel);
  }
  if (Value more = launch.getDynamicSharedMemorySize()) {
    FailureOr<SizeExpr> size = readSize(launch, more);
    if (failed(size))
      return failure();
    step.sharedBytes = step.sharedBytes + *size;
  }
  for (Value operand : launch.getKernelOperands()) {
    if (failed(readParameter(launch, operand, step)))
      return failure();
    auto bufferView = views.find(operand);
    step.operandSizes.emplace_back();
    if (bufferView != views.end())
      llvm::append_range(step.operandSizes.back(), bufferView->second.shape);
    else if (operand.getType().isIndex())
      step.operandSizes.back().push_back(*readSize(launch, operand));
  }
  result.steps.push_back(std::move(step));
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult HostReader::readAssertion(cf::AssertOp assertion) {
  FailureOr<SizeExpr> holds = readSize(assertion, assertion.getArg());
  if (failed(holds))
    return failure();
  bool isKnown = (holds->constant() && *holds->constant() != 0) ||
                 llvm::any_of(function.checks, [&](const PackagedCheck &check) {
                   return check.holds == *holds;
                 });
  if (!isKnown)
    function.checks.push_back({*holds, assertion.getMsg().str()});
  return success();
}

LogicalResult HostReader::readOp(Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<memref::ViewOp>([&](auto view) { return readView(view); })
      .Case<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp,
            memref::ReinterpretCastOp>([&](Operation *alias) {
        return readAlias(alias, alias->getOperand(0));
      })
      // Read by launches.
      .Case<nvgpu::TmaCreateDescriptorOp>([](auto) { return success(); })
      .Case<memref::GetGlobalOp>(
          [&](auto global) { return readConstant(global); })
      .Case<gpu::LaunchFuncOp>([&](auto launch) { return readLaunch(launch); })
      .Case<cf::AssertOp>([&](auto check) { return readAssertion(check); })
      .Case<func::ReturnOp>([](auto) { return success(); })
      .Default([](Operation *other) -> LogicalResult {
        bool isScalar = llvm::none_of(other->getResultTypes(), [](Type type) {
          return isa<ShapedType>(type);
        });
        // Read on demand by launches.
        if (isScalar && isMemoryEffectFree(other) &&
            other->getNumRegions() == 0)
          return success();
        return other->emitOpError("expects an operation that packages can "
                                  "express on the host, but got '")
               << other->getName() << "'";
      });
}

LogicalResult HostReader::begin(StringRef target) {
  result.target = target.str();
  if (IntegerAttr bound = workspaceBoundAttr.get(host))
    result.workspaceBound = bound.getInt();
  if (!host.getBody().hasOneBlock())
    return host.emitOpError("expects a body of one block, but got ")
           << host.getBody().getBlocks().size();
  readChecks();
  return mapArguments();
}

FailureOr<PackagedTarget> HostReader::readSteps(StringRef target,
                                                StringRef file) {
  module = file;
  if (failed(begin(target)))
    return failure();
  for (Operation &op : host.getBody().front())
    if (failed(readOp(op)))
      return failure();
  return std::move(result);
}

FailureOr<PackagedTarget> HostReader::readNative(StringRef target,
                                                 StringRef file) {
  if (failed(begin(target)))
    return failure();
  for (Operation &op : host.getBody().front())
    if (isa<memref::ViewOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
            memref::CastOp>(op) &&
        views.contains(op.getOperand(0)) && failed(readOp(op)))
      return failure();
  PackagedStep step;
  step.function = ("stof_" + host.getName()).str();
  step.module = file.str();
  for (BlockArgument argument : host.getArguments()) {
    BufferView bufferView = views.at(argument);
    if (bufferView.buffer == workspaceName)
      bufferView.shape = {result.workspace};
    addBuffer(bufferView, cast<MemRefType>(argument.getType()), step);
  }
  result.steps.push_back(std::move(step));
  return std::move(result);
}

std::string stof::printPlace(Location loc) {
  auto position = loc->findInstanceOf<FileLineColLoc>();
  if (!position)
    return "unknown";
  return (position.getFilename().getValue() + ":" + Twine(position.getLine()) +
          ":" + Twine(position.getColumn()))
      .str();
}

FailureOr<PackagedTarget>
stof::describeSteps(func::FuncOp host, StringRef target, StringRef module,
                    PackagedFunction &function, ConstantsFile &constants) {
  return HostReader(host, function, &constants).readSteps(target, module);
}

FailureOr<PackagedTarget> stof::describeNativeStep(func::FuncOp host,
                                                   StringRef target,
                                                   StringRef module,
                                                   PackagedFunction &function) {
  return HostReader(host, function, nullptr).readNative(target, module);
}

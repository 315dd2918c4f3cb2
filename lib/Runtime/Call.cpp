//===----------------------------------------------------------------------===//
// Binding of a call: 1. dtypes and ranks, 2. symbols from sizes, 3. sizes
// against their expressions, 4. checks, 5. results and workspace, 6. steps.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Call.h"

#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;
using namespace stof::runtime;

namespace {

class Binder {
public:
  Binder(const Function &function, const Target &target,
         ArrayRef<InputShape> inputs)
      : function(function), inputs(inputs) {
    call.function = &function;
    call.target = &target;
  }

  Expected<Call> bind();

private:
  Error bindInputs();
  Error bindResults();
  Error evaluateChecks();
  Expected<BoundStep> bindStep(const Step &step);
  Expected<BoundBuffer> bindBuffer(const BufferRef &buffer);
  Expected<BoundScalar> bindScalar(const ScalarParameter &scalar);
  Expected<BoundTensorMap> bindTensorMap(const TensorMapParameter &map);
  Expected<BoundParameter> bindParameter(const Parameter &parameter);

  Error rejectShape(const TensorSpec &spec, ArrayRef<int64_t> shape) const;
  /// The error for a dimension of an input that differs from `expected`.
  Error rejectSize(size_t input, size_t dim, int64_t expected) const;
  /// Evaluates an expression; fails if the value is below `minimum`. `what` is
  /// for messages.
  Expected<int64_t> evaluate(const Expression &expression, const Twine &what,
                             int64_t minimum = 0) const;

  const Function &function;
  ArrayRef<InputShape> inputs;
  Call call;
};

} // namespace

Expected<int64_t> Binder::evaluate(const Expression &expression,
                                   const Twine &what, int64_t minimum) const {
  Expected<int64_t> value = expression.evaluate(call.symbols);
  std::string where = (Twine(what) + " of '" + function.name + "'").str();
  if (expression.usesSymbols())
    where += " with " + function.formatSymbols(call.symbols);
  if (!value)
    return createStringError(where + ": " + toString(value.takeError()));
  if (*value < minimum)
    return createStringError(where + ": expects at least " + Twine(minimum) +
                             ", but got " + Twine(*value));
  return value;
}

Error Binder::rejectShape(const TensorSpec &spec,
                          ArrayRef<int64_t> shape) const {
  bool symbolic = any_of(
      spec.shape, [](const Expression &size) { return size.usesSymbols(); });
  return createStringError(
      "expects " + spec.name + " of shape " + spec.formatShape() +
      (symbolic && !call.symbols.empty()
           ? " with " + function.formatSymbols(call.symbols)
           : "") +
      ", but got " + formatShape(shape));
}

Error Binder::rejectSize(size_t input, size_t dim, int64_t expected) const {
  auto reason = find_if(function.equalities, [&](const Equality &each) {
    return each.input == static_cast<int64_t>(input) &&
           each.dim == static_cast<int64_t>(dim);
  });
  if (reason == function.equalities.end())
    return rejectShape(function.inputs[input], inputs[input].shape);
  return createStringError("'" + function.name + "' " + reason->message +
                           ", but got " + Twine(inputs[input].shape[dim]) +
                           " and " + Twine(expected));
}

Error Binder::bindInputs() {
  if (inputs.size() != function.inputs.size())
    return createStringError("expects " + Twine(function.inputs.size()) +
                             " inputs of '" + function.name + "', but got " +
                             Twine(inputs.size()));
  for (auto [spec, input] : zip(function.inputs, inputs)) {
    if (input.dtype != spec.dtype)
      return createStringError("expects " + spec.name + " of dtype " +
                               getName(spec.dtype) + ", but got " +
                               getName(input.dtype));
    if (input.shape.size() != spec.shape.size())
      return rejectShape(spec, input.shape);
    Expected<int64_t> bytes = countBytes(input.dtype, input.shape);
    if (!bytes)
      return createStringError(spec.name + ": " + toString(bytes.takeError()));
    call.inputBytes.push_back(*bytes);
  }
  for (const Symbol &symbol : function.symbols)
    call.symbols.push_back(inputs[symbol.input].shape[symbol.dim]);
  for (auto [position, spec] : enumerate(function.inputs)) {
    const InputShape &input = inputs[position];
    for (auto [dim, size] : enumerate(spec.shape)) {
      Expected<int64_t> expected = evaluate(size, "the shape of " + spec.name);
      if (!expected)
        return expected.takeError();
      if (*expected != input.shape[dim])
        return rejectSize(position, dim, *expected);
    }
  }
  return Error::success();
}

Error Binder::evaluateChecks() {
  for (const Check &check : function.checks) {
    Expected<int64_t> holds =
        evaluate(check.holds, "a check", std::numeric_limits<int64_t>::min());
    if (!holds)
      return holds.takeError();
    if (*holds)
      continue;
    std::string symbols = function.formatSymbols(call.symbols), found;
    if (auto sides = check.holds.evaluateEquation(call.symbols))
      found = std::to_string(sides->first) + " and " +
              std::to_string(sides->second) + (symbols.empty() ? "" : " with ");
    found += symbols;
    return createStringError("'" + function.name + "' " + check.message +
                             (found.empty() ? "" : ", but got " + found));
  }
  return Error::success();
}

Error Binder::bindResults() {
  for (const TensorSpec &spec : function.results) {
    std::vector<int64_t> &shape = call.resultShapes.emplace_back();
    for (const Expression &size : spec.shape) {
      Expected<int64_t> value = evaluate(size, "the shape of " + spec.name);
      if (!value)
        return value.takeError();
      shape.push_back(*value);
    }
    Expected<int64_t> bytes = countBytes(spec.dtype, shape);
    if (!bytes)
      return createStringError(spec.name + ": " + toString(bytes.takeError()));
    call.resultBytes.push_back(*bytes);
  }
  Expected<int64_t> bytes = evaluate(call.target->workspace, "the workspace");
  if (!bytes)
    return bytes.takeError();
  call.workspaceBytes = *bytes;
  return Error::success();
}

Expected<BoundBuffer> Binder::bindBuffer(const BufferRef &buffer) {
  int64_t bytes = call.workspaceBytes;
  if (buffer.kind == BufferRef::Kind::Input)
    bytes = call.inputBytes[buffer.index];
  else if (buffer.kind == BufferRef::Kind::Result)
    bytes = call.resultBytes[buffer.index];
  else if (buffer.kind == BufferRef::Kind::Constant)
    bytes = function.constants[buffer.index].bytes;
  else if (buffer.kind == BufferRef::Kind::Status)
    bytes = sizeof(int32_t);
  Expected<int64_t> offset =
      evaluate(buffer.offset, "an offset into " + buffer.name);
  if (!offset)
    return offset.takeError();
  if (*offset > bytes)
    return createStringError("expects an offset into " + buffer.name + " of '" +
                             function.name + "' of at most " + Twine(bytes) +
                             " bytes, but got " + Twine(*offset));
  return BoundBuffer{buffer.kind, buffer.index, *offset};
}

Expected<BoundScalar> Binder::bindScalar(const ScalarParameter &scalar) {
  uint64_t bits = 0;
  if (scalar.type == ScalarParameter::Type::F32) {
    std::memcpy(&bits, &scalar.real, sizeof(scalar.real));
    return BoundScalar{bits};
  }
  Expected<int64_t> value = evaluate(scalar.value, "a parameter",
                                     std::numeric_limits<int64_t>::min());
  if (!value)
    return value.takeError();
  if (scalar.type == ScalarParameter::Type::I32 &&
      *value != static_cast<int32_t>(*value))
    return createStringError("expects a parameter of '" + function.name +
                             "' that fits i32, but got " + Twine(*value));
  return BoundScalar{static_cast<uint64_t>(*value)};
}

Expected<BoundTensorMap> Binder::bindTensorMap(const TensorMapParameter &map) {
  Expected<BoundBuffer> buffer = bindBuffer(map.buffer);
  if (!buffer)
    return buffer.takeError();
  BoundTensorMap bound{&map, *buffer, {}, {}};
  for (const Expression &size : map.dims) {
    Expected<int64_t> value = evaluate(size, "a tensor map's dimension");
    if (!value)
      return value.takeError();
    bound.dims.push_back(*value);
  }
  for (const Expression &stride : map.strides) {
    Expected<int64_t> value = evaluate(stride, "a tensor map's stride");
    if (!value)
      return value.takeError();
    bound.strides.push_back(*value);
  }
  return bound;
}

Expected<BoundParameter> Binder::bindParameter(const Parameter &parameter) {
  if (const auto *buffer = std::get_if<BufferRef>(&parameter))
    return bindBuffer(*buffer);
  if (const auto *scalar = std::get_if<ScalarParameter>(&parameter))
    return bindScalar(*scalar);
  return bindTensorMap(std::get<TensorMapParameter>(parameter));
}

Expected<BoundStep> Binder::bindStep(const Step &step) {
  assert(call.resultBytes.size() == function.results.size() &&
         "results are bound before steps");
  BoundStep bound;
  bound.step = &step;
  if (const auto *kernel = std::get_if<KernelStep>(&step)) {
    for (auto [size, expression] : zip(bound.grid, kernel->grid)) {
      Expected<int64_t> value =
          evaluate(expression, "the grid of " + kernel->symbol);
      if (!value)
        return value.takeError();
      size = *value;
    }
    Expected<int64_t> bytes =
        evaluate(kernel->sharedBytes, "the shared memory of " + kernel->symbol);
    if (!bytes)
      return bytes.takeError();
    bound.sharedBytes = *bytes;
  }
  // An empty launch can have empty tensor maps, which cannot be encoded.
  if (bound.isEmpty())
    return bound;
  const StepBase &base = std::visit(
      [](const auto &step) -> const StepBase & { return step; }, step);
  for (const Parameter &parameter : base.parameters) {
    Expected<BoundParameter> value = bindParameter(parameter);
    if (!value)
      return value.takeError();
    bound.parameters.push_back(*value);
  }
  return bound;
}

Expected<Call> Binder::bind() {
  if (Error error = bindInputs())
    return std::move(error);
  if (Error error = evaluateChecks())
    return std::move(error);
  if (Error error = bindResults())
    return std::move(error);
  for (const Step &step : call.target->steps) {
    Expected<BoundStep> bound = bindStep(step);
    if (!bound)
      return bound.takeError();
    call.steps.push_back(std::move(*bound));
  }
  return std::move(call);
}

Expected<Call> stof::runtime::bindCall(const Function &function,
                                       const Target &target,
                                       ArrayRef<InputShape> inputs) {
  return Binder(function, target, inputs).bind();
}

//===----------------------------------------------------------------------===//
// Runs on the inputs of a reference, and the comparison of every element.
//===----------------------------------------------------------------------===//

#include "Reference.h"

#include "Compare.h"
#include "Difference.h"
#include "ParallelRanges.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace stof::runtime;

namespace {

/// Results that differ from those of the reference.
class DifferentResults : public ErrorInfo<DifferentResults> {
public:
  static char ID;

  explicit DifferentResults(std::string message)
      : message(std::move(message)) {}
  void log(raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return inconvertibleErrorCode();
  }

private:
  std::string message;
};

} // namespace

char DifferentResults::ID = 0;

Expected<std::unique_ptr<HostRun>>
Reference::execute(const std::shared_ptr<Program> &program) {
  Expected<std::unique_ptr<HostRun>> run =
      HostRun::create(program, inputs.tensors, memory);
  if (run)
    if (Error error = (*run)->execute())
      return std::move(error);
  return run;
}

/// Keeps the results of `run`.
Error Reference::addResults(const HostRun &run) {
  const Call &call = run.getCall();
  for (auto [index, spec] : enumerate(call.function->results)) {
    MutableArrayRef<char> bytes =
        results.add(spec.name, spec.dtype, call.resultShapes[index],
                    call.resultBytes[index]);
    auto copy = [&](int64_t offset, StringRef part) {
      forRanges(part.size(), pool, [&](size_t, int64_t begin, int64_t end) {
        llvm::copy(part.slice(begin, end), bytes.begin() + offset + begin);
      });
    };
    if (Error error = reader.read(run, index, copy))
      return error;
    const HostTensor &result = results.tensors.back();
    finite.push_back(findFiniteElements(result, pool));
    int64_t count = result.countElements();
    double here = count ? static_cast<double>(finite.back().count) / count : 1;
    if (here < share) {
      share = here;
      least = index;
    }
  }
  return Error::success();
}

Expected<std::unique_ptr<Reference>>
Reference::create(const std::shared_ptr<Program> &program, uint64_t seed,
                  FloatRange range, ResultReader &reader,
                  ThreadPoolInterface &pool) {
  std::unique_ptr<Reference> made(
      new Reference(program->getDevice(), reader, pool));
  if (Error error = makeRandomInputs(program->getFunction(), seed, range, pool)
                        .moveInto(made->inputs))
    return std::move(error);
  Expected<std::unique_ptr<HostRun>> run = made->execute(program);
  if (!run)
    return run.takeError();
  if (Error error = made->addResults(**run))
    return std::move(error);
  return made;
}

Expected<std::unique_ptr<Reference>>
Reference::create(const std::shared_ptr<Program> &program, uint64_t seed,
                  ResultReader &reader, ThreadPoolInterface &pool) {
  constexpr double enough = 0.5;
  Expected<std::unique_ptr<Reference>> made =
      create(program, seed, FloatRange::Signed, reader, pool);
  if (!made || (*made)->share == 1)
    return made;
  Expected<std::unique_ptr<Reference>> other =
      create(program, seed, FloatRange::Positive, reader, pool);
  if (!other)
    return other;
  if ((*other)->share > (*made)->share)
    made = std::move(other);
  if ((*made)->share >= enough)
    return made;
  size_t least = (*made)->least;
  const HostTensor &result = (*made)->results.tensors[least];
  return createStringError(
      "expects finite results of the untuned kernel to compare with, but got " +
      Twine((*made)->finite[least].count) + " finite elements of " +
      Twine(result.countElements()) + " in " + result.name);
}

/// The largest difference of result number `index` of `run`.
Expected<double> Reference::findDifference(const HostRun &run,
                                           size_t index) const {
  const HostTensor &golden = results.tensors[index];
  HostTensor result = golden, expected = golden;
  double largest = 0;
  auto compareParts = [&](int64_t offset, StringRef part) {
    result.bytes = part;
    expected.bytes = golden.bytes.substr(offset, part.size());
    largest = std::max(largest, findLargestDifference(result, expected, pool));
  };
  if (Error error = reader.read(run, index, compareParts))
    return std::move(error);
  return largest;
}

/// An error names the first result that differs from the reference's.
Error Reference::compare(const HostRun &run) const {
  const Call &call = run.getCall();
  ArrayRef<TensorSpec> specs = call.function->results;
  if (specs.size() != results.tensors.size())
    return createStringError("expects " + Twine(results.tensors.size()) +
                             " results, but got " + Twine(specs.size()));
  for (auto [index, spec, golden] : enumerate(specs, results.tensors)) {
    HostTensor result{spec.name, spec.dtype, call.resultShapes[index], ""};
    if (result.name != golden.name || result.dtype != golden.dtype ||
        result.shape != golden.shape)
      return createStringError("expects " + golden.name + " of " +
                               golden.format() + ", but got " + result.name +
                               " of " + result.format());
    Expected<double> difference = findDifference(run, index);
    if (!difference)
      return difference.takeError();
    double error = getError(*difference, finite[index].magnitude);
    double tolerance = getDefaultTolerance(golden.dtype);
    if (error <= tolerance)
      continue;
    std::string text;
    raw_string_ostream(text)
        << golden.name << " differs from the reference: "
        << format("error %.3g, tolerance %.3g", error, tolerance);
    return make_error<DifferentResults>(std::move(text));
  }
  return Error::success();
}

Expected<std::unique_ptr<HostRun>>
Reference::check(const std::shared_ptr<Program> &program) {
  // An earlier program that writes where it should not may have changed inputs.
  for (bool hadInputs = memory.hasInputs();; hadInputs = false) {
    Expected<std::unique_ptr<HostRun>> run = execute(program);
    if (!run)
      return run;
    Error error = compare(**run);
    if (!error)
      return run;
    if (!hadInputs || !error.isA<DifferentResults>())
      return std::move(error);
    consumeError(std::move(error));
    memory.forgetInputs();
  }
}

int64_t Reference::countHostBytes() const {
  int64_t bytes = 0;
  for (const OwnedTensors *owned : {&inputs, &results})
    for (const HostTensor &tensor : owned->tensors)
      bytes += tensor.bytes.size();
  return bytes;
}

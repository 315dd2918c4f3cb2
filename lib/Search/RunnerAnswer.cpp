//===----------------------------------------------------------------------===//
// Lines of JSON as answers.
//===----------------------------------------------------------------------===//

#include "RunnerAnswer.h"

#include "stof/Support/ParseJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <utility>
#include <vector>

using namespace llvm;
using namespace stof;

/// `times` is not empty.
static double getMedian(std::vector<double> times) {
  llvm::sort(times);
  size_t middle = times.size() / 2;
  return times.size() % 2 ? times[middle]
                          : (times[middle - 1] + times[middle]) / 2;
}

/// The times of an answer; none if one of them is no number.
static std::vector<double> readTimes(const json::Array *values) {
  std::vector<double> times;
  for (const json::Value &value : values ? *values : json::Array()) {
    std::optional<double> time = value.getAsNumber();
    if (!time)
      return {};
    times.push_back(*time);
  }
  return times;
}

static std::optional<size_t> readUnsigned(const json::Object &answer,
                                          StringRef key) {
  std::optional<int64_t> number = answer.getInteger(key);
  if (!number || *number < 0)
    return std::nullopt;
  return *number;
}

static std::optional<RunnerAnswer> readMeasured(const json::Object &answer,
                                                size_t index) {
  if (std::optional<StringRef> error = answer.getString("error"))
    return MeasuredAnswer{index, {0, 0, error->str()}};
  std::vector<double> times = readTimes(answer.getArray("microseconds"));
  if (times.empty())
    return std::nullopt;
  int64_t clock = answer.getInteger("clock_mhz").value_or(0);
  return MeasuredAnswer{
      index, {getMedian(std::move(times)), static_cast<unsigned>(clock), ""}};
}

static std::optional<RunnerAnswer> read(const json::Object &answer) {
  if (std::optional<size_t> index = readUnsigned(answer, "begin"))
    return BeginAnswer{*index};
  if (std::optional<size_t> index = readUnsigned(answer, "index"))
    return readMeasured(answer, *index);
  if (std::optional<StringRef> error = answer.getString("error"))
    return RefusedAnswer{error->str()};
  if (answer.getBoolean("done").value_or(false))
    return DoneAnswer{};
  std::optional<StringRef> device = answer.getString("device");
  std::optional<StringRef> driver = answer.getString("driver");
  std::optional<size_t> capability = readUnsigned(answer, "capability");
  if (!device || !driver || !capability)
    return std::nullopt;
  return MeasuredDevice{device->str(), driver->str(),
                        static_cast<unsigned>(*capability)};
}

Expected<RunnerAnswer> stof::parseAnswer(StringRef line) {
  constexpr size_t most = 100;
  Expected<json::Value> value = parseJson(line);
  if (!value)
    consumeError(value.takeError());
  else if (const json::Object *object = value->getAsObject())
    if (std::optional<RunnerAnswer> answer = read(*object))
      return *answer;
  return createStringError("expects an answer of stof-run, but got '" +
                           line.take_front(most) + "'");
}

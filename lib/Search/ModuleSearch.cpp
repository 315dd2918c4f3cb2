//===----------------------------------------------------------------------===//
// The search on a module: schemes, then schedules, then the choice.
//===----------------------------------------------------------------------===//

#include "ModuleSearch.h"

#include "ChooseShipped.h"
#include "TransformScript.h"
#include "stof/CostModel/GroupCost.h"
#include "stof/IR/Stof.h"
#include "stof/Support/PrintLocation.h"
#include "stof/Transforms/FormGroups/Steps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace mlir;
using namespace stof;

static remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-search");
}

static std::string formatTime(double microseconds) {
  return llvm::formatv("{0:f2}", microseconds).str();
}

LogicalResult ModuleSearch::run() {
  auto begin = std::chrono::steady_clock::now();
  if (options.seconds > 0)
    limitTime();
  report.target = target ? target->name.str() : "cpu";
  report.compiler = STOF_VERSION;
  report.seed = options.measuring.seed;
  if (failed(readShipped()))
    return failure();
  measurer = openDevice();
  if (measurer)
    database = openDatabase();
  shippedDevice = findShippedDevice();
  SmallVector<func::FuncOp> defined = llvm::filter_to_vector(
      module.getOps<func::FuncOp>(),
      [](func::FuncOp function) { return !function.isExternal(); });
  for (func::FuncOp function : defined)
    if (failed(searchSchemes(function)))
      return failure();
  searchSchedules();
  report.isInterrupted = options.isInterrupted();
  explainModelChoices();
  for (Function &function : functions)
    chooseScheme(function);
  if (failed(chooseSchedules()))
    return failure();
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - begin;
  report.seconds = taken.count();
  session.scripts.push_back(
      printTransformScript(module, target ? target->name : ""));
  session.reports.push_back(std::move(report));
  return success();
}

//===----------------------------------------------------------------------===//
// Time, devices and databases
//===----------------------------------------------------------------------===//

/// Ends the search as by an interrupt when its time is over.
void ModuleSearch::limitTime() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::now() + std::chrono::seconds(options.seconds);
  options.isInterrupted = [isInterrupted = options.isInterrupted, end] {
    return isInterrupted() || Clock::now() >= end;
  };
}

void ModuleSearch::explainNoMeasuring(const Twine &why) {
  report.notMeasured = why.str();
}

/// Says where and why the cost model chooses, unless all kernels have schedules
/// that ship.
void ModuleSearch::explainModelChoices() {
  if (report.notMeasured.empty())
    return;
  size_t chosen = llvm::count_if(
      kernels, [](const auto &entry) { return !entry.second.isShipped; });
  if (chosen == 0 && !kernels.empty()) {
    report.notMeasured.clear();
    return;
  }
  std::string where;
  if (chosen < kernels.size())
    where = llvm::formatv(" for {0} of {1} kernels", chosen, kernels.size());
  remark::missed(module.getLoc(), named("NotMeasured")) << remark::reason(
      "the cost model chooses{0}: {1}", where, report.notMeasured);
}

std::unique_ptr<Measurer> ModuleSearch::openDevice() {
  if (!options.measures) {
    explainNoMeasuring("measuring is off");
    return nullptr;
  }
  MeasureOptions measuring = options.measuring;
  if (measuring.device.empty())
    measuring.device = target ? "cuda:0" : "cpu";
  llvm::Expected<std::unique_ptr<Measurer>> measurer =
      options.openMeasurer(measuring);
  if (!measurer) {
    explainNoMeasuring(llvm::toString(measurer.takeError()));
    return nullptr;
  }
  const MeasuredDevice &found = (*measurer)->getDevice();
  // A CPU has no capability.
  unsigned wanted = target ? Architecture::parse(target->name)->capability : 0;
  if (wanted != found.capability) {
    explainNoMeasuring(found.name + " is no device of the target " +
                       report.target);
    return nullptr;
  }
  report.device = found;
  return std::move(*measurer);
}

/// None if there is none or it cannot be used.
std::unique_ptr<TuningDatabase> ModuleSearch::openDatabase() {
  const std::string &path = options.database;
  if (path.empty())
    return nullptr;
  llvm::Expected<std::unique_ptr<TuningDatabase>> database =
      openTuningDatabase(path);
  if (database)
    return std::move(*database);
  ignore(llvm::toString(database.takeError()));
  return nullptr;
}

TuningKey ModuleSearch::keyOf(StringRef signature) const {
  return {signature.str(), report.device.name, report.device.driver,
          report.target, report.compiler};
}

void ModuleSearch::ignore(const std::string &reason) {
  remark::missed(module.getLoc(), named("IgnoredEntry"))
      << remark::reason("{0}", reason);
}

LogicalResult ModuleSearch::readShipped() {
  auto check = [&](llvm::Error error) -> LogicalResult {
    if (!error)
      return success();
    return module.emitError() << "cannot read schedules that ship: "
                              << llvm::toString(std::move(error));
  };
  if (!options.schedules.empty() &&
      failed(check(shipped.addFile(options.schedules))))
    return failure();
  return options.shipped ? check(shipped.addBuiltIn()) : success();
}

/// The device that is measured on, or else that is named without being there,
/// or that the cost model predicts for.
std::string ModuleSearch::findShippedDevice() const {
  if (measurer)
    return report.device.name;
  StringRef device = options.measuring.device;
  bool isPlace =
      device.empty() || device == "cpu" || device.starts_with("cuda:");
  if (isPlace && !target)
    return "";
  return shipped.findDevice(
      report.target, isPlace ? StringRef(target->getFigures().name) : device);
}

//===----------------------------------------------------------------------===//
// Schemes
//===----------------------------------------------------------------------===//

static void setScheme(func::FuncOp op, const FusionScheme &scheme) {
  std::string bits = scheme.getBits();
  if (!bits.empty())
    op->setAttr(schemeAttrName, SchemeAttr::get(op.getContext(), bits));
}

/// Searches the schemes of `op`, unless it has groups or a scheme or its scheme
/// is known, and finds the kernels of the best one.
LogicalResult ModuleSearch::searchSchemes(func::FuncOp op) {
  Function &function = functions.emplace_back();
  function.op = op;
  bool isGiven = op->hasAttr(schemeAttrName) || !op.getOps<GroupOp>().empty();
  if (!isGiven) {
    IRRewriter rewriter(op.getContext());
    for (Block &block : op.getBody())
      prepareOperations(rewriter, block);
    if (database || !shippedDevice.empty())
      function.signature = signOperation(op);
    if (recallScheme(function))
      return success();
    function.schemes = stof::searchSchemes(op, target, options.schemes);
  }
  if (failed(tryScheme(op, function.schemes.chosen, function.counts)))
    return failure();
  countLaunches(function);
  return measurer ? tryAlternatives(function) : success();
}

/// Sets the scheme that the database has for the function, or else the one that
/// ships, and finds its kernels.
bool ModuleSearch::recallScheme(Function &function) {
  if (database) {
    llvm::Expected<std::vector<TunedSchedule>> known =
        database->find(keyOf(function.signature),
                       [&](const std::string &reason) { ignore(reason); });
    if (!known)
      ignore(llvm::toString(known.takeError()));
    else if (!known->empty() &&
             takeKnownScheme(function, known->back().schedule))
      return true;
  }
  const ShippedSearch *search =
      shipped.find(function.signature, report.target, shippedDevice);
  const TunedSchedule *best = search ? search->findBest() : nullptr;
  if (!best || !takeKnownScheme(function, best->schedule))
    return false;
  remark::analysis(function.op.getLoc(), named("ChoseScheme"))
      << ("that of a search on " + shippedDevice + ", shipped");
  return true;
}

/// Sets the scheme `known` and finds its kernels, if it is still legal.
bool ModuleSearch::takeKnownScheme(Function &function,
                                   const std::string &known) {
  ScopedDiagnosticHandler none(module.getContext(), [](Diagnostic &) {});
  auto scheme =
      dyn_cast_or_null<SchemeAttr>(parseAttribute(known, module.getContext()));
  if (scheme)
    function.op->setAttr(schemeAttrName, scheme);
  if (!scheme || failed(tryScheme(function.op, {}, function.counts))) {
    ignore("an entry for @" + function.op.getName().str() +
           " has no scheme that is legal now: " + known);
    function.op->removeAttr(schemeAttrName);
    function.counts.clear();
    return false;
  }
  countLaunches(function);
  return true;
}

void ModuleSearch::countLaunches(const Function &function) {
  for (const auto &[signature, count] : function.counts)
    kernels[signature].search.launches += count;
}

/// Finds the kernels that the function has with other schemes.
LogicalResult ModuleSearch::tryAlternatives(Function &function) {
  constexpr size_t mostAlternatives = 12;
  std::vector<Alternative> &alternatives = function.schemes.alternatives;
  if (alternatives.size() > mostAlternatives)
    alternatives.resize(mostAlternatives);
  for (Alternative &moves : alternatives) {
    FusionScheme scheme = function.schemes.chosen;
    scheme.take(moves.front());
    TriedAlternative &tried = function.alternatives.emplace_back();
    tried.moves = std::move(moves);
    if (failed(tryScheme(function.op, scheme, tried.counts)))
      return failure();
  }
  return success();
}

/// Counts the kernels that `op` has with `scheme`.
LogicalResult ModuleSearch::tryScheme(func::FuncOp op,
                                      const FusionScheme &scheme,
                                      KernelCounts &counts) {
  // Dynamic pipelines run on what is nested in the module.
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto scratch = ModuleOp::create(builder, module.getLoc());
  builder.setInsertionPointToEnd(scratch.getBody());
  for (Operation &symbol : module.getOps())
    if (!isa<ModuleOp, func::FuncOp>(symbol))
      builder.clone(symbol);
  auto copy = cast<func::FuncOp>(builder.clone(*op));
  setScheme(copy, scheme);
  LogicalResult formed = formGroups(copy);
  if (succeeded(formed)) {
    WalkResult walked = copy.walk([&](KernelOpInterface kernel) {
      FailureOr<StringRef> signature = find(kernel);
      if (failed(signature))
        return WalkResult::interrupt();
      if (!signature->empty())
        ++counts[signature->str()];
      return WalkResult::advance();
    });
    formed = failure(walked.wasInterrupted());
  }
  scratch.erase();
  return formed;
}

/// The time of the kernel with its best schedule; none if it is unknown.
std::optional<double> ModuleSearch::timeOf(const std::string &signature) const {
  const auto *found = kernels.find(signature);
  if (found == kernels.end())
    return std::nullopt;
  const SearchedKernel &kernel = found->second.search.report;
  if (kernel.schedules.empty())
    return std::nullopt;
  return kernel.schedules[kernel.chosen].measured;
}

/// What one move of `tried` gains, as measured; none if a kernel that it adds
/// or removes was not measured.
std::optional<double>
ModuleSearch::gainOf(const Function &function,
                     const TriedAlternative &tried) const {
  KernelCounts all = function.counts;
  all.insert(tried.counts.begin(), tried.counts.end());
  double gain = 0;
  for (const auto &entry : all) {
    auto countIn = [&](const KernelCounts &counts) {
      auto found = counts.find(entry.first);
      return found == counts.end() ? 0.0 : found->second;
    };
    double fewer = countIn(function.counts) - countIn(tried.counts);
    if (fewer == 0)
      continue;
    std::optional<double> time = timeOf(entry.first);
    if (!time)
      return std::nullopt;
    gain += fewer * *time;
  }
  return gain;
}

/// Takes the alternatives that were measured to gain, those that gain most
/// first, at all places where they are still possible.
void ModuleSearch::chooseScheme(Function &function) {
  // Of one place, in microseconds: times are no more certain than that.
  constexpr double least = 0.2;
  // Pointers of a vector: of equal gains, the first is taken.
  std::vector<std::pair<double, const TriedAlternative *>> gains;
  for (const TriedAlternative &tried : function.alternatives)
    if (std::optional<double> gain = gainOf(function, tried);
        gain && *gain > least)
      gains.push_back({-*gain, &tried});
  llvm::sort(gains);
  FusionScheme &scheme = function.schemes.chosen;
  // None if a kernel has none.
  std::optional<double> measured = 0;
  for (const auto &[signature, count] : function.counts) {
    std::optional<double> each = timeOf(signature);
    measured = measured && each
                   ? std::optional<double>(*measured + count * *each)
                   : std::nullopt;
  }
  for (auto [loss, tried] : gains) {
    unsigned places = 0;
    for (const SchemeMove &move : tried->moves)
      places += scheme.take(move);
    if (measured)
      *measured += loss * places;
    remark::analysis(function.op.getLoc(), named("ChoseMove"))
        << tried->moves.front().name.str()
        << remark::metric("Gain", formatTime(-loss))
        << remark::metric("Places", std::to_string(places));
  }
  if (scheme.kernels.empty())
    return;
  setScheme(function.op, scheme);
  const FusionScheme &untuned = function.schemes.untuned;
  unsigned tried = function.schemes.tried + function.alternatives.size();
  remark::analysis(function.op.getLoc(), named("ChoseScheme"))
      << remark::metric("Schemes", std::to_string(tried))
      << remark::metric("Kernels", std::to_string(scheme.kernels.size()))
      << remark::metric("Microseconds", formatTime(scheme.microseconds))
      << remark::metric("UntunedMicroseconds",
                        formatTime(untuned.microseconds));
  report.schemes.push_back({function.op.getName().str(), untuned.getBits(),
                            scheme.getBits(), untuned.microseconds,
                            scheme.microseconds, tried});
  if (measured && !report.isInterrupted)
    keepScheme(function, *measured);
}

/// Keeps the scheme with the time of its measured kernels.
void ModuleSearch::keepScheme(const Function &function, double measured) {
  if (!database || function.counts.empty())
    return;
  auto scheme = function.op->getAttrOfType<SchemeAttr>(schemeAttrName);
  TunedSchedule kept;
  kept.schedule = llvm::formatv("{0}", scheme);
  kept.measurement.microseconds = measured;
  if (llvm::Error error = database->add(keyOf(function.signature), kept))
    ignore(llvm::toString(std::move(error)));
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

namespace {
/// A schedule with its predicted time.
struct Row {
  size_t number;
  std::optional<Prediction> prediction;

  /// Unknown times come last.
  std::tuple<bool, double, size_t> getRank() const {
    return {!prediction, prediction ? prediction->microseconds : 0, number};
  }
};
} // namespace

/// Lists the schedules of `op`, by predicted time.
LogicalResult ModuleSearch::listSchedules(KernelOpInterface op,
                                          Kernel &kernel) {
  FailureOr<SmallVector<KernelSchedule>> listed = op.listSchedules(target);
  if (failed(listed))
    return failure();
  CostModel model = getCostModel(target);
  SmallVector<Row> rows;
  for (auto [number, schedule] : llvm::enumerate(*listed))
    rows.push_back({number, schedule.predict(model)});
  llvm::sort(rows, [](const Row &lhs, const Row &rhs) {
    return lhs.getRank() < rhs.getRank();
  });
  SearchedKernel &described = kernel.search.report;
  for (const Row &row : rows) {
    Attribute attribute = (*listed)[row.number].attribute;
    if (row.number == 0)
      described.untuned = kernel.schedules.size();
    kernel.schedules.push_back(attribute);
    TriedSchedule &tried = described.schedules.emplace_back();
    tried.schedule = llvm::formatv("{0}", attribute);
    if (row.prediction) {
      tried.predicted = row.prediction->microseconds;
      tried.bound = row.prediction->bound;
    }
  }
  return success();
}

/// The signature of the kernel of `op`, which is added to the kernels; empty if
/// there is nothing to search for.
FailureOr<StringRef> ModuleSearch::find(KernelOpInterface op) {
  // A schedule of the module stays.
  if (op.hasSchedule())
    return StringRef();
  std::string reason;
  std::optional<KernelModule> extracted = extractKernel(op, signer, reason);
  // An operation that cannot be extracted is found by its place.
  std::string key =
      extracted ? extracted->signature
                : llvm::formatv("{0} at {1}", op->getName(), op->getLoc());
  auto [place, isNew] = kernels.try_emplace(key);
  Kernel &kernel = place->second;
  if (!isNew)
    return StringRef(place->first);
  if (failed(listSchedules(op, kernel)))
    return failure();
  SearchedKernel &described = kernel.search.report;
  if (!extracted) {
    described.name = describeKernel(op);
    described.reason = reason;
    return StringRef(place->first);
  }
  // Not by operator<<, whose local scope leaves out resources.
  llvm::raw_string_ostream os(kernel.search.text);
  extracted->module->print(os);
  described.signature = extracted->signature;
  described.name = extracted->name;
  return StringRef(place->first);
}

/// Whether the database has the end of a search of the kernel.
bool ModuleSearch::isFinished(const Kernel &kernel) {
  if (!database)
    return false;
  const std::string &signature = kernel.search.report.signature;
  llvm::Expected<std::optional<unsigned>> finished =
      database->findFinished(keyOf(signature));
  if (finished)
    return *finished && **finished >= options.budget;
  ignore(llvm::toString(finished.takeError()));
  return false;
}

/// Chooses the shipped schedule of the kernel. Not where measurements have more
/// to say: those of the database, or those of a larger budget.
bool ModuleSearch::recallShipped(Kernel &kernel) {
  SearchedKernel &described = kernel.search.report;
  const ShippedSearch *search =
      shipped.find(described.signature, report.target, shippedDevice);
  if (!search)
    return false;
  if (measurer && (search->finished < options.budget || isFinished(kernel)))
    return false;
  kernel.isShipped =
      chooseShipped(described, *search, shippedDevice,
                    [&](const std::string &reason) { ignore(reason); });
  return kernel.isShipped;
}

void ModuleSearch::searchSchedules() {
  std::vector<Kernel *> open;
  std::vector<SearchKernel> searched;
  for (auto &[signature, kernel] : kernels)
    if (!recallShipped(kernel)) {
      open.push_back(&kernel);
      searched.push_back(std::move(kernel.search));
    }
  ScheduleSearch search(options, *module.getContext(), report.target,
                        measurer.get(), database.get(),
                        [&](const std::string &reason) { ignore(reason); });
  llvm::Error failed = search.run(searched);
  report.measured = search.getNumMeasured();
  report.budget = measurer ? options.budget * searched.size() : 0;
  for (auto [kernel, search] : llvm::zip_equal(open, searched))
    kernel->search = std::move(search);
  if (!failed && measurer && options.isInterrupted() &&
      !session.getOptions().isInterrupted())
    failed = llvm::createStringError("its " + Twine(options.seconds) +
                                     " s are over");
  // What was found until then is as good as it was.
  if (failed)
    remark::missed(module.getLoc(), named("NotMeasured")) << remark::reason(
        "the search ended early: {0}", llvm::toString(std::move(failed)));
}

/// Forms the groups, and writes the schedules into the IR.
LogicalResult ModuleSearch::chooseSchedules() {
  for (Function &function : functions) {
    if (failed(formGroups(function.op)))
      return failure();
    WalkResult walked = function.op.walk([&](KernelOpInterface op) {
      FailureOr<StringRef> signature = find(op);
      if (failed(signature))
        return WalkResult::interrupt();
      if (!signature->empty())
        chooseSchedule(op, kernels[signature->str()]);
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
  }
  for (auto &[signature, kernel] : kernels)
    if (!kernel.schedules.empty())
      report.kernels.push_back(std::move(kernel.search.report));
  return success();
}

void ModuleSearch::chooseSchedule(KernelOpInterface op, Kernel &kernel) {
  if (kernel.schedules.empty())
    return;
  SearchedKernel &described = kernel.search.report;
  if (described.reason.empty() && !recallShipped(kernel)) {
    // A move made another kernel here than at the place where it was tried.
    described.chosen = described.untuned;
    described.reason = "not measured, at another place of a measured scheme";
  }
  const TriedSchedule &chosen = described.schedules[described.chosen];
  const TriedSchedule &untuned = described.schedules[described.untuned];
  bool hasChoice = described.schedules.size() > 1;
  if (measurer && hasChoice && !kernel.isShipped && !untuned.measured &&
      described.places.empty())
    remark::missed(op->getLoc(), named("NotMeasured"))
        << remark::reason("{0}: {1}", described.name, described.reason);
  std::string at;
  if (auto function = op->getParentOfType<func::FuncOp>())
    at = "@" + function.getName().str() + ", ";
  described.places.push_back(at + printLocation(op->getLoc()));
  op.setSchedule(kernel.schedules[described.chosen]);
  auto remark = remark::analysis(op->getLoc(), named("ChoseSchedule"));
  remark << described.reason << remark::metric("Schedule", chosen.schedule);
  if (chosen.predicted)
    remark << remark::metric("Predicted", formatTime(*chosen.predicted));
  if (chosen.measured)
    remark << remark::metric("Measured", formatTime(*chosen.measured));
  if (untuned.measured)
    remark << remark::metric("Untuned", formatTime(*untuned.measured));
}

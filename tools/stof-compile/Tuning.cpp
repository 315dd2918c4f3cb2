//===----------------------------------------------------------------------===//
// The search of stof-compile --tune.
//===----------------------------------------------------------------------===//

#include "Tuning.h"

#include "stof/Pipelines/Compile.h"
#include "stof/Search/ProgressLine.h"

#include "llvm/Support/FormatVariadic.h"

namespace cl = llvm::cl;
using namespace stof;

TuningOptions::TuningOptions(cl::OptionCategory &category)
    : tune("tune",
           cl::desc("Search for faster fusion schemes and schedules of "
                    "kernels, by measurements where a device of the target "
                    "is; the first Ctrl-C ends the search and keeps what it "
                    "found"),
           cl::cat(category)),
      device("tuning-device", cl::value_desc("cuda:N|cpu|name"),
             cl::desc("The device to measure on (default: cuda:0, and cpu for "
                      "the target cpu), or the name of one that is not there, "
                      "such as H100, whose shipped schedules are taken"),
             cl::cat(category)),
      database("tuning-database", cl::value_desc("file"),
               cl::desc("The file that keeps measurements for later searches; "
                        "see stof-tune (default: none)"),
               cl::cat(category)),
      schedules("tuning-schedules", cl::value_desc("file"),
                cl::desc("The file of more schedules that ship, as stof-tune "
                         "export --best prints them, which precede those of "
                         "the compiler (default: none)"),
                cl::cat(category)),
      shipped("tuning-shipped", cl::init(SearchOptions().shipped),
              cl::desc("Take schedules that ship with the compiler, rather "
                       "than measure the kernel or let the cost model choose; "
                       "a larger budget than that of their search, or a "
                       "database that knows the kernel, has precedence "
                       "(default: true)"),
              cl::cat(category)),
      budget("tuning-budget", cl::value_desc("N"),
             cl::init(SearchOptions().budget),
             cl::desc("Measurements for each kernel, on average (default: 16)"),
             cl::cat(category)),
      seconds(
          "tuning-seconds", cl::value_desc("N"),
          cl::init(SearchOptions().seconds),
          cl::desc("Seconds after which the search ends with what it found, "
                   "as by Ctrl-C (default: 0, for no limit)"),
          cl::cat(category)),
      seed("tuning-seed", cl::value_desc("N"),
           cl::desc("The seed of random choices and inputs (default: 0)"),
           cl::cat(category)),
      json("tuning-json", cl::value_desc("file.json"),
           cl::desc("The file for what was tried and chosen, as JSON"),
           cl::cat(category)),
      page("tuning-page", cl::value_desc("file.html"),
           cl::desc("The file for a page of what was tried and chosen"),
           cl::cat(category)),
      script("tuning-script", cl::value_desc("file.mlir"),
             cl::desc("The file for a transform script that makes the same "
                      "choices before stof-form-groups"),
             cl::cat(category)) {}

static llvm::Error refuse(const llvm::cl::Option &option,
                          llvm::StringRef expected) {
  return llvm::createStringError(
      llvm::formatv("expects {0}, but got --{1}", expected, option.ArgStr));
}

llvm::Expected<std::unique_ptr<Tuning>>
Tuning::create(const TuningOptions &options, llvm::StringRef model,
               llvm::StringRef package, size_t numTargets, unsigned jobs) {
  std::unique_ptr<Tuning> tuning(new Tuning(options));
  const cl::Option *ofSearch[] = {
      &options.device, &options.database, &options.schedules, &options.shipped,
      &options.budget, &options.seconds,  &options.seed,      &options.json,
      &options.page,   &options.script};
  for (const cl::Option *option : ofSearch)
    if (!options.tune && option->getNumOccurrences() > 0)
      return refuse(*option, "--tune for options of the search");
  for (const cl::Option *option :
       {&options.json, &options.page, &options.script})
    if (numTargets != 1 && option->getNumOccurrences() > 0)
      return refuse(*option, "one --target for outputs of a search");
  if (!options.tune)
    return std::move(tuning);
  for (TextOutput *output : {&tuning->json, &tuning->page, &tuning->script})
    if (llvm::Error error = output->open(model, package))
      return std::move(error);
  SearchOptions search;
  search.measuring.device = options.device;
  search.measuring.seed = options.seed;
  search.database = options.database;
  search.schedules = options.schedules;
  search.shipped = options.shipped;
  search.budget = options.budget;
  search.seconds = options.seconds;
  search.jobs = jobs;
  search.compile = compileKernel;
  search.isInterrupted = InterruptScope::isInterrupted;
  search.onProgress = printProgressLine;
  tuning->interrupts = std::make_unique<InterruptScope>();
  tuning->session = std::make_unique<SearchSession>(std::move(search));
  return std::move(tuning);
}

llvm::Error Tuning::finish() {
  interrupts.reset();
  if (!session)
    return llvm::Error::success();
  for (const SearchReport &report : session->reports)
    printSummary(report);
  const SearchReport &report = session->reports.front();
  if (llvm::Error error = json.write([&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}\n", llvm::json::Value(report.toJSON()));
      }))
    return error;
  if (llvm::Error error =
          page.write([&](llvm::raw_ostream &os) { report.printPage(os); }))
    return error;
  return script.write(
      [&](llvm::raw_ostream &os) { os << session->scripts.front(); });
}

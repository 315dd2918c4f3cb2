//===----------------------------------------------------------------------===//
// The search of stof-compile --tune: its options and its outputs.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOFCOMPILE_TUNING_H
#define STOF_TOOLS_STOFCOMPILE_TUNING_H

#include "TextOutput.h"
#include "stof/Search/InterruptScope.h"
#include "stof/Search/Search.h"

#include "llvm/Support/CommandLine.h"

namespace stof {

/// The options; one object registers them.
struct TuningOptions {
  explicit TuningOptions(llvm::cl::OptionCategory &category);

  llvm::cl::opt<bool> tune;
  llvm::cl::opt<std::string> device, database, schedules;
  llvm::cl::opt<bool> shipped;
  llvm::cl::opt<unsigned> budget, seconds, seed;
  llvm::cl::opt<std::string> json, page, script;
};

/// The search of one run of the program.
class Tuning {
public:
  /// Opens the outputs. Fails if there are options but no search, or if an
  /// output of one target is asked for of several.
  static llvm::Expected<std::unique_ptr<Tuning>>
  create(const TuningOptions &options, llvm::StringRef model,
         llvm::StringRef package, size_t numTargets, unsigned jobs);

  /// Null without --tune.
  SearchSession *getSession() { return session.get(); }

  /// Writes the outputs.
  llvm::Error finish();

private:
  explicit Tuning(const TuningOptions &options)
      : json("the report of the search", options.json),
        page("the page of the search", options.page),
        script("the transform script", options.script) {}

  TextOutput json, page, script;
  std::unique_ptr<InterruptScope> interrupts;
  std::unique_ptr<SearchSession> session;
};

} // namespace stof

#endif // STOF_TOOLS_STOFCOMPILE_TUNING_H

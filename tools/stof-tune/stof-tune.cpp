//===----------------------------------------------------------------------===//
// stof-tune: lists, merges, exports and imports tuning databases. It does not
// link MLIR and can be copied to other machines.
//===----------------------------------------------------------------------===//

#include "../lib/OutputFile.h"
#include "../lib/Version.h"
#include "TuningList.h"
#include "TuningText.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace llvm;
using namespace stof;

namespace {

struct Options {
  cl::OptionCategory category{"stof-tune options"};
  cl::SubCommand listing{"list", "Print what was measured for each kernel, and "
                                 "the best schedule"};
  cl::SubCommand merging{"merge", "Add the measurements of other databases; of "
                                  "one schedule the newest is kept"};
  cl::SubCommand exporting{"export", "Print a database as sorted text, a JSON "
                                     "object a line"};
  cl::SubCommand importing{"import",
                           "Add the lines that `export` prints, up to the "
                           "first that is wrong, as new measurements"};

  cl::opt<std::string> database{cl::Positional,         cl::Required,
                                cl::desc("<database>"), cl::cat(category),
                                cl::sub(listing),       cl::sub(merging),
                                cl::sub(exporting),     cl::sub(importing)};
  cl::list<std::string> others{cl::Positional, cl::OneOrMore,
                               cl::desc("<other database>..."),
                               cl::cat(category), cl::sub(merging)};
  cl::opt<std::string> text{cl::Positional, cl::Required,
                            cl::desc("<text, or - for standard input>"),
                            cl::cat(category), cl::sub(importing)};
  cl::opt<bool> json{"json", cl::desc("Print a JSON array"), cl::cat(category),
                     cl::sub(listing)};
  cl::opt<bool> best{"best",
                     cl::desc("Print of each kernel only the fastest schedule "
                              "and, for comparison, the untuned one: a text "
                              "for stof-compile --tuning-schedules"),
                     cl::cat(category), cl::sub(exporting)};
  cl::opt<std::string> output{"o",
                              cl::value_desc("file"),
                              cl::desc("Where to print (default: standard "
                                       "output)"),
                              cl::init("-"),
                              cl::cat(category),
                              cl::sub(listing),
                              cl::sub(exporting)};
  cl::opt<bool> echo{"echo",
                     cl::desc("Print each line as soon as it is in the "
                              "database for good"),
                     cl::cat(category), cl::sub(importing)};
};

} // namespace

static void warn(const std::string &reason) {
  errs() << "stof-tune: warning: left out: " << reason << "\n";
}

static Expected<std::unique_ptr<TuningDatabase>> openExisting(StringRef path) {
  if (!sys::fs::exists(path))
    return createStringError("'" + path +
                             "': expects a tuning database, but got no file");
  return openTuningDatabase(path);
}

static Error list(const Options &options, TuningDatabase &database,
                  raw_ostream &os) {
  Expected<std::vector<ListedKey>> keys = listKeys(database, warn);
  if (!keys)
    return keys.takeError();
  if (options.json)
    printJson(*keys, os);
  else
    printText(*keys, os);
  return Error::success();
}

/// Lists or exports.
static Error print(const Options &options) {
  Expected<std::unique_ptr<TuningDatabase>> database =
      openExisting(options.database);
  if (!database)
    return database.takeError();
  Expected<OutputFile> output = OutputFile::open(options.output);
  if (!output)
    return output.takeError();
  Error error = options.listing
                    ? list(options, **database, output->os())
                    : exportText(**database, options.best, warn, output->os());
  return error ? std::move(error) : output->keep();
}

static Error merge(const Options &options) {
  Expected<std::unique_ptr<TuningDatabase>> database =
      openTuningDatabase(options.database);
  if (!database)
    return database.takeError();
  for (const std::string &other : options.others)
    if (Error error = (*database)->merge(other, warn))
      return error;
  return Error::success();
}

static Error import(const Options &options) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> text =
      MemoryBuffer::getFileOrSTDIN(options.text);
  if (!text)
    return createStringError("cannot read '" + options.text +
                             "': " + text.getError().message());
  Expected<std::unique_ptr<TuningDatabase>> database =
      openTuningDatabase(options.database);
  if (!database)
    return database.takeError();
  Error error = importText(**database, (*text)->getBufferIdentifier(),
                           (*text)->getBuffer(), [&](StringRef line) {
                             if (options.echo) {
                               outs() << line << "\n";
                               outs().flush();
                             }
                           });
  return joinErrors(std::move(error), flushStandardOutput());
}

static Error run(const Options &options) {
  if (options.listing || options.exporting)
    return print(options);
  if (options.merging)
    return merge(options);
  if (options.importing)
    return import(options);
  return createStringError(
      "expects one of list, merge, export and import, but got none of them");
}

int main(int argc, char **argv) {
  Options options;
  cl::HideUnrelatedOptions(options.category);
  setVersionPrinter("stof-tune");
  cl::ParseCommandLineOptions(argc, argv, "Databases of measured schedules.\n");
  if (Error error = run(options)) {
    errs() << "stof-tune: error: " << toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}

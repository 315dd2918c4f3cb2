//===----------------------------------------------------------------------===//
// The page of a search: what was gained, in which kernels, and how far
// predictions can be trusted. Details follow what they explain.
//===----------------------------------------------------------------------===//

#include "stof/Search/SearchReport.h"

#include "FormatNumbers.h"
#include "Markup.h"
#include "PageStyle.h"
#include "Plots.h"
#include "stof/Search/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace stof;
using llvm::formatv;
using llvm::StringRef;

static constexpr StringRef arrow = " \u2192 ";

namespace {

class SearchPage {
public:
  SearchPage(const SearchReport &report, llvm::raw_ostream &os)
      : report(report), page(os), kernels(report.rankKernels()),
        total(report.getTotal()) {}

  void print();

private:
  using Element = Markup::Element;

  void printHead();
  void printHeadline();
  void printNotes();
  void printTiles();
  void printTile(StringRef name, StringRef value, StringRef more);
  void printOverview();
  void printRow(const SearchedKernel &kernel, size_t number, double longest);
  void printSchemes();
  void printKernel(const SearchedKernel &kernel, size_t number);
  void printFacts(const SearchedKernel &kernel);
  void printFact(StringRef name, StringRef text);
  void printChoice(StringRef name, const SearchedKernel &kernel, size_t number,
                   size_t other);
  void printPlaces(const SearchedKernel &kernel);
  void printSchedules(const SearchedKernel &kernel);
  void printSchedule(const SearchedKernel &kernel, size_t number);
  void printDifferences(StringRef schedule, StringRef other);
  void printColumns(llvm::ArrayRef<StringRef> names, StringRef numbers);

  const SearchReport &report;
  Markup page;
  std::vector<const SearchedKernel *> kernels;
  std::optional<SearchTotal> total;
};

} // namespace

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static std::string formatSeconds(double seconds) {
  constexpr double minute = 60;
  if (seconds < 2 * minute)
    return formatv("{0:f1} s", seconds);
  auto whole = static_cast<uint64_t>(seconds / minute);
  return formatv("{0} min {1:f0} s", whole,
                 std::floor(seconds - whole * minute));
}

static std::string addFailures(std::string text, size_t failed) {
  return failed ? text + formatv(", {0} failed", failed).str() : text;
}

static std::string countTried(const SearchedKernel &kernel) {
  return addFailures(
      formatv("{0} of {1}", kernel.countMeasured(), kernel.schedules.size()),
      kernel.countFailed());
}

/// What the measurements of a kernel say of the cost model.
static std::string describePredictions(const PredictionQuality &quality) {
  std::string text;
  if (quality.rankCorrelation)
    text = formatv("Rank correlation {0:f2} over {1} measured schedules. ",
                   *quality.rankCorrelation, quality.count);
  else
    text = formatCount(quality.count, "measured schedule") +
           ": no rank correlation. ";
  text += formatv("Measured times are {0} the predicted ones.",
                  formatFactor(quality.bias));
  if (quality.count == 1)
    return text;
  text += " The schedule predicted to be fastest is ";
  text += quality.place == 1 ? "the fastest."
                             : formatv("{0} fastest, at {1} the least time.",
                                       formatPlace(quality.place),
                                       formatFactor(quality.regret))
                                   .str();
  return text;
}

/// A warning if the clocks of two measurements differ by so much that a gain
/// may be that of the clock.
static std::string compareClocks(const SearchedKernel &kernel) {
  constexpr double tolerance = 0.03;
  unsigned untuned = kernel.schedules[kernel.untuned].clockMHz;
  unsigned chosen = kernel.schedules[kernel.chosen].clockMHz;
  if (!untuned || !chosen ||
      std::max(chosen, untuned) <= (1 + tolerance) * std::min(chosen, untuned))
    return "";
  return formatv("The chosen schedule ran at {0} MHz, the untuned one at {1} "
                 "MHz: a part of the difference may be the clock's.",
                 chosen, untuned);
}

static size_t countGroups(StringRef bits) {
  size_t groups = !bits.empty();
  for (size_t at = 1; at < bits.size(); ++at)
    groups += bits[at] != bits[at - 1];
  return groups;
}

//===----------------------------------------------------------------------===//
// Headline
//===----------------------------------------------------------------------===//

void SearchPage::printHead() {
  Element head(page, "head");
  page.empty("meta", {{"charset", "utf-8"}});
  page.empty("meta", {{"name", "viewport"},
                      {"content", "width=device-width, initial-scale=1"}});
  page.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  page.leaf("title", {}, "Schedules for " + report.target);
  page.leaf("style", {}, getPageStyle());
}

void SearchPage::printHeadline() {
  std::string device = report.device.name;
  page.leaf("h1", {},
            "Schedules for " + report.target +
                (device.empty() ? "" : " on " + device));
  std::string origin = "stof " + report.compiler;
  if (!report.device.driver.empty())
    origin += ", driver " + report.device.driver;
  origin += ", seed " + std::to_string(report.seed);
  page.leaf("p", {{"class", "soft"}}, origin);
}

void SearchPage::printNotes() {
  auto note = [&](StringRef text) {
    page.leaf("p", {{"class", "note"}, {"role", "note"}}, text);
  };
  if (report.isInterrupted)
    note("The search was interrupted. This is what it had found by then.");
  size_t without = llvm::count_if(kernels, [](const SearchedKernel *kernel) {
    return !kernel->countMeasured();
  });
  if (kernels.empty())
    note("There are no kernels with a choice of schedules.");
  else if (without == kernels.size())
    note("Nothing was measured: times are predicted, and choices are those of "
         "the cost model.");
  else if (without)
    note(formatv(
             "Kernels without a measured schedule: {0} of {1}. Each says why.",
             without, kernels.size())
             .str());
}

void SearchPage::printTile(StringRef name, StringRef value, StringRef more) {
  Element tile(page, "dl", {{"class", "tile"}});
  page.leaf("dt", {}, name);
  page.leaf("dd", {{"class", "value"}}, value);
  page.leaf("dd", {{"class", "more"}}, more);
}

void SearchPage::printTiles() {
  Element tiles(page, "div", {{"class", "tiles"}});
  if (total) {
    StringRef times = total->isMeasured ? "measured" : "predicted";
    printTile("Mean gain", formatFactor(total->meanGain),
              formatv("geometric mean of {0}, {1}",
                      formatCount(total->kernels, "kernel"), times)
                  .str());
    std::string factor;
    if (total->chosen > 0)
      factor = ", " + formatFactor(total->untuned / total->chosen);
    printTile("Saved in all places", formatTime(total->untuned - total->chosen),
              formatv("{0}{1}{2}{3}, {4}", formatTime(total->untuned), arrow,
                      formatTime(total->chosen), factor, times)
                  .str());
  }
  double before = 0, after = 0;
  for (const SearchedScheme &scheme : report.schemes) {
    before += scheme.untunedMicroseconds;
    after += scheme.chosenMicroseconds;
  }
  if (before > 0 && after > 0)
    printTile("Gain of fusion schemes", formatFactor(before / after),
              formatv("{0}{1}{2}, predicted", formatTime(before), arrow,
                      formatTime(after))
                  .str());
  size_t failed = 0, known = 0;
  std::vector<double> correlations;
  for (const SearchedKernel *kernel : kernels) {
    failed += kernel->countFailed();
    known += llvm::count_if(kernel->schedules, [](const TriedSchedule &tried) {
      return tried.isKnown;
    });
    std::optional<PredictionQuality> quality = kernel->judgePredictions();
    if (quality && quality->rankCorrelation)
      correlations.push_back(*quality->rankCorrelation);
  }
  printTile("Measurements",
            formatv("{0} of {1}", report.measured, report.budget).str(),
            addFailures(formatv("{0} known before", known), failed));
  printTile("Time of the search", formatSeconds(report.seconds),
            report.isInterrupted ? "interrupted" : "complete");
  if (std::optional<double> middle = median(correlations))
    printTile("Cost model", formatv("{0:f2}", *middle).str(),
              formatv("rank correlation, median of {0}",
                      formatCount(correlations.size(), "kernel"))
                  .str());
}

//===----------------------------------------------------------------------===//
// Overview
//===----------------------------------------------------------------------===//

/// Heads of columns; those whose letter in `numbers` is `n` are of numbers.
void SearchPage::printColumns(llvm::ArrayRef<StringRef> names,
                              StringRef numbers) {
  Element head(page, "thead");
  Element row(page, "tr");
  for (auto [name, kind] : llvm::zip(names, numbers))
    page.leaf("th",
              {{"scope", "col"}, {"class", kind == 'n' ? "number" : "text"}},
              name);
}

void SearchPage::printOverview() {
  if (kernels.empty())
    return;
  page.leaf("h2", {}, "Kernels");
  double longest = 0;
  for (const SearchedKernel *kernel : kernels)
    if (std::optional<SearchGain> gain = kernel->getGain())
      longest = std::max(longest, std::max(gain->untuned, gain->chosen) *
                                      kernel->places.size());
  Element card(page, "div", {{"class", "card scroll"}});
  Element table(page, "table");
  printColumns({"Kernel", "Places", "Untuned", "Chosen", "Gain", "Saved",
                "Time in all places", "Bound", "Measured", "Why"},
               "tnnnnntttt");
  Element body(page, "tbody");
  for (auto [number, kernel] : llvm::enumerate(kernels))
    printRow(*kernel, number + 1, longest);
}

void SearchPage::printRow(const SearchedKernel &kernel, size_t number,
                          double longest) {
  std::optional<SearchGain> gain = kernel.getGain();
  auto count = [&](StringRef text) {
    page.leaf("td", {{"class", "number"}}, text);
  };
  Element row(page, "tr");
  {
    Element cell(page, "td", {{"class", "name"}});
    page.leaf("a", {{"href", formatv("#kernel-{0}", number)}}, kernel.name);
  }
  count(std::to_string(kernel.places.size()));
  if (gain) {
    count(formatTime(gain->untuned));
    count(formatTime(gain->chosen));
    {
      Element cell(page, "td", {{"class", "number"}});
      page.leaf("strong", {}, formatFactor(gain->getFactor()));
      page.empty("br", {});
      page.leaf("span", {{"class", "soft"}},
                kernel.untuned == kernel.chosen ? "same schedule"
                : gain->isMeasured              ? "measured"
                                                : "predicted");
    }
    count(formatTime(kernel.getSaved()));
    Element cell(page, "td", {{"class", "times"}});
    for (auto [style, time] : {std::make_pair("untuned", gain->untuned),
                               std::make_pair("chosen", gain->chosen)}) {
      double all = time * kernel.places.size();
      page.leaf("span",
                {{"class", formatv("bar {0}", style)},
                 {"style", formatv("width: {0:f1}%",
                                   longest > 0 ? 100 * all / longest : 0)},
                 {"title", formatv("{0}: {1}", style, formatTime(all))}},
                "");
    }
  } else {
    for (int column = 0; column < 4; ++column)
      count("\u2013");
    page.leaf("td", {{"class", "times"}}, "");
  }
  page.leaf("td", {},
            kernel.chosen < kernel.schedules.size()
                ? kernel.schedules[kernel.chosen].bound
                : "");
  page.leaf("td", {}, countTried(kernel));
  page.leaf("td", {{"class", "why soft"}}, kernel.reason);
}

void SearchPage::printSchemes() {
  if (report.schemes.empty())
    return;
  page.leaf("h2", {}, "Fusion schemes");
  page.leaf("p", {{"class", "soft"}},
            "A box is an operation, in program order; adjoining boxes share a "
            "kernel. A line marks a boundary that the other scheme does not "
            "have. Times are predicted.");
  for (const SearchedScheme &scheme : report.schemes) {
    Element card(page, "section", {{"class", "card"}});
    page.leaf("h3", {}, "@" + scheme.function);
    std::string summary = formatTime(scheme.untunedMicroseconds) + arrow.str() +
                          formatTime(scheme.chosenMicroseconds);
    if (scheme.untunedMicroseconds > 0 && scheme.chosenMicroseconds > 0)
      summary += ", " + formatFactor(scheme.untunedMicroseconds /
                                     scheme.chosenMicroseconds);
    page.leaf("p", {},
              formatv("{0}; {1}{2}{3} of {4}; {5} compared", summary,
                      countGroups(scheme.untuned), arrow,
                      formatCount(countGroups(scheme.chosen), "group"),
                      formatCount(scheme.chosen.size(), "operation"),
                      formatCount(scheme.tried, "scheme"))
                  .str());
    plotScheme(page, scheme);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void SearchPage::printFact(StringRef name, StringRef text) {
  if (text.empty())
    return;
  page.leaf("dt", {}, name);
  page.leaf("dd", {}, text);
}

/// Prints `schedule` with the parameters marked that `other` does not have.
void SearchPage::printDifferences(StringRef schedule, StringRef other) {
  constexpr StringRef delimiters = "<>[](),";
  auto take = [&](StringRef &rest) {
    size_t end = rest.find_first_of(delimiters);
    StringRef taken = rest.take_front(end ? end : 1);
    rest = rest.drop_front(taken.size());
    return taken;
  };
  llvm::StringMap<unsigned> shared;
  for (StringRef rest = other; !rest.empty();)
    ++shared[take(rest).trim()];
  Element code(page, "code");
  for (StringRef rest = schedule; !rest.empty();) {
    StringRef taken = take(rest), parameter = taken.trim();
    unsigned &count = shared[parameter];
    if (count || parameter.empty() || delimiters.contains(parameter.front())) {
      count -= count > 0;
      page.text(taken);
      continue;
    }
    page.text(taken.take_while([](char c) { return c == ' '; }));
    page.leaf("mark", {}, parameter);
  }
}

void SearchPage::printChoice(StringRef name, const SearchedKernel &kernel,
                             size_t number, size_t other) {
  const TriedSchedule &tried = kernel.schedules[number];
  page.leaf("dt", {},
            formatv("{0}: #{1}, {2}", name, number,
                    tried.measured ? "measured " + formatTime(*tried.measured)
                                   : "predicted " + formatTime(tried.predicted))
                .str());
  Element text(page, "dd");
  printDifferences(tried.schedule, kernel.schedules[other].schedule);
}

void SearchPage::printPlaces(const SearchedKernel &kernel) {
  constexpr size_t few = 4;
  auto list = [&](llvm::ArrayRef<std::string> places) {
    Element items(page, "ul", {{"class", "places"}});
    for (const std::string &place : places)
      page.leaf("li", {}, place);
  };
  if (kernel.places.empty())
    return;
  page.leaf("dt", {}, formatCount(kernel.places.size(), "place"));
  Element text(page, "dd");
  if (kernel.places.size() <= few)
    return list(kernel.places);
  Element details(page, "details");
  page.leaf("summary", {}, kernel.places.front() + ", ...");
  list(kernel.places);
}

void SearchPage::printFacts(const SearchedKernel &kernel) {
  Element facts(page, "dl", {{"class", "facts"}});
  size_t untuned = kernel.untuned, chosen = kernel.chosen;
  if (std::max(untuned, chosen) < kernel.schedules.size()) {
    printChoice(untuned == chosen ? "Untuned and chosen" : "Chosen", kernel,
                chosen, untuned);
    if (untuned != chosen)
      printChoice("Untuned", kernel, untuned, chosen);
    printFact("Why", kernel.reason);
    printFact("Clocks", compareClocks(kernel));
  } else {
    printFact("Why", kernel.reason);
  }
  if (std::optional<PredictionQuality> quality = kernel.judgePredictions())
    printFact("Cost model", describePredictions(*quality));
  printPlaces(kernel);
  if (kernel.signature.empty())
    return;
  page.leaf("dt", {}, "Signature");
  Element text(page, "dd");
  page.leaf("code", {}, kernel.signature);
}

void SearchPage::printSchedule(const SearchedKernel &kernel, size_t number) {
  const TriedSchedule &tried = kernel.schedules[number];
  bool isUntuned = number == kernel.untuned, isChosen = number == kernel.chosen;
  auto count = [&](StringRef text) {
    page.leaf("td", {{"class", "number"}}, text);
  };
  Element row(page, "tr",
              {{"class", isChosen    ? "chosen"
                         : isUntuned ? "untuned"
                                     : "other"}});
  count(std::to_string(number));
  {
    Element cell(page, "td", {{"class", "schedule"}});
    if (isChosen)
      page.leaf("span", {{"class", "tag chosen"}}, "chosen");
    if (isUntuned)
      page.leaf("span", {{"class", "tag untuned"}}, "untuned");
    page.leaf("code", {}, tried.schedule);
  }
  count(formatTime(tried.predicted));
  page.leaf("td", {}, tried.bound);
  count(formatTime(tried.measured));
  const TriedSchedule *before = kernel.untuned < kernel.schedules.size()
                                    ? &kernel.schedules[kernel.untuned]
                                    : nullptr;
  bool hasGain = before && before->measured && tried.measured.value_or(0) > 0;
  count(hasGain ? formatFactor(*before->measured / *tried.measured) : "\u2013");
  count(tried.clockMHz ? formatv("{0} MHz", tried.clockMHz).str() : "\u2013");
  page.leaf("td", {},
            !tried.failure.empty() ? tried.failure
            : tried.isKnown        ? "of an earlier search"
                                   : "");
}

void SearchPage::printSchedules(const SearchedKernel &kernel) {
  if (kernel.schedules.empty())
    return;
  Element details(page, "details");
  page.leaf(
      "summary", {},
      addFailures(formatv("{0}, {1} measured",
                          formatCount(kernel.schedules.size(), "schedule"),
                          kernel.countMeasured()),
                  kernel.countFailed()));
  Element scroll(page, "div", {{"class", "scroll"}});
  Element table(page, "table");
  printColumns({"#", "Schedule", "Predicted", "Bound", "Measured", "Gain",
                "Clock", "Note"},
               "ntntnnnt");
  Element body(page, "tbody");
  for (size_t number = 0; number < kernel.schedules.size(); ++number)
    printSchedule(kernel, number);
}

void SearchPage::printKernel(const SearchedKernel &kernel, size_t number) {
  Element card(page, "section",
               {{"class", "card"}, {"id", formatv("kernel-{0}", number)}});
  page.leaf("h3", {}, kernel.name);
  {
    Element columns(page, "div", {{"class", "columns"}});
    {
      Element plot(page, "div");
      if (kernel.judgePredictions())
        plotScatter(page, kernel);
      else
        plotBars(page, kernel);
    }
    printFacts(kernel);
  }
  printSchedules(kernel);
}

void SearchPage::print() {
  Element html(page, "html", {{"lang", "en"}});
  printHead();
  Element body(page, "body");
  Element main(page, "main");
  printHeadline();
  printNotes();
  printTiles();
  printOverview();
  printSchemes();
  if (!kernels.empty())
    page.leaf("h2", {}, "Schedules of each kernel");
  for (auto [number, kernel] : llvm::enumerate(kernels))
    printKernel(*kernel, number + 1);
  page.leaf("p", {{"class", "soft"}},
            "A gain is the untuned over the chosen time; more than 1 is "
            "faster. Schedules are numbered by predicted time, as in the JSON "
            "report.");
}

void SearchReport::printPage(llvm::raw_ostream &os) const {
  os << "<!DOCTYPE html>\n";
  SearchPage(*this, os).print();
}

//===----------------------------------------------------------------------===//
// The plots of the page of a search.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_PLOTS_H
#define STOF_LIB_SEARCH_PLOTS_H

#include "Markup.h"
#include "stof/Search/SearchReport.h"

namespace stof {

/// Plots predicted against measured times of the schedules that have both.
void plotScatter(Markup &page, const SearchedKernel &kernel);

/// Plots the times of the fastest schedules as bars: measured times or, if
/// there are none, predicted times.
void plotBars(Markup &page, const SearchedKernel &kernel);

/// Draws the operations of a function as boxes, grouped by kernel.
void plotScheme(Markup &page, const SearchedScheme &scheme);

/// `#3 <schedule>: predicted 4.1 us, measured 5.2 us at 1980 MHz`, or why it
/// was not measured.
std::string describeSchedule(const SearchedKernel &kernel, size_t number);

} // namespace stof

#endif // STOF_LIB_SEARCH_PLOTS_H

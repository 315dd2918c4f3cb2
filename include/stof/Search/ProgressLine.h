//===----------------------------------------------------------------------===//
// One line on a terminal that tells how far a search is.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_PROGRESSLINE_H
#define STOF_SEARCH_PROGRESSLINE_H

#include "stof/Search/Search.h"

namespace stof {

/// Prints the line to standard error, over the last one. Prints nothing if that
/// is not a terminal.
void printProgressLine(const SearchProgress &progress);

/// Ends the line, and prints a summary of a search for one target.
void printSummary(const SearchReport &report);

} // namespace stof

#endif // STOF_SEARCH_PROGRESSLINE_H

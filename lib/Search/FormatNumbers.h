//===----------------------------------------------------------------------===//
// Numbers as people read them.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_FORMATNUMBERS_H
#define STOF_LIB_SEARCH_FORMATNUMBERS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace stof {

/// Three digits or, of large numbers, all: `0.84`, `12.5`, `1,035`.
std::string formatDigits(double value);

/// Microseconds with their unit.
std::string formatTime(double microseconds);

/// A dash if there is no value.
std::string formatTime(std::optional<double> microseconds);

/// Digits and a multiplication sign.
std::string formatFactor(double factor);

/// `1 schedule`, `2 schedules`.
std::string formatCount(size_t count, llvm::StringRef noun);

/// `1st`, `2nd`, `11th`.
std::string formatPlace(size_t place);

/// A coordinate of a drawing.
std::string formatPixels(double value);

} // namespace stof

#endif // STOF_LIB_SEARCH_FORMATNUMBERS_H

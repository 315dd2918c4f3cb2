//===----------------------------------------------------------------------===//
// Numbers as people read them.
//===----------------------------------------------------------------------===//

#include "FormatNumbers.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace stof;
using llvm::formatv;
using llvm::StringRef;

std::string stof::formatDigits(double value) {
  double size = std::abs(value);
  if (size == 0)
    return "0";
  if (size >= 100)
    return formatv("{0:n}", std::llround(value));
  if (size >= 10)
    return formatv("{0:f1}", value);
  return size >= 0.1 ? formatv("{0:f2}", value) : formatv("{0:f3}", value);
}

std::string stof::formatTime(double microseconds) {
  // A no-break space and the micro sign.
  return formatDigits(microseconds) + "\u00A0\u00B5s";
}

std::string stof::formatTime(std::optional<double> microseconds) {
  return microseconds ? formatTime(*microseconds) : "\u2013";
}

std::string stof::formatFactor(double factor) {
  return formatDigits(factor) + "\u00D7";
}

std::string stof::formatCount(size_t count, StringRef noun) {
  return formatv("{0} {1}{2}", count, noun, count == 1 ? "" : "s");
}

std::string stof::formatPlace(size_t place) {
  bool isTeen = place / 10 % 10 == 1;
  StringRef ending = "th";
  if (!isTeen && place % 10 == 1)
    ending = "st";
  else if (!isTeen && place % 10 == 2)
    ending = "nd";
  else if (!isTeen && place % 10 == 3)
    ending = "rd";
  return formatv("{0}{1}", place, ending);
}

std::string stof::formatPixels(double value) {
  return formatv("{0:f1}", value);
}

//===----------------------------------------------------------------------===//
// #stof.scheme: parsing, printing and verification.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stof;

std::optional<std::string> SchemeAttr::readBits(StringRef text) {
  auto isBit = [](char c) { return c == '0' || c == '1'; };
  if (!text.consume_front("0x"))
    return llvm::all_of(text, isBit) ? std::optional(text.str()) : std::nullopt;
  auto [digits, count] = text.split(':');
  constexpr size_t bitsPerDigit = 4;
  size_t length;
  if (digits.empty() || !llvm::all_of(digits, llvm::isHexDigit) ||
      count.getAsInteger(/*Radix=*/10, length))
    return std::nullopt;
  std::string bits;
  for (char digit : digits)
    for (unsigned bit = bitsPerDigit; bit-- > 0;)
      bits += llvm::hexDigitValue(digit) >> bit & 1 ? '1' : '0';
  // Missing leading bits are zero, and excess bits must be zero.
  if (bits.size() < length)
    bits.insert(0, length - bits.size(), '0');
  size_t excess = bits.size() - length;
  if (StringRef(bits).take_front(excess).contains('1'))
    return std::nullopt;
  return bits.substr(excess);
}

LogicalResult SchemeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef bits) {
  for (char bit : bits)
    if (bit != '0' && bit != '1')
      return emitError()
             << "expects bits 0 and 1, or 0xDIGITS:LENGTH, but got '" << bits
             << "'";
  return success();
}

Attribute SchemeAttr::parse(AsmParser &parser, Type) {
  std::string text;
  llvm::SMLoc where;
  if (parser.parseLess())
    return {};
  where = parser.getCurrentLocation();
  if (parser.parseString(&text) || parser.parseGreater())
    return {};
  std::optional<std::string> bits = readBits(text);
  if (!bits) {
    parser.emitError(where) << "expects bits 0 and 1, or 0xDIGITS:LENGTH, but "
                               "got '"
                            << text << "'";
    return {};
  }
  return get(parser.getContext(), *bits);
}

void SchemeAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << getBits() << "\">";
}

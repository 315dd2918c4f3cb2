//===----------------------------------------------------------------------===//
// The normal form of counts: sums of products of atoms. An atom is a symbol or
// an operator other than + - *; it is stored as JSON and ordered by its text.
//===----------------------------------------------------------------------===//

#include "CountAtoms.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>
#include <set>

using namespace stof;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

CountExpr::CountExpr(int64_t value) {
  if (std::optional<int64_t> twice = llvm::checkedMul<int64_t>(value, 2))
    add({}, *twice);
  else
    tooLarge = true;
}

CountExpr CountExpr::atom(const json::Value &value) {
  CountExpr result;
  result.add({textOf(value)}, 2);
  return result;
}

CountExpr CountExpr::symbol(StringRef name) { return atom(name); }

void CountExpr::add(const Monomial &monomial, int64_t more) {
  auto it = halves.try_emplace(monomial, 0).first;
  std::optional<int64_t> sum = llvm::checkedAdd(it->second, more);
  tooLarge |= !sum;
  it->second = sum.value_or(0);
  if (it->second == 0)
    halves.erase(it);
}

CountExpr &CountExpr::operator+=(const CountExpr &other) {
  tooLarge |= other.tooLarge;
  for (const auto &[monomial, coefficient] : other.halves)
    add(monomial, coefficient);
  return *this;
}

CountExpr stof::operator*(const CountExpr &lhs, const CountExpr &rhs) {
  CountExpr product;
  product.tooLarge = lhs.tooLarge || rhs.tooLarge;
  // If neither factor has integer coefficients, the product has quarters.
  bool isWhole = lhs.isWhole() || rhs.isWhole();
  for (const auto &[left, first] : lhs.halves)
    for (const auto &[right, second] : rhs.halves) {
      CountExpr::Monomial both = left;
      llvm::append_range(both, right);
      llvm::sort(both);
      std::optional<int64_t> quarters = llvm::checkedMul(first, second);
      product.tooLarge |= !quarters || !isWhole;
      if (!product.tooLarge)
        product.add(both, *quarters / 2);
    }
  return product;
}

bool CountExpr::isWhole() const {
  return llvm::all_of(halves,
                      [](const auto &term) { return term.second % 2 == 0; });
}

bool CountExpr::isAlwaysEven() const {
  if (!isWhole())
    return false;
  // A power is odd if and only if its base is: exponents do not matter.
  std::set<std::set<std::string>> odd;
  for (const auto &[monomial, coefficient] : halves)
    if (coefficient % 4 != 0) {
      std::set<std::string> bases(monomial.begin(), monomial.end());
      if (!odd.insert(bases).second)
        odd.erase(bases);
    }
  return odd.empty();
}

std::optional<int64_t> CountExpr::constant() const {
  if (tooLarge || halves.size() > 1)
    return std::nullopt;
  if (halves.empty())
    return 0;
  const auto &[monomial, coefficient] = *halves.begin();
  if (!monomial.empty() || coefficient % 2 != 0)
    return std::nullopt;
  return coefficient / 2;
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

/// Whether an expression is known to be nonnegative, given that sizes are.
static bool cannotBeNegative(const json::Value &value) {
  if (std::optional<int64_t> constant = value.getAsInteger())
    return *constant >= 0;
  if (std::optional<StringRef> name = value.getAsString())
    return !(name->consume_front("c") && llvm::all_of(*name, llvm::isDigit));
  const json::Array &array = *value.getAsArray();
  StringRef op = *array[0].getAsString();
  if (op == "<=" || op == "==" || op == "and" || op == "mod")
    return true;
  if (op == "sum")
    return cannotBeNegative(array[3]);
  if (op == "-")
    return false;
  bool lhs = cannotBeNegative(array[1]), rhs = cannotBeNegative(array[2]);
  return op == "max" ? lhs || rhs : lhs && rhs;
}

bool CountExpr::cannotBeNegative() const {
  auto isAdded = [](const auto &term) { return term.second > 0; };
  return !tooLarge && llvm::all_of(halves, isAdded) &&
         llvm::all_of(halves, [](const auto &term) {
           return llvm::all_of(term.first, [](StringRef factor) {
             return ::cannotBeNegative(valueOf(factor));
           });
         });
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

CountExpr CountExpr::floorDivide(const CountExpr &value, int64_t divisor) {
  if (value.tooLarge || divisor == 1)
    return value;
  if (divisor == 2 && value.isAlwaysEven()) {
    CountExpr half;
    for (const auto &[monomial, coefficient] : value.halves)
      half.add(monomial, coefficient / 2);
    return half;
  }
  if (!value.isWhole())
    return atom(json::Array{"floordiv", value.toJSON(), divisor});
  // Multiples of the divisor are divided exactly, ...
  CountExpr whole, rest;
  int64_t common = divisor, constant = 0;
  for (const auto &[monomial, coefficient] : value.halves) {
    int64_t factor = coefficient / 2;
    if (monomial.empty()) {
      constant = factor;
    } else if (factor % divisor == 0) {
      whole.add(monomial, factor / divisor * 2);
    } else {
      rest.add(monomial, coefficient);
      common = std::gcd(common, factor);
    }
  }
  if (rest.halves.empty())
    return whole + llvm::divideFloorSigned(constant, divisor);
  // ... and factors that the other terms share with it cancel.
  for (auto &term : rest.halves)
    term.second /= common;
  constant = llvm::divideFloorSigned(constant, common);
  divisor /= common;
  whole += llvm::divideFloorSigned(constant, divisor);
  constant = llvm::mod(constant, divisor);
  if (divisor == 1)
    return whole + rest + constant;
  if (constant == divisor - 1)
    return whole + atom(json::Array{"ceildiv", rest.toJSON(), divisor});
  return whole +
         atom(json::Array{"floordiv", (rest + constant).toJSON(), divisor});
}

std::optional<CountExpr> CountExpr::divideExactly(const CountExpr &value,
                                                  const CountExpr &divisor) {
  if (value.tooLarge || divisor.tooLarge || divisor.halves.size() != 1 ||
      !divisor.isWhole())
    return std::nullopt;
  const auto &[factors, number] = *divisor.halves.begin();
  CountExpr quotient;
  for (const auto &[monomial, coefficient] : value.halves) {
    Monomial rest = monomial;
    for (const std::string &factor : factors) {
      auto it = llvm::find(rest, factor);
      if (it == rest.end())
        return std::nullopt;
      rest.erase(it);
    }
    if (coefficient % number != 0)
      return std::nullopt;
    quotient.add(rest, coefficient / number * 2);
  }
  return quotient;
}

CountExpr CountExpr::extreme(StringRef op, const CountExpr &lhs,
                             const CountExpr &rhs) {
  if (lhs.tooLarge || rhs.tooLarge)
    return lhs + rhs;
  if ((lhs - rhs).cannotBeNegative())
    return op == "max" ? lhs : rhs;
  if ((rhs - lhs).cannotBeNegative())
    return op == "max" ? rhs : lhs;
  auto itself = [](StringRef name) { return symbol(name); };
  std::map<std::string, CountExpr> kept;
  for (const CountExpr *side : {&lhs, &rhs}) {
    std::vector<json::Value> operands;
    flatten(op, side->toJSON(), operands);
    for (const json::Value &value : operands)
      kept.try_emplace(textOf(value),
                       operands.size() == 1 ? *side : *parse(value, itself));
  }
  // An operand that another one dominates is redundant.
  for (auto one = kept.begin(); one != kept.end();) {
    bool isBeaten = llvm::any_of(kept, [&](const auto &other) {
      CountExpr over =
          op == "max" ? other.second - one->second : one->second - other.second;
      return other.first != one->first && over.cannotBeNegative();
    });
    one = isBeaten ? kept.erase(one) : std::next(one);
  }
  if (kept.size() == 1)
    return kept.begin()->second;
  json::Value joined = nullptr;
  for (const auto &[text, value] : kept)
    joined = text == kept.begin()->first
                 ? valueOf(text)
                 : json::Value(json::Array{op, joined, valueOf(text)});
  return atom(joined);
}

CountExpr CountExpr::minimum(const CountExpr &lhs, const CountExpr &rhs) {
  return extreme("min", lhs, rhs);
}

CountExpr CountExpr::maximum(const CountExpr &lhs, const CountExpr &rhs) {
  return extreme("max", lhs, rhs);
}

CountExpr CountExpr::isNonNegative(const CountExpr &value) {
  if (value.tooLarge)
    return value;
  if (value.cannotBeNegative())
    return 1;
  if ((value * -1 - 1).cannotBeNegative())
    return 0;
  CountExpr more, less;
  for (const auto &[monomial, coefficient] : value.halves)
    (coefficient > 0 ? more : less).add(monomial, std::abs(coefficient));
  return atom(json::Array{"<=", less.toJSON(), more.toJSON()});
}

/// Whether `value` mentions the symbol `name`.
static bool mentions(const json::Value &value, StringRef name) {
  if (const json::Array *array = value.getAsArray())
    return llvm::any_of(llvm::drop_begin(*array), [&](const json::Value &part) {
      return mentions(part, name);
    });
  return value.getAsString() == name;
}

CountExpr CountExpr::sum(StringRef index, const CountExpr &count,
                         const CountExpr &body) {
  CountExpr itself = symbol(index), closed, rest;
  const std::string &name = itself.halves.begin()->first.front();
  closed.tooLarge = count.tooLarge || body.tooLarge;
  std::optional<int64_t> times = count.constant();
  if (times && *times <= 1 && !closed.tooLarge) {
    auto first = [&](StringRef other) {
      return other == index ? CountExpr(0) : symbol(other);
    };
    return *times < 1 ? closed : *parse(body.toJSON(), first);
  }
  for (const auto &[monomial, coefficient] : body.halves) {
    auto depends = llvm::count_if(monomial, [&](StringRef factor) {
      return mentions(valueOf(factor), index);
    });
    CountExpr term;
    Monomial others = monomial;
    if (depends == 1 && llvm::is_contained(monomial, name)) {
      others.erase(llvm::find(others, name));
      term.add(others, coefficient);
      closed += term * floorDivide(count * count - count, 2);
    } else if (depends == 0) {
      term.add(others, coefficient);
      closed += term * count;
    } else {
      rest.add(monomial, coefficient);
    }
  }
  if (rest.halves.empty() || closed.tooLarge)
    return closed;
  return closed +
         atom(json::Array{"sum", index, count.toJSON(), rest.toJSON()});
}

size_t CountExpr::getLength() const {
  size_t length = 0;
  for (const auto &[monomial, coefficient] : halves)
    for (StringRef factor : monomial)
      length += factor.size();
  return length;
}

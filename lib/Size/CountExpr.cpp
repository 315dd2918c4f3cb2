//===----------------------------------------------------------------------===//
// The normal form of size expressions: sums of products of atoms. An atom is a
// symbol or an operator other than + - *.
//===----------------------------------------------------------------------===//

#include "stof/Size/CountExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace stof;
using llvm::StringRef;
using Operator = SizeOperator;

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

CountExpr::CountExpr(int64_t value) {
  if (std::optional<int64_t> twice = llvm::checkedMul<int64_t>(value, 2))
    add({}, *twice);
  else
    tooLarge = true;
}

CountExpr CountExpr::atom(const SizeExpr &expr) {
  CountExpr result;
  result.add({expr}, 2);
  return result;
}

CountExpr CountExpr::symbol(StringRef name) {
  return atom(SizeExpr::symbol(name));
}

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
  std::set<std::set<SizeExpr>> odd;
  for (const auto &[monomial, coefficient] : halves)
    if (coefficient % 4 != 0) {
      std::set<SizeExpr> bases(monomial.begin(), monomial.end());
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

bool CountExpr::cannotBeNegative() const {
  return !tooLarge && llvm::all_of(halves, [](const auto &term) {
    return term.second > 0 &&
           llvm::all_of(term.first, [](const SizeExpr &factor) {
             return factor.cannotBeNegative();
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
    return atom(
        SizeExpr::create(Operator::FloorDivide, value.toSizeExpr(), divisor));
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
    return whole + atom(SizeExpr::create(Operator::CeilDivide,
                                         rest.toSizeExpr(), divisor));
  return whole +
         atom(SizeExpr::create(Operator::FloorDivide,
                               (rest + constant).toSizeExpr(), divisor));
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
    for (const SizeExpr &factor : factors) {
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

CountExpr CountExpr::extreme(Operator op, const CountExpr &lhs,
                             const CountExpr &rhs) {
  if (lhs.tooLarge || rhs.tooLarge)
    return lhs + rhs;
  if ((lhs - rhs).cannotBeNegative())
    return op == Operator::Maximum ? lhs : rhs;
  if ((rhs - lhs).cannotBeNegative())
    return op == Operator::Maximum ? rhs : lhs;
  std::map<SizeExpr, CountExpr> kept;
  for (const CountExpr *side : {&lhs, &rhs}) {
    llvm::SmallVector<SizeExpr> operands;
    side->toSizeExpr().flatten(op, operands);
    for (const SizeExpr &operand : operands)
      kept.try_emplace(operand,
                       operands.size() == 1 ? *side : normalize(operand));
  }
  // An operand that another one dominates is redundant.
  for (auto one = kept.begin(); one != kept.end();) {
    bool isBeaten = llvm::any_of(kept, [&](const auto &other) {
      CountExpr over = op == Operator::Maximum ? other.second - one->second
                                               : one->second - other.second;
      return other.first != one->first && over.cannotBeNegative();
    });
    one = isBeaten ? kept.erase(one) : std::next(one);
  }
  if (kept.size() == 1)
    return kept.begin()->second;
  SizeExpr joined = kept.begin()->first;
  for (const auto &[operand, value] : llvm::drop_begin(kept))
    joined = SizeExpr::create(op, joined, operand);
  return atom(joined);
}

CountExpr CountExpr::minimum(const CountExpr &lhs, const CountExpr &rhs) {
  return extreme(Operator::Minimum, lhs, rhs);
}

CountExpr CountExpr::maximum(const CountExpr &lhs, const CountExpr &rhs) {
  return extreme(Operator::Maximum, lhs, rhs);
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
  return atom(SizeExpr::create(Operator::LessOrEqual, less.toSizeExpr(),
                               more.toSizeExpr()));
}

CountExpr CountExpr::divide(Operator op, const CountExpr &lhs,
                            const CountExpr &rhs) {
  if (op != Operator::Modulo)
    if (std::optional<CountExpr> quotient = divideExactly(lhs, rhs))
      return *quotient;
  std::optional<int64_t> divisor = rhs.constant();
  if (divisor < 1) {
    CountExpr quotient =
        atom(SizeExpr::create(op, lhs.toSizeExpr(), rhs.toSizeExpr()));
    quotient.tooLarge = lhs.tooLarge || rhs.tooLarge;
    return quotient;
  }
  if (op == Operator::CeilDivide)
    return ceilDivide(lhs, *divisor);
  CountExpr quotient = floorDivide(lhs, *divisor);
  return op == Operator::FloorDivide ? quotient : lhs - quotient * rhs;
}

CountExpr CountExpr::get(Operator op, const CountExpr &lhs,
                         const CountExpr &rhs) {
  switch (op) {
  case Operator::Add:
    return lhs + rhs;
  case Operator::Subtract:
    return lhs - rhs;
  case Operator::Multiply:
  case Operator::And:
    return lhs * rhs;
  case Operator::FloorDivide:
  case Operator::CeilDivide:
  case Operator::Modulo:
    return divide(op, lhs, rhs);
  case Operator::Minimum:
  case Operator::Maximum:
    return extreme(op, lhs, rhs);
  case Operator::Equal:
    return isNonNegative(rhs - lhs) * isNonNegative(lhs - rhs);
  case Operator::LessOrEqual:
    return isNonNegative(rhs - lhs);
  }
  llvm_unreachable("every operator has a case");
}

/// Whether `expr` mentions the symbol `name`.
static bool mentions(const SizeExpr &expr, StringRef name) {
  bool isMentioned = false;
  expr.forEachSymbol([&](StringRef other) { isMentioned |= other == name; });
  return isMentioned;
}

CountExpr CountExpr::sum(StringRef index, const CountExpr &count,
                         const CountExpr &body) {
  SizeExpr itself = SizeExpr::symbol(index);
  CountExpr closed, rest;
  closed.tooLarge = count.tooLarge || body.tooLarge;
  std::optional<int64_t> times = count.constant();
  if (times && *times <= 1 && !closed.tooLarge) {
    auto first = [&](StringRef other) {
      return other == index ? CountExpr(0) : symbol(other);
    };
    return *times < 1 ? closed : *normalize(body.toSizeExpr(), first);
  }
  for (const auto &[monomial, coefficient] : body.halves) {
    auto depends = llvm::count_if(monomial, [&](const SizeExpr &factor) {
      return mentions(factor, index);
    });
    CountExpr term;
    Monomial others = monomial;
    if (depends == 1 && llvm::is_contained(monomial, itself)) {
      others.erase(llvm::find(others, itself));
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
         atom(SizeExpr::sum(index, count.toSizeExpr(), rest.toSizeExpr()));
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

std::optional<CountExpr> CountExpr::normalize(
    const SizeExpr &expr,
    llvm::function_ref<std::optional<CountExpr>(StringRef)> symbols) {
  if (std::optional<int64_t> constant = expr.constant())
    return CountExpr(*constant);
  if (std::optional<StringRef> name = expr.getSymbol())
    return symbols(*name);
  std::optional<CountExpr> lhs = normalize(expr.lhs(), symbols);
  std::optional<StringRef> index = expr.getSumIndex();
  std::optional<CountExpr> rhs = normalize(expr.rhs(), [&](StringRef name) {
    return name == index ? symbol(name) : symbols(name);
  });
  if (!lhs || !rhs)
    return std::nullopt;
  return index ? sum(*index, *lhs, *rhs) : get(*expr.getOperator(), *lhs, *rhs);
}

CountExpr CountExpr::normalize(const SizeExpr &expr) {
  return *normalize(expr, [](StringRef name) { return symbol(name); });
}

SizeExpr CountExpr::toSizeExpr() const {
  if (isWhole())
    return sumTerms(2);
  return SizeExpr::create(Operator::FloorDivide, sumTerms(1), 2);
}

SizeExpr CountExpr::sumTerms(int64_t unit) const {
  // Added terms come before subtracted ones, and longer products before shorter
  // ones. If the first term is subtracted, it is subtracted from 0.
  std::vector<std::pair<const Monomial *, int64_t>> terms;
  for (const auto &[monomial, coefficient] : halves) {
    assert(coefficient % unit == 0 && "coefficients are multiples of the unit");
    terms.push_back({&monomial, coefficient / unit});
  }
  llvm::sort(terms, [](const auto &lhs, const auto &rhs) {
    return std::tuple(lhs.second < 0, rhs.first->size(), *lhs.first) <
           std::tuple(rhs.second < 0, lhs.first->size(), *rhs.first);
  });
  auto join = [](std::optional<SizeExpr> &all, Operator op,
                 const SizeExpr &more) {
    all = all ? SizeExpr::create(op, *all, more) : more;
  };
  std::optional<SizeExpr> sum;
  for (auto [monomial, coefficient] : terms) {
    bool isSubtracted = coefficient < 0 && (sum || !monomial->empty());
    int64_t factor = isSubtracted ? -coefficient : coefficient;
    std::optional<SizeExpr> product;
    for (const SizeExpr &part : *monomial)
      join(product, Operator::Multiply, part);
    if (!product || factor != 1)
      join(product, Operator::Multiply, factor);
    if (isSubtracted && !sum)
      sum = 0;
    join(sum, isSubtracted ? Operator::Subtract : Operator::Add, *product);
  }
  return sum.value_or(0);
}

size_t CountExpr::getLength() const {
  size_t length = 0;
  for (const auto &[monomial, coefficient] : halves)
    for (const SizeExpr &factor : monomial)
      length += factor.getKey().size();
  return length;
}

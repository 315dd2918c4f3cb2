//===----------------------------------------------------------------------===//
// Text of Presburger sets. Disjuncts are joined by "or", their constraints by
// "and". The terms of a constraint are printed on the side where they are
// positive. Local variables are printed as the divisions that define them, or
// as "mod" next to their own dividend.
//===----------------------------------------------------------------------===//

#include "stof/Mask/PrintSet.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <numeric>

using namespace mlir;
using namespace stof;
using presburger::IntegerPolyhedron;
using presburger::IntegerRelation;
using presburger::PresburgerSet;

/// Further disjuncts are counted only.
static constexpr size_t maxDisjuncts = 8;

/// Whether emptiness checks of `disjunct` are affordable: each division doubles
/// the search. Redundant constraints of other disjuncts are printed as well.
static bool isSearched(const IntegerRelation &disjunct) {
  constexpr unsigned mostDivisions = 12;
  return disjunct.getNumLocalVars() <= mostDivisions;
}

namespace {

/// A sum over the columns of a disjunct and, at the end, the constant 1.
using Row = SmallVector<int64_t, 8>;

/// A term of a sum; without a name it is the constant `factor`.
struct Term {
  int64_t factor;
  std::string name;
  bool isSymbol = false;
};

/// The definition of a local variable: floor(dividend / divisor), where
/// dividend mod divisor is at most `most`.
struct Division {
  Row dividend;
  int64_t divisor, most;
};

class DisjunctPrinter {
public:
  DisjunctPrinter(const IntegerRelation &disjunct,
                  const IntegerRelation &domain, ArrayRef<std::string> symbols);

  std::string print();

private:
  bool findDivision(unsigned local);
  bool isImplied(size_t number) const;
  bool isAnyNumber(unsigned local, const Row &row) const;
  std::string sum(ArrayRef<Term> terms) const;
  SmallVector<Term> termsOf(Row row) const;
  std::string dividend(const Division &division, bool withConstant) const;
  std::string inequality(const Row &row) const;
  std::string equality(Row row) const;

  const IntegerRelation &disjunct, &domain;
  unsigned firstLocal, width;
  SmallVector<Row> inequalities;
  /// Whether the inequality of the same index defines a division.
  SmallVector<bool> defines;
  SmallVector<std::optional<Division>> divisions;
  /// The names of all columns except the constant.
  SmallVector<std::string> names;
};

} // namespace

DisjunctPrinter::DisjunctPrinter(const IntegerRelation &disjunct,
                                 const IntegerRelation &domain,
                                 ArrayRef<std::string> symbols)
    : disjunct(disjunct), domain(domain),
      firstLocal(disjunct.getNumDimVars() + disjunct.getNumSymbolVars()),
      width(disjunct.getNumCols()), defines(disjunct.getNumInequalities()),
      divisions(disjunct.getNumLocalVars()), names{"q", "k"} {
  for (unsigned i = 0; i < disjunct.getNumInequalities(); ++i)
    inequalities.push_back(disjunct.getInequality64(i));
  names.append(symbols.begin(), symbols.end());
  for (unsigned local = 0; local < divisions.size(); ++local)
    names.push_back("n" + std::to_string(local));
  // Dividends may contain other divisions.
  for (bool found = true; found;) {
    found = false;
    for (unsigned local = 0; local < divisions.size(); ++local)
      found |= !divisions[local] && findDivision(local);
  }
}

/// Finds dividend - divisor local >= 0 and <= most, where most < divisor.
bool DisjunctPrinter::findDivision(unsigned local) {
  unsigned column = firstLocal + local;
  std::pair<size_t, size_t> ends;
  std::optional<Division> best;
  for (size_t low = 0; low < inequalities.size(); ++low) {
    const Row &row = inequalities[low];
    int64_t divisor = -row[column];
    bool isKnown = llvm::all_of(
        llvm::seq<unsigned>(0, divisions.size()), [&](unsigned other) {
          return other == local || row[firstLocal + other] == 0 ||
                 divisions[other];
        });
    if (divisor < 2 || !isKnown)
      continue;
    for (auto [high, other] : llvm::enumerate(inequalities)) {
      bool isOpposite = llvm::all_of(
          llvm::zip(ArrayRef(row).drop_back(), ArrayRef(other).drop_back()),
          [](auto pair) { return std::get<0>(pair) == -std::get<1>(pair); });
      int64_t most = row.back() + other.back();
      if (!isOpposite || most < 0 || most >= divisor ||
          (best && best->most <= most))
        continue;
      best = {row, divisor, most};
      best->dividend[column] = 0;
      ends = {low, high};
    }
  }
  if (!best)
    return false;
  defines[ends.first] = defines[ends.second] = true;
  names[column] = "floor(" + dividend(*best, /*withConstant=*/true) + " / " +
                  std::to_string(best->divisor) + ")";
  divisions[local] = std::move(best);
  return true;
}

/// Whether an inequality is implied by the other constraints of the disjunct
/// and the domain.
bool DisjunctPrinter::isImplied(size_t number) const {
  if (!isSearched(disjunct))
    return false;
  IntegerPolyhedron broken(disjunct.getSpace());
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i)
    broken.addEquality(disjunct.getEquality64(i));
  for (auto [other, row] : llvm::enumerate(inequalities))
    if (other != number)
      broken.addInequality(row);
  for (unsigned i = 0; i < domain.getNumInequalities(); ++i) {
    Row row = domain.getInequality64(i);
    int64_t constant = row.pop_back_val();
    row.resize(width - 1);
    row.push_back(constant);
    broken.addInequality(row);
  }
  Row negated = inequalities[number];
  for (int64_t &value : negated)
    value = -value;
  --negated.back();
  broken.addInequality(negated);
  return broken.isIntegerEmpty();
}

std::string DisjunctPrinter::dividend(const Division &division,
                                      bool withConstant) const {
  SmallVector<Term> terms;
  for (auto [column, name] : llvm::enumerate(names))
    if (division.dividend[column] != 0)
      terms.push_back({division.dividend[column], name});
  if (withConstant && division.dividend.back() != 0)
    terms.push_back({division.dividend.back(), ""});
  std::string text = sum(terms);
  return terms.size() > 1 ? "(" + text + ")" : text;
}

std::string DisjunctPrinter::sum(ArrayRef<Term> terms) const {
  std::string text;
  for (const auto &[factor, name, isSymbol] : terms) {
    text += text.empty() ? factor < 0 ? "-" : "" : factor < 0 ? " - " : " + ";
    int64_t magnitude = std::abs(factor);
    if (name.empty())
      text += std::to_string(magnitude);
    else if (magnitude == 1)
      text += name;
    else if (StringRef(name).contains(" mod "))
      text += std::to_string(magnitude) + " (" + name + ")";
    else
      text += std::to_string(magnitude) + " " + name;
  }
  return text.empty() ? "0" : text;
}

/// The terms of a row except the constant; a dividend next to its division
/// becomes their remainder.
SmallVector<Term> DisjunctPrinter::termsOf(Row row) const {
  SmallVector<Term> remainders;
  auto count = [&](const Row &of) {
    return llvm::count_if(ArrayRef(of).drop_back(),
                          [](int64_t value) { return value != 0; });
  };
  for (unsigned local = 0; local < disjunct.getNumLocalVars(); ++local) {
    int64_t factor = row[firstLocal + local];
    const std::optional<Division> &division = divisions[local];
    if (!division || factor == 0 || factor % division->divisor != 0 ||
        division->dividend.back() != 0)
      continue;
    int64_t times = -factor / division->divisor;
    Row without = row;
    for (auto [value, own] : llvm::zip(without, division->dividend))
      value -= times * own;
    without[firstLocal + local] = 0;
    if (count(without) + 1 >= count(row))
      continue;
    row = without;
    remainders.push_back({times, dividend(*division, /*withConstant=*/false) +
                                     " mod " +
                                     std::to_string(division->divisor)});
  }
  SmallVector<Term> terms;
  for (auto [column, name] : llvm::enumerate(names))
    if (row[column] != 0)
      terms.push_back({row[column], name,
                       column >= MaskSet::NumDims && column < firstLocal});
  terms.append(remainders);
  return terms;
}

/// The roundness of a number: three per trailing decimal zero, or the number of
/// trailing binary zeros if that is more.
static unsigned roundness(int64_t number) {
  if (number <= 0)
    return 0;
  unsigned zeros = 0;
  for (int64_t rest = number; rest != 0 && rest % 10 == 0; rest /= 10)
    zeros += 3;
  return std::max<unsigned>(zeros, llvm::countr_zero(uint64_t(number)));
}

std::string DisjunctPrinter::inequality(const Row &row) const {
  // coordinates + symbols + constant >= 0
  SmallVector<Term> coordinates, symbols;
  for (Term &term : termsOf(row))
    (term.isSymbol ? symbols : coordinates).push_back(term);
  if (coordinates.empty())
    std::swap(coordinates, symbols);
  auto negate = [](SmallVector<Term> terms) {
    for (Term &term : terms)
      term.factor = -term.factor;
    return terms;
  };
  int64_t constant = row.back();
  bool isUpper = llvm::any_of(coordinates,
                              [](const Term &term) { return term.factor < 0; });
  // Without symbols, coordinates of both signs are printed on both sides.
  SmallVector<Term> above, below;
  for (const Term &term : coordinates)
    (term.factor > 0 ? above : below).push_back(term);
  below = negate(below);
  bool isSplit = symbols.empty() && !above.empty() && !below.empty();
  if (isSplit && (constant == 0 || constant == -1))
    return sum(below) + (constant == 0 ? " <= " : " < ") + sum(above);
  // The first coordinate is printed with a positive factor.
  SmallVector<Term> left = below;
  left.append(negate(above));
  SmallVector<Term> right = symbols;
  if (!isUpper || (isSplit && constant < 0)) {
    left = above;
    left.append(negate(below));
    right = negate(symbols);
    if (constant != 0 || right.empty())
      right.push_back({-constant, ""});
    return sum(left) + " >= " + sum(right);
  }
  bool isStrict = symbols.empty()
                      ? roundness(constant + 1) > roundness(constant)
                      : constant == -1;
  if (isStrict)
    ++constant;
  if (constant != 0 || right.empty())
    right.push_back({constant, ""});
  return sum(left) + (isStrict ? " < " : " <= ") + sum(right);
}

/// Whether the equality `row` is the only constraint on a local variable.
bool DisjunctPrinter::isAnyNumber(unsigned local, const Row &row) const {
  unsigned column = firstLocal + local;
  unsigned equalities = 0;
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i)
    equalities += disjunct.getEquality64(i)[column] != 0;
  if (equalities > 1)
    return false;
  const std::optional<Division> &division = divisions[local];
  if (!division) {
    for (size_t number = 0; number < inequalities.size(); ++number)
      if (inequalities[number][column] != 0 && !isImplied(number))
        return false;
    return true;
  }
  // A quotient is unconstrained if the row is the remainder of its dividend.
  if (std::abs(row[column]) != division->divisor)
    return false;
  int64_t sign = row[column] < 0 ? 1 : -1;
  for (unsigned other = 0; other + 1 < row.size(); ++other)
    if (other != column && row[other] != sign * division->dividend[other])
      return false;
  return true;
}

std::string DisjunctPrinter::equality(Row row) const {
  // An unconstrained local variable makes the equality a remainder.
  for (unsigned local = 0; local < disjunct.getNumLocalVars(); ++local) {
    int64_t factor = row[firstLocal + local];
    if (factor == 0)
      continue;
    bool isAlone =
        llvm::count_if(ArrayRef(row).slice(firstLocal).drop_back(),
                       [](int64_t value) { return value != 0; }) == 1;
    auto first = llvm::find_if(row, [](int64_t value) { return value != 0; });
    if (!isAlone || std::abs(factor) == 1 || !isAnyNumber(local, row))
      continue;
    int64_t divisor = std::abs(factor);
    if (*first < 0)
      for (int64_t &value : row)
        value = -value;
    int64_t rest = ((-row.back()) % divisor + divisor) % divisor;
    row[firstLocal + local] = 0;
    SmallVector<Term> terms = termsOf(row);
    std::string text = sum(terms);
    if (terms.size() > 1)
      text = "(" + text + ")";
    return text + " mod " + std::to_string(divisor) + " = " +
           std::to_string(rest);
  }
  int64_t divisor = 0;
  for (int64_t value : row)
    divisor = std::gcd(divisor, value);
  for (int64_t &value : row)
    value /= std::max<int64_t>(divisor, 1);
  SmallVector<Term> left = termsOf(row), right;
  int64_t constant = -row.back();
  if (!left.empty() && left.front().factor < 0) {
    for (Term &term : left)
      term.factor = -term.factor;
    constant = -constant;
  }
  // Without a constant, negative terms move to the other side.
  if (constant == 0)
    for (size_t number = 0; number < left.size();) {
      if (left[number].factor > 0) {
        ++number;
        continue;
      }
      right.push_back(left[number]);
      right.back().factor = -right.back().factor;
      left.erase(left.begin() + number);
    }
  else
    right.push_back({constant, ""});
  return sum(left) + " = " + sum(right);
}

std::string DisjunctPrinter::print() {
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i)
    parts.push_back(equality(disjunct.getEquality64(i)));
  for (const std::optional<Division> &division : divisions) {
    if (!division || division->most == division->divisor - 1)
      continue;
    std::string mod = " mod " + std::to_string(division->divisor);
    int64_t rest = -division->dividend.back() % division->divisor;
    if (division->most == 0)
      parts.push_back(
          dividend(*division, /*withConstant=*/false) + mod + " = " +
          std::to_string(rest < 0 ? rest + division->divisor : rest));
    else
      parts.push_back(dividend(*division, /*withConstant=*/true) + mod +
                      " <= " + std::to_string(division->most));
  }
  for (size_t number = 0; number < inequalities.size();) {
    if (defines[number]) {
      ++number;
    } else if (isImplied(number)) {
      inequalities.erase(inequalities.begin() + number);
      defines.erase(defines.begin() + number);
    } else {
      parts.push_back(inequality(inequalities[number]));
      ++number;
    }
  }
  if (parts.empty())
    return "all";
  // Local variables without a division are existentially quantified.
  std::string text = llvm::join(parts, " and ");
  SmallVector<std::string> numbers;
  for (unsigned local = 0; local < divisions.size(); ++local)
    if (!divisions[local] &&
        StringRef(text).contains(names[firstLocal + local]))
      numbers.push_back(names[firstLocal + local]);
  if (numbers.empty())
    return text;
  return "(" + text + " for some " + llvm::join(numbers, ", ") + ")";
}

void stof::printSet(raw_ostream &os, const PresburgerSet &set,
                    const PresburgerSet &domain, ArrayRef<std::string> names) {
  SmallVector<std::string> disjuncts;
  size_t rest = 0;
  for (const IntegerRelation &disjunct : set.getAllDisjuncts()) {
    if (isSearched(disjunct) && disjunct.isIntegerEmpty())
      continue;
    if (disjuncts.size() < maxDisjuncts)
      disjuncts.push_back(
          DisjunctPrinter(disjunct, domain.getDisjunct(0), names).print());
    else
      ++rest;
  }
  if (disjuncts.empty())
    os << "none";
  os << llvm::join(disjuncts, " or ");
  if (rest != 0)
    os << " or " << rest << " more";
}

SmallVector<std::string> stof::nameSymbols(const MaskSet &set,
                                           const MaskExpr &mask) {
  SmallVector<std::string> names;
  unsigned captured = 0;
  for (const Expr *symbol : set.getSymbols()) {
    if (symbol == mask.batch)
      names.push_back("b");
    else if (symbol == mask.head)
      names.push_back("h");
    else if (symbol == mask.query->operands[0])
      names.push_back("Sq");
    else if (symbol == mask.key->operands[0])
      names.push_back("Sk");
    else
      names.push_back("c" + std::to_string(captured++));
  }
  return names;
}

std::string stof::describeMask(const MaskSet &set, const MaskExpr &mask) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printSet(os, set.getMay(), set.getDomain(), nameSymbols(set, mask));
  return text;
}

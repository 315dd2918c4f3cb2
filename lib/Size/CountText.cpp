//===----------------------------------------------------------------------===//
// Counts as JSON, attributes and text.
//===----------------------------------------------------------------------===//

#include "CountAtoms.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace stof;
using llvm::StringRef;
namespace json = llvm::json;

void stof::flatten(StringRef op, const json::Value &value,
                   std::vector<json::Value> &operands) {
  const json::Array *array = value.getAsArray();
  if (!array || (*array)[0].getAsString() != op)
    return operands.push_back(value);
  flatten(op, (*array)[1], operands);
  flatten(op, (*array)[2], operands);
}

std::optional<CountExpr> CountExpr::parse(
    const json::Value &value,
    llvm::function_ref<std::optional<CountExpr>(StringRef)> symbols) {
  if (std::optional<int64_t> constant = value.getAsInteger())
    return CountExpr(*constant);
  if (std::optional<StringRef> name = value.getAsString())
    return symbols(*name);
  const json::Array *array = value.getAsArray();
  if (!array || array->size() < 3)
    return std::nullopt;
  StringRef op = array->front().getAsString().value_or("");
  if (op == "sum" && array->size() == 4) {
    StringRef index = (*array)[1].getAsString().value_or("");
    auto count = parse((*array)[2], symbols);
    auto body = parse((*array)[3], [&](StringRef name) {
      return name == index ? symbol(name) : symbols(name);
    });
    if (!count || !body)
      return std::nullopt;
    return sum(index, *count, *body);
  }
  auto lhs = parse((*array)[1], symbols), rhs = parse((*array)[2], symbols);
  if (!lhs || !rhs)
    return std::nullopt;
  if (op == "+" || op == "-" || op == "*")
    return op == "+" ? *lhs + *rhs : op == "-" ? *lhs - *rhs : *lhs * *rhs;
  if (op == "min" || op == "max")
    return op == "min" ? minimum(*lhs, *rhs) : maximum(*lhs, *rhs);
  if (op == "<=")
    return isNonNegative(*rhs - *lhs);
  std::optional<int64_t> divisor = rhs->constant();
  if (divisor > 0 && (op == "floordiv" || op == "ceildiv"))
    return op == "floordiv" ? floorDivide(*lhs, *divisor)
                            : ceilDivide(*lhs, *divisor);
  return atom(json::Array{op, lhs->toJSON(), rhs->toJSON()});
}

static json::Value toJSONValue(mlir::Attribute value) {
  if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(value))
    return number.getInt();
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(value))
    return text.getValue();
  json::Array array;
  if (auto list = llvm::dyn_cast<mlir::ArrayAttr>(value))
    for (mlir::Attribute element : list)
      array.push_back(toJSONValue(element));
  return array;
}

std::optional<CountExpr> CountExpr::parse(
    mlir::Attribute value,
    llvm::function_ref<std::optional<CountExpr>(StringRef)> symbols) {
  return parse(toJSONValue(value), symbols);
}

json::Value CountExpr::toJSON() const {
  if (!isWhole())
    return json::Array{"floordiv", linearToJSON(1), 2};
  return linearToJSON(2);
}

json::Value CountExpr::linearToJSON(int64_t unit) const {
  // Added terms come before subtracted ones, and longer products before shorter
  // ones. If the first term is subtracted, it is subtracted from 0.
  std::vector<std::pair<const Monomial *, int64_t>> terms;
  for (const auto &[monomial, coefficient] : halves)
    terms.push_back({&monomial, coefficient / unit});
  llvm::sort(terms, [](const auto &lhs, const auto &rhs) {
    return std::tuple(lhs.second < 0, rhs.first->size(), *lhs.first) <
           std::tuple(rhs.second < 0, lhs.first->size(), *rhs.first);
  });
  std::optional<json::Value> sum;
  for (auto [monomial, coefficient] : terms) {
    std::optional<json::Value> product;
    auto join = [](std::optional<json::Value> &all, StringRef op,
                   json::Value more) {
      all = all ? json::Value(json::Array{op, *all, std::move(more)})
                : std::move(more);
    };
    bool isSubtracted = coefficient < 0 && (sum || !monomial->empty());
    int64_t factor = isSubtracted ? -coefficient : coefficient;
    for (StringRef part : *monomial)
      join(product, "*", valueOf(part));
    if (!product || factor != 1)
      join(product, "*", factor);
    if (isSubtracted && !sum)
      sum = 0;
    join(sum, isSubtracted ? "-" : "+", std::move(*product));
  }
  return sum.value_or(0);
}

static mlir::Attribute toAttributeValue(mlir::Builder &builder,
                                        const json::Value &value) {
  if (std::optional<int64_t> number = value.getAsInteger())
    return builder.getI64IntegerAttr(*number);
  if (std::optional<StringRef> text = value.getAsString())
    return builder.getStringAttr(*text);
  return builder.getArrayAttr(
      llvm::map_to_vector(*value.getAsArray(), [&](const json::Value &part) {
        return toAttributeValue(builder, part);
      }));
}

mlir::Attribute CountExpr::toAttribute(mlir::MLIRContext *context) const {
  mlir::Builder builder(context);
  return toAttributeValue(builder, toJSON());
}

/// Prints `value`, in parentheses if its precedence is below `strength`.
static std::string print(const json::Value &value, int strength = 0) {
  const json::Array *array = value.getAsArray();
  if (!array)
    return value.getAsString() ? value.getAsString()->str() : textOf(value);
  StringRef op = *(*array)[0].getAsString();
  if (op == "sum")
    return "sum(" + (*array)[1].getAsString()->str() + " < " +
           print((*array)[2]) + ": " + print((*array)[3]) + ")";
  int own = op == "*" ? 3 : op == "+" || op == "-" ? 2 : op == "<=" ? 1 : 0;
  if (own == 0) {
    std::vector<json::Value> operands{(*array)[1], (*array)[2]};
    if (op == "min" || op == "max") {
      operands.clear();
      flatten(op, value, operands);
    }
    return op.str() + "(" +
           llvm::join(llvm::map_range(operands,
                                      [](const json::Value &operand) {
                                        return print(operand);
                                      }),
                      ", ") +
           ")";
  }
  std::string text = print((*array)[1], own) + " " + op.str() + " " +
                     print((*array)[2], own + 1);
  return own < strength ? "(" + text + ")" : text;
}

std::string CountExpr::getText(mlir::Attribute value) {
  return print(toJSONValue(value));
}

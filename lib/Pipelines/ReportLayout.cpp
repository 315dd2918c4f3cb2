//===----------------------------------------------------------------------===//
// The tiles of attention kernels in a report:
//
//   "layout": {"row_tile": 64, "col_tile": 64, "storage": "closed-form",
//              "tiles": 4096, "full": 2016, "partial": 64, "empty": 2016,
//              "nonzeros": 8390656}
//
// and "digest" (Mask/Digest/MaskDigest.h) if there is a mask. All are numbers
// or expressions in symbols of the manifest, with sums in addition
// (report.schema.json); an unknown count is null, with the reason in "unknown".
// With "row_stride" and "residue", tiles are of strided queries and keys, as in
// a #stof.layout. The tiles of "lattices" of keys are counted as partial, in
// addition to the "tiles" of adjacent positions. If masks differ by batch or
// head, "masks" is the number of masks in the counts.
//===----------------------------------------------------------------------===//

#include "CompileTargets.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/IR/Stof.h"
#include "stof/Size/CountExpr.h"

using namespace mlir;
using namespace stof;

static constexpr StringLiteral counts[] = {"full", "partial", "empty",
                                           "nonzeros"};

namespace {
/// The values of the symbols of counts in the first launch of a kernel.
struct Lengths {
  SizeExpr queries, keys;
  std::map<std::string, SizeExpr> captured;
};
} // namespace

/// The lengths in the first launch of `kernel`.
static std::optional<Lengths> findLengths(FunctionOpInterface kernel,
                                          DictionaryAttr layout,
                                          const PackagedTarget &steps) {
  for (const PackagedStep &step : steps.steps) {
    if (step.function != kernel.getName())
      continue;
    auto read = [&](StringRef name) -> SizeExpr {
      if (auto length = layout.getAs<IntegerAttr>((name + "_length").str()))
        return length.getInt();
      int64_t operand = layout.getAs<IntegerAttr>(name).getInt();
      auto dim = layout.getAs<IntegerAttr>((name + "_dim").str());
      return step
          .operandSizes[operand][dim ? dim.getInt() : AttentionOp::Position];
    };
    Lengths lengths{read("query"), read("key"), {}};
    if (auto symbols = layout.getAs<DictionaryAttr>("symbols"))
      for (NamedAttribute symbol : symbols)
        lengths.captured[symbol.getName().str()] =
            step.operandSizes[cast<IntegerAttr>(symbol.getValue()).getInt()]
                .front();
    return lengths;
  }
  return std::nullopt;
}

/// The `count` of a layout as an expression in the symbols of the function.
static llvm::json::Value express(Attribute count, const Lengths &lengths) {
  using Count = std::optional<CountExpr>;
  auto valueOf = [&](StringRef name) -> Count {
    auto captured = lengths.captured.find(name.str());
    if (captured != lengths.captured.end())
      return CountExpr::normalize(captured->second);
    if (name != "Sq" && name != "Sk")
      return std::nullopt;
    return CountExpr::normalize(name == "Sq" ? lengths.queries : lengths.keys);
  };
  std::optional<SizeExpr> expr = SizeExpr::parse(count);
  Count normal = expr ? CountExpr::normalize(*expr, valueOf) : std::nullopt;
  if (!normal || normal->isTooLarge())
    return nullptr;
  return normal->toSizeExpr().toJSON();
}

std::optional<llvm::json::Object>
stof::describeLayout(FunctionOpInterface kernel, const PackagedTarget *steps) {
  DictionaryAttr layout = layoutAttr.get(kernel);
  if (!layout)
    return std::nullopt;
  llvm::json::Object object;
  auto number = [&](StringRef name) -> std::optional<int64_t> {
    if (auto value = layout.getAs<IntegerAttr>(name))
      return value.getInt();
    return std::nullopt;
  };
  for (StringRef name :
       {"row_tile", "col_tile", "row_stride", "residue", "lattices", "masks"})
    if (std::optional<int64_t> known = number(name))
      object[name] = *known;
  for (StringRef name : {"digest", "storage", "unknown"})
    if (auto text = layout.getAs<StringAttr>(name))
      object[name] = text.getValue();
  for (StringRef name : counts)
    object[name] = nullptr;
  std::optional<Lengths> lengths;
  if (steps)
    lengths = findLengths(kernel, layout, *steps);
  if (lengths) {
    int64_t stride = number("row_stride").value_or(1);
    int64_t residue = number("residue").value_or(0);
    // The tiles of the positions `first`, `first` + stride, ...
    auto cover = [&](const SizeExpr &length, int64_t first, StringRef side) {
      return SizeExpr::get(SizeOperator::CeilDivide, length + -first,
                           stride * *number(side));
    };
    SizeExpr tiles;
    for (int64_t query = 0; query < stride; ++query)
      tiles =
          tiles + cover(lengths->queries, query, "row_tile") *
                      cover(lengths->keys, (query - residue + stride) % stride,
                            "col_tile");
    object["tiles"] = tiles.toJSON();
    // All positions are unmasked.
    if (layout.getAs<StringAttr>("mask") == "none") {
      object["full"] = tiles.toJSON();
      object["partial"] = object["empty"] = 0;
      object["nonzeros"] = (lengths->queries * lengths->keys).toJSON();
    }
  }
  for (StringRef name : counts)
    if (std::optional<int64_t> known = number(name))
      object[name] = *known;
  if (lengths)
    for (StringRef name : counts)
      if (Attribute count = layout.get(name); count && !number(name))
        object[name] = express(count, *lengths);
  bool isKnown = llvm::all_of(counts, [&](StringRef name) {
    return object[name].kind() != llvm::json::Value::Null;
  });
  if (!isKnown && !object.get("unknown"))
    object["unknown"] = "the lengths are known at run time";
  return object;
}

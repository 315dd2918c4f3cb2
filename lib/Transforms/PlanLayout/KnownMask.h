//===----------------------------------------------------------------------===//
// What is known of a mask, found out once for all attentions and tiles.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_KNOWNMASK_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_KNOWNMASK_H

#include "LayoutPlan.h"
#include "stof/IR/MaskPredicate.h"
#include "stof/Mask/Digest/MaskDigest.h"
#include "stof/Transforms/PlanLayout.h"

#include <map>
#include <memory>

namespace stof {

/// A mask that a predicate defines. What is asked for is computed then.
class KnownMask {
public:
  /// The mask of `op`, which `definition` defines.
  KnownMask(AttentionOp op, MaskOpInterface definition);
  KnownMask(const KnownMask &) = delete;

  ExprContext &getContext() { return context; }
  const MaskExpr &getExpr() const { return expr; }
  const MaskSet &getSet();
  const MaskDigest &getDigest();
  ListedUnits &getUnits() { return units; }
  /// Whether nothing about it is known at run time only.
  bool isConstant() const;

  /// A layout of constant tables with the reason why there is no closed form,
  /// by queries, keys and whether strides are gathered.
  struct Tables {
    LayoutPlan plan;
    std::string why;
  };
  std::map<std::tuple<int64_t, int64_t, bool>, Tables> tables;

private:
  MaskPredicate predicate;
  ExprContext context;
  TensorElement elements;
  MaskExpr expr;
  std::optional<MaskSet> set;
  std::optional<MaskDigest> digest;
  ListedUnits units;
};

/// The masks of a function. Attentions with one mask, or with constant masks
/// that are spelt alike, as those of layers are, share what is known of it.
class KnownMasks {
public:
  /// The mask of `op`, which `definition` defines.
  KnownMask &get(AttentionOp op, MaskOpInterface definition);

private:
  /// The mask and the types of query and key. If these are dynamic, expressions
  /// refer to their sizes, so these values are part of it.
  using Key = std::tuple<const void *, const void *, const void *, const void *,
                         const void *>;

  std::map<Key, std::shared_ptr<KnownMask>> known;
  /// Constant masks by their spelling.
  std::map<std::string, std::shared_ptr<KnownMask>> constant;
};

/// As planLayout of PlanLayout.h, with what is known of masks.
void planLayout(AttentionOp op, const LayoutOptions &options,
                KnownMasks &masks);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_KNOWNMASK_H

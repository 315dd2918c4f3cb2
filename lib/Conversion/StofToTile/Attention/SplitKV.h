//===----------------------------------------------------------------------===//
// Split-KV: the keys of a row tile are shared among CTAs. Split p stores the
// state of the online softmax over its keys, m_p, l_p and acc_p; a second
// kernel combines them (Flash-Decoding; FlashAttention-2, section 3.1):
//
//   m   = max over p of m_p
//   l   = sum over p of l_p 2^(m_p - m)
//   acc = sum over p of acc_p 2^(m_p - m)
//
// Sinks and fully masked rows are left to the combine kernel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_SPLITKV_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_SPLITKV_H

#include "AttentionContext.h"
#include "AttentionGrid.h"
#include "OnlineSoftmax.h"

namespace stof {

/// The host's buffers for split-KV, null without it. R is the number of queries
/// of a row tile, or all if they are fewer, P the number of splits.
struct AttentionPartials {
  /// f32 of batch x head x row tiles ahead x P x R x value features: weighted
  /// sums of values.
  mlir::Value accumulators;
  /// f32 of batch x head x row tiles ahead x P x 2 x R: row max, as a natural
  /// logit or in base 2, and row sum.
  mlir::Value rows;

  explicit operator bool() const { return static_cast<bool>(accumulators); }
};

/// Allocates the buffers of `op` if its schedule splits keys.
AttentionPartials allocatePartials(mlir::OpBuilder &host, AttentionOp op);

/// The partial results of the row tile of a CTA.
class SplitKV {
public:
  SplitKV(const AttentionContext &context, const CtaTile &cta,
          const AttentionPartials &partials)
      : context(context), cta(cta), partials(partials), loc(context.loc) {}

  /// Stores the state of the split that the CTA computes.
  void store(const SoftmaxState &state) const;

  /// Loads the states of all splits and combines them with `state`.
  SoftmaxState combine(const OnlineSoftmax &softmax,
                       const SoftmaxState &state) const;

private:
  const AttentionContext &context;
  const CtaTile &cta;
  const AttentionPartials &partials;
  mlir::Location loc;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_SPLITKV_H

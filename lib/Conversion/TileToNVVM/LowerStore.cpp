//===----------------------------------------------------------------------===//
// Lowers `tile.store`: each thread stores its own elements.
//===----------------------------------------------------------------------===//

#include "FragmentAccess.h"
#include "MemoryInstructions.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stof::tile;

/// Whether the calling thread is the first with its elements (i1), since slices
/// are replicated; null for other layouts.
static Value isFirstHolder(OpBuilder &builder, Location loc,
                           FragmentType type) {
  auto slice = dyn_cast<SliceAttr>(type.getLayout());
  if (!slice)
    return {};
  auto parent = cast<LayoutInterface>(slice.getParent());
  unsigned dim = slice.getDim();
  AffineExpr place =
      fixRegister(parent.getCoordinateAlong(dim, parent.getUnitAlong(dim)), 0);
  Value number =
      expandThreadExpr(builder, loc, place, ThreadPosition::get(builder, loc));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number,
                               constantI32(builder, loc, 0));
}

namespace {
struct StoreFragment : OpConversionPattern<StoreOp> {
  StoreFragment(const TypeConverter &converter, MLIRContext *context,
                const AccessDivisors &divisors)
      : OpConversionPattern(converter, context), divisors(divisors) {}

  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    FragmentType type = op.getTile().getType();
    SmallVector<Value> elements =
        unpackElements(rewriter, loc, type, adaptor.getTile());
    GlobalTile memory(rewriter, loc, adaptor.getDestination().front(),
                      getSingleValues(adaptor.getIndices()), op.getAlong(),
                      type.getShape(), divisors.get(op));
    Value holder = isFirstHolder(rewriter, loc, type);
    moveFragment(rewriter, loc, type, memory, TypeRange{},
                 [&](OpBuilder &builder, const ElementRun &run, Value address,
                     Value inside, MutableArrayRef<Value>) {
                   SmallVector<Value> values;
                   for (int64_t number : run.elements)
                     values.push_back(elements[number]);
                   storeElements(builder, loc, values, address,
                                 andConditions(builder, loc, inside, holder));
                 });
    rewriter.eraseOp(op);
    return success();
  }

private:
  const AccessDivisors &divisors;
};
} // namespace

void stof::tile::populateStorePatterns(const DeviceTypeConverter &converter,
                                       const AccessDivisors &divisors,
                                       RewritePatternSet &patterns) {
  patterns.add<StoreFragment>(converter, patterns.getContext(), divisors);
}

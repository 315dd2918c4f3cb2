//===----------------------------------------------------------------------===//
// Lowers `tile.load`. Each thread loads its own elements of a fragment; shared
// tiles are loaded by all threads together, asynchronously where possible.
// `tile.empty` and `tile.await` become the offset of their tile.
//===----------------------------------------------------------------------===//

#include "FragmentAccess.h"
#include "MemoryInstructions.h"
#include "Patterns.h"
#include "SharedCopy.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"
#include "stof/Tile/Roles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof::tile;

namespace {
/// A pattern for loads, with their known divisors.
struct LoadPattern : OpConversionPattern<LoadOp> {
  LoadPattern(const TypeConverter &converter, MLIRContext *context,
              const AccessDivisors &divisors)
      : OpConversionPattern(converter, context), divisors(divisors) {}

protected:
  std::vector<GlobalTile> getMemory(OpBuilder &builder, LoadOp op,
                                    OneToNOpAdaptor adaptor) const {
    return getBlocks(builder, op.getLoc(), adaptor.getSource().front(),
                     getSingleValues(adaptor.getIndices()), op.getAlong(),
                     cast<ShapedType>(op.getResult().getType()).getShape(),
                     op.getBlocks(), divisors.get(op));
  }

private:
  const AccessDivisors &divisors;
};

struct LoadFragment : LoadPattern {
  using LoadPattern::LoadPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<FragmentType>(op.getResult().getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "the result is a shared tile");
    Location loc = op.getLoc();
    GlobalTile memory = getMemory(rewriter, op, adaptor).front();
    SmallVector<Type> types(getNumElements(type), type.getElementType());
    SmallVector<Value> elements = moveFragment(
        rewriter, loc, type, memory, types,
        [&](OpBuilder &builder, const ElementRun &run, Value address,
            Value inside, MutableArrayRef<Value> loaded) {
          SmallVector<Value> values =
              loadElements(builder, loc, type.getElementType(), address,
                           run.elements.size(), inside);
          for (auto [number, value] : llvm::zip(run.elements, values))
            loaded[number] = value;
        });
    rewriter.replaceOpWithMultiple(
        op, {packElements(rewriter, loc, type, elements)});
    return success();
  }
};

struct LoadShared : LoadPattern {
  using LoadPattern::LoadPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<SharedType>(op.getResult().getType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "the result is a fragment");
    std::vector<GlobalTile> memory = getMemory(rewriter, op, adaptor);
    Value offset = op.getBuffer() ? adaptor.getBuffer().front()
                                  : getSharedOffset(rewriter, op);
    Value condition =
        op.getCondition() ? adaptor.getCondition().front() : Value();
    copyToShared(rewriter, op.getLoc(), memory, type, offset, condition,
                 getNumThreads(op));
    // One group per load, since waits count groups.
    NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
    rewriter.replaceOp(op, offset);
    return success();
  }
};

struct LowerEmpty : OpConversionPattern<EmptyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(EmptyOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, getSharedOffset(rewriter, op));
    return success();
  }
};

/// The wait itself is inserted before it by `stof-insert-barriers`.
struct LowerAwait : OpConversionPattern<AwaitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AwaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, getSingleValues(adaptor.getTiles()));
    return success();
  }
};
} // namespace

void stof::tile::populateLoadPatterns(const DeviceTypeConverter &converter,
                                      const AccessDivisors &divisors,
                                      RewritePatternSet &patterns) {
  patterns.add<LoadFragment, LoadShared>(converter, patterns.getContext(),
                                         divisors);
  patterns.add<LowerEmpty, LowerAwait>(converter, patterns.getContext());
}

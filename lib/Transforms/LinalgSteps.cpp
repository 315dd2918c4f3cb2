//===----------------------------------------------------------------------===//
// A builder of computations on whole tensors.
//===----------------------------------------------------------------------===//

#include "LinalgSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

Value LinalgSteps::constant(Type type, double value) {
  return arith::ConstantOp::create(*this, getFloatAttr(type, value));
}

Value LinalgSteps::boolean(bool value) {
  return arith::ConstantIntOp::create(*this, value, 1);
}

Value LinalgSteps::empty(Loops loops, Type element) {
  return tensor::EmptyOp::create(
      *this,
      llvm::map_to_vector(loops, [&](unsigned loop) { return sizes[loop]; }),
      element);
}

Value LinalgSteps::fill(Loops loops, Value element) {
  Value init = empty(loops, element.getType());
  return linalg::FillOp::create(*this, element, init).getResult(0);
}

Value LinalgSteps::widen(Value element) {
  if (element.getType().isF32())
    return element;
  return arith::ExtFOp::create(*this, getF32Type(), element);
}

Value LinalgSteps::narrow(Value element, Type type) {
  if (type.isF32())
    return element;
  return arith::TruncFOp::create(*this, type, element);
}

AffineMap LinalgSteps::map(Loops loops) {
  SmallVector<AffineExpr> results = llvm::map_to_vector(
      loops, [&](unsigned loop) { return getAffineDimExpr(loop); });
  return AffineMap::get(sizes.size(), 0, results, getContext());
}

Value LinalgSteps::compute(ArrayRef<Operand> inputs, Value init, Loops loops,
                           Body body) {
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (const Operand &input : inputs) {
    tensors.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.push_back(map(loops));

  // Loops that no operand has are omitted.
  llvm::SmallBitVector absent = getUnusedDimsBitVector(maps);
  SmallVector<utils::IteratorType> kinds;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (!absent.test(loop))
      kinds.push_back(llvm::is_contained(loops, loop)
                          ? utils::IteratorType::parallel
                          : utils::IteratorType::reduction);
  InsertionGuard guard(*this);
  auto step = linalg::GenericOp::create(
      *this, init.getType(), tensors, init, compressUnusedDims(maps), kinds,
      [&](OpBuilder &inside, Location, ValueRange elements) {
        setInsertionPoint(inside.getInsertionBlock(),
                          inside.getInsertionPoint());
        linalg::YieldOp::create(*this, body(elements));
      });
  return step.getResult(0);
}

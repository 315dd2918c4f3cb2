// A program of someone else that makes a mask in C++ and prints it.
#include "stof/IR/Stof.h"
#include "stof/InitAll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

int main() {
  mlir::DialectRegistry registry;
  stof::registerAllDialects(registry);
  stof::registerAllPasses();
  mlir::MLIRContext context(registry);
  context.loadDialect<stof::StofDialect>();
  mlir::OpBuilder builder(&context);
  mlir::OwningOpRef<stof::MaskOp> mask = stof::MaskOp::create(
      builder, builder.getUnknownLoc(),
      stof::MaskType::get(&context, 64, mlir::ShapedType::kDynamic),
      mlir::ValueRange(),
      [](mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange arguments) {
        return mlir::arith::CmpIOp::create(b, loc,
                                           mlir::arith::CmpIPredicate::ule,
                                           arguments[3], arguments[2])
            .getResult();
      });
  mask->print(llvm::outs());
  return mlir::failed(mask->verify());
}

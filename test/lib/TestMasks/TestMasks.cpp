//===----------------------------------------------------------------------===//
// A plugin with mask operations of another dialect. Each has its predicate, and
// nothing else.
//===----------------------------------------------------------------------===//

#include "stof/IR/MaskBufferization.h"
#include "stof/IR/MaskPredicate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

#include "TestMasksDialect.h.inc"

#define GET_OP_CLASSES
#include "TestMasks.h.inc"

using namespace mlir;
using namespace test_masks;
using arith::CmpIPredicate;

#include "TestMasksDialect.cpp.inc"

#define GET_OP_CLASSES
#include "TestMasks.cpp.inc"

void TestMasksDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "TestMasks.cpp.inc"
      >();
  SegmentsOp::attachInterface<stof::MaskBufferization<SegmentsOp>>(
      *getContext());
}

Value CheckerboardOp::emitPredicate(OpBuilder &builder, Location loc,
                                    ValueRange coordinates, ValueRange) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto numberOfBlock = [&](Value position) -> Value {
    return arith::DivUIOp::create(builder, loc, position, constant(getSide()));
  };
  Value sum = arith::AddIOp::create(builder, loc, numberOfBlock(coordinates[2]),
                                    numberOfBlock(coordinates[3]));
  Value parity = arith::RemUIOp::create(builder, loc, sum, constant(2));
  return arith::CmpIOp::create(builder, loc, CmpIPredicate::eq, parity,
                               constant(0));
}

Value SegmentsOp::emitPredicate(OpBuilder &builder, Location loc,
                                ValueRange coordinates, ValueRange captured) {
  Value query = coordinates[2], key = coordinates[3];
  Value same =
      arith::CmpIOp::create(builder, loc, CmpIPredicate::eq,
                            stof::emitElement(builder, loc, captured[0], query),
                            stof::emitElement(builder, loc, captured[0], key));
  Value causal =
      arith::CmpIOp::create(builder, loc, CmpIPredicate::sle, key, query);
  return arith::AndIOp::create(builder, loc, same, causal);
}

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {
      MLIR_PLUGIN_API_VERSION, "TestMasks", "1",
      [](DialectRegistry *registry) { registry->insert<TestMasksDialect>(); }};
}

//===----------------------------------------------------------------------===//
// A compiler with stof in it: makes a function with masked attention, prints
// how it is planned for a GPU, and writes a package.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/InitAll.h"
#include "stof/Pipelines/Compile.h"
#include "stof/Pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

/// Whether a query sees a key: the latest 256 keys up to its position.
static Value isNear(OpBuilder &b, Location loc, ValueRange coordinates) {
  Value query = coordinates[2], key = coordinates[3];
  Value distance = arith::SubIOp::create(b, loc, query, key);
  Value width = arith::ConstantIndexOp::create(b, loc, 256);
  // Unsigned: a key after the query is far away.
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, distance,
                               width);
}

/// A function of queries, keys and values of any length.
static void makeAttention(ModuleOp module) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = b.getUnknownLoc();
  auto type =
      RankedTensorType::get({1, 8, ShapedType::kDynamic, 64}, b.getF16Type());
  auto function = func::FuncOp::create(
      b, loc, "attend", b.getFunctionType({type, type, type}, type));
  b.setInsertionPointToStart(function.addEntryBlock());
  ValueRange arguments = function.getArguments();

  auto maskType = stof::MaskType::get(b.getContext(), ShapedType::kDynamic,
                                      ShapedType::kDynamic);
  Value mask =
      stof::MaskOp::create(b, loc, maskType, /*captures=*/ValueRange(), isNear);
  Value length = tensor::DimOp::create(b, loc, arguments[0], 2);
  Value init = tensor::EmptyOp::create(b, loc, type, length);
  auto attention = stof::AttentionOp::create(
      b, loc, TypeRange(type), /*query=*/arguments[0], /*key=*/arguments[1],
      /*value=*/arguments[2], mask, /*sinks=*/Value(), /*dynamicScale=*/Value(),
      /*captures=*/ValueRange(), init, /*lse=*/Value(),
      /*scale=*/b.getF32FloatAttr(0.125f), stof::EmptyRows::Zero,
      /*emptyRowsMask=*/Value());
  func::ReturnOp::create(b, loc, attention.getResults());
}

int main(int argc, char **argv) {
  // The dialects of models with their extensions, of upstream and of stof, and
  // what turns them into LLVM IR. Passes load what they create.
  DialectRegistry registry;
  stof::registerModelDialects(registry);
  MLIRContext context(registry);
  context.loadDialect<arith::ArithDialect, func::FuncDialect, stof::StofDialect,
                      tensor::TensorDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  makeAttention(*module);

  // A pipeline is a function on a pass manager; a compiler can go on from what
  // it leaves.
  OwningOpRef<ModuleOp> planned = module->clone();
  PassManager passes(&context);
  stof::PlanPipelineOptions plan;
  plan.chip = "sm_90a";
  stof::buildPlanPipeline(passes, plan);
  if (failed(passes.run(*planned)))
    return 1;
  planned->print(llvm::outs());

  // All of stof-compile: checks, PTX and native code, and a package on disk.
  // compileToMemory leaves it in memory instead.
  stof::CompileOptions options;
  options.output = argc > 1 ? argv[1] : "attend.stof";
  options.targets = {"sm_90a", "cpu"};
  stof::Report report;
  if (failed(stof::collectRemarks(context, report)) ||
      failed(stof::compilePackage(*module, options, report)))
    return 1;
  for (const stof::KernelReport &kernel : report.kernels)
    llvm::outs() << "kernel " << kernel.name << " for " << kernel.target
                 << "\n";
  return 0;
}

//===----------------------------------------------------------------------===//
// The names of kernels for people.
//===----------------------------------------------------------------------===//

#include "stof/Search/KernelModule.h"

#include "SearchModules.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace stof;
using testing::ElementsAre;

/// The names of the kernels of a function with `arguments` and a `body`, whose
/// groups are formed by `scheme`. The last line of the body returns a value of
/// the type after the colon.
static std::vector<std::string> describe(llvm::StringRef arguments,
                                         llvm::StringRef body,
                                         llvm::StringRef scheme = "") {
  mlir::MLIRContext context(makeSearchRegistry());
  llvm::StringRef type = body.rsplit(" : ").second;
  std::string text =
      ("func.func @main(" + arguments + ") -> " + type + " {" + body + "\n}")
          .str();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return {"no module"};
  mlir::PassManager passes(&context);
  FormGroupsPassOptions options;
  options.scheme = scheme.str();
  passes.addNestedPass<mlir::func::FuncOp>(createFormGroupsPass(options));
  if (failed(passes.run(*module)))
    return {"no groups"};
  std::vector<std::string> names;
  module->walk(
      [&](KernelOpInterface op) { names.push_back(describeKernel(op)); });
  return names;
}

namespace {

TEST(KernelModuleTest, AnAttentionHasItsShapesAndWhetherItIsMasked) {
  llvm::StringRef arguments = "%q: tensor<1x4x64x16xf16>, %k: "
                              "tensor<1x2x32x16xf16>, %m: !stof.mask<?x?>";
  EXPECT_THAT(describe(arguments, R"(
  %e = tensor.empty() : tensor<1x4x64x16xf16>
  %o = stof.attention ins(%q, %k, %k : tensor<1x4x64x16xf16>, tensor<1x2x32x16xf16>, tensor<1x2x32x16xf16>)
      mask(%m : !stof.mask<?x?>) outs(%e : tensor<1x4x64x16xf16>) -> tensor<1x4x64x16xf16>
  return %o : tensor<1x4x64x16xf16>)"),
              ElementsAre("attention 1x4x64x16 x 1x2x32x16 f16, masked"));
}

TEST(KernelModuleTest, EqualShapesAreToldOnce) {
  EXPECT_THAT(describe("%q: tensor<1x2x64x16xf32>", R"(
  %e = tensor.empty() : tensor<1x2x64x16xf32>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>)
      outs(%e : tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>)"),
              ElementsAre("attention 1x2x64x16 f32"));
}

TEST(KernelModuleTest, AContractionHasItsSizesAndHowManyOperationsFollow) {
  llvm::StringRef arguments = "%x: tensor<64x128xf16>, %w: tensor<128x32xf16>";
  llvm::StringRef body = R"(
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<64x32xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<64x32xf16>) -> tensor<64x32xf16>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf16>, tensor<128x32xf16>) outs(%f : tensor<64x32xf16>) -> tensor<64x32xf16>
  %a = linalg.abs ins(%p : tensor<64x32xf16>) outs(%e : tensor<64x32xf16>) -> tensor<64x32xf16>
  %b = linalg.exp ins(%a : tensor<64x32xf16>) outs(%e : tensor<64x32xf16>) -> tensor<64x32xf16>
  return %b : tensor<64x32xf16>)";
  EXPECT_THAT(describe(arguments, body, "000"),
              ElementsAre("matmul 64x32x128 f16 + 2 elementwise"));
  EXPECT_THAT(describe(arguments, body, "001"),
              ElementsAre("matmul 64x32x128 f16 + elementwise",
                          "elementwise 64x32 f16"));
  EXPECT_THAT(describe(arguments, body, "011"),
              ElementsAre("matmul 64x32x128 f16", "2 elementwise 64x32 f16"));
}

TEST(KernelModuleTest, ABatchIsBeforeTheSizes) {
  EXPECT_THAT(describe("%x: tensor<8x64x16xf32>, %w: tensor<8x16x32xf32>", R"(
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<8x64x16xf32>, tensor<8x16x32xf32>) outs(%f : tensor<8x64x32xf32>) -> tensor<8x64x32xf32>
  return %p : tensor<8x64x32xf32>)"),
              ElementsAre("matmul 8 x 64x32x16 f32"));
}

TEST(KernelModuleTest, RowsHaveTheShapeThatIsReduced) {
  EXPECT_THAT(describe("%x: tensor<64x32xf32>", R"(
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x32xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
  %a = linalg.exp ins(%s : tensor<64xf32>) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  return %a : tensor<64xf32>)",
                       "00"),
              ElementsAre("reduction + elementwise 64x32 f32"));
}

TEST(KernelModuleTest, ASizeOfTheRunIsAQuestionMark) {
  EXPECT_THAT(
      describe(
          "%x: tensor<?x128xf16>, %w: tensor<128x32xf16>, %e: tensor<?x32xf16>",
          R"(
  %zero = arith.constant 0.0 : f16
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<?x32xf16>) -> tensor<?x32xf16>
  %p = linalg.matmul ins(%x, %w : tensor<?x128xf16>, tensor<128x32xf16>) outs(%f : tensor<?x32xf16>) -> tensor<?x32xf16>
  return %p : tensor<?x32xf16>)"),
      ElementsAre("matmul ?x32x128 f16"));
}

TEST(KernelModuleTest, AnOperationOfItsOwnHasItsName) {
  mlir::MLIRContext context(makeSearchRegistry());
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
func.func @main(%x: memref<64x32xf32>, %y: memref<64x32xf32>) {
  linalg.copy ins(%x : memref<64x32xf32>) outs(%y : memref<64x32xf32>)
  return
})",
                                                        &context);
  ASSERT_TRUE(module);
  EXPECT_EQ(describeKernel(findKernelOperation(*module)), "copy 64x32 f32");
}

} // namespace

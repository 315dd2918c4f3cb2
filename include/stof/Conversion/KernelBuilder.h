//===----------------------------------------------------------------------===//
// Builds one kernel and its launch. The host has buffers (memrefs) in place of
// tensors; a host value becomes an argument of the kernel on first use.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_KERNELBUILDER_H
#define STOF_CONVERSION_KERNELBUILDER_H

#include "stof/Support/WarpShape.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace stof {

struct KernelWork;

class KernelBuilder {
public:
  /// Creates an empty kernel in `module`; `host` inserts before the launch.
  KernelBuilder(mlir::gpu::GPUModuleOp module, llvm::StringRef name,
                mlir::Location loc, mlir::OpBuilder &host);

  /// Sets the number of warps of a CTA, before anything is emitted.
  void setNumWarps(int64_t count);

  /// Records the kernel configuration for reports: the algorithm and its tile
  /// sizes by name. A kernel with several branches calls it once for each.
  void setSchedule(llvm::StringRef algorithm,
                   llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> sizes);

  /// Records the work of all CTAs, for predictions.
  void setWork(const KernelWork &work);

  /// A size of the first configuration.
  int64_t getScheduled(llvm::StringRef name) const;

  /// The kernel's argument for a host buffer or scalar. A slice is passed as
  /// the whole buffer, and its view is recreated in the kernel.
  mlir::Value getArgument(mlir::Value hostValue);

  /// A contiguous host buffer reshaped to `sizes`; created once.
  mlir::Value reshape(mlir::Value buffer,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// The size of a host buffer; created once.
  mlir::OpFoldResult getHostSize(mlir::Value buffer, int64_t dim);

  /// A host size in the kernel: a constant or an argument.
  mlir::Value getSize(mlir::OpFoldResult hostSize);

  /// The id of the CTA along grid dimension `dim`.
  mlir::Value getBlockId(mlir::gpu::Dimension dim);

  /// Records at the launch that the argument `written` may share the memory of
  /// `read` (`stof-plan-memory`).
  void allowInPlace(mlir::Value read, mlir::Value written);

  /// Terminates the kernel and emits its launch on a grid of host sizes. A grid
  /// that statically exceeds the limit along y or z is linearized. Emits an
  /// error if the number of CTAs statically exceeds the limit of every GPU.
  mlir::LogicalResult launch(mlir::ArrayRef<mlir::OpFoldResult> grid);

  /// Records the operations that the kernel computes, for reports.
  void setOperations(mlir::ArrayRef<llvm::StringRef> names);

  mlir::gpu::GPUFuncOp getKernel() { return kernel; }
  mlir::OpBuilder &body() { return bodyBuilder; }
  mlir::OpBuilder &host() { return hostBuilder; }
  mlir::Location loc() { return kernel.getLoc(); }
  int64_t getNumWarps() const { return numWarps; }

  mlir::Value index(int64_t value);

private:
  llvm::SmallVector<mlir::OpFoldResult>
  foldGrid(mlir::ArrayRef<mlir::OpFoldResult> grid);
  mlir::Value getView(mlir::Value hostView);

  mlir::gpu::GPUFuncOp kernel;
  mlir::OpBuilder bodyBuilder;
  mlir::OpBuilder &hostBuilder;
  int64_t numWarps = 0;
  llvm::MapVector<mlir::Value, mlir::Value> arguments;
  /// The views of slices in the kernel, at the start of its body.
  mlir::IRMapping views;
  mlir::Operation *lastView = nullptr;
  struct Shown {
    mlir::Value buffer;
    llvm::SmallVector<mlir::OpFoldResult> sizes;
    mlir::Value reshaped;
  };
  llvm::SmallVector<Shown, 0> shown;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::OpFoldResult> hostSizes;
  llvm::SmallVector<mlir::DictionaryAttr, 1> schedules;
  /// Pairs of argument numbers: read, written.
  llvm::SmallVector<int64_t> inPlace;
};

/// The coordinates of `linear` in the shape `sizes`, the last fastest.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           mlir::Value linear,
                                           mlir::ValueRange sizes);

/// The product of sizes; 1 for none.
mlir::Value productOf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::ValueRange sizes);
mlir::OpFoldResult productOf(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::ArrayRef<mlir::OpFoldResult> sizes);

/// The number of tiles of `tile` elements that cover `size`.
mlir::OpFoldResult ceilDiv(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::OpFoldResult size, int64_t tile);

/// The sizes of a buffer, static ones as attributes.
llvm::SmallVector<mlir::OpFoldResult>
sizesOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer);

/// A size of a buffer, on the host or in a kernel: that of the buffer itself if
/// `buffer` is transposed.
mlir::OpFoldResult sizeOf(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value buffer, int64_t dim);

/// The dim of what `buffer` is a transposed view of.
std::pair<mlir::Value, int64_t> skipTranspositions(mlir::Value buffer,
                                                   int64_t dim);

/// Whether `buffer` is a view of a slice of another buffer, or transposed.
bool isSlice(mlir::Value buffer);

/// A contiguous buffer reshaped to `sizes` of the same product.
mlir::Value reshapeBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value buffer,
                          mlir::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace stof

#endif // STOF_CONVERSION_KERNELBUILDER_H

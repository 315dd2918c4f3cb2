//===----------------------------------------------------------------------===//
// One kernel and its launch while both are being built. The host side holds
// buffers (memrefs) in place of tensors; what a kernel uses of it becomes an
// argument of the kernel on first use.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_HOST_KERNELBUILDER_H
#define STOF_LIB_CONVERSION_STOFTOTILE_HOST_KERNELBUILDER_H

#include "stof/Tile/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace stof {

/// Threads of a warp, on every GPU.
inline constexpr int64_t lanesPerWarp = 32;

class KernelBuilder {
public:
  /// Starts an empty kernel in `module`; `host` inserts before the launch.
  KernelBuilder(mlir::gpu::GPUModuleOp module, llvm::StringRef name,
                mlir::Location loc, int64_t numWarps, mlir::OpBuilder &host);

  /// Writes down how the kernel computes: its algorithm and the sizes of its
  /// tiles by name. Whoever reads a report sees it. A kernel of several
  /// sections says it of one after the other.
  void setSchedule(llvm::StringRef algorithm,
                   llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> sizes);

  /// A number of the schedule.
  int64_t getScheduled(llvm::StringRef name) const;

  /// The kernel's argument for a buffer or a scalar of the host. Of a slice it
  /// is given the whole, of which it makes the same view.
  mlir::Value getArgument(mlir::Value hostValue);

  /// A contiguous buffer of the host seen with other sizes, once for all.
  mlir::Value reshape(mlir::Value buffer,
                      llvm::ArrayRef<mlir::OpFoldResult> sizes);

  /// The size of a buffer of the host, asked for once.
  mlir::OpFoldResult getHostSize(mlir::Value buffer, int64_t dim);

  /// The kernel's value of a host size: a constant or an argument.
  mlir::Value getSize(mlir::OpFoldResult hostSize);

  /// The position of the block along grid dimension `dim`.
  mlir::Value getBlockId(mlir::gpu::Dimension dim);

  /// Says in the attribute `stof.in_place` of the launch that the argument
  /// `written` may lie where `read` does (Conversion/PlanMemory.cpp).
  void allowInPlace(mlir::Value read, mlir::Value written);

  /// Ends the kernel and emits its launch on a grid of host sizes. A grid that
  /// is known to be too long along y or z becomes a line. Fails with an error
  /// if it is known to have more blocks than any GPU takes.
  mlir::LogicalResult launch(mlir::ArrayRef<mlir::OpFoldResult> grid);

  /// Writes down which operations the kernel computes, for reports.
  void setOperations(mlir::ArrayRef<llvm::StringRef> names);

  /// Drops the kernel, which could not be built.
  void abandon();

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
  int64_t numWarps;
  llvm::MapVector<mlir::Value, mlir::Value> arguments;
  /// The kernel's views of slices; they stand before all else.
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
  /// Pairs of numbers of arguments.
  llvm::SmallVector<int64_t> inPlace;
};

/// Digits of `linear` in a mixed radix, the last fastest.
llvm::SmallVector<mlir::Value> delinearize(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           mlir::Value linear,
                                           mlir::ValueRange sizes);

/// The product of sizes; 1 for none.
mlir::Value productOf(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::ValueRange sizes);
mlir::OpFoldResult productOf(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::ArrayRef<mlir::OpFoldResult> sizes);

/// How many tiles of `tile` cover `size`.
mlir::OpFoldResult ceilDiv(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::OpFoldResult size, int64_t tile);

/// The sizes of a buffer, static ones as attributes.
llvm::SmallVector<mlir::OpFoldResult>
sizesOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer);

/// Whether `buffer` is a view of a slice of another.
bool isSlice(mlir::Value buffer);

/// A contiguous buffer seen with other sizes of the same product.
mlir::Value reshapeBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value buffer,
                          mlir::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_HOST_KERNELBUILDER_H

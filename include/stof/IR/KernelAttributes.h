//===----------------------------------------------------------------------===//
// What passes tell each other of attentions, kernels, launches and functions:
// every such attribute, with its type. Upstream's `discardableAttrs` generates
// helpers like these into the header of all operations of a dialect; this one
// is for libraries that need none of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_KERNELATTRIBUTES_H
#define STOF_IR_KERNELATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace stof {

/// A discardable attribute of one name and type.
template <typename AttrT>
class DiscardableAttr {
public:
  constexpr explicit DiscardableAttr(llvm::StringLiteral name) : name(name) {}

  /// The attribute of `op`, or null.
  AttrT get(mlir::Operation *op) const {
    return op->getAttrOfType<AttrT>(name);
  }
  bool isOn(mlir::Operation *op) const {
    return op->hasAttrOfType<AttrT>(name);
  }
  void set(mlir::Operation *op, AttrT value) const { op->setAttr(name, value); }

private:
  llvm::StringLiteral name;
};

//===----------------------------------------------------------------------===//
// Functions on tensors
//===----------------------------------------------------------------------===//

/// Of an attention: the digest of its mask (Mask/Digest/MaskDigest.h).
inline constexpr DiscardableAttr<mlir::StringAttr> digestAttr("stof.digest");

/// Of an argument or a result: the name of the global that has its value before
/// or after a call, as a string.
inline constexpr llvm::StringLiteral globalAttrName = "stof.global";

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The names of the operations that the kernel computes, for reports.
inline constexpr DiscardableAttr<mlir::ArrayAttr> operationsAttr("stof.ops");

/// The kernel configuration: the algorithm, `kernel`, and tile sizes by name.
inline constexpr DiscardableAttr<mlir::DictionaryAttr>
    scheduleAttr("stof.schedule");

/// Its entries that passes on tiles read: the buffers of each pipelined load,
/// the warps that only load, whether iterations overlap, the CTAs of an SM
/// among which tiles are divided, whether each claims its next one, or how many
/// adjacent tiles each takes at a time, the groups of warps in a CTA that
/// compute them in turn, and the CTAs of an SM that registers have to suffice
/// for.
inline constexpr llvm::StringLiteral stagesEntry = "stages",
                                     producersEntry = "producers",
                                     overlapsEntry = "overlaps",
                                     residentEntry = "resident",
                                     dynamicEntry = "dynamic", runEntry = "run",
                                     groupsEntry = "groups",
                                     ctasPerSMEntry = "ctas_per_sm";

/// Of an argument of a kernel, a number (i32) that is zero before the launch:
/// how many tiles persistent CTAs have claimed (`stof-persist-ctas`).
inline constexpr llvm::StringLiteral counterAttrName = "tile.counter";

/// Of the loop in which a persistent CTA computes tile after tile, in any order
/// and independently (`stof-persist-ctas`).
inline constexpr DiscardableAttr<mlir::UnitAttr> tileLoopAttr("tile.tiles");

/// The input of the cost model (CostModel/CostModel.h), if all sizes are
/// static.
inline constexpr DiscardableAttr<mlir::DictionaryAttr> workAttr("stof.work");

/// Of attention: the tiles, and the number of each kind. An unknown count is
/// absent, and `unknown` gives the reason; `query` and `key` are the numbers of
/// the kernel's arguments that have the lengths.
inline constexpr DiscardableAttr<mlir::DictionaryAttr>
    layoutAttr("stof.layout");

/// Bytes of dynamic shared memory (`stof-allocate-shared-memory`).
inline constexpr DiscardableAttr<mlir::IntegerAttr>
    sharedBytesAttr("tile.shared_bytes");

/// The kernel waits for those before it by itself (`stof-launch-early`).
inline constexpr DiscardableAttr<mlir::UnitAttr>
    programmaticAttr("tile.programmatic");

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Pairs of operands. Each element of the first is read only by the thread that
/// writes the element of the second, before the write, so they may share
/// memory.
inline constexpr DiscardableAttr<mlir::DenseI64ArrayAttr>
    inPlaceAttr("stof.in_place");

//===----------------------------------------------------------------------===//
// Host functions on buffers
//===----------------------------------------------------------------------===//

/// The number of inputs, which are the first arguments, and of results, which
/// follow.
inline constexpr DiscardableAttr<mlir::IntegerAttr> inputsAttr("stof.inputs");
inline constexpr DiscardableAttr<mlir::IntegerAttr> resultsAttr("stof.results");

/// A lower bound of the workspace of any plan, in bytes (`stof-plan-memory`).
inline constexpr DiscardableAttr<mlir::IntegerAttr>
    workspaceBoundAttr("stof.workspace_bound");

} // namespace stof

#endif // STOF_IR_KERNELATTRIBUTES_H

//===----------------------------------------------------------------------===//
// The GPU architectures: what each can do, and what its devices reach. A row of
// the table below is all that there is to add a target: passes ask a
// TargetInfo, never a name. The table is shared by the compiler and the
// runtime.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_TARGETINFO_H
#define STOF_SUPPORT_TARGETINFO_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <tuple>

namespace stof {

/// Peaks of a device, for the cost model.
struct DeviceFigures {
  llvm::StringLiteral name;
  double sms;
  /// In Hz.
  double clock;
  /// Dense peak per second of all SMs, for 16-bit operands and for TF32.
  double halfFlops, tf32Flops;
  /// Per SM and clock.
  double exponentials, threads, sharedBytes;
  /// Of all SMs, in bytes per second.
  double l2Bytes, hbmBytes;
  /// Per SM: bytes of shared memory, and 32-bit registers.
  int64_t sharedCapacity, registers;
};

/// From its NVIDIA data sheet: 989 and 494 TFLOPS without sparsity, 4.8 TB/s.
/// From NVIDIA's H100 white paper: 132 SMs, a boost clock of 1.755 GHz. From
/// the CUDA programming guide, throughput of instructions for compute
/// capability 9.0: 16 special functions and 128 f32 instructions a clock, 32
/// banks of 4 bytes of shared memory. From NVIDIA's A100 white paper: 5120
/// bytes a clock from L2. From the programming guide, compute capability 9.0:
/// 228 KiB of shared memory, 65536 registers.
inline constexpr DeviceFigures h200{"H200",         132,    1.755e9,   989e12,
                                    494e12,         16,     128,       128,
                                    5120 * 1.755e9, 4.8e12, 228 << 10, 1 << 16};

/// The instructions with which a CTA tile is multiplied.
enum class MmaKind {
  /// mma.sync of 16-bit operands.
  Warps,
  /// wgmma of 16-bit operands.
  Warpgroups,
  /// mma.sync of f32 as three products of TF32.
  Single
};

/// A CTA tile of a contraction, with its K tile in bytes.
struct MatmulTileChoice {
  int64_t rows, columns, depthBytes, rowWarps, columnWarps, stages;
  MmaKind kind;
  /// The warps that load, in addition to those that compute.
  int64_t producers = 0;
  /// The CTAs of an SM that share all tiles; 0 if each CTA has one.
  int64_t resident = 0;
  /// The groups of warps of a CTA that compute its tiles in turn.
  int64_t groups = 1;

  int64_t getNumWarps() const { return rowWarps * columnWarps; }
  friend bool operator==(const MatmulTileChoice &lhs,
                         const MatmulTileChoice &rhs) {
    auto all = [](const MatmulTileChoice &choice) {
      return std::tie(choice.rows, choice.columns, choice.depthBytes,
                      choice.rowWarps, choice.columnWarps, choice.stages,
                      choice.kind, choice.producers, choice.resident,
                      choice.groups);
    };
    return all(lhs) == all(rhs);
  }
};

/// Large tiles with few loads per MMA, down to small ones for few rows, with
/// long K tiles to amortize iteration latency. wgmma takes 64 rows and K tiles
/// of 128 bytes.
inline constexpr MatmulTileChoice matmulTileMenu[] = {
    {128, 128, 128, 8, 1, 3, MmaKind::Warpgroups},
    {128, 256, 128, 8, 1, 3, MmaKind::Warpgroups},
    {128, 192, 128, 8, 1, 3, MmaKind::Warpgroups},
    {128, 160, 128, 8, 1, 3, MmaKind::Warpgroups},
    {128, 96, 128, 8, 1, 3, MmaKind::Warpgroups},
    {64, 192, 128, 4, 1, 3, MmaKind::Warpgroups},
    {64, 256, 128, 4, 1, 3, MmaKind::Warpgroups},
    {128, 64, 128, 8, 1, 4, MmaKind::Warpgroups},
    {64, 128, 128, 4, 1, 4, MmaKind::Warpgroups},
    {64, 64, 128, 4, 1, 4, MmaKind::Warpgroups},
    {64, 32, 128, 4, 1, 4, MmaKind::Warpgroups},
    {128, 128, 128, 2, 2, 3, MmaKind::Warps},
    {128, 64, 128, 2, 2, 3, MmaKind::Warps},
    {64, 64, 128, 2, 2, 3, MmaKind::Warps},
    {64, 32, 128, 2, 2, 4, MmaKind::Warps},
    {32, 32, 256, 2, 2, 4, MmaKind::Warps},
    {64, 64, 64, 2, 2, 3, MmaKind::Single},
    {32, 32, 128, 2, 2, 3, MmaKind::Single},
};

/// A GPU target as named by ptxas.
struct TargetInfo {
  llvm::StringLiteral name;
  /// The first version of PTX that supports it.
  unsigned ptxVersion;
  /// The maximum shared memory of a CTA in KiB.
  int64_t sharedKibibytes;
  /// Whether warpgroups multiply (wgmma).
  bool hasWgmma = false;
  /// The device whose kernels were measured; null if none was.
  const DeviceFigures *figures = nullptr;
  /// The CTA tiles that kernels may have; those of kinds that the target has no
  /// instructions for are skipped.
  llvm::ArrayRef<MatmulTileChoice> matmulTiles = matmulTileMenu;

  int64_t getSharedBytes() const { return sharedKibibytes << 10; }
  /// Whether a kernel can wait for those before it (griddepcontrol).
  bool hasGridDependencies() const;
  bool supports(MmaKind kind) const {
    return kind != MmaKind::Warpgroups || hasWgmma;
  }
  /// The figures that rank tiles and groups: its own, or those that stand for
  /// them.
  const DeviceFigures &getFigures() const { return figures ? *figures : h200; }
  bool hasOwnFigures() const { return figures != nullptr; }
};

/// All targets. Versions: PTX ISA, "Release Notes". Shared memory: CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability",
/// maximum per CTA. Code for sm_80 was measured on an H200 as well.
inline constexpr TargetInfo targets[] = {
    {"sm_80", 70, 163, false, &h200},
    {"sm_86", 71, 99},
    {"sm_87", 74, 163},
    {"sm_89", 78, 99},
    {"sm_90", 78, 227, false, &h200},
    {"sm_90a", 80, 227, true, &h200},
    {"sm_100", 86, 227},
    {"sm_100a", 86, 227},
    {"sm_100f", 88, 227},
    {"sm_103", 88, 227},
    {"sm_103a", 88, 227},
    {"sm_103f", 88, 227},
    {"sm_120", 87, 99},
    {"sm_120a", 87, 99},
    {"sm_120f", 88, 99},
    {"sm_121", 88, 99},
    {"sm_121a", 88, 99},
    {"sm_121f", 88, 99},
};

/// The target with exactly this name; null if there is none.
inline const TargetInfo *findTarget(llvm::StringRef name) {
  const TargetInfo *found = llvm::find_if(
      targets, [&](const TargetInfo &target) { return target.name == name; });
  return found == std::end(targets) ? nullptr : found;
}

/// The target that stands for all GPUs where none is given.
inline const TargetInfo &getDefaultTarget() { return targets[0]; }

/// The shared memory that every target has for a CTA, in bytes.
constexpr int64_t getCommonSharedBytes() {
  int64_t least = targets[0].sharedKibibytes;
  for (const TargetInfo &target : targets)
    least = target.sharedKibibytes < least ? target.sharedKibibytes : least;
  return least << 10;
}

/// The names of all targets, for messages.
inline std::string listTargets() {
  return llvm::join(llvm::map_range(targets,
                                    [](const TargetInfo &target) {
                                      return llvm::StringRef(target.name);
                                    }),
                    ", ");
}

/// The properties of a target that follow from its name. Packages can target
/// chips that are not in the list.
struct Architecture {
  /// 90 for compute capability 9.0.
  unsigned capability = 0;
  /// The capabilities that run the code: this and all later ones, this and
  /// later ones of its family (`f`), or this one only (`a`).
  enum Reach { Later, Family, Exact } reach = Later;

  /// Parses names such as `sm_90a`; std::nullopt for others.
  static std::optional<Architecture> parse(llvm::StringRef name) {
    constexpr size_t fewest = 2, most = 3;
    Architecture read;
    if (!name.consume_front("sm_"))
      return std::nullopt;
    if (name.consume_back("a"))
      read.reach = Exact;
    else if (name.consume_back("f"))
      read.reach = Family;
    if (name.size() < fewest || name.size() > most ||
        !llvm::all_of(name, llvm::isDigit) ||
        !llvm::to_integer(name, read.capability, /*Base=*/10))
      return std::nullopt;
    return read;
  }

  bool runsOn(unsigned other) const {
    if (reach == Exact)
      return other == capability;
    return other >= capability &&
           (reach == Later || other / 10 == capability / 10);
  }
};

inline bool TargetInfo::hasGridDependencies() const {
  constexpr unsigned first = 90;
  return Architecture::parse(name)->capability >= first;
}

} // namespace stof

#endif // STOF_SUPPORT_TARGETINFO_H

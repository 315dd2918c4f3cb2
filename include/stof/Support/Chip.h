//===----------------------------------------------------------------------===//
// The GPU targets, shared by the compiler and the runtime.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_CHIP_H
#define STOF_SUPPORT_CHIP_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace stof {

/// A GPU target as named by ptxas.
struct Chip {
  llvm::StringLiteral name;
  /// The first version of PTX that supports it.
  unsigned ptxVersion;
  /// The maximum shared memory of a CTA in KiB.
  int64_t sharedKibibytes;
};

/// All targets. Versions: PTX ISA, "Release Notes". Shared memory: CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability",
/// maximum per CTA.
inline constexpr Chip chips[] = {
    {"sm_80", 70, 163},  {"sm_86", 71, 99},    {"sm_87", 74, 163},
    {"sm_89", 78, 99},   {"sm_90", 78, 227},   {"sm_90a", 80, 227},
    {"sm_100", 86, 227}, {"sm_100a", 86, 227}, {"sm_100f", 88, 227},
    {"sm_103", 88, 227}, {"sm_103a", 88, 227}, {"sm_103f", 88, 227},
    {"sm_120", 87, 99},  {"sm_120a", 87, 99},  {"sm_120f", 88, 99},
    {"sm_121", 88, 99},  {"sm_121a", 88, 99},  {"sm_121f", 88, 99},
};

/// The chip with exactly this name; null if there is none.
inline const Chip *findChip(llvm::StringRef name) {
  const Chip *found =
      llvm::find_if(chips, [&](const Chip &chip) { return chip.name == name; });
  return found == std::end(chips) ? nullptr : found;
}

/// The names of all chips, for messages.
inline std::string listChips() {
  return llvm::join(
      llvm::map_range(
          chips, [](const Chip &chip) { return llvm::StringRef(chip.name); }),
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

} // namespace stof

#endif // STOF_SUPPORT_CHIP_H

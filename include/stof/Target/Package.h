//===----------------------------------------------------------------------===//
// A package: what a runtime needs to know of compiled functions, and the files
// that hold their code. lib/Runtime/manifest.schema.json says what each part of
// the manifest means.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_PACKAGE_H
#define STOF_TARGET_PACKAGE_H

#include "stof/Target/SizeExpr.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace stof {

/// An input or a result.
struct PackagedTensor {
  std::string name;
  std::string dtype;
  std::vector<SizeExpr> shape;
  /// The global of the source whose value it is before or after a call, if any.
  std::string global = {};
  /// Of a result: the name of the input whose buffer it takes over.
  std::string alias = {};
};

/// A size that is known at run time only: that of `dim` of input `input`.
struct PackagedSymbol {
  std::string name;
  unsigned input;
  unsigned dim;
};

/// What must hold of the sizes, and what is said if it does not.
struct PackagedCheck {
  SizeExpr holds;
  std::string message;
};

/// Why a dimension of an input has the symbol of another: what is said if it
/// has another size.
struct PackagedEquality {
  unsigned input;
  unsigned dim;
  std::string message;
};

/// What a number in the status word means: what is said, and where in the
/// source it is asserted.
struct PackagedAssertion {
  std::string message;
  std::string location;
};

/// Bytes of a file of the package that kernels read.
struct PackagedConstant {
  std::string name;
  std::string file;
  uint64_t offset;
  uint64_t bytes;
};

/// An address or a number.
struct PackagedParameter {
  /// The buffer that the address lies in; empty for a number.
  std::string buffer;
  /// The offset in bytes, or the number.
  llvm::json::Value value = 0;
  /// Of a number: i64, i32 or f32.
  std::string type;

  static PackagedParameter address(llvm::StringRef buffer,
                                   const SizeExpr &offset = 0) {
    return {buffer.str(), offset.toJSON(), ""};
  }
  static PackagedParameter size(const SizeExpr &value) {
    return {"", value.toJSON(), "i64"};
  }
};

/// A launch of a kernel, or a call of a native function if `grid` is empty.
struct PackagedStep {
  std::string function;
  std::string module;
  std::vector<PackagedParameter> parameters;
  std::vector<SizeExpr> grid;
  std::vector<int64_t> block;
  std::vector<int64_t> cluster;
  SizeExpr sharedBytes;
  /// The sizes of each operand of the launch, and the value of each that is an
  /// index; not written down.
  std::vector<std::vector<SizeExpr>> operandSizes;
};

/// The processor that native code is for, and what it must have.
struct PackagedProcessor {
  std::string name;
  std::vector<std::string> features;
};

/// What runs a function on one target.
struct PackagedTarget {
  std::string target;
  /// In bytes.
  SizeExpr workspace;
  /// The bytes that no placement of the buffers could do without, if they are
  /// known; not written down.
  std::optional<int64_t> workspaceBound = std::nullopt;
  std::vector<PackagedStep> steps;
  /// What steps report, by number from one.
  std::vector<PackagedAssertion> assertions = {};
  /// Of native code only.
  std::optional<PackagedProcessor> processor = std::nullopt;
};

struct PackagedFunction {
  std::string name;
  std::vector<PackagedSymbol> symbols;
  std::vector<PackagedTensor> inputs, results;
  std::vector<PackagedEquality> equalities;
  std::vector<PackagedCheck> checks;
  std::vector<PackagedConstant> constants;
  std::vector<PackagedTarget> targets;
};

struct Package {
  std::vector<PackagedFunction> functions;
  /// How it was made, for people.
  llvm::json::Object options;
  /// The bytes of each file but the manifest, by name.
  std::map<std::string, std::string> files;
};

/// The manifest of `package`, with a BLAKE3 hash of each file.
llvm::json::Value toJSON(const Package &package);

/// What the code for `target`, one of the targets of `function`, takes for
/// granted: the part of the manifest that it was compiled with, as JSON. The
/// code carries it, so that a manifest that says anything else is found out.
std::string describeContract(const PackagedFunction &function,
                             const PackagedTarget &target);

/// Told of the folder, and of each file in it, that exists only until a package
/// is in its place, before it is made: a program may have it removed when a
/// signal ends the process. A library has no say in signals.
using TemporaryObserver =
    llvm::function_ref<void(llvm::StringRef path, bool isFolder)>;

/// Writes `package` as the folder `path`, all of it or nothing. Replaces an
/// older package: a folder whose manifest stof wrote, and which holds nothing
/// but that, a `report.json` and the files that it lists. Refuses to replace
/// anything else. A link is followed.
///
/// At any time there is either the old package or the new one at `path`, also
/// when several processes write there (on file systems that cannot exchange two
/// folders, for an instant none). What a process that was killed has left
/// beside it is removed by the next one.
llvm::Error writePackage(
    const Package &package, llvm::StringRef path,
    TemporaryObserver observe = [](llvm::StringRef, bool) {});

} // namespace stof

#endif // STOF_TARGET_PACKAGE_H

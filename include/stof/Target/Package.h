//===----------------------------------------------------------------------===//
// A package: the description of compiled functions for a runtime, and the files
// with their code. lib/Runtime/manifest.schema.json documents the manifest.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_PACKAGE_H
#define STOF_TARGET_PACKAGE_H

#include "stof/Size/SizeExpr.h"

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
  /// The source global with this value before or after a call, if any.
  std::string global = {};
  /// For a result, the name of the donated input.
  std::string alias = {};
};

/// A dynamic size: dimension `dim` of input `input`.
struct PackagedSymbol {
  std::string name;
  unsigned input;
  unsigned dim;
};

/// A condition on sizes, and the message if it fails.
struct PackagedCheck {
  SizeExpr holds;
  std::string message;
};

/// A dimension of an input with the symbol of another one, and the message if
/// the sizes differ.
struct PackagedEquality {
  unsigned input;
  unsigned dim;
  std::string message;
};

/// The meaning of a number in the status word: the message of an assertion and
/// its location in the source.
struct PackagedAssertion {
  std::string message;
  std::string location;
};

/// A range of bytes in a file of the package, read by kernels.
struct PackagedConstant {
  std::string name;
  std::string file;
  uint64_t offset;
  uint64_t bytes;
};

/// An address or a number.
struct PackagedParameter {
  /// The buffer of an address; empty for a number.
  std::string buffer;
  /// The offset in bytes, or the number.
  llvm::json::Value value = 0;
  /// The type of a number: i64, i32 or f32.
  std::string type;
  /// The members of a tensor map other than its buffer and offset, if the
  /// parameter is one (the manifest's schema, "tensor_map").
  std::optional<llvm::json::Object> map = std::nullopt;

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
  /// Whether the kernel waits for the previous step before it accesses memory.
  bool programmatic = false;
  /// The sizes of each operand of the launch, or the value of an index operand;
  /// not serialized.
  std::vector<std::vector<SizeExpr>> operandSizes;
};

/// The CPU that native code is compiled for, and its required features.
struct PackagedProcessor {
  std::string name;
  std::vector<std::string> features;
};

/// The implementation of a function on one target.
struct PackagedTarget {
  std::string target;
  /// In bytes.
  SizeExpr workspace;
  /// A lower bound on the bytes of the workspace, if known; not serialized.
  std::optional<int64_t> workspaceBound = std::nullopt;
  std::vector<PackagedStep> steps;
  /// The assertions of the steps, numbered from one.
  std::vector<PackagedAssertion> assertions = {};
  /// For native code only.
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
  /// The options of the compilation, for information.
  llvm::json::Object options;
  /// The bytes of each file except the manifest, by name.
  std::map<std::string, std::string> files;
};

/// The manifest of `package`, with a BLAKE3 hash of each file.
llvm::json::Value toJSON(const Package &package);

/// The contract of the code for `target`, one of the targets of `function`: the
/// part of the manifest that it was compiled with, as JSON. It is embedded in
/// the code in order to detect a manifest that differs.
std::string describeContract(const PackagedFunction &function,
                             const PackagedTarget &target);

/// The bytes of `package` as an archive, uncompressed tar: what tar would make
/// of the folder that writePackage writes, the same for equal packages.
std::string archivePackage(const Package &package);

/// Called with the path of the temporary folder of a package, and of each file
/// in it, before its creation. A program can then remove them if a signal ends
/// the process; a library must not install signal handlers.
using TemporaryObserver =
    llvm::function_ref<void(llvm::StringRef path, bool isFolder)>;

/// Writes `package` as the folder `path`, atomically. Replaces an older package
/// only: a folder with a manifest written by stof, the files in its list, and
/// optionally a `report.json`. Links are followed.
///
/// At any time either the old package or the new one is at `path`, also if
/// several processes write there (on file systems that cannot exchange two
/// folders, for an instant none). Leftovers of killed processes next to it are
/// removed by the next call.
llvm::Error writePackage(
    const Package &package, llvm::StringRef path,
    TemporaryObserver observe = [](llvm::StringRef, bool) {});

} // namespace stof

#endif // STOF_TARGET_PACKAGE_H

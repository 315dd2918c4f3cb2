//===----------------------------------------------------------------------===//
// The manifest of a package: its functions, their inputs and results, and the
// steps of each target. lib/Runtime/manifest.schema.json is the JSON Schema.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_MANIFEST_H
#define STOF_RUNTIME_MANIFEST_H

#include "stof/Runtime/DType.h"
#include "stof/Runtime/Expression.h"
#include <array>
#include <optional>
#include <variant>

namespace stof::runtime {

/// A name for the size of dimension `dim` of input `input`.
struct Symbol {
  std::string name;
  unsigned input;
  unsigned dim;
};

/// A tensor of the function's signature: contiguous, row-major, 16-byte
/// aligned.
struct TensorSpec {
  std::string name;
  DType dtype;
  std::vector<Expression> shape;
  /// For a result, the donated input. The caller passes one address for both,
  /// and the contents of the input are lost.
  std::optional<unsigned> alias = std::nullopt;

  /// `f16 [2, s0, 64]`
  std::string format() const;
  /// `[2, s0, 64]`
  std::string formatShape() const;
};

/// The message for a dimension of an input that shares the symbol of another
/// one but differs in size.
struct Equality {
  int64_t input;
  int64_t dim;
  std::string message;
};

/// An expression that must be nonzero for a call.
struct Check {
  Expression holds;
  std::string message;
};

/// A condition on the data of a run, and its location in the source. If it
/// fails, a step stores its number, counted from one, in the status word.
struct Assertion {
  std::string message;
  std::string location;
};

/// A range of bytes in a file of the package, read by kernels.
struct Constant {
  std::string name;
  std::string file;
  int64_t offset;
  int64_t bytes;
};

/// An address `offset` bytes after the start of one of the function's buffers.
struct BufferRef {
  enum class Kind : uint8_t { Input, Result, Workspace, Constant, Status };
  Kind kind;
  unsigned index; ///< Among the buffers of its kind.
  std::string name;
  Expression offset;
};

/// A number passed by value: `real` for `F32`, `value` for the integers.
struct ScalarParameter {
  enum class Type : uint8_t { I64, I32, F32 };
  Type type;
  Expression value;
  float real;
};

/// The encoding of a tensor map (CUDA driver API, cuTensorMapEncodeTiled),
/// passed by value as its 128 bytes. Dimensions are innermost first, as in the
/// driver API; `strides` are in bytes and omit the innermost dimension.
struct TensorMapParameter {
  enum class Swizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };
  enum class Promotion : uint8_t { None, Bytes64, Bytes128, Bytes256 };
  enum class Fill : uint8_t { Zeros, NaN };
  BufferRef buffer;
  DType dtype;
  std::vector<Expression> dims;
  std::vector<Expression> strides;
  std::vector<int64_t> box;
  std::vector<int64_t> elementStrides;
  Swizzle swizzle;
  Promotion promotion;
  Fill fill;
};

using Parameter = std::variant<BufferRef, ScalarParameter, TensorMapParameter>;

/// The common part of the steps of all targets.
struct StepBase {
  std::string symbol; ///< The kernel or the native function.
  std::string module; ///< The file with its code.
  std::vector<Parameter> parameters;
};

/// A launch of a GPU kernel. `block` is the size of a CTA in threads, `cluster`
/// that of a cluster in CTAs; `sharedBytes` is the dynamic shared memory of a
/// CTA. A `programmatic` kernel may start before the previous step has ended.
struct KernelStep : StepBase {
  std::array<Expression, 3> grid;
  std::array<int64_t, 3> block;
  std::array<int64_t, 3> cluster;
  Expression sharedBytes;
  bool programmatic = false;
};

/// A call of a function of a shared object; see NativeAbi.h.
struct NativeStep : StepBase {};

using Step = std::variant<KernelStep, NativeStep>;

/// The CPU that native code was compiled for, and its required features, both
/// by their LLVM names.
struct Processor {
  std::string name;
  std::vector<std::string> features;
};

/// An implementation of a function: for `cpu`, or for a GPU such as `sm_90a`.
struct Target {
  std::string name;
  Expression workspace; ///< Bytes.
  std::vector<Step> steps;
  std::vector<Assertion> assertions;
  std::optional<Processor> processor; ///< For `cpu` only.

  bool isCpu() const { return name == "cpu"; }

  /// Whether a step has a parameter in the constant of that index.
  bool readsConstant(unsigned index) const;

  /// Whether a step has the status word as a parameter.
  bool usesStatus() const;
};

struct Function {
  std::string name;
  std::vector<Symbol> symbols;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> results;
  std::vector<Equality> equalities;
  std::vector<Check> checks;
  std::vector<Constant> constants;
  std::vector<Target> targets;
  /// The JSON of the function.
  llvm::json::Value source = nullptr;

  /// Values of the symbols as messages print them: `s0 = 4, s1 = 8`.
  std::string formatSymbols(llvm::ArrayRef<int64_t> values) const;
};

/// A file of the package, with its size and its BLAKE3 hash in hexadecimal.
struct PackageFile {
  std::string name;
  int64_t bytes;
  std::string hash;
};

struct Manifest {
  /// The only supported version.
  static constexpr int64_t version = 1;

  std::string producer;
  std::vector<PackageFile> files;
  std::vector<Function> functions;

  const PackageFile *findFile(llvm::StringRef name) const;
  const Function *findFunction(llvm::StringRef name) const;
};

/// Reads a manifest and verifies it as far as possible without other files: its
/// version, that all keys are known, that names are unique and references are
/// valid. Errors start with `file` and the path of the offending value, such as
/// `functions[0].inputs[1].dtype`.
llvm::Expected<Manifest> parseManifest(llvm::StringRef text,
                                       llvm::StringRef file = "manifest.json");

} // namespace stof::runtime

#endif // STOF_RUNTIME_MANIFEST_H

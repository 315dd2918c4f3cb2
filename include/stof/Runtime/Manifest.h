//===----------------------------------------------------------------------===//
// What a package says about itself: the functions it holds, the tensors they
// take and give, and for each target the steps that compute them.
// lib/Runtime/manifest.schema.json states the same as a JSON Schema.
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
  /// Of a result: the input whose buffer it takes over. The caller passes one
  /// address for both, and what the input held is lost.
  std::optional<unsigned> alias = std::nullopt;

  /// `f16 [2, s0, 64]`
  std::string format() const;
  /// `[2, s0, 64]`
  std::string formatShape() const;
};

/// What is said of a dimension of an input that has the symbol of another, and
/// another size.
struct Equality {
  int64_t input;
  int64_t dim;
  std::string message;
};

/// Something that must be nonzero before anything runs.
struct Check {
  Expression holds;
  std::string message;
};

/// Something that the data of a run must satisfy, and where the source says so.
/// A step that finds that it does not stores its number, counted from one, in
/// the status word.
struct Assertion {
  std::string message;
  std::string location;
};

/// Bytes of a file of the package that kernels read.
struct Constant {
  std::string name;
  std::string file;
  int64_t offset;
  int64_t bytes;
};

/// A place inside one of the function's buffers, `offset` bytes from its start.
struct BufferRef {
  enum class Kind : uint8_t { Input, Result, Workspace, Constant, Status };
  Kind kind;
  unsigned index; ///< Among the buffers of its kind.
  std::string name;
  Expression offset;
};

/// A number passed by value: `F32` takes it from `real`, the integers from
/// `value`.
struct ScalarParameter {
  enum class Type : uint8_t { I64, I32, F32 };
  Type type;
  Expression value;
  float real;
};

/// How to encode a tensor map (CUDA driver API, cuTensorMapEncodeTiled), passed
/// by value as its 128 bytes. Dimensions are innermost first, as the driver
/// wants them; `strides` are bytes and leave out the innermost dimension.
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

/// What the steps of all targets have in common.
struct StepBase {
  std::string symbol; ///< The kernel or the native function.
  std::string module; ///< The file that holds it.
  std::vector<Parameter> parameters;
};

/// One launch of a GPU kernel. Blocks and clusters are counted in threads and
/// blocks; `sharedBytes` is the dynamic shared memory of a block.
struct KernelStep : StepBase {
  std::array<Expression, 3> grid;
  std::array<int64_t, 3> block;
  std::array<int64_t, 3> cluster;
  Expression sharedBytes;
};

/// One call of a function of a shared object; see NativeAbi.h.
struct NativeStep : StepBase {};

using Step = std::variant<KernelStep, NativeStep>;

/// The processor that native code was compiled for, and the features that it
/// needs, as LLVM names both.
struct Processor {
  std::string name;
  std::vector<std::string> features;
};

/// One way to compute a function: `cpu`, or kernels for a GPU such as `sm_90a`.
struct Target {
  std::string name;
  Expression workspace; ///< Bytes.
  std::vector<Step> steps;
  std::vector<Assertion> assertions;
  std::optional<Processor> processor; ///< Of `cpu` only.

  bool isCpu() const { return name == "cpu"; }

  /// Whether a step is passed an address in the constant of that index.
  bool readsConstant(unsigned index) const;

  /// Whether a step is passed the status word.
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
  /// The function as it was written.
  llvm::json::Value source = nullptr;

  /// Values of the symbols as messages print them: `s0 = 4, s1 = 8`.
  std::string formatSymbols(llvm::ArrayRef<int64_t> values) const;
};

/// A file that belongs to the package, with its size and its BLAKE3 hash in
/// hexadecimal.
struct PackageFile {
  std::string name;
  int64_t bytes;
  std::string hash;
};

struct Manifest {
  /// The only version that this runtime reads.
  static constexpr int64_t version = 1;

  std::string producer;
  std::vector<PackageFile> files;
  std::vector<Function> functions;

  const PackageFile *findFile(llvm::StringRef name) const;
  const Function *findFunction(llvm::StringRef name) const;
};

/// Reads a manifest and checks everything about it that needs no other file:
/// the version, that no key is unknown, that each name is defined once and each
/// reference leads somewhere. Errors start with `file` and the path of the
/// offending value, such as `functions[0].inputs[1].dtype`.
llvm::Expected<Manifest> parseManifest(llvm::StringRef text,
                                       llvm::StringRef file = "manifest.json");

} // namespace stof::runtime

#endif // STOF_RUNTIME_MANIFEST_H

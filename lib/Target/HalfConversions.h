//===----------------------------------------------------------------------===//
// Conversions of 16-bit floats that code generation may call.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_HALFCONVERSIONS_H
#define STOF_LIB_TARGET_HALFCONVERSIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace stof {

/// Defines the conversions between f16, f32 and f64 under the names that code
/// generation calls where the processor has no instruction, so that none is
/// looked for in a compiler's run-time library. They round to nearest, ties to
/// even, and keep infinities, signs and subnormals. Linking drops unused ones.
void addHalfConversions(llvm::Module &module);

} // namespace stof

#endif // STOF_LIB_TARGET_HALFCONVERSIONS_H

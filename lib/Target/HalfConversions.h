//===----------------------------------------------------------------------===//
// Run-time library functions for conversions of 16-bit floats.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_HALFCONVERSIONS_H
#define STOF_LIB_TARGET_HALFCONVERSIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace stof {

/// Defines the conversions between f16, f32 and f64 under the names that code
/// generation calls on CPUs without such instructions, in place of those of
/// compiler-rt. They round to nearest, ties to even, and keep infinities, signs
/// and subnormals. Unused ones are removed by the linker.
void addHalfConversions(llvm::Module &module);

} // namespace stof

#endif // STOF_LIB_TARGET_HALFCONVERSIONS_H

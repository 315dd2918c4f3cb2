//===----------------------------------------------------------------------===//
// Conversions of 16-bit floats in LLVM IR, by integer arithmetic except for two
// roundings: those of an f32 addition and of a conversion to f32.
//===----------------------------------------------------------------------===//

#include "HalfConversions.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"

// An f16 has 5 bits of exponent with bias 15 and 10 of mantissa; an f32 has 8
// with bias 127 and 23. 939524096 is the difference of the biases, 112 << 23.
static constexpr llvm::StringLiteral conversions = R"(
define hidden float @__extendhfsf2(half %x) {
  %narrow = bitcast half %x to i16
  %bits = zext i16 %narrow to i32
  %sign = and i32 %bits, 32768
  %size = and i32 %bits, 32767

  ; Infinities and NaNs have the highest exponent in either format.
  %moved = shl i32 %size, 13
  %normal = add i32 %moved, 939524096
  %highest = add i32 %normal, 939524096
  %special = icmp uge i32 %size, 31744
  %large = select i1 %special, i32 %highest, i32 %normal

  ; A subnormal is a multiple of 2^-24.
  %units = sitofp i32 %size to float
  %scaled = fmul float %units, 0x3E70000000000000
  %small = bitcast float %scaled to i32
  %subnormal = icmp ult i32 %size, 1024
  %magnitude = select i1 %subnormal, i32 %small, i32 %large

  %high = shl i32 %sign, 16
  %all = or i32 %high, %magnitude
  %y = bitcast i32 %all to float
  ret float %y
}

define hidden half @__truncsfhf2(float %x) {
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %sign = and i32 %high, 32768
  %size = and i32 %bits, 2147483647

  ; Ties go to even: half a unit, less one where the result would be even.
  %rebiased = sub i32 %size, 939524096
  %last = lshr i32 %rebiased, 13
  %odd = and i32 %last, 1
  %half.unit = add i32 %odd, 4095
  %rounded = add i32 %rebiased, %half.unit
  %normal = lshr i32 %rounded, 13

  ; The last bit of 0.5 is worth 2^-24, so adding 0.5 rounds a subnormal.
  %positive = bitcast i32 %size to float
  %shifted = fadd float %positive, 5.0e-01
  %shifted.bits = bitcast float %shifted to i32
  %small = sub i32 %shifted.bits, 1056964608
  %subnormal = icmp ult i32 %size, 947912704
  %finite = select i1 %subnormal, i32 %small, i32 %normal

  ; From 65520 on, the nearest is infinity.
  %overflows = icmp uge i32 %size, 1199566848
  %bounded = select i1 %overflows, i32 31744, i32 %finite
  %nan = icmp ugt i32 %size, 2139095040
  %magnitude = select i1 %nan, i32 32256, i32 %bounded

  %all = or i32 %sign, %magnitude
  %narrow = trunc i32 %all to i16
  %y = bitcast i16 %narrow to half
  ret half %y
}

; Rounds to f32 with the last bit set if inexact: a second rounding then gives
; the same as a single rounding of %x.
define internal float @round_to_odd(double %x) {
  %near = fptrunc double %x to float
  %back = fpext float %near to double
  %inexact = fcmp one double %back, %x
  %bits = bitcast float %near to i32
  %last = and i32 %bits, 1
  %even = icmp eq i32 %last, 0
  %move = and i1 %inexact, %even
  %size = call double @llvm.fabs.f64(double %x)
  %near.size = call double @llvm.fabs.f64(double %back)
  %beyond = fcmp ogt double %near.size, %size
  %step = select i1 %beyond, i32 -1, i32 1
  %moved = add i32 %bits, %step
  %chosen = select i1 %move, i32 %moved, i32 %bits
  %y = bitcast i32 %chosen to float
  ret float %y
}

define hidden half @__truncdfhf2(double %x) {
  %odd = call float @round_to_odd(double %x)
  %y = fptrunc float %odd to half
  ret half %y
}

define hidden bfloat @__truncsfbf2(float %x) {
  %bits = bitcast float %x to i32
  %last = lshr i32 %bits, 16
  %odd = and i32 %last, 1
  %half.unit = add i32 %odd, 32767
  %rounded = add i32 %bits, %half.unit
  %nan = fcmp uno float %x, %x
  %chosen = select i1 %nan, i32 2143289344, i32 %rounded
  %high = lshr i32 %chosen, 16
  %narrow = trunc i32 %high to i16
  %y = bitcast i16 %narrow to bfloat
  ret bfloat %y
}

define hidden bfloat @__truncdfbf2(double %x) {
  %odd = call float @round_to_odd(double %x)
  %y = call bfloat @__truncsfbf2(float %odd)
  ret bfloat %y
}

declare double @llvm.fabs.f64(double)
)";

void stof::addHalfConversions(llvm::Module &module) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library =
      llvm::parseAssemblyString(conversions, problem, module.getContext());
  if (!library)
    llvm::report_fatal_error(problem.getMessage());
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(library)))
    llvm::report_fatal_error("conversions of 16-bit floats do not link");
}

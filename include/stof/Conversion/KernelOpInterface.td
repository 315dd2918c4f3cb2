#ifndef STOF_CONVERSION_KERNELOPINTERFACE_TD
#define STOF_CONVERSION_KERNELOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::stof";
  let description = [{
    An operation that kernels compute. It goes through three passes:

    1. `stof-bufferize-kernels` puts it on buffers. An operation that is no group,
       tile list or scatter has to be a `DestinationStyleOpInterface` and to
       implement `BufferizableOpInterface`.
    2. `stof-outline-kernels` asks for names and temporary buffers, and puts the
       operation in a `stof.launch`.
    3. `stof-emit-kernels` asks for each kernel: its body, its grid and what reports
       say of it.

    The operations of stof and `linalg.copy` have external models
    (`registerKernelModels`), since their kernels need libraries that the dialect
    does not know.

    **Example**: an operation of another dialect with one kernel, which needs no
    change to any pass.

    ```c++
    FailureOr<SmallVector<std::string>> NegateOp::nameKernels(const TargetInfo *) {
      return SmallVector<std::string>{"negate"};
    }
    LogicalResult NegateOp::emitKernel(unsigned, KernelBuilder &kernel, ValueRange,
                                       const TargetInfo *) {
      kernel.setNumWarps(4);
      kernel.setSchedule("negate", {{"elements", 512}});
      ... tile.load from kernel.getArgument(getInput()), tile.map, tile.store ...
      return kernel.launch(ceilDiv(kernel.host(), getLoc(), size, 512));
    }
    ```
  }];
  let methods = [
    InterfaceMethod<"The number of kernels.", "unsigned", "getNumKernels", (ins), "",
      "return 1;">,
    InterfaceMethod<[{
      The name of each kernel, in the order of their launches: a word for what it
      computes. Emits an error if none can be made for `target`, which is null for
      CPUs.
    }], "::llvm::FailureOr<::llvm::SmallVector<std::string>>", "nameKernels",
      (ins "const ::stof::TargetInfo *":$target)>,
    InterfaceMethod<[{
      Allocates the buffers for what the kernels pass to each other.
    }], "::llvm::SmallVector<::mlir::Value>", "allocateTemporaries",
      (ins "::mlir::OpBuilder &":$host), "", "return {};">,
    InterfaceMethod<[{
      The schedules of the operation on tensors for `target`: every way in which
      kernels can compute it, as the attribute that asks for it, with the work of its
      kernels, if that can be counted or estimated. The first is that in use: one that
      the operation asks for, or else what the compiler chooses for `target`. Emits an
      error if no kernel can be made for `target`. Empty if there is nothing to choose.
    }], "::llvm::FailureOr<::llvm::SmallVector<::stof::KernelSchedule>>",
      "listSchedules", (ins "const ::stof::TargetInfo *":$target), "",
      "return ::llvm::SmallVector<::stof::KernelSchedule>();">,
    InterfaceMethod<[{
      The name of the attribute that asks for a schedule; empty without schedules.
    }], "::llvm::StringRef", "getScheduleName", (ins), "", "return {};">,
    InterfaceMethod<[{
      Whether the operation on tensors asks for a schedule, or has a layout that
      depends on one.
    }], "bool", "hasSchedule", (ins), "",
      "return false;">,
    InterfaceMethod<[{
      Makes kernels compute the operation on tensors by `schedule`, one of those of
      `listSchedules`, or as the compiler chooses if it is null. A layout, which
      depends on it, is dropped.
    }], "void", "setSchedule", (ins "::mlir::Attribute":$schedule), "",
      [{llvm_unreachable("expects an operation with schedules");}]>,
    InterfaceMethod<[{
      Emits the body of kernel `number`, its launch, and its description for
      reports: the schedule and, if sizes are static, the work. The operands of
      the operation are buffers and scalars of the host; `temporaries` are those
      that `allocateTemporaries` returned. Emits an error on failure.
    }], "::llvm::LogicalResult", "emitKernel",
      (ins "unsigned":$number, "::stof::KernelBuilder &":$kernel,
           "::mlir::ValueRange":$temporaries, "const ::stof::TargetInfo *":$target)>
  ];
}

#endif // STOF_CONVERSION_KERNELOPINTERFACE_TD

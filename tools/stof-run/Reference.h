//===----------------------------------------------------------------------===//
// What packages are compared with: the results of a reference on random inputs.
// They run in the memory of the reference, where its inputs are.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_REFERENCE_H
#define STOF_TOOLS_STOF_RUN_REFERENCE_H

#include "FiniteElements.h"
#include "RandomInputs.h"
#include "ResultReader.h"

namespace stof::runtime {

class Reference {
public:
  /// Runs `program` on random inputs from `seed`, and again on positive ones if
  /// not all of its results are finite. The inputs are those with more finite
  /// results, of which at least half have to be finite: a NaN agrees with the
  /// NaN of a wrong program. What is referred to must outlive the reference.
  static llvm::Expected<std::unique_ptr<Reference>>
  create(const std::shared_ptr<Program> &program, uint64_t seed,
         ResultReader &reader, llvm::ThreadPoolInterface &pool);

  /// Runs `program` on the inputs. Fails if its results differ. There is one
  /// run at a time.
  llvm::Expected<std::unique_ptr<HostRun>>
  check(const std::shared_ptr<Program> &program);

  /// The bytes that are allocated on the host and on the device.
  int64_t countHostBytes() const;
  int64_t countDeviceBytes() const { return memory.countBytes(); }

private:
  Reference(Device &device, ResultReader &reader,
            llvm::ThreadPoolInterface &pool)
      : memory(device), reader(reader), pool(pool) {}

  static llvm::Expected<std::unique_ptr<Reference>>
  create(const std::shared_ptr<Program> &program, uint64_t seed,
         FloatRange range, ResultReader &reader,
         llvm::ThreadPoolInterface &pool);
  llvm::Expected<std::unique_ptr<HostRun>>
  execute(const std::shared_ptr<Program> &program);
  llvm::Error addResults(const HostRun &run);
  llvm::Expected<double> findDifference(const HostRun &run, size_t index) const;
  llvm::Error compare(const HostRun &run) const;

  OwnedTensors inputs, results;
  std::vector<FiniteElements> finite; ///< Of each result.
  /// The smallest share of finite elements in a result, and its number.
  double share = 1;
  size_t least = 0;
  RunMemory memory;
  ResultReader &reader;
  llvm::ThreadPoolInterface &pool;
};

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_REFERENCE_H

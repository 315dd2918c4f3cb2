//===----------------------------------------------------------------------===//
// stof-run --serve: measurements on request, for a search in another process.
// The device stays open from one request to the next.
//===----------------------------------------------------------------------===//
//
// Requests and answers are JSON objects, one a line. The first answer is the
// device; `driver` is the version of CUDA, empty for a CPU, and `capability`
// the compute capability, 0 for a CPU:
//
//   {"device": "NVIDIA H200", "driver": "13.0", "capability": 90}
//
// A request names a reference and packages, folders with one function of static
// sizes each. The inputs are random, from the seed:
//
//   {"reference": "ref", "packages": ["a", "b"], "repeat": 30, "seed": 0}
//
// The reference is run once, and all packages are loaded. Unless all its
// results are finite, it is run on positive inputs too, and the inputs are
// those with more finite results; with less than half of them, packages cannot
// be compared with it. Then each of them is run, all elements of its results
// are compared with those of the reference, and `repeat` further runs are
// timed. `clock_mhz` is that of the SMs after the runs, absent if unknown. A
// package that cannot be loaded does not begin:
//
//   {"begin": 0}
//   {"index": 0, "microseconds": [12.5, ...], "clock_mhz": 1980}
//   {"index": 1, "error": "cannot read 'b/manifest.json': ..."}
//   {"done": true}
//
// Two more keys make slow packages cost less, and leave none of them unchecked:
//
//   {..., "milliseconds": 10, "best": 8.25}
//
// Runs end once they have taken so many milliseconds, but there are at least 5
// of them. If `repeat` runs would take longer than that, a package of which two
// runs take more than 1.3 times the best is not run again, and has one time.
// The best is the given one, in microseconds, or that of a package before.
//
// Inputs and results of a reference are kept for later requests that have it
// and its seed, as long as it takes a quarter of the memory that is free at
// most. All packages run on the same inputs in device memory; one whose results
// differ is run again on new ones, in case that one before wrote where it
// should not.
//
// A request that cannot be served has a single answer, {"error": "..."}. The
// process ends with standard input, or when standard output is closed. After a
// fault of the GPU, which leaves no device to go on with, it ends with code 1.
//
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_SERVE_H
#define STOF_TOOLS_STOF_RUN_SERVE_H

#include "stof/Runtime/Device.h"

namespace stof::runtime {

/// Activates the device and answers requests until standard input ends. Fails
/// if the device or standard output is unusable.
llvm::Error serve(std::shared_ptr<Device> device);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_SERVE_H

#ifndef STOF_SEARCH_PASSES_TD
#define STOF_SEARCH_PASSES_TD

include "mlir/Pass/PassBase.td"

def SearchPass : Pass<"stof-search", "::mlir::ModuleOp"> {
  let summary = "Search for the fusion schemes and schedules of kernels";
  let description = [{
    Takes the place of `stof-form-groups`, in two stages:

    1. The operations of each function are shared among kernels by moves from one
       fusion scheme to another (Search/SearchSchemes.h), ranked by the cost model.
       Where kernels are measured, so are those of moves that are predicted to lose
       little, and such a move is made if it gains.
    2. Each kernel that differs from others gets a schedule of those that
       `stof-list-schedules` prints. Candidates are compiled as modules of their own
       and measured on `device`, in a child process: the program `stof-run`. Kernels
       that gain get more of the measurements (Search/ScheduleSearch.h). A candidate
       that hangs, faults, or differs from the untuned kernel on random inputs is
       dropped; one that is much slower than the best is run less often than `repeat`
       says. The fastest is measured again, next to the untuned one, and taken if it
       is faster by more than noise.

    ```mlir
    %p = linalg.matmul ins(%x, %w : ...) ...
    %e = linalg.exp ins(%p : ...) ...
      ==>
    func.func @main(...) attributes {stof.scheme = #stof.scheme<"00">}
    %e = stof.group ins(%x, %w : ...) tiles [#stof.matmul_tile<rows = 64, columns = 32, ...>] {
      ... linalg.matmul ... linalg.exp ...
    }
    ```

    A kernel that a search has finished with before has a schedule, and a function a
    scheme, that ships with the compiler (`shipped`) or in a file of the user
    (`schedules`, the text of `stof-tune export --best`, which precedes). It is taken
    without a measurement

    - if `device` is the one that it was measured on, by the name that the driver
      tells, whichever driver and compiler there was then, unless `budget` is larger
      than that of the search or `database` knows the kernel;
    - without a device, if it was measured on the one that the cost model predicts
      for, or on the one whose name, or words of it such as `H100`, is `device`.

    For other kernels, without a device, without measuring, or if the device is not of
    the architecture `chip`, the cost model chooses; a remark (`NotMeasured`) tells why.
    So it does for kernels whose sizes, scalars or masks are known at run time only.

    After `seconds` the search ends, and what was measured until then decides.

    With a `database`, what is measured is kept, and a later search of a kernel with
    the same signature, device, driver and compiler measures nothing. Several searches
    may use one database at once. Entries that are corrupt or stale are ignored, with
    a remark (`IgnoredEntry`); so are those that ship.

    Groups, and the tiles of attentions, that are given in the module stay. Expects
    the operations that `stof-form-groups` expects.
  }];
  // Needs a session, or a compiler of candidates (Search.h).
  let constructor = "::stof::createSearchPass(session, chip)";
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "Target GPU, by its ptxas name; empty for CPUs">,
    Option<"measures", "measure", "bool", /*default=*/"true",
           "Measure candidates; otherwise the cost model chooses">,
    Option<"device", "device", "std::string", /*default=*/"",
           "The device to measure on: cuda:N or cpu; empty for cuda:0, and cpu "
           "without a chip. Or the name of one that is not there, such as H100, "
           "whose shipped schedules are taken">,
    Option<"runner", "runner", "std::string", /*default=*/"",
           "The program stof-run; empty for that next to this program, or in "
           "PATH">,
    Option<"database", "database", "std::string", /*default=*/"",
           "The file of the tuning database; empty for none">,
    Option<"shipped", "shipped", "bool", /*default=*/"true",
           "Take schedules that ship with the compiler">,
    Option<"schedules", "schedules", "std::string", /*default=*/"",
           "The file of more schedules that ship; empty for none">,
    Option<"budget", "budget", "unsigned", /*default=*/"16",
           "Measurements for each kernel, on average">,
    Option<"seconds", "seconds", "unsigned", /*default=*/"0",
           "Seconds after which the search ends with what it found; 0 for no "
           "limit">,
    Option<"schemes", "schemes", "unsigned", /*default=*/"2000",
           "Fusion schemes to compare for each function">,
    Option<"repeat", "repeat", "unsigned", /*default=*/"30",
           "Runs of a candidate at most, whose median is its time">,
    Option<"seed", "seed", "unsigned", /*default=*/"0",
           "The seed of random choices and inputs">,
    Option<"jobs", "jobs", "unsigned", /*default=*/"0",
           "Threads that compile candidates; 0 for one per hardware thread">,
    Option<"json", "json", "std::string", /*default=*/"",
           "The file for a report of the search as JSON">,
    Option<"page", "page", "std::string", /*default=*/"",
           "The file for a page of HTML about the search">,
    Option<"script", "script", "std::string", /*default=*/"",
           "The file for a transform script that makes the same choices">
  ];
  let dependentDialects = ["::stof::StofDialect", "::stof::tile::TileDialect"];
}

#endif // STOF_SEARCH_PASSES_TD

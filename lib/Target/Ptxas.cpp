//===----------------------------------------------------------------------===//
// Invocation of ptxas and parsing of its output.
//===----------------------------------------------------------------------===//

#include "stof/Target/Ptxas.h"

#include "stof/Support/MemoryFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace stof;

std::optional<std::string> stof::findPtxas() {
  ErrorOr<std::string> path = sys::findProgramByName("ptxas");
  if (!path)
    return std::nullopt;
  return *path;
}

/// The number before `unit` in `line`, 0 if there is none.
static int64_t getNumberBefore(StringRef line, StringRef unit) {
  size_t found = line.find(unit);
  if (found == StringRef::npos)
    return 0;
  StringRef before = line.take_front(found).rtrim();
  StringRef digits = before.take_back(
      before.size() - (before.find_last_not_of("0123456789") + 1));
  int64_t number = 0;
  digits.getAsInteger(10, number);
  return number;
}

std::vector<KernelResources> stof::parseResources(StringRef output) {
  // ptxas info : Compiling entry function 'NAME' for 'sm_90a'
  // ptxas info : Function properties for NAME
  //     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
  // ptxas info : Used 32 registers, used 1 barriers, 1024 bytes smem
  std::vector<KernelResources> kernels;
  for (StringRef line : split(output, '\n')) {
    constexpr StringLiteral start = "Compiling entry function '";
    if (size_t found = line.find(start); found != StringRef::npos) {
      StringRef name = line.drop_front(found + start.size());
      kernels.emplace_back().kernel =
          name.take_until([](char c) { return c == '\''; }).str();
      continue;
    }
    if (kernels.empty())
      continue;
    KernelResources &kernel = kernels.back();
    if (line.contains("bytes spill stores")) {
      kernel.spillStores = getNumberBefore(line, "bytes spill stores");
      kernel.spillLoads = getNumberBefore(line, "bytes spill loads");
    } else if (line.contains(" registers")) {
      kernel.registers = getNumberBefore(line, "registers");
      kernel.sharedBytes = getNumberBefore(line, "bytes smem");
    }
  }
  return kernels;
}

Expected<Assembled> stof::assemble(StringRef ptx, StringRef chip,
                                   StringRef ptxas) {
  Expected<MemoryFile> source = MemoryFile::create("PTX", ptx);
  if (!source)
    return source.takeError();
  Expected<MemoryFile> result = MemoryFile::create("a cubin");
  if (!result)
    return result.takeError();
  Expected<MemoryFile> log = MemoryFile::create("the output of ptxas");
  if (!log)
    return log.takeError();

  std::string arch = ("-arch=" + chip).str();
  std::string from = source->getPath(), to = result->getPath(),
              printed = log->getPath();
  std::optional<StringRef> redirects[] = {std::nullopt, printed, printed};
  std::string message;
  int code = sys::ExecuteAndWait(
      ptxas, {ptxas, arch, "-v", from, "-o", to}, std::nullopt, redirects,
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  Expected<std::string> output = log->read();
  if (!output)
    return output.takeError();
  if (code != 0)
    return createStringError("ptxas rejects the module for " + chip + ": " +
                             (output->empty() ? message : *output));
  Expected<std::string> cubin = result->read();
  if (!cubin)
    return cubin.takeError();
  return Assembled{{cubin->begin(), cubin->end()}, parseResources(*output)};
}

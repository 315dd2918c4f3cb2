//===----------------------------------------------------------------------===//
// Running ptxas and reading what it prints.
//===----------------------------------------------------------------------===//

#include "stof/Target/Ptxas.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

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

/// A file that vanishes with the object.
static Expected<FileRemover> makeFile(StringRef suffix,
                                      SmallVectorImpl<char> &path) {
  if (std::error_code error =
          sys::fs::createTemporaryFile("stof", suffix, path))
    return errorCodeToError(error);
  return FileRemover(Twine(path));
}

Expected<Assembled> stof::assemble(StringRef ptx, StringRef chip,
                                   StringRef ptxas) {
  SmallString<64> source, result, log;
  SmallVector<FileRemover, 3> removers;
  for (auto [suffix, path] :
       {std::pair<StringRef, SmallVectorImpl<char> *>{"ptx", &source},
        {"cubin", &result},
        {"log", &log}}) {
    Expected<FileRemover> remover = makeFile(suffix, *path);
    if (!remover)
      return remover.takeError();
    removers.push_back(std::move(*remover));
  }
  std::error_code error;
  raw_fd_ostream file(source, error);
  if (error)
    return errorCodeToError(error);
  file << ptx;
  file.close();

  std::string arch = ("-arch=" + chip).str();
  std::optional<StringRef> redirects[] = {std::nullopt, log.str(), log.str()};
  std::string message;
  int code = sys::ExecuteAndWait(
      ptxas, {ptxas, arch, "-v", source, "-o", result}, std::nullopt, redirects,
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  auto printed = MemoryBuffer::getFile(log);
  StringRef output = printed ? (*printed)->getBuffer() : StringRef(message);
  if (code != 0)
    return createStringError("ptxas rejects the module for " + chip + ": " +
                             output);
  auto cubin = MemoryBuffer::getFile(result, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!cubin)
    return errorCodeToError(cubin.getError());
  StringRef bytes = (*cubin)->getBuffer();
  return Assembled{{bytes.begin(), bytes.end()}, parseResources(output)};
}

//===----------------------------------------------------------------------===//
// The reader of one function of a manifest, in the order of references:
// symbols, tensors, constants, then the steps of the targets.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_FUNCTIONREADER_H
#define STOF_LIB_RUNTIME_FUNCTIONREADER_H

#include "JsonReader.h"
#include "stof/Runtime/Manifest.h"
#include "llvm/ADT/StringSet.h"

namespace stof::runtime {

class FunctionReader {
public:
  FunctionReader(JsonNode node, const Manifest &manifest)
      : node(std::move(node)), manifest(manifest) {}

  Function read();

private:
  void readSymbols();
  std::vector<TensorSpec> readTensors(llvm::StringRef key,
                                      llvm::StringRef prefix);
  void readAliases();
  void checkSymbolSources() const;
  void readConstants();
  Target readTarget(const JsonNode &node) const;
  Processor readProcessor(const JsonNode &node, const Target &target) const;
  Step readStep(const JsonNode &node, bool native) const;
  KernelStep readKernelStep(const JsonNode &node) const;
  Parameter readParameter(const JsonNode &node) const;
  ScalarParameter readScalar(const JsonNode &node) const;
  TensorMapParameter readTensorMap(const JsonNode &node) const;
  BufferRef readBuffer(const JsonNode &node) const;

  /// Reads a name and adds it to `names`; fails on duplicates.
  std::string readNewName(const JsonNode &node, llvm::StringSet<> &names) const;
  std::string readFileName(const JsonNode &node) const;
  DType readDType(const JsonNode &node) const;
  Expression readExpression(const JsonNode &node) const;
  Expression readExpression(const JsonNode &node, llvm::StringRef key,
                            int64_t fallback) const;
  std::vector<Expression> readExpressions(const JsonNode &node) const;
  std::vector<int64_t> readSizes(const JsonNode &node, size_t count) const;

  JsonNode node;
  const Manifest &manifest;
  Function function;
  std::vector<std::string> symbolNames;
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_FUNCTIONREADER_H

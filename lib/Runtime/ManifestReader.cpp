//===----------------------------------------------------------------------===//
// Reader of a manifest: files and signatures of functions. StepReader.cpp reads
// their steps.
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "stof/Support/ParseJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace stof::runtime;

std::string FunctionReader::readNewName(const JsonNode &node,
                                        StringSet<> &names) const {
  std::string name = node.string();
  if (name.empty())
    node.fail("expects a name, but got an empty string");
  if (!names.insert(name).second)
    node.fail("expects a new name, but got '" + Twine(name) + "' again");
  return name;
}

std::string FunctionReader::readFileName(const JsonNode &node) const {
  std::string name = node.string();
  if (!manifest.findFile(name))
    node.fail("expects one of the package's files, but got '" + Twine(name) +
              "'");
  return name;
}

DType FunctionReader::readDType(const JsonNode &node) const {
  if (std::optional<DType> dtype = parseDType(node.string()))
    return *dtype;
  node.fail(
      "expects one of f64, f32, f16, bf16, i64, i32, i16, i8, i1, f8E4M3FN, "
      "f8E5M2, but "
      "got " +
      quoteJson(node.get()));
  return DType::F32;
}

Expression FunctionReader::readExpression(const JsonNode &node) const {
  Expected<Expression> expression = Expression::parse(node.get(), symbolNames);
  if (expression)
    return *expression;
  node.fail(toString(expression.takeError()));
  return Expression();
}

Expression FunctionReader::readExpression(const JsonNode &node, StringRef key,
                                          int64_t fallback) const {
  std::optional<JsonNode> value = node.find(key);
  return value ? readExpression(*value) : Expression(fallback);
}

std::vector<Expression>
FunctionReader::readExpressions(const JsonNode &node) const {
  std::vector<Expression> expressions;
  for (const JsonNode &element : node.elements())
    expressions.push_back(readExpression(element));
  return expressions;
}

std::vector<int64_t> FunctionReader::readSizes(const JsonNode &node,
                                               size_t count) const {
  std::vector<int64_t> sizes;
  for (const JsonNode &element : node.elements(count))
    sizes.push_back(element.integer(1));
  return sizes;
}

void FunctionReader::readSymbols() {
  std::optional<JsonNode> symbols = node.find("symbols");
  if (!symbols)
    return;
  StringSet<> names;
  for (const JsonNode &symbol : symbols->elements()) {
    symbol.allowOnly({"name", "input", "dim"});
    symbolNames.push_back(readNewName(symbol.at("name"), names));
    auto position = [&](StringRef key) {
      return static_cast<unsigned>(std::min<int64_t>(
          symbol.at(key).integer(0), std::numeric_limits<unsigned>::max()));
    };
    function.symbols.push_back(
        {symbolNames.back(), position("input"), position("dim")});
  }
}

std::vector<TensorSpec> FunctionReader::readTensors(StringRef key,
                                                    StringRef prefix) {
  std::vector<TensorSpec> tensors;
  for (const JsonNode &tensor : node.at(key).elements()) {
    if (key == "results")
      tensor.allowOnly({"name", "dtype", "shape", "global", "aliases"});
    else
      tensor.allowOnly({"name", "dtype", "shape", "global"});
    // Informational, for callers.
    if (std::optional<JsonNode> global = tensor.find("global"))
      global->string();
    std::string name = tensor.at("name").string();
    std::string expected = prefix.str() + utostr(tensors.size());
    if (name != expected)
      tensor.at("name").fail("expects '" + Twine(expected) + "', but got '" +
                             name + "'");
    tensors.push_back({name, readDType(tensor.at("dtype")),
                       readExpressions(tensor.at("shape"))});
  }
  return tensors;
}

void FunctionReader::readAliases() {
  StringSet<> taken;
  for (auto [result, described] :
       zip_equal(function.results, node.at("results").elements())) {
    std::optional<JsonNode> alias = described.find("aliases");
    if (!alias)
      continue;
    std::string name = alias->string();
    auto input = find_if(function.inputs, [&](const TensorSpec &spec) {
      return spec.name == name;
    });
    if (input == function.inputs.end() || !taken.insert(name).second) {
      alias->fail(
          "expects an input that no other result takes over, but got '" +
          Twine(name) + "'");
      continue;
    }
    if (input->dtype != result.dtype || input->format() != result.format())
      alias->fail("expects an input of " + result.format() + ", but got '" +
                  Twine(name) + "' of " + input->format());
    result.alias = input - function.inputs.begin();
  }
}

void FunctionReader::checkSymbolSources() const {
  for (auto [index, symbol] : enumerate(function.symbols)) {
    bool defined =
        symbol.input < function.inputs.size() &&
        symbol.dim < function.inputs[symbol.input].shape.size() &&
        function.inputs[symbol.input].shape[symbol.dim].getSymbol() == index;
    if (!defined)
      node.at("symbols").fail(
          "expects '" + Twine(symbol.name) + "' to be the size of dimension " +
          Twine(symbol.dim) + " of input " + Twine(symbol.input) +
          ", but that input's shape does not say so");
  }
}

void FunctionReader::readConstants() {
  std::optional<JsonNode> constants = node.find("constants");
  if (!constants)
    return;
  StringSet<> names = {"workspace", "status"};
  for (const auto *tensors : {&function.inputs, &function.results})
    for (const TensorSpec &tensor : *tensors)
      names.insert(tensor.name);
  for (const JsonNode &constant : constants->elements()) {
    constant.allowOnly({"name", "file", "offset", "bytes"});
    std::string name = readNewName(constant.at("name"), names);
    std::string file = readFileName(constant.at("file"));
    int64_t offset = constant.at("offset").integer(0);
    int64_t bytes = constant.at("bytes").integer(0);
    const PackageFile *source = manifest.findFile(file);
    if (source && (bytes > source->bytes || offset > source->bytes - bytes))
      constant.fail("expects bytes inside '" + Twine(file) + "' of " +
                    Twine(source->bytes) + " bytes, but got " + Twine(bytes) +
                    " from offset " + Twine(offset));
    function.constants.push_back({name, file, offset, bytes});
  }
}

Function FunctionReader::read() {
  node.allowOnly({"name", "symbols", "inputs", "results", "equalities",
                  "checks", "constants", "targets"});
  function.name = node.at("name").string();
  function.source = node.get();
  readSymbols();
  function.inputs = readTensors("inputs", "arg");
  function.results = readTensors("results", "result");
  readAliases();
  checkSymbolSources();
  if (std::optional<JsonNode> equalities = node.find("equalities"))
    for (const JsonNode &equality : equalities->elements()) {
      equality.allowOnly({"input", "dim", "message"});
      function.equalities.push_back({equality.at("input").integer(0),
                                     equality.at("dim").integer(0),
                                     equality.at("message").string()});
    }
  if (std::optional<JsonNode> checks = node.find("checks"))
    for (const JsonNode &check : checks->elements()) {
      check.allowOnly({"holds", "message"});
      function.checks.push_back(
          {readExpression(check.at("holds")), check.at("message").string()});
    }
  readConstants();
  StringSet<> targets;
  for (const JsonNode &target : node.at("targets").elements()) {
    readNewName(target.at("target"), targets);
    function.targets.push_back(readTarget(target));
  }
  return std::move(function);
}

/// Reads a hash of 32 bytes in hexadecimal.
static std::string readHash(const JsonNode &node) {
  constexpr size_t digits = 64;
  std::string hash = node.string();
  if (hash.size() != digits ||
      StringRef(hash).find_first_not_of("0123456789abcdef") != StringRef::npos)
    node.fail("expects " + Twine(digits) +
              " hexadecimal digits in lower case, but got " +
              quoteJson(node.get()));
  return hash;
}

/// Reads the list of files. Names must not have path separators: a package
/// cannot refer to files outside its folder.
static void readFiles(const JsonNode &node, Manifest &manifest) {
  for (const JsonNode &file : node.elements()) {
    file.allowOnly({"name", "bytes", "blake3"});
    std::string name = file.at("name").string();
    if (name.empty() || name == "." || name == ".." ||
        name.find_first_of("/\\") != std::string::npos)
      file.at("name").fail("expects the name of a file in the package's "
                           "folder, but got '" +
                           Twine(name) + "'");
    if (manifest.findFile(name))
      file.at("name").fail("expects a new name, but got '" + Twine(name) +
                           "' again");
    manifest.files.push_back(
        {name, file.at("bytes").integer(0), readHash(file.at("blake3"))});
  }
}

Expected<Manifest> stof::runtime::parseManifest(StringRef text,
                                                StringRef file) {
  Expected<json::Value> document = parseJson(text);
  if (!document)
    return createStringError(file + ": expects JSON, but got " +
                             toString(document.takeError()));
  JsonComplaint complaint;
  JsonNode root(complaint, *document);
  Manifest manifest;
  // The version is read first: others can have other keys.
  int64_t version = root.at("version").integer();
  if (version != Manifest::version)
    root.at("version").fail("expects " + Twine(Manifest::version) +
                            ", but got " + Twine(version));
  root.allowOnly({"version", "producer", "options", "files", "functions"});
  manifest.producer = root.at("producer").string();
  if (std::optional<JsonNode> options = root.find("options"))
    options->object();
  readFiles(root.at("files"), manifest);
  StringSet<> names;
  for (const JsonNode &function : root.at("functions").elements()) {
    manifest.functions.push_back(FunctionReader(function, manifest).read());
    if (!names.insert(manifest.functions.back().name).second)
      function.at("name").fail("expects a new name, but got '" +
                               Twine(manifest.functions.back().name) +
                               "' again");
  }
  if (Error error = complaint.take(file))
    return std::move(error);
  return manifest;
}

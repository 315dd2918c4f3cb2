//===----------------------------------------------------------------------===//
// The safetensors format. Headers are untrusted: all offsets and sizes are
// verified against the size of the file.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/Safetensors.h"

#include "JsonReader.h"
#include "stof/Support/ParseJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace stof::runtime;

static constexpr size_t lengthBytes = 8;
static constexpr size_t alignment = 8;

std::string HostTensor::format() const {
  return (getName(dtype) + " " + formatShape(shape)).str();
}

/// Reads one entry of the header; `data` are the bytes after the header.
static HostTensor readEntry(const JsonNode &node, StringRef name,
                            StringRef data) {
  node.allowOnly({"dtype", "shape", "data_offsets"});
  HostTensor tensor{name.str(), DType::F32, {}, {}};
  std::string dtype = node.at("dtype").string();
  if (std::optional<DType> known = parseSafetensorsDType(dtype))
    tensor.dtype = *known;
  else
    node.at("dtype").fail("expects one of F64, F32, F16, BF16, I64, I32, I16, "
                          "I8, U8, BOOL, F8_E4M3, F8_E5M2, but got '" +
                          Twine(dtype) + "'");
  for (const JsonNode &size : node.at("shape").elements())
    tensor.shape.push_back(size.integer(0));

  JsonNode offsets = node.at("data_offsets");
  std::vector<JsonNode> ends = offsets.elements(2);
  int64_t begin = ends[0].integer(0), end = ends[1].integer(0);
  if (begin > end || end > static_cast<int64_t>(data.size())) {
    offsets.fail("expects a range inside the " + Twine(data.size()) +
                 " bytes of data, but got " + quoteJson(offsets.get()) +
                 "; the file may be cut short");
    return tensor;
  }
  tensor.bytes = data.slice(begin, end);
  Expected<int64_t> bytes = countBytes(tensor.dtype, tensor.shape);
  if (!bytes)
    node.at("shape").fail(toString(bytes.takeError()));
  else if (*bytes != end - begin)
    offsets.fail("expects the " + Twine(*bytes) + " bytes of " +
                 tensor.format() + ", but got " + quoteJson(offsets.get()));
  return tensor;
}

/// Verifies that the metadata are strings; they are otherwise ignored.
static void readMetadata(const JsonNode &node) {
  if (const json::Object *texts = node.object())
    for (const auto &entry : *texts)
      node.at(entry.first).string();
}

/// Fails if tensors overlap or leave gaps.
static void checkCoverage(JsonComplaint &complaint,
                          ArrayRef<HostTensor> tensors, StringRef data) {
  std::vector<const HostTensor *> order;
  for (const HostTensor &tensor : tensors)
    if (!tensor.bytes.empty())
      order.push_back(&tensor);
  sort(order, [](const HostTensor *a, const HostTensor *b) {
    return a->bytes.begin() < b->bytes.begin();
  });
  const char *end = data.begin();
  StringRef previous;
  for (const HostTensor *tensor : order) {
    if (tensor->bytes.begin() < end)
      complaint.add("expects tensors with bytes of their own, but '" +
                    previous + "' and '" + tensor->name + "' overlap");
    else if (tensor->bytes.begin() > end)
      complaint.add("expects no gaps between tensors, but got " +
                    Twine(tensor->bytes.begin() - end) + " bytes before '" +
                    tensor->name + "'");
    end = tensor->bytes.end();
    previous = tensor->name;
  }
  if (end != data.end())
    complaint.add("expects " + Twine(end - data.begin()) +
                  " bytes of data, but got " + Twine(data.size()));
}

Expected<SafetensorsFile> SafetensorsFile::open(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  SafetensorsFile file;
  file.buffer = std::move(*buffer);
  StringRef contents = file.buffer->getBuffer();
  if (contents.size() < lengthBytes)
    return createStringError("'" + path + "': expects at least " +
                             Twine(lengthBytes) + " bytes, but got " +
                             Twine(contents.size()));
  uint64_t headerBytes = support::endian::read64le(contents.data());
  contents = contents.drop_front(lengthBytes);
  if (headerBytes > contents.size())
    return createStringError("'" + path + "': expects a header of " +
                             Twine(headerBytes) + " bytes, but got " +
                             Twine(contents.size()) +
                             "; the file may be cut short");
  Expected<json::Value> header =
      parseJson(contents.take_front(headerBytes), /*wholeNumbers=*/true);
  if (!header)
    return createStringError("'" + path + "': expects a JSON header, but got " +
                             toString(header.takeError()));
  StringRef data = contents.drop_front(headerBytes);

  JsonComplaint complaint;
  const json::Object *object = header->getAsObject();
  if (!object)
    complaint.add("expects the header to be an object");
  else
    for (const auto &[name, entry] : *object)
      if (name == "__metadata__")
        readMetadata(JsonNode(complaint, entry, name.str()));
      else
        file.tensors.push_back(
            readEntry(JsonNode(complaint, entry, name.str()), name, data));
  if (!complaint)
    checkCoverage(complaint, file.tensors, data);
  if (Error error = complaint.take("'" + path + "'"))
    return std::move(error);
  sort(file.tensors, [](const HostTensor &a, const HostTensor &b) {
    return a.name < b.name;
  });
  return file;
}

const HostTensor *SafetensorsFile::find(StringRef name) const {
  const auto *tensor = llvm::find_if(
      getTensors(), [&](const HostTensor &t) { return t.name == name; });
  return tensor == getTensors().end() ? nullptr : tensor;
}

void stof::runtime::writeSafetensors(raw_ostream &os,
                                     ArrayRef<HostTensor> tensors) {
  std::string header;
  raw_string_ostream headerStream(header);
  json::OStream json(headerStream);
  json.object([&] {
    int64_t offset = 0;
    for (const HostTensor &tensor : tensors)
      json.attributeObject(tensor.name, [&] {
        int64_t end = offset + static_cast<int64_t>(tensor.bytes.size());
        json.attribute("dtype", getSafetensorsName(tensor.dtype));
        json.attribute("shape", json::Array(tensor.shape));
        json.attribute("data_offsets", json::Array{offset, end});
        offset = end;
      });
  });
  // Trailing spaces align the data.
  header.resize((header.size() + alignment - 1) / alignment * alignment, ' ');
  char length[lengthBytes];
  support::endian::write64le(length, header.size());
  os.write(length, lengthBytes);
  os << header;
  for (const HostTensor &tensor : tensors)
    os << tensor.bytes;
}

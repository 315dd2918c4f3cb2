//===----------------------------------------------------------------------===//
// Random elements of each dtype.
//===----------------------------------------------------------------------===//

#include "RandomInputs.h"

#include "ParallelRanges.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <map>
#include <random>

using namespace llvm;
using namespace stof::runtime;

MutableArrayRef<char> OwnedTensors::add(std::string name, DType dtype,
                                        std::vector<int64_t> shape,
                                        size_t bytes) {
  // Left uninitialised: threads write the pages of large tensors first.
  char *kept = memory.emplace_back(new char[bytes]).get();
  tensors.push_back(
      {std::move(name), dtype, std::move(shape), StringRef(kept, bytes)});
  return {kept, bytes};
}

/// Calls `draw` for each element; distributions of the standard library would
/// differ between machines.
template <typename T>
static void fill(std::vector<char> &bytes, function_ref<T()> draw) {
  for (size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T element = draw();
    std::memcpy(bytes.data() + i, &element, sizeof(T));
  }
}

/// A number in `range` from the upper `bits` bits of `word`.
static double toRange(uint64_t word, unsigned bits, FloatRange range) {
  double inTwo =
      std::ldexp(static_cast<double>(word >> (64 - bits)), 1 - int(bits));
  return range == FloatRange::Signed ? inTwo - 1 : 1 - inTwo * 0.375;
}

/// Fills with narrow floats, which are looked up.
template <typename T>
static void fillNarrow(std::vector<char> &bytes, const fltSemantics &semantics,
                       std::mt19937_64 &random, FloatRange range) {
  constexpr unsigned bits = 16;
  std::vector<T> table;
  for (uint64_t word = 0; word < 1u << bits; ++word) {
    APFloat value(toRange(word << (64 - bits), bits, range));
    bool losesInfo;
    value.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    table.push_back(value.bitcastToAPInt().getZExtValue());
  }
  fill<T>(bytes, [&] { return table[random() >> (64 - bits)]; });
}

static void fill(DType dtype, std::vector<char> &bytes, std::mt19937_64 &random,
                 FloatRange range) {
  switch (dtype) {
  case DType::F64:
    return fill<double>(bytes, [&] { return toRange(random(), 53, range); });
  case DType::F32:
    return fill<float>(bytes, [&] { return toRange(random(), 24, range); });
  case DType::F16:
    return fillNarrow<uint16_t>(bytes, APFloat::IEEEhalf(), random, range);
  case DType::BF16:
    return fillNarrow<uint16_t>(bytes, APFloat::BFloat(), random, range);
  case DType::F8E4M3FN:
    return fillNarrow<uint8_t>(bytes, APFloat::Float8E4M3FN(), random, range);
  case DType::F8E5M2:
    return fillNarrow<uint8_t>(bytes, APFloat::Float8E5M2(), random, range);
  case DType::I1:
    return fill<uint8_t>(bytes, [&] { return random() >> 63; });
  case DType::I64:
  case DType::I32:
  case DType::I16:
  case DType::I8:
    return;
  }
  llvm_unreachable("every element type has a case");
}

/// Fills with bytes of the block from byte `start` on, again and again.
static void repeat(ArrayRef<char> block, size_t start,
                   MutableArrayRef<char> bytes) {
  for (; !bytes.empty(); start = 0) {
    ArrayRef<char> part = block.drop_front(start).take_front(bytes.size());
    llvm::copy(part, bytes.begin());
    bytes = bytes.drop_front(part.size());
  }
}

/// The static shape of an input of `function`.
static Expected<std::vector<int64_t>> evaluateShape(const Function &function,
                                                    const TensorSpec &spec) {
  std::vector<int64_t> shape;
  for (const Expression &size : spec.shape) {
    if (size.usesSymbols())
      return createStringError("expects static sizes of '" +
                               Twine(function.name) + "', but got " +
                               spec.name + " of " + spec.format());
    Expected<int64_t> value = size.evaluate({});
    if (!value)
      return value.takeError();
    shape.push_back(*value);
  }
  return shape;
}

Expected<OwnedTensors>
stof::runtime::makeRandomInputs(const Function &function, uint64_t seed,
                                FloatRange range, ThreadPoolInterface &pool) {
  // The elements of a block: a prime number, so that rows of any size start
  // elsewhere in it. The inputs start a stride after each other.
  constexpr size_t blockElements = 1000003, stride = 618034;
  std::mt19937_64 random(seed);
  std::map<DType, std::vector<char>> blocks;
  OwnedTensors inputs;
  for (auto [index, spec] : enumerate(function.inputs)) {
    Expected<std::vector<int64_t>> shape = evaluateShape(function, spec);
    if (!shape)
      return shape.takeError();
    Expected<int64_t> count = countBytes(spec.dtype, *shape);
    if (!count)
      return count.takeError();
    size_t size = getByteSize(spec.dtype);
    std::vector<char> &block = blocks[spec.dtype];
    if (block.empty()) {
      block.resize(blockElements * size);
      fill(spec.dtype, block, random, range);
    }
    size_t start = index * stride % blockElements * size;
    MutableArrayRef<char> bytes =
        inputs.add(spec.name, spec.dtype, std::move(*shape), *count);
    forRanges(*count, pool, [&](size_t, int64_t begin, int64_t end) {
      repeat(block, (start + begin) % block.size(),
             bytes.slice(begin, end - begin));
    });
  }
  return inputs;
}

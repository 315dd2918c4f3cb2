//===----------------------------------------------------------------------===//
// Headers of members of a tar archive (ustar, of POSIX): the form of a package
// in memory. Shared by the compiler, which writes archives, and the runtime.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_TARHEADER_H
#define STOF_SUPPORT_TARHEADER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

#include <cstdint>
#include <cstring>
#include <optional>

namespace stof {

/// An archive is a sequence of blocks: for each member a header and its bytes,
/// filled up with zeros; two blocks of zeros are the end.
struct TarHeader {
  static constexpr uint64_t blockBytes = 512;

  /// Of `type`: a file, also in older archives; a folder; records of a name or
  /// a size of the next member, for all members, or its name alone (GNU).
  enum Type : char {
    File = '0',
    OldFile = '\0',
    Folder = '5',
    Records = 'x',
    GlobalRecords = 'g',
    LongName = 'L'
  };

  char name[100], mode[8], user[8], group[8], size[12], time[12], checksum[8];
  char type;
  char link[100], magic[6], version[2], userName[32], groupName[32];
  char major[8], minor[8], prefix[155], unused[12];

  /// The header of a file that all can read. `name` is shorter than the field.
  static TarHeader createFile(llvm::StringRef name, uint64_t bytes) {
    TarHeader header = {};
    std::memcpy(header.name, name.data(), name.size());
    writeOctal(header.mode, 0644);
    writeOctal(header.user, 0);
    writeOctal(header.group, 0);
    writeOctal(header.time, 0);
    header.type = File;
    std::memcpy(header.magic, "ustar", sizeof(header.magic));
    std::memcpy(header.version, "00", sizeof(header.version));
    if (bytes > mostOctal) {
      header.size[0] = binaryMark;
      llvm::support::endian::write64be(header.size + binaryOffset, bytes);
    } else {
      writeOctal(header.size, bytes);
    }
    writeOctal(header.checksum, header.computeChecksum());
    return header;
  }

  /// Whether this is a header: its checksum is that of its bytes.
  bool isValid() const { return readOctal(checksum) == computeChecksum(); }

  /// The bytes of the member, which can have more digits than the field (GNU).
  std::optional<uint64_t> getSize() const {
    if (size[0] != binaryMark)
      return readOctal(size);
    if (size[1] || size[2] || size[3])
      return std::nullopt;
    return llvm::support::endian::read64be(size + binaryOffset);
  }

  llvm::StringRef getName() const {
    return {name, strnlen(name, sizeof(name))};
  }

private:
  static constexpr uint64_t mostOctal = 077'777'777'777;
  static constexpr char binaryMark = '\x80';
  static constexpr size_t binaryOffset = 4;

  /// The sum of all bytes, with spaces for the checksum.
  uint64_t computeChecksum() const {
    uint64_t sum = sizeof(checksum) * ' ';
    const auto *bytes = reinterpret_cast<const char *>(this);
    for (unsigned char byte : llvm::StringRef(bytes, sizeof(*this)))
      sum += byte;
    for (unsigned char byte : llvm::StringRef(checksum, sizeof(checksum)))
      sum -= byte;
    return sum;
  }

  /// Digits and a null character.
  template <size_t length>
  static void writeOctal(char (&field)[length], uint64_t value) {
    for (size_t at = length - 1; at-- > 0; value /= 8)
      field[at] = static_cast<char>('0' + value % 8);
  }

  /// Digits with spaces before or after them.
  template <size_t length>
  static std::optional<uint64_t> readOctal(const char (&field)[length]) {
    uint64_t value;
    llvm::StringRef digits(field, strnlen(field, length));
    if (digits.trim(' ').getAsInteger(/*Radix=*/8, value))
      return std::nullopt;
    return value;
  }
};

static_assert(sizeof(TarHeader) == TarHeader::blockBytes);

} // namespace stof

#endif // STOF_SUPPORT_TARHEADER_H

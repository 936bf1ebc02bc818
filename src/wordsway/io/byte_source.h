// Bytes from a file or standard input, unpacked on the way when they are gzip or xz.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <span>
#include <string>

namespace wordsway {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills the front of non-empty `out` and returns how many bytes; 0 at the end. Throws FileError when reading fails,
  /// DataError when packed data is corrupt or cut short.
  virtual std::size_t read(std::span<char> out) = 0;
};

/// What unpacking gives at most, against files made to fill the memory.
inline constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{4} << 30;

/// Opens a file, or standard input when `path` is "-". Packing is recognised by the first bytes, not by the name.
/// Throws FileError when the file cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, std::istream& standard_input,
                                       std::uint64_t max_unpacked = kMaxUnpackedBytes);

}  // namespace wordsway

// Unpacking of gzip (zlib) and xz (liblzma) streams, several one after the other included.
#pragma once

#include <memory>
#include <string>

#include "wordsway/io/byte_source.h"

namespace wordsway {

/// Both throw DataError, beginning with `name`, when the data is corrupt, cut short, or gives more than `max_unpacked`.
std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed, std::string name,
                                        std::uint64_t max_unpacked);
std::unique_ptr<ByteSource> unpack_xz(std::unique_ptr<ByteSource> packed, std::string name, std::uint64_t max_unpacked);

/// Counts what has been unpacked. Throws DataError when it becomes too much.
class UnpackedLimit {
 public:
  UnpackedLimit(std::string name, std::uint64_t max_bytes) : name_(std::move(name)), max_bytes_(max_bytes) {}
  void add(std::size_t bytes);

 private:
  std::string name_;
  std::uint64_t max_bytes_;
  std::uint64_t bytes_ = 0;
};

}  // namespace wordsway

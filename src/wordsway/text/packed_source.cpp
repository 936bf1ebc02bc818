#include "wordsway/text/packed_source.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

void UnpackedLimit::add(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > max_bytes_) {
    throw DataError(
        fmt::format("{}: unpacks to more than {} bytes; unpack it yourself if that is meant", name_, max_bytes_));
  }
}

}  // namespace wordsway

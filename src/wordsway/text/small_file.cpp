#include "wordsway/text/small_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{512} << 20;
constexpr std::size_t kChunk = std::size_t{1} << 16;

}  // namespace

std::string read_small_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FileError(fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno)));
  std::string bytes;
  // Read rather than ask for the size: a pipe has none and a growing file changes it.
  while (stream) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunk);
    stream.read(bytes.data() + before, kChunk);
    bytes.resize(before + static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > kMaxBytes) throw DataError(fmt::format("{}: has more than 512 MiB", file.string()));
  }
  if (stream.bad() || !stream.eof()) throw FileError(fmt::format("{}: reading failed", file.string()));
  return bytes;
}

}  // namespace wordsway

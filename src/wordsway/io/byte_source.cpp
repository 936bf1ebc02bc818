#include "wordsway/io/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/input_file.h"
#include "wordsway/io/unpack.h"

namespace wordsway {
namespace {

class StreamSource final : public ByteSource {
 public:
  StreamSource(std::istream& stream, std::string name) : stream_(stream), name_(std::move(name)) {}

  std::size_t read(std::span<char> out) override {
    stream_.read(out.data(), static_cast<std::streamsize>(out.size()));
    if (stream_.bad()) throw FileError(name_ + ": reading failed");
    return static_cast<std::size_t>(stream_.gcount());
  }

 private:
  std::istream& stream_;
  std::string name_;
};

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : stream_(path, std::ios::binary), source_(stream_, path) {
    if (path_is_folder(path)) throw FileError(path + ": is a folder; expected a file");
    if (!stream_) throw FileError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  }

  std::size_t read(std::span<char> out) override { return source_.read(out); }

 private:
  std::ifstream stream_;
  StreamSource source_;
};

/// Lets the first bytes be looked at before they are read.
class PeekedSource final : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
    char buffer[6];
    while (peeked_.size() < sizeof buffer) {
      const std::size_t count = source_->read(std::span(buffer, sizeof buffer - peeked_.size()));
      if (count == 0) break;
      peeked_.append(buffer, count);
    }
  }

  const std::string& peeked() const { return peeked_; }

  std::size_t read(std::span<char> out) override {
    const std::size_t count = peeked_.copy(out.data(), out.size(), given_);
    given_ += count;
    return count == out.size() ? count : count + source_->read(out.subspan(count));
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string peeked_;
  std::size_t given_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path, std::istream& standard_input,
                                       std::uint64_t max_unpacked) {
  const std::string name = path == "-" ? "standard input" : path;
  std::unique_ptr<ByteSource> raw;
  if (path == "-") {
    raw = std::make_unique<StreamSource>(standard_input, name);
  } else {
    raw = std::make_unique<FileSource>(path);
  }
  auto peeked = std::make_unique<PeekedSource>(std::move(raw));
  const std::string first = peeked->peeked();
  if (first.starts_with("\x1F\x8B")) return unpack_gzip(std::move(peeked), name, max_unpacked);
  if (first == std::string_view("\xFD"
                                "7zXZ\0",
                                6)) {
    return unpack_xz(std::move(peeked), name, max_unpacked);
  }
  return peeked;
}

}  // namespace wordsway

// unpack_gzip of text/packed_source.h.
#include <array>

#include <fmt/format.h>
#include <zlib.h>

#include "wordsway/core/error.h"
#include "wordsway/text/packed_source.h"

namespace wordsway {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string name, std::uint64_t max_unpacked)
      : packed_(std::move(packed)), name_(std::move(name)), limit_(name_, max_unpacked) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw DataError(name_ + ": zlib could not be set up");
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(std::span<char> out) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out == out.size() && refill()) {
      const int status = inflate(&stream_, Z_NO_FLUSH);
      inside_member_ = status != Z_STREAM_END;
      if (status == Z_STREAM_END) {
        inflateReset(&stream_);  // another member may follow
      } else if (status != Z_OK) {
        throw DataError(fmt::format("{}: corrupt gzip data", name_));
      }
    }
    const std::size_t count = out.size() - stream_.avail_out;
    limit_.add(count);
    return count;
  }

 private:
  bool refill() {
    if (stream_.avail_in > 0) return true;
    const std::size_t count = packed_->read(input_);
    if (count == 0 && inside_member_) throw DataError(fmt::format("{}: the gzip data ends too early", name_));
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  UnpackedLimit limit_;
  z_stream stream_{};
  std::array<char, 1 << 16> input_{};
  bool inside_member_ = true;
};

}  // namespace

std::unique_ptr<ByteSource> unpack_gzip(std::unique_ptr<ByteSource> packed, std::string name,
                                        std::uint64_t max_unpacked) {
  return std::make_unique<GzipSource>(std::move(packed), std::move(name), max_unpacked);
}

}  // namespace wordsway

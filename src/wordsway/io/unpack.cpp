#include "wordsway/io/unpack.h"

#include <array>

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>

#include "wordsway/core/error.h"

namespace wordsway {

void UnpackedLimit::add(std::size_t bytes) {
  bytes_ += bytes;
  if (bytes_ > max_bytes_) {
    throw DataError(
        fmt::format("{}: unpacks to more than {} bytes; unpack it yourself if that is meant", name_, max_bytes_));
  }
}

// unpack_gzip of io/unpack.h.

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

// unpack_xz of io/unpack.h.

namespace {

// The largest preset, -9, needs 65 MiB; a header can ask for up to 4 GiB.
constexpr std::uint64_t kMaxDecoderMemory = std::uint64_t{256} << 20;

class XzSource final : public ByteSource {
 public:
  XzSource(std::unique_ptr<ByteSource> packed, std::string name, std::uint64_t max_unpacked)
      : packed_(std::move(packed)), name_(std::move(name)), limit_(name_, max_unpacked) {
    if (lzma_stream_decoder(&stream_, kMaxDecoderMemory, LZMA_CONCATENATED) != LZMA_OK) {
      throw DataError(name_ + ": liblzma could not be set up");
    }
  }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

  std::size_t read(std::span<char> out) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream_.avail_out = out.size();
    while (stream_.avail_out == out.size() && !ended_) {
      refill();
      const lzma_ret status = lzma_code(&stream_, input_ended_ ? LZMA_FINISH : LZMA_RUN);
      ended_ = status == LZMA_STREAM_END;
      if (status != LZMA_OK && !ended_) fail(status);
    }
    const std::size_t count = out.size() - stream_.avail_out;
    limit_.add(count);
    return count;
  }

 private:
  void refill() {
    if (stream_.avail_in > 0 || input_ended_) return;
    const std::size_t count = packed_->read(input_);
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input_.data());
    stream_.avail_in = count;
    input_ended_ = count == 0;
  }

  [[noreturn]] void fail(lzma_ret status) const {
    if (status == LZMA_BUF_ERROR) throw DataError(fmt::format("{}: the xz data ends too early", name_));
    if (status == LZMA_MEMLIMIT_ERROR) {
      throw DataError(fmt::format("{}: the xz data needs more than {} MiB to unpack", name_, kMaxDecoderMemory >> 20));
    }
    throw DataError(fmt::format("{}: corrupt xz data", name_));
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  UnpackedLimit limit_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::array<char, 1 << 16> input_{};
  bool input_ended_ = false;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> unpack_xz(std::unique_ptr<ByteSource> packed, std::string name,
                                      std::uint64_t max_unpacked) {
  return std::make_unique<XzSource>(std::move(packed), std::move(name), max_unpacked);
}

}  // namespace wordsway

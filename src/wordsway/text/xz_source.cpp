// unpack_xz of text/packed_source.h.
#include <array>

#include <fmt/format.h>
#include <lzma.h>

#include "wordsway/core/error.h"
#include "wordsway/text/packed_source.h"

namespace wordsway {
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

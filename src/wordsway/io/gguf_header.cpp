#include "wordsway/io/gguf_header.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are used as they lie in the file");

// Vocabularies of 262,144 tokens with their merges take 20 MB; models have some thousand tensors.
constexpr size_t kMostFrontBytes = 100'000'000;
constexpr size_t kMostKeys = 1 << 16;
constexpr size_t kMostTensors = 1 << 20;
constexpr size_t kMostItems = 1 << 24;      // of an array
constexpr size_t kMostNameBytes = 0xffff;   // of a key or a tensor's name
constexpr size_t kMostExtents = 4;          // of a tensor, as ggml
constexpr size_t kLeastKeyBytes = 13;       // length of the key, type, a value of one byte
constexpr size_t kLeastTensorBytes = 24;    // length of the name, number of extents, type, offset
constexpr size_t kPiece = size_t{1} << 20;  // that is read at once
constexpr size_t kDefaultAlignment = 32;
constexpr const char* kAlignmentKey = "general.alignment";

// The bytes of the front in their order, read as they are needed.
class Front {
 public:
  Front(const ReadAt& read, size_t file_size, std::string_view name)
      : read_(read), file_size_(file_size), name_(name) {}

  size_t at() const { return at_; }
  size_t left() const { return file_size_ - at_; }

  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, skip(sizeof(T), "a number").data(), sizeof(T));
    return value;
  }

  /// Valid until more is read.
  std::string_view text() {
    const std::span<const std::byte> bytes = skip(number<std::uint64_t>(), "a string");
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// The next bytes, valid until more is read. `what` they are is said when the file or the limit ends before them.
  std::span<const std::byte> skip(size_t count, const char* what) {
    if (count > left())
      fail(fmt::format("{} of {} bytes begins at byte {}, but only {} are left in the file", what, count, at_, left()));
    if (count > kMostFrontBytes - at_)
      fail(fmt::format("its keys and names take more than the {} bytes allowed", kMostFrontBytes));
    load(at_ + count);
    at_ += count;
    return std::span(bytes_).subspan(at_ - count, count);
  }

  /// All bytes up to `end`, which was reached.
  std::vector<std::byte> release(size_t end) {
    bytes_.resize(end);
    bytes_.shrink_to_fit();
    return std::move(bytes_);
  }

  [[noreturn]] void fail(const std::string& what) const { throw DataError(fmt::format("{}: {}", name_, what)); }

 private:
  void load(size_t end) {
    const size_t before = bytes_.size();
    if (end <= before) return;
    bytes_.resize(std::min(file_size_, std::max(end, before + kPiece)));
    read_(before, std::span(bytes_).subspan(before));
  }

  const ReadAt& read_;
  size_t file_size_;
  std::string_view name_;
  std::vector<std::byte> bytes_;
  size_t at_ = 0;
};

class HeaderParser {
 public:
  HeaderParser(const ReadAt& read, size_t file_size, std::string_view name)
      : front_(read, file_size, name), file_size_(file_size), name_(name) {}

  GgufHeader parse() {
    const std::uint32_t version = parse_version();
    const auto tensors = front_.number<std::uint64_t>(), keys = front_.number<std::uint64_t>();
    check_count(tensors, "tensors", kLeastTensorBytes, kMostTensors);
    check_count(keys, "keys", kLeastKeyBytes, kMostKeys);
    for (size_t i = 0; i < keys; ++i) parse_key();
    const size_t keys_end = front_.at();
    for (size_t i = 0; i < tensors; ++i) parse_tensor();
    const size_t tensors_end = front_.at();
    GgufMetadata metadata(std::string(name_), front_.release(keys_end), std::move(fields_));
    place_tensors(tensors_end, alignment_of(metadata));
    return {version, std::move(metadata), std::move(tensors_)};
  }

 private:
  std::uint32_t parse_version() {
    constexpr size_t kLeastBytes = 24;
    if (file_size_ < kLeastBytes) fail(fmt::format("a GGUF file has at least 24 bytes, this one {}", file_size_));
    if (std::memcmp(front_.skip(4, "the magic").data(), "GGUF", 4) != 0)
      fail("it does not start with GGUF; is it a GGUF file?");
    const auto version = front_.number<std::uint32_t>();
    if ((version & 0xffff) == 0 && version != 0) fail("it is big endian; only little-endian files are read");
    if (version != 2 && version != 3)
      fail(fmt::format("it is a GGUF file of version {}; only versions 2 and 3 are read", version));
    return version;
  }

  void check_count(size_t count, const char* what, size_t least_bytes, size_t most) const {
    if (count > most) fail(fmt::format("it claims {} {}, more than the {} allowed", count, what, most));
    if (count > front_.left() / least_bytes)
      fail(fmt::format("it claims {} {}, but only {} bytes are left in the file", count, what, front_.left()));
  }

  // ----------------------------------------------------------------------------------------------------------- keys

  void parse_key() {
    const std::string key = parse_name("key");
    GgufField field;
    field.type = parse_type(key);
    if (field.type == GgufValueType::kArray) {
      field.is_array = true;
      field.type = parse_type(key);
      if (field.type == GgufValueType::kArray) fail_at_key(key, "holds an array of arrays, which is not read");
      field.count = front_.number<std::uint64_t>();
    }
    field.offset = front_.at();
    skip_items(key, field);
    if (!fields_.emplace(key, field).second) fail_at_key(key, "comes twice");
  }

  GgufValueType parse_type(const std::string& key) {
    const auto number = front_.number<std::uint32_t>();
    if (number > static_cast<std::uint32_t>(GgufValueType::kF64))
      fail_at_key(key, fmt::format("holds a value of the unknown type {}", number));
    return static_cast<GgufValueType>(number);
  }

  void skip_items(const std::string& key, const GgufField& field) {
    const bool is_text = field.type == GgufValueType::kText;
    const size_t least_bytes = is_text ? sizeof(std::uint64_t) : gguf_value_bytes(field.type);
    if (field.count > kMostItems)
      fail_at_key(key, fmt::format("claims {} items, more than the {} allowed", field.count, kMostItems));
    if (field.count > front_.left() / least_bytes)
      fail_at_key(key,
                  fmt::format("claims {} items, but only {} bytes are left in the file", field.count, front_.left()));
    if (is_text) {
      for (size_t i = 0; i < field.count; ++i) front_.text();
      return;
    }
    const std::span<const std::byte> items = front_.skip(field.count * least_bytes, "an array");
    const auto is_no_flag = [](std::byte item) { return item > std::byte{1}; };
    if (field.type == GgufValueType::kBool && std::any_of(items.begin(), items.end(), is_no_flag))
      fail_at_key(key, "holds a bool that is neither 0 nor 1");
  }

  std::string parse_name(const char* what) {
    const size_t begin = front_.at();
    std::string name(front_.text());
    if (name.size() > kMostNameBytes)
      fail(fmt::format("the {} at byte {} has {} bytes, more than the {} allowed", what, begin, name.size(),
                       kMostNameBytes));
    if (!unicode::is_valid_utf8(name)) fail(fmt::format("the {} at byte {} is not UTF-8", what, begin));
    return name;
  }

  size_t alignment_of(const GgufMetadata& metadata) const {
    if (!metadata.contains(kAlignmentKey)) return kDefaultAlignment;
    const Index alignment = metadata.integer(kAlignmentKey);
    if (alignment <= 0 || !std::has_single_bit(static_cast<size_t>(alignment)))
      fail_at_key(kAlignmentKey, fmt::format("is {}; expected a power of two", alignment));
    return static_cast<size_t>(alignment);
  }

  // -------------------------------------------------------------------------------------------------------- tensors

  // Its offset counts from the first tensor until place_tensors.
  void parse_tensor() {
    const std::string tensor = parse_name("name of a tensor");
    TensorInfo info;
    info.shape = parse_shape(tensor);
    const auto number = front_.number<std::uint32_t>();
    const GgufType* type = find_gguf_type(number);
    if (type == nullptr) fail_at(tensor, fmt::format("has the unknown type {}", number));
    info.dtype = type->name;
    const auto count = item_count(info.shape, sizeof(double));  // no type takes more bytes a value
    if (!count) fail_at(tensor, fmt::format("has the shape {}, which is too large", format_shape(info.shape)));
    const Index row = info.shape.empty() ? 1 : info.shape.back();
    if (row % static_cast<Index>(type->block_values) != 0)
      fail_at(tensor,
              fmt::format("has rows of {} values, but blocks of {} have {}", row, type->name, type->block_values));
    info.count = static_cast<Index>(*count);
    info.size = *count / type->block_values * type->block_bytes;
    info.offset = front_.number<std::uint64_t>();
    if (!tensors_.emplace(tensor, std::move(info)).second) fail_at(tensor, "comes twice");
  }

  std::vector<Index> parse_shape(const std::string& tensor) {
    const auto extents = front_.number<std::uint32_t>();
    if (extents > kMostExtents)
      fail_at(tensor, fmt::format("has {} extents, more than the {} allowed", extents, kMostExtents));
    std::vector<Index> shape(extents);
    for (size_t i = extents; i-- > 0;) {
      const auto extent = front_.number<std::uint64_t>();
      if (extent > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
        fail_at(tensor, fmt::format("has the extent {}, which is too large", extent));
      shape[i] = static_cast<Index>(extent);
    }
    return shape;
  }

  void place_tensors(size_t front_end, size_t alignment) {
    const auto padded = [&](size_t place) { return (place + alignment - 1) / alignment * alignment; };
    const size_t begin = padded(front_end);
    if (begin > file_size_ && !tensors_.empty())
      fail(fmt::format("its tensors begin at byte {}, but it has only {}", begin, file_size_));
    for (auto& [tensor, info] : tensors_) {
      if (info.offset % alignment != 0)
        fail_at(tensor, fmt::format("begins at {}, which is no multiple of {}", info.offset, alignment));
      const size_t room = file_size_ - begin;
      if (info.offset > room || info.size > room - info.offset)
        fail_at(tensor, fmt::format("begins at {} and has {} bytes, but the file holds {} bytes of tensors",
                                    info.offset, info.size, room));
      info.offset += begin;
    }
    check_coverage(begin, padded);
  }

  // In the order of the file each tensor must start where the one before it ends, or after the padding.
  template <typename Padded>
  void check_coverage(size_t begin, Padded padded) const {
    std::vector<const TensorTable::value_type*> ordered;
    for (const auto& entry : tensors_) ordered.push_back(&entry);
    std::sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
      return std::pair(a->second.offset, a->second.size) < std::pair(b->second.offset, b->second.size);
    });
    size_t next = begin;
    for (const auto* entry : ordered) {
      const TensorInfo& info = entry->second;
      if (info.offset < next) fail_at(entry->first, "overlaps another tensor");
      if (info.offset > next)
        fail_at(entry->first, fmt::format("leaves a hole of {} bytes before it", info.offset - next));
      next = padded(info.offset + info.size);
    }
    if (file_size_ > next) fail(fmt::format("{} bytes at its end belong to no tensor", file_size_ - next));
  }

  [[noreturn]] void fail(const std::string& what) const { front_.fail(what); }

  [[noreturn]] void fail_at_key(const std::string& key, const std::string& what) const {
    fail(fmt::format("the key {} {}", json_quoted(key), what));
  }

  [[noreturn]] void fail_at(const std::string& tensor, const std::string& what) const {
    fail(fmt::format("the tensor {} {}", json_quoted(tensor), what));
  }

  Front front_;
  size_t file_size_;
  std::string_view name_;
  GgufFields fields_;
  TensorTable tensors_;
};

}  // namespace

GgufHeader parse_gguf_header(const ReadAt& read, size_t file_size, std::string_view name) {
  return HeaderParser(read, file_size, name).parse();
}

GgufHeader parse_gguf_header(std::span<const std::byte> file, std::string_view name) {
  const ReadAt read = [&](size_t offset, std::span<std::byte> out) {
    std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  };
  return parse_gguf_header(read, file.size(), name);
}

}  // namespace wordsway

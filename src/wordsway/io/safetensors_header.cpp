#include "wordsway/io/safetensors_header.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/half_float.h"
#include "wordsway/io/json.h"

namespace wordsway {

namespace {

using nlohmann::json;

constexpr size_t kMaxHeaderSize = 100'000'000;  // as the reference implementation
constexpr int kHeaderDepth = 3;                 // file, tensor, shape
constexpr const char* kMetadata = "__metadata__";

class HeaderParser {
 public:
  HeaderParser(std::span<const std::byte> front, size_t file_size, std::string_view name)
      : front_(reinterpret_cast<const char*>(front.data()), front.size()),
        file_size_(file_size),
        name_(name),
        buffer_start_(safetensors_header_end(front, file_size, name)) {}

  TensorTable parse() {
    ensure(buffer_start_ <= front_.size(), "a safetensors header is parsed when all of it was read");
    const std::string_view text = front_.substr(kSafetensorsLengthBytes, buffer_start_ - kSafetensorsLengthBytes);
    if (!text.starts_with('{')) fail("its header does not start with '{'");
    if (const auto fault = json_fault(text, kHeaderDepth)) fail("its header is malformed: " + *fault);
    const json header = json::parse(text);
    for (const auto& [tensor, entry] : header.items()) {
      if (tensor == kMetadata) {
        check_metadata(entry);
      } else {
        tensors_.emplace(tensor, parse_tensor(tensor, entry));
      }
    }
    check_coverage();
    return std::move(tensors_);
  }

 private:
  void check_metadata(const json& metadata) const {
    const auto is_text = [](const json& value) { return value.is_string(); };
    if (!metadata.is_object() || !std::all_of(metadata.begin(), metadata.end(), is_text)) {
      fail("its __metadata__ is not an object of texts");
    }
  }

  TensorInfo parse_tensor(const std::string& tensor, const json& entry) const {
    if (!entry.is_object()) fail_at(tensor, "is not an object");
    for (const char* key : {"dtype", "shape", "data_offsets"}) {
      if (!entry.contains(key)) fail_at(tensor, fmt::format("has no {}", key));
    }
    if (!entry["dtype"].is_string()) fail_at(tensor, "has a dtype that is not a text");
    TensorInfo info;
    info.dtype = entry["dtype"].get<std::string>();
    for (const size_t extent : whole_numbers(tensor, "shape", entry["shape"])) {
      info.shape.push_back(static_cast<Index>(extent));
    }
    const std::vector<size_t> offsets = whole_numbers(tensor, "data_offsets", entry["data_offsets"]);
    place(tensor, offsets, info);
    info.count = checked_count(tensor, info);
    return info;
  }

  // Each at most the largest Index.
  std::vector<size_t> whole_numbers(const std::string& tensor, const char* key, const json& values) const {
    const auto is_whole = [](const json& value) {
      return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<Index>::max();
    };
    if (!values.is_array() || !std::all_of(values.begin(), values.end(), is_whole)) {
      fail_at(tensor, fmt::format("has something else than whole numbers as its {}: {}", key, excerpt(values)));
    }
    return values.get<std::vector<size_t>>();
  }

  void place(const std::string& tensor, const std::vector<size_t>& offsets, TensorInfo& info) const {
    const size_t buffer_size = file_size_ - buffer_start_;
    if (offsets.size() != 2) fail_at(tensor, fmt::format("has {} data_offsets, expected 2", offsets.size()));
    const auto [begin, end] = std::pair(offsets[0], offsets[1]);
    if (begin > end) fail_at(tensor, fmt::format("ends at {} before it starts at {}", end, begin));
    if (end > buffer_size) {
      fail_at(tensor, fmt::format("ends at {}, but the file holds {} bytes of tensors", end, buffer_size));
    }
    info.offset = buffer_start_ + begin;
    info.size = end - begin;
  }

  Index checked_count(const std::string& tensor, const TensorInfo& info) const {
    const size_t bits = dtype_bits(info.dtype);
    if (bits == 0) fail_at(tensor, fmt::format("has the unknown dtype {}", json_quoted(info.dtype)));
    const std::string shape = format_shape(info.shape);
    const auto count = item_count(info.shape, bits);
    if (!count) fail_at(tensor, fmt::format("has the shape {}, which is too large", shape));
    if (*count * bits % 8 != 0 || *count * bits / 8 != info.size) {
      fail_at(tensor, fmt::format("holds {} bytes, but {} of shape {} needs {} bits", info.size, info.dtype, shape,
                                  *count * bits));
    }
    return static_cast<Index>(*count);
  }

  // In the order of the file each tensor must start where the one before it ends.
  void check_coverage() const {
    std::vector<const TensorTable::value_type*> ordered;
    for (const auto& entry : tensors_) ordered.push_back(&entry);
    std::sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
      return std::pair(a->second.offset, a->second.size) < std::pair(b->second.offset, b->second.size);
    });
    size_t end = buffer_start_;
    for (const auto* entry : ordered) {
      const TensorInfo& info = entry->second;
      if (info.offset < end) fail_at(entry->first, "overlaps another tensor");
      if (info.offset > end)
        fail_at(entry->first, fmt::format("leaves a hole of {} bytes before it", info.offset - end));
      end = info.offset + info.size;
    }
    if (end != file_size_) fail(fmt::format("{} bytes at its end belong to no tensor", file_size_ - end));
  }

  static std::string excerpt(const json& value) {
    constexpr size_t kShown = 40;
    const std::string text = value.dump(-1, ' ', true);  // ASCII, so that a cut is clean
    return text.size() > kShown ? text.substr(0, kShown) + "..." : text;
  }

  [[noreturn]] void fail(const std::string& what) const { throw DataError(fmt::format("{}: {}", name_, what)); }

  [[noreturn]] void fail_at(const std::string& tensor, const std::string& what) const {
    fail(fmt::format("the tensor {} {}", json_quoted(tensor), what));
  }

  std::string_view front_;
  size_t file_size_;
  std::string_view name_;
  size_t buffer_start_;
  TensorTable tensors_;
};

}  // namespace

size_t safetensors_header_end(std::span<const std::byte> front, size_t file_size, std::string_view name) {
  const auto fail = [&](const std::string& what) { throw DataError(fmt::format("{}: {}", name, what)); };
  if (file_size < kSafetensorsLengthBytes) {
    fail(fmt::format("a safetensors file has at least 8 bytes, this one {}", file_size));
  }
  std::uint64_t length = 0;
  for (size_t i = kSafetensorsLengthBytes; i-- > 0;) length = length << 8 | std::to_integer<std::uint64_t>(front[i]);
  const size_t left = file_size - kSafetensorsLengthBytes;
  if (length > kMaxHeaderSize) {
    fail(fmt::format("its header claims {} bytes, more than the {} allowed; is it a safetensors file?", length,
                     kMaxHeaderSize));
  }
  if (length > left) fail(fmt::format("its header claims {} bytes, but only {} are left in the file", length, left));
  return kSafetensorsLengthBytes + length;
}

TensorTable parse_safetensors_header(std::span<const std::byte> front, size_t file_size, std::string_view name) {
  return HeaderParser(front, file_size, name).parse();
}

namespace {

static_assert(std::endian::native == std::endian::little, "weights are used as they lie in the file");

struct DtypeGroup {
  size_t bits;
  std::vector<std::string_view> names;
};

const std::vector<DtypeGroup>& dtype_groups() {
  static const std::vector<DtypeGroup> groups = {
      {4, {"F4"}},
      {6, {"F6_E2M3", "F6_E3M2"}},
      {8, {"BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"}},
      {16, {"U16", "I16", "F16", "BF16"}},
      {32, {"U32", "I32", "F32"}},
      {64, {"U64", "I64", "F64", "C64"}},
  };
  return groups;
}

}  // namespace

size_t dtype_bits(std::string_view dtype) {
  for (const DtypeGroup& group : dtype_groups()) {
    if (std::find(group.names.begin(), group.names.end(), dtype) != group.names.end()) return group.bits;
  }
  return 0;
}

bool is_convertible_to_f32(std::string_view dtype) {
  return dtype == "F32" || dtype == "F16" || dtype == "BF16";
}

void convert_to_f32(std::string_view dtype, std::span<const std::byte> bytes, std::span<float> values) {
  ensure(is_convertible_to_f32(dtype), "a dtype is checked before its conversion");
  ensure(bytes.size() == values.size() * dtype_bits(dtype) / 8, "a conversion has as many values in as out");
  if (values.empty()) return;
  if (dtype == "F32") {
    std::memcpy(values.data(), bytes.data(), bytes.size());
  } else if (dtype == "F16") {
    widen_f16(bytes, values);
  } else {
    widen_bf16(bytes, values);
  }
}

namespace {

using nlohmann::json;

constexpr int kMaxDepth = 16;  // metadata may hold anything

bool is_plain_file_name(const std::string& file) {
  return !file.empty() && file != "." && file != ".." && file.find_first_of(std::string_view("/\\\0", 3)) == file.npos;
}

}  // namespace

std::map<std::string, std::string> parse_safetensors_index(std::span<const std::byte> bytes, std::string_view name) {
  const auto fail = [&](const std::string& what) { throw DataError(fmt::format("{}: {}", name, what)); };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (const auto fault = json_fault(text, kMaxDepth)) fail("the index is malformed: " + *fault);
  const json index = json::parse(text);
  const auto map = index.is_object() ? index.find("weight_map") : index.end();
  if (map == index.end() || !map->is_object() || map->empty()) fail("the index has no weight_map that lists tensors");
  std::map<std::string, std::string> files;
  for (const auto& [tensor, file] : map->items()) {
    if (!file.is_string() || !is_plain_file_name(file.get<std::string>())) {
      fail(fmt::format("the file of the tensor {} is not a plain file name", json_quoted(tensor)));
    }
    files.emplace(tensor, file.get<std::string>());
  }
  return files;
}

}  // namespace wordsway

#include "wordsway/io/gguf_metadata.h"

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are used as they lie in the file");

using Type = GgufValueType;

struct TypeFacts {
  const char* name;
  size_t bytes;
};

constexpr std::array<TypeFacts, 13> kFacts = {{{"u8", 1},
                                               {"i8", 1},
                                               {"u16", 2},
                                               {"i16", 2},
                                               {"u32", 4},
                                               {"i32", 4},
                                               {"f32", 4},
                                               {"bool", 1},
                                               {"string", 0},
                                               {"array", 0},
                                               {"u64", 8},
                                               {"i64", 8},
                                               {"f64", 8}}};

bool is_text(Type type) {
  return type == Type::kText;
}

bool is_flag(Type type) {
  return type == Type::kBool;
}

bool is_float(Type type) {
  return type == Type::kF32 || type == Type::kF64;
}

bool is_number(Type type) {
  return type != Type::kText && type != Type::kBool;
}

bool is_integer(Type type) {
  return is_number(type) && !is_float(type);
}

template <typename T>
T load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

// The text whose length lies at `offset`.
std::string_view text_at(std::span<const std::byte> front, size_t offset) {
  const auto length = load<std::uint64_t>(front.data() + offset);
  return {reinterpret_cast<const char*>(front.data() + offset + sizeof(length)), length};
}

// What does not fit becomes negative: only u64 values, which are never negative otherwise.
Index load_integer(Type type, const std::byte* bytes) {
  switch (type) {
    case Type::kU8:
      return load<std::uint8_t>(bytes);
    case Type::kI8:
      return load<std::int8_t>(bytes);
    case Type::kU16:
      return load<std::uint16_t>(bytes);
    case Type::kI16:
      return load<std::int16_t>(bytes);
    case Type::kU32:
      return load<std::uint32_t>(bytes);
    case Type::kI32:
      return load<std::int32_t>(bytes);
    default:
      return static_cast<Index>(load<std::uint64_t>(bytes));
  }
}

}  // namespace

size_t gguf_value_bytes(GgufValueType type) {
  const auto number = static_cast<size_t>(type);
  return number < kFacts.size() ? kFacts[number].bytes : 0;
}

std::vector<std::string> GgufMetadata::keys() const {
  std::vector<std::string> result;
  for (const auto& [key, field] : fields_) result.push_back(key);
  return result;
}

std::string GgufMetadata::text(const std::string& key) const {
  const std::string_view text = text_at(front_, field(key, false, is_text, "a string").offset);
  if (!unicode::is_valid_utf8(text)) fail(key, "holds a string that is not UTF-8");
  return std::string(text);
}

bool GgufMetadata::flag(const std::string& key) const {
  return front_[field(key, false, is_flag, "a bool").offset] != std::byte{0};
}

Index GgufMetadata::integer(const std::string& key) const {
  return integer_at(key, field(key, false, is_integer, "an integer"), 0);
}

double GgufMetadata::number(const std::string& key) const {
  return number_at(key, field(key, false, is_number, "a number"), 0);
}

std::vector<std::string> GgufMetadata::texts(const std::string& key) const {
  const GgufField& found = field(key, true, is_text, "an array of string");
  std::vector<std::string> result(found.count);
  size_t offset = found.offset;
  for (std::string& text : result) {
    text = text_at(front_, offset);
    offset += sizeof(std::uint64_t) + text.size();
  }
  return result;
}

std::vector<bool> GgufMetadata::flags(const std::string& key) const {
  const GgufField& found = field(key, true, is_flag, "an array of bool");
  std::vector<bool> result(found.count);
  for (size_t i = 0; i < result.size(); ++i) result[i] = front_[found.offset + i] != std::byte{0};
  return result;
}

std::vector<Index> GgufMetadata::integers(const std::string& key) const {
  const GgufField& found = field(key, true, is_integer, "an array of integers");
  std::vector<Index> result(found.count);
  for (size_t i = 0; i < result.size(); ++i) result[i] = integer_at(key, found, i);
  return result;
}

std::vector<double> GgufMetadata::numbers(const std::string& key) const {
  const GgufField& found = field(key, true, is_number, "an array of numbers");
  std::vector<double> result(found.count);
  for (size_t i = 0; i < result.size(); ++i) result[i] = number_at(key, found, i);
  return result;
}

const GgufField& GgufMetadata::field(const std::string& key) const {
  const auto found = fields_.find(key);
  if (found == fields_.end()) throw DataError(fmt::format("{}: there is no key {}", source_, json_quoted(key)));
  return found->second;
}

const GgufField& GgufMetadata::field(const std::string& key, bool is_array, bool (*fits)(GgufValueType),
                                     const char* expected) const {
  const GgufField& found = field(key);
  if (found.is_array != is_array || !fits(found.type)) {
    fail(key, fmt::format("holds {} {}; expected {}", found.is_array ? "an array of" : "a value of type",
                          kFacts[static_cast<size_t>(found.type)].name, expected));
  }
  return found;
}

Index GgufMetadata::integer_at(const std::string& key, const GgufField& field, size_t i) const {
  const Index value = load_integer(field.type, front_.data() + field.offset + i * gguf_value_bytes(field.type));
  if (field.type == Type::kU64 && value < 0)
    fail(key, fmt::format("holds an integer above {}", std::numeric_limits<Index>::max()));
  return value;
}

double GgufMetadata::number_at(const std::string& key, const GgufField& field, size_t i) const {
  const std::byte* bytes = front_.data() + field.offset + i * gguf_value_bytes(field.type);
  if (field.type == Type::kF32) return load<float>(bytes);
  if (field.type == Type::kF64) return load<double>(bytes);
  return static_cast<double>(integer_at(key, field, i));
}

void GgufMetadata::fail(const std::string& key, const std::string& what) const {
  throw DataError(fmt::format("{}: the key {} {}", source_, json_quoted(key), what));
}

}  // namespace wordsway

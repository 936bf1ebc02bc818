// The keys and values of a GGUF file: what kind of model it holds, its sizes, its tokens. They are kept as they lie in
// the file and turned into values when somebody asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// With the numbers of the file.
enum class GgufValueType : std::uint32_t {
  kU8,
  kI8,
  kU16,
  kI16,
  kU32,
  kI32,
  kF32,
  kBool,
  kText,
  kArray,
  kU64,
  kI64,
  kF64
};

/// Bytes of one value of a fixed size; 0 for texts, arrays and what is no type.
size_t gguf_value_bytes(GgufValueType type);

/// Where a value lies. Whoever makes one has checked that all of it is there.
struct GgufField {
  GgufValueType type = GgufValueType::kU8;  // that of the items for an array, and never kArray
  bool is_array = false;
  size_t count = 1;
  size_t offset = 0;  // of the first item
};

using GgufFields = std::map<std::string, GgufField>;

/// Immutable; may be read from several threads at once. All but contains() and keys() throw DataError, with the file
/// and the key, when there is no such key or its value is of another type.
class GgufMetadata {
 public:
  /// `source` is what messages call the file; `front` holds the bytes that the fields point into.
  GgufMetadata(std::string source, std::vector<std::byte> front, GgufFields fields)
      : source_(std::move(source)), front_(std::move(front)), fields_(std::move(fields)) {}

  bool contains(const std::string& key) const { return fields_.count(key) > 0; }
  /// In alphabetical order.
  std::vector<std::string> keys() const;
  bool is_array(const std::string& key) const { return field(key).is_array; }

  /// Throws DataError too when the text is not UTF-8.
  std::string text(const std::string& key) const;
  bool flag(const std::string& key) const;
  /// Takes any integer type. Throws DataError too when it is larger than the largest Index.
  Index integer(const std::string& key) const;
  /// Takes any integer or floating point type; may be infinite or NaN.
  double number(const std::string& key) const;

  /// Arrays. Texts may hold any bytes: the tokens of a vocabulary are often parts of characters.
  std::vector<std::string> texts(const std::string& key) const;
  std::vector<bool> flags(const std::string& key) const;
  std::vector<Index> integers(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;

  /// DataError "FILE: the key "KEY" WHAT".
  [[noreturn]] void fail(const std::string& key, const std::string& what) const;
  /// What messages call the file.
  const std::string& source() const { return source_; }

 private:
  const GgufField& field(const std::string& key) const;
  const GgufField& field(const std::string& key, bool is_array, bool (*fits)(GgufValueType),
                         const char* expected) const;
  Index integer_at(const std::string& key, const GgufField& field, size_t i) const;
  double number_at(const std::string& key, const GgufField& field, size_t i) const;

  std::string source_;
  std::vector<std::byte> front_;
  GgufFields fields_;
};

}  // namespace wordsway

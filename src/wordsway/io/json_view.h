// Reading JSON files whose content cannot be trusted: every access checks, and every error names the file and the place
// in it ("tokenizer.json: model.vocab: expected an object, got a number").
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wordsway {

/// A value inside a document, which it keeps alive. Cheap to copy; reading is thread-safe.
class JsonView {
 public:
  static constexpr std::uintmax_t kMostFileBytes = std::uintmax_t{512} << 20;

  /// Throws DataError when `bytes` is not JSON. `name` is what errors call the document.
  static JsonView parse(std::string_view bytes, std::string name);
  /// Throws FileError when the file cannot be read, DataError when it is not JSON or has more than `most_bytes`.
  static JsonView read(const std::filesystem::path& file, std::uintmax_t most_bytes = kMostFileBytes);

  /// False for a member that is not there and for null. All readers below throw DataError when the type is another.
  bool exists() const;
  /// Whether it is there as null.
  bool is_null() const;
  bool is_array() const;
  bool is_object() const;
  bool is_string() const;
  bool is_boolean() const;
  bool is_number() const;
  bool is_integer() const;  // one that integer() takes

  /// The value as text for messages, cut where it is long: a hostile file may hold megabytes in one.
  std::string shown() const;

  JsonView operator[](std::string_view key) const;
  std::vector<JsonView> elements() const;
  std::vector<std::pair<std::string, JsonView>> members() const;

  std::string string() const;
  bool boolean() const;
  std::int64_t integer() const;  // also a float with an integer value
  double number() const;

  std::string string_or(std::string fallback) const { return exists() ? string() : std::move(fallback); }
  bool boolean_or(bool fallback) const { return exists() ? boolean() : fallback; }

  /// "FILE: PLACE", for messages.
  std::string where() const;
  [[noreturn]] void fail(std::string_view what) const;

 private:
  struct Document;
  JsonView() = default;
  JsonView member(std::string path, const void* node) const;
  [[noreturn]] void wrong_type(std::string_view expected) const;

  std::shared_ptr<const Document> document_;
  const void* node_ = nullptr;  // null when there is no such member
  std::string path_;
};

}  // namespace wordsway

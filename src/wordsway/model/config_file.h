// A small JSON object on disk (config.json and the like), read key by key with checks; or the same object put together
// from a file of another format, whose own names of the keys are in the messages then.
//
// Every complaint is a DataError that names the file, the key, what was expected and what was given. A key whose value
// is null counts as missing.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/io/json_view.h"

namespace wordsway {

/// Immutable and cheap to copy.
class ConfigFile {
 public:
  /// Throws FileError when the file cannot be read, DataError when it holds anything but one JSON object.
  explicit ConfigFile(const std::filesystem::path& path);

  /// How another format calls keys of config.json.
  using KeyNames = std::map<std::string, std::string>;
  /// A config.json from memory, as if the folder `path` had one. A key that is not in `names` keeps its name.
  static ConfigFile translated(const std::filesystem::path& path, std::string_view json, KeyNames names);

  /// The elements of a file that holds a JSON array of objects, such as modules.json.
  static std::vector<ConfigFile> list(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& key) const;
  /// Whether the key is there, and its value is null.
  bool is_null(const std::string& key) const;

  /// An integer in [least, most].
  Index integer(const std::string& key, Index least, Index most) const;
  Index integer_or(const std::string& key, Index fallback, Index least, Index most) const;
  /// A number in [least, most].
  double number(const std::string& key, double least, double most) const;
  double number_or(const std::string& key, double fallback, double least, double most) const;
  std::string text(const std::string& key) const;
  std::string text_or(const std::string& key, const std::string& fallback) const;
  bool flag_or(const std::string& key, bool fallback) const;
  /// A list of strings, at most `most` of them.
  std::vector<std::string> texts(const std::string& key, std::size_t most) const;
  /// One string, or such a list.
  std::vector<std::string> text_or_texts(const std::string& key, std::size_t most) const;
  /// An object inside this one; nothing where there is none.
  std::optional<ConfigFile> object(const std::string& key) const;
  /// The members of an object whose values are strings, null counting as ""; none where there is no object.
  std::vector<std::pair<std::string, std::string>> text_members(const std::string& key) const;

  /// DataError "FILE: `key` PROBLEM", by the name that the file has for the key.
  [[noreturn]] void refuse(const std::string& key, const std::string& problem) const;

 private:
  ConfigFile(std::filesystem::path path, JsonView object);

  std::filesystem::path path_;
  JsonView object_;
  std::shared_ptr<const KeyNames> names_;  // null where keys have their own names
};

}  // namespace wordsway

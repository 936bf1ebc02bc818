// Tokens and their ids, both ways.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wordsway/io/json_view.h"

namespace wordsway {

class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  /// More ids than any published vocabulary has; a file that asks for more is wrong.
  static constexpr int kMaxSize = 1 << 21;

  /// Adds a token. When the token is there already its id is replaced, as in `tokenizers`.
  /// Throws DataError, prefixed with `where`, when the id is out of range or belongs to another token.
  void add(std::string token, long long id, std::string_view where);

  std::optional<int> find(std::string_view token) const;

  /// The token of an id. Throws DataError when there is none.
  const std::string& token(int id) const;

  bool has_id(int id) const;

  /// One more than the largest id.
  int size() const { return static_cast<int>(tokens_.size()); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::unordered_map<std::string, int, Hash, std::equal_to<>> ids_;
  std::vector<const std::string*> tokens_;  // keys of ids_, which never move; null where there is no token
};

// Vocabularies as they lie on disk beside or inside a tokenizer.json.

/// {"token": id, ...}. Throws DataError when it is empty or an id is wrong or taken.
Vocabulary read_vocabulary_object(const JsonView& object);

/// vocab.txt: a token a line, its id the line's number; whitespace at the end of a line does not count.
Vocabulary read_vocabulary_lines(const std::filesystem::path& file);

}  // namespace wordsway

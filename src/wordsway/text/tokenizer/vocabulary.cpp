#include "wordsway/text/tokenizer/vocabulary.h"

#include <functional>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/input_file.h"
#include "wordsway/io/text_lines.h"

namespace wordsway {

void Vocabulary::add(std::string token, long long id, std::string_view where) {
  if (id < 0 || id >= kMaxSize) {
    throw DataError(fmt::format("{}: token '{}' has the id {}; expected 0 to {}", where, token, id, kMaxSize - 1));
  }
  const int number = static_cast<int>(id);
  if (has_id(number) && *tokens_[number] != token) {
    throw DataError(fmt::format("{}: tokens '{}' and '{}' share the id {}", where, *tokens_[number], token, id));
  }
  const auto [entry, fresh] = ids_.try_emplace(std::move(token), number);
  entry->second = number;
  if (number >= size()) tokens_.resize(number + 1, nullptr);
  tokens_[number] = &entry->first;
}

std::optional<int> Vocabulary::find(std::string_view token) const {
  const auto found = ids_.find(token);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

const std::string& Vocabulary::token(int id) const {
  if (!has_id(id))
    throw DataError(fmt::format("the vocabulary has no token with the id {}; it has {} ids", id, size()));
  return *tokens_[id];
}

bool Vocabulary::has_id(int id) const {
  return id >= 0 && id < size() && tokens_[id] != nullptr;
}

Vocabulary read_vocabulary_object(const JsonView& object) {
  Vocabulary vocabulary;
  const std::string where = object.where();
  for (const auto& [token, id] : object.members()) vocabulary.add(token, id.integer(), where);
  if (vocabulary.size() == 0) object.fail("the vocabulary is empty");
  return vocabulary;
}

Vocabulary read_vocabulary_lines(const std::filesystem::path& file) {
  Vocabulary vocabulary;
  int next_id = 0;
  for_each_line(file, [&](std::string_view line, const std::string& where) {
    vocabulary.add(std::string(without_trailing_space(line)), next_id++, where);
  });
  if (vocabulary.size() == 0) throw DataError(file.string() + ": the vocabulary is empty");
  return vocabulary;
}

}  // namespace wordsway

#include "wordsway/text/vocabulary_files.h"

#include <functional>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/text/small_file.h"
#include "wordsway/text/utf8.h"

namespace wordsway {
namespace {

/// Calls use(line, "FILE:NUMBER") for every line of a UTF-8 file.
void for_each_line(const std::filesystem::path& file,
                   const std::function<void(std::string_view, const std::string&)>& use) {
  const std::string bytes = read_small_file(file);
  std::string_view rest = bytes;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string where = fmt::format("{}:{}", file.string(), number);
    const std::string_view line = rest.substr(0, length);
    if (!unicode::is_valid_utf8(line)) throw DataError(where + ": not UTF-8");
    use(line, where);
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
}

std::string_view without_trailing_space(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t\r\n\v\f") + 1);
}

}  // namespace

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

Merges read_merge_lines(const std::filesystem::path& file, const Vocabulary& vocabulary) {
  Merges merges;
  for_each_line(file, [&](std::string_view line, const std::string& where) {
    line = without_trailing_space(line);
    if (!line.empty() && !line.starts_with("#version")) add_merge_line(line, vocabulary, where, merges);
  });
  return merges;
}

void add_merge_line(std::string_view line, const Vocabulary& vocabulary, std::string_view where, Merges& merges) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos) {
    throw DataError(fmt::format("{}: expected two tokens with a space between, got '{}'", where, line));
  }
  merges.add(line.substr(0, space), line.substr(space + 1), vocabulary, where);
}

}  // namespace wordsway

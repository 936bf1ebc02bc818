// Vocabularies and merges as they lie on disk beside or inside a tokenizer.json.
#pragma once

#include <filesystem>
#include <string_view>

#include "wordsway/text/json_view.h"
#include "wordsway/text/merges.h"
#include "wordsway/text/vocabulary.h"

namespace wordsway {

/// {"token": id, ...}. Throws DataError when it is empty or an id is wrong or taken.
Vocabulary read_vocabulary_object(const JsonView& object);

/// vocab.txt: a token a line, its id the line's number; whitespace at the end of a line does not count.
Vocabulary read_vocabulary_lines(const std::filesystem::path& file);

/// merges.txt: "left right" a line; a line "#version: …" and empty ones are skipped.
Merges read_merge_lines(const std::filesystem::path& file, const Vocabulary& vocabulary);

/// Adds "left right". Throws DataError, prefixed with `where`, on anything but two parts.
void add_merge_line(std::string_view line, const Vocabulary& vocabulary, std::string_view where, Merges& merges);

}  // namespace wordsway

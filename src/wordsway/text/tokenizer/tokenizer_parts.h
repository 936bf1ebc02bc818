// What a tokenizer is made of; the loaders fill it in, text/tokenizer/tokenizer.cpp runs it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wordsway/text/tokenizer/added_tokens.h"
#include "wordsway/text/tokenizer/subword_model.h"
#include "wordsway/text/tokenizer/tokenizer.h"
#include "wordsway/text/tokenizer/vocabulary.h"

namespace wordsway {

/// What happens to the pieces of a text at the end.
struct PostProcessing {
  std::vector<int> before, after;  // special tokens of the template
  bool trim_offsets = false;       // offsets without the spaces at the ends of a piece ...
  bool keep_prefix_space = true;   // ... but with the first one at the start of the text
};

struct TokenizerParts {
  bool lower_case = false;     // texts are lower-cased before the model normalises them
  Vocabulary vocabulary = {};  // added tokens included
  std::unique_ptr<const SubwordModel> model = {};
  AddedTokens raw_tokens = {};         // looked for before normalisation
  AddedTokens normalized_tokens = {};  // looked for after it
  PostProcessing post = {};
  SpecialIds special_ids = {};
  std::optional<Index> max_length = {};
  std::optional<Index> saved_truncation = {};

  /// What happens to a text before it is cut.
  void normalize(Characters& text) const;

  /// Adds tokens, also to the vocabulary. Needs `model`. Throws DataError, prefixed with `where`, on an id that
  /// disagrees with the vocabulary.
  void add_tokens(const std::vector<AddedToken>& tokens, std::string_view where);
};

}  // namespace wordsway

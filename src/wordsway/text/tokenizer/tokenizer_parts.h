// What a tokenizer is made of; the loaders fill it in, text/tokenizer/tokenizer.cpp runs it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/added_tokens.h"
#include "wordsway/text/tokenizer/decoding_steps.h"
#include "wordsway/text/tokenizer/post_processing.h"
#include "wordsway/text/tokenizer/subword_model.h"
#include "wordsway/text/tokenizer/tokenizer.h"
#include "wordsway/text/tokenizer/vocabulary.h"

namespace wordsway {

struct TokenizerParts {
  bool lower_case = false;     // texts are lower-cased before the model normalises them
  Vocabulary vocabulary = {};  // added tokens included
  std::unique_ptr<const SubwordModel> model = {};
  AddedTokens raw_tokens = {};                             // looked for before normalisation
  AddedTokens normalized_tokens = {};                      // looked for after it
  std::map<int, std::string> normalized_content = {};      // of added tokens that the normaliser changes
  std::set<std::string, std::less<>> special_tokens = {};  // left out of decoded texts when asked to
  std::vector<DecodingRule> decoding = {};                 // from tokens to text
  PostProcessing post = {};
  SpecialIds special_ids = {};
  std::optional<Index> max_length = {};
  std::optional<Index> saved_truncation = {};

  /// What happens to a text before it is cut.
  void normalize(Characters& text) const;

  /// The token as the decoder gets it: for added ones what stands in normalised texts. Nothing for an unknown id.
  std::optional<std::string_view> decoded_token(int id) const;

  /// Adds tokens, also to the vocabulary. Needs `model`. Throws DataError, prefixed with `where`, on an id that
  /// disagrees with the vocabulary.
  void add_tokens(const std::vector<AddedToken>& tokens, std::string_view where);
};

}  // namespace wordsway

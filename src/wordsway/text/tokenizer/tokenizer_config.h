// tokenizer_config.json and special_tokens_map.json: which tokens have which role, and settings of tokenizers that come
// without a tokenizer.json. Both files are optional.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/added_tokens.h"
#include "wordsway/text/tokenizer/tokenizer.h"
#include "wordsway/text/tokenizer/vocabulary.h"

namespace wordsway {

struct TokenizerConfig {
  std::string tokenizer_class;              // empty when not said
  std::map<std::string, AddedToken> roles;  // "mask_token", ... → token, whose id is not known here
  std::vector<AddedToken> added_tokens;     // added_tokens_decoder, with ids
  std::optional<bool> lowercase, strip_accents, space_out_cjk, add_prefix_space, trim_offsets;
  std::optional<Index> max_length;
  bool lower_case_texts = false;  // whatever the files say (load_tokenizer)

  /// The token of a role, or `fallback` with nothing special about it.
  AddedToken role_or(const std::string& role, const std::string& fallback) const;
};

/// Throws DataError naming the file and the fault.
TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder);

/// An object with "content" and the flags of AddedToken; "id" when it is there.
AddedToken read_added_token(const JsonView& object);

/// Roles by the configuration, else by the names that BERT, RoBERTa, GPT-2 and Llama use.
SpecialIds find_special_ids(const TokenizerConfig& config, const Vocabulary& vocabulary);

}  // namespace wordsway

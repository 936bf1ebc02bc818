// The files of a sentence-transformers folder besides the transformer itself: modules.json and the modules' folders,
// sentence_*_config.json, config_sentence_transformers.json; in the older form and in that of version 6.2.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wordsway/io/source_files.h"
#include "wordsway/model/sentence_chain.h"

namespace wordsway {

/// How texts are given to the model, and how their vectors are compared. Files are named relative to the folder, and
/// empty where none said so.
struct SentenceSettings {
  std::vector<std::pair<std::string, std::string>> prompts = {};  // name and text
  std::string default_prompt = {};                                // its name; empty: none
  std::string similarity = "cosine";                              // cosine, dot, euclidean, manhattan
  std::string prompts_file = {};
  std::string pooling_file = {};
  std::string modules_file = {};
  std::optional<Index> max_length = {};  // tokens, special ones included
  std::string max_length_file = {};
  bool lower_case = false;  // texts are lower-cased, whatever the tokenizer does
};

struct SentenceFolder {
  std::filesystem::path transformer = {};  // the folder of the transformer itself
  SentenceChain chain = {};
  SentenceSettings settings = {};
  std::vector<SourceFile> files = {};     // the weights of the chain
  std::optional<Index> hidden_size = {};  // that the pooling says it takes

  /// Throws DataError unless the chain takes hidden states of this size.
  void check(Index size) const;
};

/// The mean of all tokens, not normalised, where there is no modules.json. Throws DataError naming the file on modules,
/// ways of pooling or values that are not supported and on malformed files; FileError on unreadable ones.
SentenceFolder read_sentence_folder(const std::filesystem::path& folder);

}  // namespace wordsway

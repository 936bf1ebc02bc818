// Texts as token ids, with what tells them from others: the ids themselves and the tokenizer that made them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// Immutable.
class EncodedTexts {
 public:
  /// `name` is what results call them. Ids include special tokens. Throws UsageError without a tokenizer.
  EncodedTexts(std::string name, std::shared_ptr<const Tokenizer> tokenizer, std::vector<std::vector<int>> ids);

  const std::string& name() const { return name_; }
  Index size() const { return static_cast<Index>(ids_.size()); }
  const std::vector<int>& ids(Index text) const { return ids_[static_cast<size_t>(text)]; }
  const std::vector<std::vector<int>>& all_ids() const { return ids_; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  Index length(Index text) const { return static_cast<Index>(ids(text).size()); }

  /// Digests of the ids and of the tokenizer's files. Throws what Tokenizer::content throws.
  Record content() const;

 private:
  std::string name_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  std::vector<std::vector<int>> ids_;
};

}  // namespace wordsway

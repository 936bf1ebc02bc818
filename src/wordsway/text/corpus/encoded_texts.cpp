#include "wordsway/text/corpus/encoded_texts.h"

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"

namespace wordsway {

EncodedTexts::EncodedTexts(std::string name, std::shared_ptr<const Tokenizer> tokenizer,
                           std::vector<std::vector<int>> ids)
    : name_(std::move(name)), tokenizer_(std::move(tokenizer)), ids_(std::move(ids)) {
  if (tokenizer_ == nullptr) throw UsageError("encoded texts need the tokenizer that made them; got none");
}

Record EncodedTexts::content() const {
  Digest digest;
  for (const std::vector<int>& text : ids_) digest.add(std::span<const int>(text));
  Record content = tokenizer_->content();  // first: another tokenizer is why texts become others
  content.set("texts", digest.text());
  return content;
}

}  // namespace wordsway

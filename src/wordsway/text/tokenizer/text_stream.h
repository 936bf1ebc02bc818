// A text that grows token by token, as a model writes it.
#pragma once

#include <memory>
#include <string>

#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

class DecodingChain;

/// All that `add` gives and what `finish` gives, put together, is what Tokenizer::decode gives for the same ids. Not
/// thread-safe; several streams may use one tokenizer at once, which must outlive them.
class TextStream {
 public:
  /// Throws DataError when the decoder of the tokenizer's file is of a kind that is not supported.
  explicit TextStream(const Tokenizer& tokenizer, bool skip_special = true);
  ~TextStream();
  TextStream(TextStream&&) noexcept;
  TextStream& operator=(TextStream&&) noexcept;

  /// The text that no later token can change; it ends with a whole character, and may be empty. Ids without a token
  /// count for nothing.
  std::string add(int id);

  /// The rest. The stream is at the start of another text then.
  std::string finish();

 private:
  const TokenizerParts* parts_;
  bool skip_special_;
  std::unique_ptr<DecodingChain> chain_;
};

}  // namespace wordsway

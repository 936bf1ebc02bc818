// How often each token occurs in texts: the words that can be drawn from them.
#pragma once

#include <span>
#include <vector>

#include "wordsway/random/stream.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// Different tokens, and draws of them.
struct DrawnTokens {
  std::vector<int> ids;      // each once, the most frequent first
  std::vector<Index> drawn;  // numbers into `ids`

  /// The tokens that were drawn alone.
  DrawnTokens without_the_rest() const;
};

/// Immutable.
class TokenCounts {
 public:
  /// Tokens with a role (mask, padding, unknown, those that the template adds) are no words and not counted.
  TokenCounts(const Tokenizer& tokenizer, std::span<const std::vector<int>> texts);

  /// Different tokens there are.
  Index size() const { return static_cast<Index>(ids_.size()); }

  /// The `most` most frequent tokens but `own`, and `count` draws of them, each as likely as it is frequent. The first
  /// draws do not depend on `count`. Throws DataError when there is no other token.
  DrawnTokens draw(int own, Index most, Index count, const Stream& stream) const;

 private:
  std::vector<int> ids_;  // the most frequent first, of equally frequent ones the smaller
  std::vector<Index> counts_;
};

}  // namespace wordsway

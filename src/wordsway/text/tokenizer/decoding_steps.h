// The way from tokens back to text, step by step: each takes tokens and gives tokens, and those that the last one
// gives, put together, are the text. A step hands on what no later token can change, so that a text can be shown as it
// grows.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

class JsonView;

/// A token, or a part of one that is not finished. Always whole characters.
struct TokenPart {
  std::string text;
  bool ends_token = true;
};

/// One step on the way of one text. Not thread-safe.
class DecodingStep {
 public:
  virtual ~DecodingStep() = default;

  /// Takes the next part, and appends to `out` what is certain now.
  virtual void take(TokenPart part, std::vector<TokenPart>& out) = 0;
  /// Appends the rest: the text is over.
  virtual void finish(std::vector<TokenPart>& out);
};

/// Makes a step for a new text. Thread-safe.
using DecodingRule = std::function<std::unique_ptr<DecodingStep>()>;

// The rules, by the names that tokenizer.json gives them.

/// ByteLevel: tokens are bytes in the alphabet of byte_tokens.h, all of them together one token; what is not UTF-8
/// becomes U+FFFD, one for every maximal invalid part.
DecodingRule join_bytes();

/// ByteFallback: runs of tokens <0x00> … <0xFF> are the text of these bytes, or U+FFFD for each when they are not
/// UTF-8.
DecodingRule join_fallback_bytes();

/// Fuse: all tokens become one.
DecodingRule fuse_tokens();

/// Replace: every `pattern`, which is not empty, in a token becomes `content`.
DecodingRule replace_in_tokens(std::string pattern, std::string content);

/// Strip: up to `start` times the character at the start of a token goes, and up to `stop` times at its end.
DecodingRule strip_tokens(char32_t character, std::size_t start, std::size_t stop);

/// Metaspace: the mark becomes a space, in the first token nothing when `drop_first`.
DecodingRule marks_to_spaces(char32_t mark, bool drop_first);

/// WordPiece: a space before every token but the first and those with the prefix, which goes. With `cleanup` spaces
/// before punctuation and English contractions go where they are in the same token.
DecodingRule join_word_pieces(std::string prefix, bool cleanup);

/// What happens without a decoder: a space between tokens.
DecodingRule spaces_between_tokens();

/// All steps of one text. Not thread-safe.
class DecodingChain {
 public:
  explicit DecodingChain(const std::vector<DecodingRule>& rules);

  /// The text that is certain after one more token.
  std::string add(std::string_view token);
  /// The rest of the text.
  std::string finish();

 private:
  std::vector<std::unique_ptr<DecodingStep>> steps_;
};

/// Reads the "decoder" of a tokenizer.json: ByteLevel, Replace, ByteFallback, Fuse, Strip, Metaspace, WordPiece, a
/// Sequence of them, or null. Throws DataError when a setting is wrong. Of a type that is not supported the rule throws
/// when a text is decoded by it: to encode texts nobody needs it.
std::vector<DecodingRule> read_decoder(const JsonView& json);

}  // namespace wordsway

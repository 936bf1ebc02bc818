#include "wordsway/text/tokenizer/added_tokens.h"

#include <algorithm>

#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

bool stands_alone(CharacterSpan text, std::size_t begin, std::size_t end) {
  return (begin == 0 || !unicode::is_word_character(text[begin - 1].code)) &&
         (end == text.size() || !unicode::is_word_character(text[end].code));
}

}  // namespace

void AddedTokens::add(const AddedToken& token, const Characters& content) {
  if (content.empty()) return;
  std::u32string key;
  for (const Character& c : content) key.push_back(c.code);
  trie_.insert(key, static_cast<int>(tokens_.size()));
  tokens_.push_back(token);
  if (key[0] < starts_.size()) {
    starts_[key[0]] = true;
  } else {
    any_beyond_ascii_ = true;
  }
}

std::vector<AddedTokens::Segment> AddedTokens::split(CharacterSpan text) const {
  std::vector<Segment> segments;
  std::size_t done = 0;  // everything before is in a segment
  for (std::size_t at = 0; at < text.size();) {
    const auto match =
        may_start(text[at].code) ? trie_.longest_match(Trie::kRoot, text.subspan(at)) : std::optional<Trie::Match>();
    if (!match) {
      ++at;
      continue;
    }
    const AddedToken& token = tokens_[match->value];
    std::size_t begin = at;
    std::size_t end = at + match->length;
    at = end;
    if (token.single_word && !stands_alone(text, begin, end)) continue;
    while (token.lstrip && begin > done && unicode::is_whitespace(text[begin - 1].code)) --begin;
    while (token.rstrip && end < text.size() && unicode::is_whitespace(text[end].code)) ++end;
    begin = std::max(begin, done);
    if (begin > done) segments.push_back({std::nullopt, done, begin});
    segments.push_back({token.id, begin, end});
    done = end;
    at = std::max(at, end);
  }
  if (done < text.size()) segments.push_back({std::nullopt, done, text.size()});
  return segments;
}

}  // namespace wordsway

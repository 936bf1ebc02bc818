#include "wordsway/text/tokenizer/pre_tokenizers.h"

#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

void end_word(Words& words) {
  const std::size_t begin = words.ends.empty() ? 0 : words.ends.back();
  if (words.text.size() > begin) words.ends.push_back(words.text.size());
}

void append_word(CharacterSpan word, const Metaspace& rule, Words& out) {
  const Character& first = word.front();
  const bool is_marked = first.code == U' ' || first.code == rule.mark;
  const bool wanted =
      rule.prepend == Metaspace::Prepend::kAlways || (rule.prepend == Metaspace::Prepend::kFirst && first.begin == 0);
  if (wanted && !is_marked) out.text.push_back({rule.mark, first.begin, first.end});
  for (std::size_t i = 0; i < word.size(); ++i) {
    Character c = word[i];
    if (c.code == U' ') c.code = rule.mark;
    if (rule.split && c.code == rule.mark) end_word(out);
    out.text.push_back(c);
  }
  end_word(out);
}

void append_word(CharacterSpan word, const WhitespaceSplit&, Words& out) {
  for (const Character& c : word) {
    if (unicode::is_whitespace(c.code)) {
      end_word(out);
    } else {
      out.text.push_back(c);
    }
  }
  end_word(out);
}

template <typename Rule>
Words cut_again(const Words& words, const Rule& rule) {
  Words result;
  result.text.reserve(words.text.size() + words.ends.size());
  result.ends.reserve(words.ends.size() + words.text.size() / 4);
  std::size_t begin = 0;
  for (const std::size_t end : words.ends) {
    append_word(CharacterSpan(words.text).subspan(begin, end - begin), rule, result);
    begin = end;
  }
  return result;
}

}  // namespace

Words cut_into_words(Characters text, const std::vector<PreTokenizer>& pre_tokenizers) {
  Words words{std::move(text), {}};
  end_word(words);
  for (const PreTokenizer& pre_tokenizer : pre_tokenizers) {
    words = std::visit([&](const auto& rule) { return cut_again(words, rule); }, pre_tokenizer);
  }
  return words;
}

}  // namespace wordsway

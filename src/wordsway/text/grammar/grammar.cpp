#include "wordsway/text/grammar/grammar.h"

#include <algorithm>

#include "wordsway/core/error.h"

namespace wordsway::grammar {
namespace {

// Runs of white space become one blank; none at the ends.
std::string collapse(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : c;
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// The parts of `text` between separators that are not inside braces or brackets.
std::vector<std::string_view> split_outside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += (text[i] == '{' || text[i] == '[') - (text[i] == '}' || text[i] == ']');
    if (text[i] != separator || depth != 0) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += (text[i] == '{' || text[i] == '[') - (text[i] == '}' || text[i] == ']');
    if (depth == 0) return i;
  }
  throw UsageError("grammar: a bracket is not closed in '" + std::string(text) + "'");
}

bool is_vowel(char c) {
  return std::string_view("aeiouAEIOU").find(c) != std::string_view::npos;
}

bool is_sentence_end(char c) {
  return c == '.' || c == '!' || c == '?';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "hour" and "honest" sound like vowels, "unique" and "European" do not.
bool sounds_like_vowel(std::string_view word) {
  for (const std::string_view silent : {"hour", "honest", "honor", "heir"}) {
    if (word.starts_with(silent)) return true;
  }
  for (const std::string_view consonant : {"uni", "use", "usual", "one", "once", "euro", "Euro"}) {
    if (word.starts_with(consonant) && !word.starts_with("unin") && !word.starts_with("unim")) return false;
  }
  return !word.empty() && is_vowel(word.front());
}

}  // namespace

std::vector<std::string> split_options(std::string_view options) {
  std::vector<std::string> parts;
  for (const std::string_view part : split_outside(options, '|')) parts.push_back(collapse(part));
  return parts;
}

Grammar::Grammar(std::span<const std::span<const Rule>> tables) {
  for (const auto table : tables) {
    for (const Rule& rule : table) {
      if (rule.options.empty() || !rules_.emplace(rule.name, split_options(rule.options)).second) {
        throw UsageError("grammar: rule '" + std::string(rule.name) + "' is empty or given twice");
      }
    }
  }
}

const std::vector<std::string>& Grammar::options(std::string_view name, int polarity, char gender) const {
  for (const std::string& suffix : {std::string(), std::string(polarity > 0 ? "+" : "-"), std::string{':', gender}}) {
    const auto found = rules_.find(std::string(name) + suffix);
    if (found != rules_.end()) return found->second;
  }
  throw UsageError("grammar: there is no rule '" + std::string(name) + "'");
}

Writer::Writer(const Grammar& grammar, const Stream& stream)
    : grammar_(grammar), stream_(stream), gender_(uniform() < 0.5 ? 'm' : 'f') {}

std::string Writer::write(std::string_view rule, int polarity) {
  return expand(pick(grammar_.options(rule, polarity, gender_)), polarity);
}

const std::string& Writer::pick(const std::vector<std::string>& options) {
  const std::string* option = &options[below(options.size())];
  for (int attempt = 0; attempt < 6 && options.size() > 3 && used_.contains(option); ++attempt) {
    option = &options[below(options.size())];
  }
  used_.insert(option);
  return *option;
}

std::string Writer::expand(std::string_view text, int polarity) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{' && text[i] != '[') {
      out += text[i];
      continue;
    }
    const std::size_t end = closing(text, i);
    const std::string_view inside = text.substr(i + 1, end - i - 1);
    out += text[i] == '{' ? expand_reference(inside, polarity) : expand_choice(inside, polarity);
    i = end;
  }
  return out;
}

std::string Writer::expand_reference(std::string_view reference, int polarity) {
  if (reference.starts_with('!')) return write(reference.substr(1), -polarity);
  if (!reference.starts_with('=')) return write(reference, polarity);
  const std::string_view name = reference.substr(1);
  if (const auto known = bound_.find(name); known != bound_.end()) return known->second;
  return bound_.emplace(name, write(name, polarity)).first->second;
}

std::string Writer::expand_choice(std::string_view parts, int polarity) {
  const auto options = split_outside(parts, '/');
  return expand(options[below(options.size())], polarity);
}

std::string finish_text(std::string_view raw) {
  const std::string text = collapse(raw);
  std::string out;
  bool capital = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool word_start = i == 0 || !is_letter(text[i - 1]);
    const bool lone = i + 1 >= text.size() || text[i + 1] == ' ' || text[i + 1] == '\'';
    const bool pronoun = text[i] == 'i' && word_start && (i == 0 || text[i - 1] != '\'') && lone;
    const bool raise = (capital || pronoun) && text[i] >= 'a' && text[i] <= 'z';
    out += raise ? static_cast<char>(text[i] - 'a' + 'A') : text[i];
    if (is_letter(text[i])) capital = false;
    if (is_sentence_end(text[i])) capital = true;
    const bool article = word_start && (text[i] == 'a' || text[i] == 'A') && i + 1 < text.size() && text[i + 1] == ' ';
    if (article && sounds_like_vowel(std::string_view(text).substr(i + 2))) out += 'n';
  }
  return out;
}

std::string take_side(std::string_view text, int side) {
  std::string taken;
  while (!text.empty()) {
    const std::size_t open = text.find('<');
    taken += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t slash = text.find('/', open), close = text.find('>', open);
    if (close == std::string_view::npos || slash > close) {
      throw UsageError("grammar: '<' without '/' and '>' in '" + std::string(text) + "'");
    }
    taken += side == 0 ? text.substr(open + 1, slash - open - 1) : text.substr(slash + 1, close - slash - 1);
    text.remove_prefix(close + 1);
  }
  return taken;
}

}  // namespace wordsway::grammar

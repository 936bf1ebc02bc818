#include "wordsway/text/tokenizer/normalizers.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/base64.h"
#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/precompiled.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {

void apply_changes(Characters& text, std::span<const ChangedCharacter> changed) {
  Characters result;
  result.reserve(changed.size());
  std::size_t next = 0;  // the first character of the old text that nothing has replaced yet
  for (const ChangedCharacter& c : changed) {
    const bool is_new = c.change > 0 && next > 0;
    const Character& source = text[std::min(is_new ? next - 1 : next, text.size() - 1)];
    result.push_back({c.code, source.begin, source.end});
    if (c.change <= 0) next += static_cast<std::size_t>(1 - c.change);
  }
  text = std::move(result);
}

std::vector<ChangedCharacter> decompose(const Characters& text) {
  std::vector<ChangedCharacter> result;
  result.reserve(text.size() + 16);
  std::u32string parts;
  for (const Character& c : text) {
    parts.clear();
    unicode::append_decomposition(c.code, parts);
    for (std::size_t i = 0; i < parts.size(); ++i) result.push_back({parts[i], i > 0 ? 1 : 0});
  }
  // Unicode's canonical ordering: runs of marks sorted by combining class, stably.
  const auto is_mark = [](const ChangedCharacter& c) { return unicode::combining_class(c.code) != 0; };
  for (auto begin = result.begin(); begin != result.end();) {
    begin = std::find_if(begin, result.end(), is_mark);
    const auto end = std::find_if_not(begin, result.end(), is_mark);
    std::stable_sort(begin, end, [](const ChangedCharacter& a, const ChangedCharacter& b) {
      return unicode::combining_class(a.code) < unicode::combining_class(b.code);
    });
    begin = end;
  }
  return result;
}

namespace {

// Composes a decomposed text. A starter waits for marks; what it swallows is counted in its `change`.
class Composer {
 public:
  std::vector<ChangedCharacter> compose(std::span<const ChangedCharacter> decomposed) {
    composed_.reserve(decomposed.size());
    for (const ChangedCharacter& c : decomposed) add(c);
    return std::move(composed_);
  }

 private:
  void add(ChangedCharacter c) {
    const int combining_class = unicode::combining_class(c.code);
    // A character with another of its class or a higher one between is blocked from the starter.
    const bool reachable = has_starter_ && (last_class_ == 0 || last_class_ < combining_class);
    if (reachable) {
      ChangedCharacter& starter = composed_[starter_];
      if (const auto joined = unicode::compose(starter.code, c.code)) {
        starter = {*joined, starter.change + c.change - 1};
        return;
      }
    }
    if (combining_class == 0) {
      has_starter_ = true;
      starter_ = composed_.size();
    }
    last_class_ = combining_class;
    composed_.push_back(c);
  }

  std::vector<ChangedCharacter> composed_;
  std::size_t starter_ = 0;
  bool has_starter_ = false;
  int last_class_ = 0;  // of what was kept after the starter; 0 when that is nothing
};

bool is_below_marks(const Character& c) {
  return c.code < 0x300;
}

}  // namespace

void compose_nfc(Characters& text) {
  if (std::all_of(text.begin(), text.end(), is_below_marks)) return;
  apply_changes(text, Composer().compose(decompose(text)));
}

void lowercase_all(Characters& text) {
  char32_t buffer[2];
  std::size_t longer = 0;  // characters whose lower case is two
  for (Character& c : text) {
    const std::u32string_view lower = unicode::lowercase(c.code, buffer);
    if (lower.size() == 1) c.code = lower[0];
    longer += lower.size() - 1;
  }
  if (longer == 0) return;
  Characters lowered;
  lowered.reserve(text.size() + longer);
  for (const Character& c : text) {
    for (const char32_t code : unicode::lowercase(c.code, buffer)) lowered.push_back({code, c.begin, c.end});
  }
  text = std::move(lowered);
}

void strip(Characters& text, bool left, bool right) {
  const auto is_text = [](const Character& c) { return !unicode::is_whitespace(c.code); };
  if (right) text.erase(std::find_if(text.rbegin(), text.rend(), is_text).base(), text.end());
  if (left) text.erase(text.begin(), std::find_if(text.begin(), text.end(), is_text));
}

void prepend(Characters& text, std::u32string_view added) {
  if (text.empty()) return;
  const Character first = text.front();
  text.insert(text.begin(), added.size(), first);
  for (std::size_t i = 0; i < added.size(); ++i) text[i].code = added[i];
}

namespace {

/// `match_length` says how many characters match at a place, 0 for none.
template <typename MatchLength>
void replace_matches(Characters& text, std::u32string_view replacement, const MatchLength& match_length) {
  Characters result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = match_length(CharacterSpan(text).subspan(at));
    if (length == 0) {
      result.push_back(text[at++]);
      continue;
    }
    at += length;
    for (const char32_t code : replacement) result.push_back({code, text[at - 1].begin, text[at - 1].end});
  }
  text = std::move(result);
}

}  // namespace

void replace_all(Characters& text, std::u32string_view pattern, std::u32string_view replacement) {
  replace_matches(text, replacement, [pattern](CharacterSpan rest) {
    const bool matches =
        rest.size() >= pattern.size() && std::equal(pattern.begin(), pattern.end(), rest.begin(),
                                                    [](char32_t code, const Character& c) { return code == c.code; });
    return matches ? pattern.size() : 0;
  });
}

void replace_runs_of_spaces(Characters& text, std::u32string_view replacement) {
  replace_matches(text, replacement, [](CharacterSpan rest) {
    std::size_t spaces = 0;
    while (spaces < rest.size() && rest[spaces].code == U' ') ++spaces;
    return spaces >= 2 ? spaces : 0;
  });
}

Normalizer in_sequence(std::vector<Normalizer> normalizers) {
  return [steps = std::move(normalizers)](Characters& text) {
    const std::size_t most = kMostGrowth * text.size();
    for (const Normalizer& step : steps) {
      step(text);
      if (text.size() > most)
        throw DataError(
            fmt::format("the normaliser of this tokenizer makes a text more than {} times as long; "
                        "no text can be cut with it",
                        kMostGrowth));
    }
  };
}

namespace {

constexpr const char* kRunsOfSpaces = " {2,}";  // the one regular expression that saved tokenizers of this kind have

Normalizer read_precompiled(const JsonView& json) {
  const JsonView value = json["precompiled_charsmap"];
  const auto bytes = decode_base64(value.string());
  if (!bytes) value.fail("expected base64");
  const auto map = std::make_shared<const PrecompiledMap>(*bytes, value.where());
  return [map](Characters& text) { map->normalize(text); };
}

std::u32string read_replacement(const JsonView& json) {
  std::u32string content = unicode::decode(json.string());
  if (content.size() > kMostGrowth)
    json.fail(fmt::format("expected at most {} characters, got {}", kMostGrowth, content.size()));
  return content;
}

Normalizer read_replace(const JsonView& json) {
  const std::u32string content = read_replacement(json["content"]);
  const JsonView pattern = json["pattern"];
  if (const JsonView regex = pattern["Regex"]; regex.exists()) {
    if (regex.string() != kRunsOfSpaces)
      regex.fail(
          fmt::format("the regular expression {} is not supported; expected \"{}\"", regex.shown(), kRunsOfSpaces));
    return [content](Characters& text) { replace_runs_of_spaces(text, content); };
  }
  const std::u32string string = unicode::decode(pattern["String"].string());
  if (string.empty()) pattern["String"].fail("expected at least one character");
  return [string, content](Characters& text) { replace_all(text, string, content); };
}

Normalizer read_strip(const JsonView& json) {
  const bool left = json["strip_left"].boolean();
  const bool right = json["strip_right"].boolean();
  return [left, right](Characters& text) { strip(text, left, right); };
}

Normalizer read_prepend(const JsonView& json) {
  const std::u32string text = read_replacement(json["prepend"]);
  return [text](Characters& characters) { prepend(characters, text); };
}

void read_into(const JsonView& json, std::string_view model, std::vector<Normalizer>& steps) {
  const std::string type = json["type"].string();
  if (type == "Sequence") {
    for (const JsonView& part : json["normalizers"].elements()) read_into(part, model, steps);
  } else if (type == "Precompiled") {
    steps.push_back(read_precompiled(json));
  } else if (type == "Replace") {
    steps.push_back(read_replace(json));
  } else if (type == "Prepend") {
    steps.push_back(read_prepend(json));
  } else if (type == "Strip") {
    steps.push_back(read_strip(json));
  } else if (type == "NFC") {
    steps.emplace_back(compose_nfc);
  } else {
    json.fail(
        fmt::format("the type {} is not supported with {}; expected Precompiled, Replace, Prepend, Strip, NFC or a "
                    "Sequence of them",
                    json["type"].shown(), model));
  }
}

}  // namespace

Normalizer read_normalizer(const JsonView& json, std::string_view model) {
  if (!json.exists()) return {};
  std::vector<Normalizer> steps;
  read_into(json, model, steps);
  return in_sequence(std::move(steps));
}

}  // namespace wordsway

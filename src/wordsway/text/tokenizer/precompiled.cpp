#include "wordsway/text/tokenizer/precompiled.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/unicode.h"

namespace wordsway {
namespace {

constexpr std::size_t kGraphemeBytes = 6;  // from here on characters are looked up one by one

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
  return value;
}

[[noreturn]] void fail(std::string_view where, std::string_view what) {
  throw DataError(fmt::format("{}: {}", where, what));
}

}  // namespace

PrecompiledMap::PrecompiledMap(std::string_view bytes, std::string_view where) {
  if (bytes.size() < 4) fail(where, fmt::format("the map has {} bytes; expected at least 4", bytes.size()));
  const std::size_t trie_bytes = read_u32(bytes, 0);
  if (trie_bytes > bytes.size() - 4 || trie_bytes % 4 != 0 || trie_bytes == 0) {
    fail(where, fmt::format("the trie of the map has {} bytes; expected a multiple of 4, from 4 to {}", trie_bytes,
                            bytes.size() - 4));
  }
  for (std::size_t at = 4; at < 4 + trie_bytes; at += 4) units_.push_back(read_u32(bytes, at));
  replacements_ = bytes.substr(4 + trie_bytes);
  if (!unicode::is_valid_utf8(replacements_)) fail(where, "the replacements of the map are not UTF-8");
  check_trie(where);
  for (int code = 0; code < 128; ++code) {
    const char byte = static_cast<char>(code);
    changes_ascii_[code] = find({&byte, 1}).has_value();
  }
}

std::size_t PrecompiledMap::base(std::size_t at) const {
  const std::uint32_t unit = units_[at];
  const std::size_t offset = std::size_t{unit >> 10} << ((unit & 0x200u) >> 6);
  return at ^ offset;
}

// Depth first over all keys. Units may be reached in several ways, because keys with equal ends share them, but never
// from below themselves.
void PrecompiledMap::check_trie(std::string_view where) const {
  enum class Visit : char { kNone, kOpen, kDone };
  struct Step {
    std::size_t at;
    int next_byte;
  };
  std::vector<Visit> visits(units_.size(), Visit::kNone);
  std::vector<Step> path;
  const auto enter = [&](std::size_t at) {
    check_unit(at, where);
    visits[at] = Visit::kOpen;
    path.push_back({at, 1});
  };
  enter(0);
  while (!path.empty()) {
    Step& step = path.back();
    if (step.next_byte > 0xFF) {
      visits[step.at] = Visit::kDone;
      path.pop_back();
      continue;
    }
    const auto byte = static_cast<unsigned char>(step.next_byte++);
    const std::size_t child = base(step.at) ^ byte;
    if (!is_child(child, byte) || visits[child] == Visit::kDone) continue;
    if (visits[child] == Visit::kOpen) fail(where, "the trie of the map has a cycle");
    enter(child);
  }
}

void PrecompiledMap::check_unit(std::size_t at, std::string_view where) const {
  if ((base(at) | 0xFF) >= units_.size()) {
    fail(where, fmt::format("unit {} of the map's trie points to unit {}, but it has {} units", at, base(at) | 0xFF,
                            units_.size()));
  }
  if (!has_value(at)) return;
  const std::size_t begin = value(at);
  const bool inside = begin <= replacements_.size();
  const bool cuts_character =
      inside && begin < replacements_.size() && (static_cast<unsigned char>(replacements_[begin]) & 0xC0) == 0x80;
  if (!inside || cuts_character) {
    fail(where, fmt::format("unit {} of the map's trie names the replacement at byte {}; expected the start of a "
                            "character in {} bytes",
                            at, begin, replacements_.size()));
  }
  if (unicode::decode(replacement_at(begin)).size() > kMostGrowth)
    fail(where, fmt::format("the map replaces one key by more than {} characters", kMostGrowth));
}

std::string_view PrecompiledMap::replacement_at(std::size_t begin) const {
  // Four bytes a character: enough to see that a replacement is too long, however long it is.
  const std::string_view rest = std::string_view(replacements_).substr(begin, 4 * (kMostGrowth + 1));
  return rest.substr(0, rest.find('\0'));
}

std::optional<std::string_view> PrecompiledMap::find(std::string_view utf8) const {
  std::size_t at = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) break;
    at = base(at) ^ byte;
    if (!is_child(at, byte)) break;
    if (has_value(at)) return replacement_at(value(at));
  }
  return std::nullopt;
}

namespace {

// As in `tokenizers`: what is left out is charged to the character before it. Where the text begins with it there is
// none, and all places shift.
void append_replacement(std::vector<ChangedCharacter>& changed, std::size_t old_count, std::string_view replacement) {
  const std::u32string codes = unicode::decode(replacement);
  for (std::size_t i = 0; i < codes.size(); ++i) changed.push_back({codes[i], i < old_count ? 0 : 1});
  if (codes.size() < old_count && !changed.empty()) changed.back().change -= static_cast<int>(old_count - codes.size());
}

std::size_t grapheme_end(CharacterSpan text, std::size_t begin, int& state) {
  std::size_t end = begin + 1;
  while (end < text.size() && !unicode::is_grapheme_break(text[end - 1].code, text[end].code, state)) ++end;
  return end;
}

}  // namespace

void PrecompiledMap::normalize_grapheme(CharacterSpan grapheme, std::vector<ChangedCharacter>& changed) const {
  std::string utf8;  // short enough to need no allocation
  for (std::size_t i = 0; i < grapheme.size() && utf8.size() < kGraphemeBytes; ++i)
    unicode::append_utf8(utf8, grapheme[i].code);
  if (utf8.size() < kGraphemeBytes) {
    if (const auto replacement = find(utf8)) return append_replacement(changed, grapheme.size(), *replacement);
  }
  for (const Character& c : grapheme) {
    utf8.clear();
    unicode::append_utf8(utf8, c.code);
    if (const auto replacement = find(utf8)) {
      append_replacement(changed, 1, *replacement);
    } else {
      changed.push_back({c.code, 0});
    }
  }
}

void PrecompiledMap::normalize(Characters& text) const {
  const auto is_kept = [&](const Character& c) { return c.code < 128 && !changes_ascii_[c.code]; };
  if (std::all_of(text.begin(), text.end(), is_kept)) return;
  std::vector<ChangedCharacter> changed;
  changed.reserve(text.size() + 16);
  int state = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = grapheme_end(text, begin, state);
    normalize_grapheme(CharacterSpan(text).subspan(begin, end - begin), changed);
    begin = end;
  }
  apply_changes(text, changed);
}

}  // namespace wordsway

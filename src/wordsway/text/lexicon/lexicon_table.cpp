#include "wordsway/text/lexicon/lexicon_table.h"

#include <algorithm>
#include <set>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using lexicon_layout::Header;

// A group's own words come first, then those of its parents, up to here: farther ones have little in common.
constexpr int kLevels = 3;

template <typename T>
std::span<const T> take(std::span<const std::byte>& bytes, size_t count) {
  ensure(bytes.size() / sizeof(T) >= count, "a lexicon is cut off");
  const auto* const first = reinterpret_cast<const T*>(bytes.data());
  bytes = bytes.subspan(count * sizeof(T));
  return {first, count};
}

// Numbers of 7 bits a byte, the lowest first; the highest bit says that more follow.
class NumberReader {
 public:
  explicit NumberReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool more() const { return at_ < bytes_.size(); }

  std::uint32_t next() {
    std::uint32_t value = 0;
    for (int shift = 0; shift < 32; shift += 7) {
      ensure(at_ < bytes_.size(), "a list of a lexicon is cut off");
      const auto byte = static_cast<std::uint32_t>(bytes_[at_++]);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  }

  std::vector<std::uint32_t> list() {
    std::vector<std::uint32_t> numbers(next());
    for (auto& number : numbers) number = next();
    return numbers;
  }

 private:
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
};

}  // namespace

LexiconTable::LexiconTable(std::span<const std::byte> bytes) {
  const Header header = take<Header>(bytes, 1).front();
  ensure(header.mark == lexicon_layout::kMark, "a lexicon does not begin as one");
  words_ = take<lexicon_layout::WordRow>(bytes, header.words + 1);
  groups_ = take<std::uint32_t>(bytes, header.groups);
  forms_ = take<lexicon_layout::FormRow>(bytes, header.forms);
  by_lemma_ = take<std::uint32_t>(bytes, header.forms);
  lists_ = take<std::byte>(bytes, header.list_bytes);
  const auto texts = take<char>(bytes, header.text_bytes);
  texts_ = {texts.data(), texts.size()};
}

std::string_view LexiconTable::text(WordId word) const {
  return texts_.substr(words_[word].text, words_[word + 1].text - words_[word].text);
}

std::optional<LexiconTable::WordId> LexiconTable::find(std::string_view wanted) const {
  WordId low = 0, high = static_cast<WordId>(size());
  while (low < high) {
    const WordId middle = low + (high - low) / 2;
    const std::string_view here = text(middle);
    if (here == wanted) return middle;
    if (here < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return std::nullopt;
}

std::vector<LexiconTable::Entry> LexiconTable::entries(WordId word) const {
  const std::uint32_t begin = words_[word].lists, end = words_[word + 1].lists;
  NumberReader reader(lists_.subspan(begin, end - begin));
  std::vector<Entry> found;
  while (reader.more()) {
    const std::uint32_t marks = reader.next();
    Entry& entry = found.emplace_back();
    entry.word = word;
    entry.part = static_cast<PartOfSpeech>(marks & 3);
    if (marks & lexicon_layout::kCounted) entry.count = reader.next();
    if (marks & lexicon_layout::kTakes) {
      const std::uint32_t takes = reader.next();
      entry.takes = takes & ((1U << verb_takes::kBits) - 1);
      entry.may_take = takes >> verb_takes::kBits;
    }
    if (marks & lexicon_layout::kHasSynonyms) entry.synonyms = reader.list();
    if (marks & lexicon_layout::kHasAntonyms) entry.antonyms = reader.list();
    if (marks & lexicon_layout::kHasGroups) entry.groups = reader.list();
  }
  return found;
}

std::optional<LexiconTable::Entry> LexiconTable::entry(WordId word, PartOfSpeech part) const {
  for (const Entry& entry : entries(word))
    if (entry.part == part) return entry;
  return std::nullopt;
}

std::vector<LexiconTable::WordId> LexiconTable::alike(const Entry& entry, size_t most) const {
  std::set<WordId> seen = {entry.word};
  seen.insert(entry.synonyms.begin(), entry.synonyms.end());
  seen.insert(entry.antonyms.begin(), entry.antonyms.end());
  std::vector<WordId> found;
  std::vector<std::uint32_t> groups = entry.groups;
  for (int level = 0; level < kLevels && found.size() < most; ++level) {
    std::vector<std::uint32_t> parents;
    for (const std::uint32_t group : groups) {
      NumberReader reader(lists_.subspan(groups_[group]));
      if (const std::uint32_t parent = reader.next(); parent > 0) parents.push_back(parent - 1);
      for (const WordId word : reader.list())
        if (found.size() < most && seen.insert(word).second) found.push_back(word);
    }
    groups = std::move(parents);
  }
  return found;
}

std::vector<LexiconTable::WordId> LexiconTable::lemmas_of(std::string_view form, PartOfSpeech part) const {
  const auto text_of = [&](const lexicon_layout::FormRow& row) { return texts_.substr(row.text, row.length); };
  std::vector<WordId> found;
  for (auto row = std::ranges::lower_bound(forms_, form, {}, text_of); row != forms_.end() && text_of(*row) == form;
       ++row)
    if (row->part == static_cast<std::uint32_t>(part)) found.push_back(row->lemma);
  return found;
}

std::vector<std::string_view> LexiconTable::forms_of(WordId lemma, PartOfSpeech part) const {
  std::vector<std::string_view> found;
  const auto lemma_of = [&](std::uint32_t number) { return forms_[number].lemma; };
  for (auto at = std::ranges::lower_bound(by_lemma_, lemma, {}, lemma_of);
       at != by_lemma_.end() && lemma_of(*at) == lemma; ++at) {
    const auto& row = forms_[*at];
    if (row.part == static_cast<std::uint32_t>(part)) found.push_back(texts_.substr(row.text, row.length));
  }
  return found;
}

}  // namespace wordsway

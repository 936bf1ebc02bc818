#include "wordsway/text/lexicon/lexicon_writer.h"

#include <algorithm>
#include <unordered_map>

#include "wordsway/core/error.h"
#include "wordsway/text/lexicon/lexicon_table.h"
#include "wordsway/text/lexicon/word_selection.h"

namespace wordsway {
namespace {

class TableWriter {
 public:
  TableWriter(const wordnet::Database& database, const WordSelection& selection) {
    for (const auto& [key, related] : selection.words)
      numbers_.emplace(key.first, static_cast<std::uint32_t>(numbers_.size()));
    for (const auto& [key, related] : selection.words) {
      if (words_.size() == numbers_.at(key.first)) begin_word(key.first);
      write_entry(key.second, related);
    }
    begin_word("");  // where the last word ends
    for (const WordGroup& group : selection.groups) write_group(group);
    write_forms(database);
  }

  std::string bytes() const {
    if (texts_.size() >= 1 << 24 || lists_.size() >= 1 << 24) throw DataError("the lexicon has more than 16 MB");
    const auto count = [](const auto& rows) { return static_cast<std::uint32_t>(rows.size()); };
    const lexicon_layout::Header header = {lexicon_layout::kMark, count(words_) - 1, count(groups_),
                                           count(forms_),         count(lists_),     count(texts_)};
    std::string result(reinterpret_cast<const char*>(&header), sizeof header);
    const auto add = [&](const auto& rows) {
      result.append(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof rows[0]);
    };
    add(words_);
    add(groups_);
    add(forms_);
    add(by_lemma_);
    return result + lists_ + texts_;
  }

 private:
  void begin_word(const std::string& text) {
    words_.push_back({static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(lists_.size())});
    texts_ += text;
  }

  void write_number(std::uint32_t number) {
    for (; number >= 0x80; number >>= 7) lists_.push_back(static_cast<char>(number | 0x80));
    lists_.push_back(static_cast<char>(number));
  }

  using Counted = std::vector<std::pair<long, std::string>>;

  // Words that the table has; names, for example, it has not.
  std::vector<std::uint32_t> numbers_of(const Counted& words) const {
    std::vector<std::uint32_t> known;
    for (const auto& [count, word] : words)
      if (const auto found = numbers_.find(word); found != numbers_.end()) known.push_back(found->second);
    return known;
  }

  void write_list(const std::vector<std::uint32_t>& numbers) {
    write_number(static_cast<std::uint32_t>(numbers.size()));
    for (const std::uint32_t number : numbers) write_number(number);
  }

  void write_entry(PartOfSpeech part, const RelatedWord& related) {
    const auto synonyms = numbers_of(related.synonyms), antonyms = numbers_of(related.antonyms);
    auto groups = related.groups;
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    using namespace lexicon_layout;
    write_number(static_cast<std::uint32_t>(part) | (related.count > 0 ? kCounted : 0) |
                 (synonyms.empty() ? 0 : kHasSynonyms) | (antonyms.empty() ? 0 : kHasAntonyms) |
                 (groups.empty() ? 0 : kHasGroups) | (related.may_take == 0 ? 0 : kTakes));
    if (related.count > 0) write_number(static_cast<std::uint32_t>(related.count));
    if (related.may_take != 0) write_number(related.takes | related.may_take << verb_takes::kBits);
    for (const auto* list : {&synonyms, &antonyms, &std::as_const(groups)})
      if (!list->empty()) write_list(*list);
  }

  void write_group(const WordGroup& group) {
    groups_.push_back(static_cast<std::uint32_t>(lists_.size()));
    write_number(group.parent ? *group.parent + 1 : 0);
    Counted words;
    for (const auto& [word, count] : group.words) words.emplace_back(count, word);
    std::ranges::stable_sort(words, [](const auto& a, const auto& b) { return a.first > b.first; });
    write_list(numbers_of(words));
  }

  void write_forms(const wordnet::Database& database) {
    std::vector<wordnet::Form> forms;
    for (const wordnet::Form& form : database.forms)
      if (is_plain_word(form.text) && numbers_.contains(form.lemma) && form.text != form.lemma) forms.push_back(form);
    std::ranges::stable_sort(forms, {}, &wordnet::Form::text);
    for (const wordnet::Form& form : forms) {
      forms_.push_back({.text = static_cast<std::uint32_t>(texts_.size()),
                        .lemma = numbers_.at(form.lemma),
                        .length = static_cast<std::uint16_t>(form.text.size()),
                        .part = static_cast<std::uint16_t>(form.part)});
      texts_ += form.text;
      by_lemma_.push_back(static_cast<std::uint32_t>(by_lemma_.size()));
    }
    std::ranges::stable_sort(by_lemma_, {}, [&](std::uint32_t number) { return forms_[number].lemma; });
  }

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<lexicon_layout::WordRow> words_;
  std::vector<std::uint32_t> groups_, by_lemma_;
  std::vector<lexicon_layout::FormRow> forms_;
  std::string lists_, texts_;
};

}  // namespace

std::string write_lexicon(const wordnet::Database& database, std::string_view corrections) {
  return TableWriter(database, select_words(database, corrections)).bytes();
}

}  // namespace wordsway

#include <algorithm>
#include <set>

#include "wordsway/core/digest.h"
#include "wordsway/text/lexicon/closed_classes.h"
#include "wordsway/text/lexicon/inflection.h"
#include "wordsway/text/lexicon/lexicon.h"
#include "wordsway/text/lexicon/tagger.h"
#include "wordsway/text/tables/tables.h"
#include "wordsway/text/words/known_names.h"
#include "wordsway/text/words/whole_words.h"

namespace wordsway {
namespace {

using WordId = LexiconTable::WordId;

constexpr const char* kWordNet = "WordNet 3.0";
constexpr const char* kClosedClasses = "closed classes";

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

// "Paris", "May", but not "MUST": capitals all through are for stress.
bool looks_like_name(std::string_view word) {
  return !word.empty() && is_capital(word.front()) && (word.size() == 1 || !std::ranges::all_of(word, is_capital)) &&
         word != "I";
}

// "information": no plural, and no "an" before it.
bool is_mass_noun(std::string_view lemma) {
  static const auto nouns = [] {
    static const tables::RuleTable table("lexicon/mass_nouns.txt");
    const auto options = table.options("mass_noun");
    return std::set<std::string_view>(options.begin(), options.end());
  }();
  return nouns.contains(lemma);
}

class EnglishLexicon final : public Lexicon {
 public:
  EnglishLexicon() : table_(lexicon_bytes()) {}

  std::string_view language() const override { return "English"; }

  std::string digest() const override {
    Digest digest;
    digest.add_bytes(lexicon_bytes());
    for (const tables::TableFile& file : tables::table_files())
      if (file.name.starts_with("lexicon/")) digest.add(file.text);
    return digest.text();
  }

  LexiconEntry look_up(std::string_view word) const override {
    if (const auto known = closed(word, looks_like_name(word))) return *known;
    const auto readings = readings_of(table_, without_case(word));
    const WordReading* best = nullptr;
    for (const WordReading& one : readings)
      if (best == nullptr || weight(one) > weight(*best)) best = &one;
    return best == nullptr ? unknown(word) : open(word, *best);
  }

  std::vector<LexiconEntry> look_up(std::string_view text, std::span<const ByteRange> words) const override {
    const std::vector<TaggedWord> tagged = tag_words(table_, text);
    std::vector<LexiconEntry> entries;
    for (const ByteRange& range : words) {
      const auto begin = static_cast<size_t>(range[0]), end = static_cast<size_t>(range[1]);
      const auto at = std::ranges::lower_bound(tagged, begin, {}, &TaggedWord::begin);
      const std::string_view word = text.substr(begin, end - begin);
      entries.push_back(at != tagged.end() && at->begin == begin && at->end == end ? in_context(word, *at)
                                                                                   : unknown(word));
    }
    return entries;
  }

  std::vector<ByteRange> words(std::string_view text) const override {
    std::vector<ByteRange> result;
    for (const TaggedWord& one : tag_words(table_, text))
      result.push_back({static_cast<Index>(one.begin), static_cast<Index>(one.end)});
    return result;
  }

  std::string article_before(std::string_view article, std::string_view replacement) const override {
    const std::string folded = without_case(article);
    if (folded != "a" && folded != "an") return std::string(article);
    const std::string right = begins_with_vowel_sound(replacement) ? "an" : "a";
    return is_capital(article.front()) ? (right == "an" ? "An" : "A") : right;
  }

  bool could_be(std::string_view word, const LexiconEntry& entry) const override {
    const ClosedWord* const known = closed_word(without_case(word));
    if (known != nullptr && known->name == entry.part) return true;
    if (known != nullptr || !entry.part) return false;
    return std::ranges::any_of(readings_of(table_, without_case(word)), [&](const WordReading& one) {
      return name_of(one.part) == *entry.part && static_cast<int>(one.form) == entry.form;
    });
  }

  bool reads(std::string_view text) const override {
    Index known = 0, all = 0;
    for (const TaggedWord& one : tag_words(table_, text)) {
      const std::string word = without_case(text.substr(one.begin, one.end - one.begin));
      if (kind_of(word).kind != WordKind::Class::kLetters) continue;
      ++all;
      known += closed_word(word) != nullptr || !readings_of(table_, word).empty() || group_of(word) != nullptr;
    }
    return 2 * known >= all;
  }

 private:
  static LexiconEntry unknown(std::string_view word) { return {.lemma = std::string(word)}; }

  // How much this reading is of the word's use. Forms are used less than what they are forms of.
  double weight(const WordReading& reading) const {
    const double count = static_cast<double>(table_.entry(reading.lemma, reading.part)->count) + 0.5;
    return reading.form == WordForm::kBase ? count : 0.25 * count;
  }

  static std::optional<LexiconEntry> closed(std::string_view word, bool may_be_name) {
    std::optional<ClosedWord> known;
    if (may_be_name || !is_capital(word.front())) known = name_word(word);
    if (!known) known = number_word(word);
    if (!known)
      if (const ClosedWord* const found = closed_word(without_case(word))) known = *found;
    if (!known) return std::nullopt;
    LexiconEntry entry{std::string(known->name), without_case(word), known->synonyms,
                       known->antonyms,          known->alike,       kClosedClasses};
    for (auto* list : {&entry.synonyms, &entry.antonyms, &entry.alike})
      for (std::string& one : *list) one = with_capitals_of(word, one);
    return entry;
  }

  // "John" at the beginning of a sentence, but not "Will".
  bool is_rather_a_name(std::string_view word) const {
    constexpr long kCommon = 10;
    if (!name_word(word)) return false;
    const auto id = table_.find(without_case(word));
    if (closed_word(without_case(word)) != nullptr) return false;
    long count = 0;
    if (id)
      for (const auto& entry : table_.entries(*id)) count += entry.count;
    return count < kCommon;
  }

  // Whether a member of a closed class may be used as this part of speech; "second" is a unit as a noun alone.
  static bool may_be(std::string_view name, PartOfSpeech part) {
    if (name == "unit" || name == "currency" || name == "direction") return part == PartOfSpeech::kNoun;
    return part == PartOfSpeech::kAdverb;
  }

  LexiconEntry in_context(std::string_view word, const TaggedWord& tagged) const {
    const bool is_name = looks_like_name(word) && (!tagged.begins_sentence || is_rather_a_name(word));
    const auto known = closed(word, is_name);
    if (is_name) return known ? *known : LexiconEntry{.part = "name", .lemma = std::string(word)};
    const std::string folded = without_case(word);
    if (!tagged.part && (folded == "that" || folded == "her") && known && known->part != tagged.role)
      return {.part = std::string(tagged.role), .lemma = folded};
    if (!tagged.part) return known ? *known : unknown(word);
    if (known && may_be(known->part.value(), *tagged.part)) return *known;
    const WordReading* best = nullptr;
    const auto readings = readings_of(table_, without_case(word));
    for (const WordReading& one : readings) {
      if (one.part != *tagged.part || (one.part == PartOfSpeech::kVerb && one.form != tagged.verb_form)) continue;
      if (best == nullptr || weight(one) > weight(*best)) best = &one;
    }
    LexiconEntry entry = best == nullptr ? look_up(word) : open(word, *best);
    if (tagged.part == PartOfSpeech::kVerb && tagged.has_particle) entry.synonyms = entry.antonyms = {};
    return entry;
  }

  bool past_is_participle(WordId verb) const {
    return inflected(table_, verb, PartOfSpeech::kVerb, WordForm::kPast) ==
           inflected(table_, verb, PartOfSpeech::kVerb, WordForm::kParticiple);
  }

  LexiconEntry open(std::string_view word, const WordReading& reading) const {
    const auto entry = *table_.entry(reading.lemma, reading.part);
    const bool own_mass = reading.part == PartOfSpeech::kNoun && is_mass_noun(table_.text(reading.lemma));
    // "watched" may be a past or a participle; "saw" is only one of them.
    const bool may_be_either =
        reading.part == PartOfSpeech::kVerb && reading.form == WordForm::kPast && past_is_participle(reading.lemma);
    const auto forms = [&](const std::vector<WordId>& lemmas) {
      std::vector<std::string> result;
      for (const WordId lemma : lemmas) {
        if (closed_word(table_.text(lemma)) != nullptr) continue;
        if (may_be_either && !past_is_participle(lemma)) continue;
        if (reading.part == PartOfSpeech::kNoun && is_mass_noun(table_.text(lemma)) != own_mass) continue;
        const auto form = inflected(table_, lemma, reading.part, reading.form);
        if (form && without_case(*form) != without_case(word)) result.push_back(with_capitals_of(word, *form));
      }
      return result;
    };
    LexiconEntry found{std::string(name_of(reading.part)),
                       std::string(table_.text(reading.lemma)),
                       forms(entry.synonyms),
                       forms(entry.antonyms),
                       forms(table_.alike(entry, 2 * kMostAlike)),
                       kWordNet,
                       static_cast<int>(reading.form)};
    if (found.alike.size() > kMostAlike) found.alike.resize(kMostAlike);
    return found;
  }

  LexiconTable table_;
};

}  // namespace

const Lexicon& english_lexicon() {
  static const EnglishLexicon lexicon;
  return lexicon;
}

const Lexicon* lexicon_of(std::string_view text) {
  return english_lexicon().reads(text) ? &english_lexicon() : nullptr;
}

}  // namespace wordsway

#include <algorithm>
#include <cmath>
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
      if (at == tagged.end() || at->begin != begin || at->end != end) {
        entries.push_back(unknown(word));
        continue;
      }
      const ClosedWord* const closed = closed_word(without_case(word));
      entries.push_back(fitting(in_context(word, *at), at->around));
      if (closed != nullptr && entries.back().antonyms.empty())
        entries.back().antonyms =
            antonyms_after(*closed, text, std::span(tagged).first(static_cast<size_t>(at - tagged.begin())));
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

  // In a text, "better" compares, whatever else it may be.
  double rank(const WordReading& reading) const {
    const bool compares = reading.form == WordForm::kComparative || reading.form == WordForm::kSuperlative;
    return compares ? HUGE_VAL : weight(reading);
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
    if (entry.alike.size() > kMostAlike) entry.alike.resize(kMostAlike);
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

  // "gambling" and "heights" are nouns of another kind than "show": what is done, and what is many. "easy" is an
  // adverb, but not where "easily" is one.
  bool are_alike_in_form(PartOfSpeech part, WordId a, WordId b) const {
    if (part == PartOfSpeech::kAdverb) return table_.text(a).ends_with("ly") == table_.text(b).ends_with("ly");
    if (part != PartOfSpeech::kNoun) return true;
    const auto is_gerund = [&](WordId word) { return table_.text(word).ends_with("ing"); };
    const auto is_many = [&](WordId word) {
      const std::string_view text = table_.text(word);
      if (text == "series" || text == "species" || text == "means" || text == "news") return false;
      return text.ends_with('s') && !text.ends_with("ss") && !text.ends_with("us") && !text.ends_with("is");
    };
    return (is_gerund(a) || !is_gerund(b)) && is_many(a) == is_many(b);
  }

  // Whether a member of a closed class may be used as this part of speech; "second" is a unit as a noun alone.
  static bool may_be(std::string_view name, PartOfSpeech part) {
    if (name == "unit" || name == "currency" || name == "direction" || name == "persons")
      return part == PartOfSpeech::kNoun;
    return part == PartOfSpeech::kAdverb;
  }

  LexiconEntry in_context(std::string_view word, const TaggedWord& tagged) const {
    const bool is_name = looks_like_name(word) && (!tagged.begins_sentence || is_rather_a_name(word));
    const auto known = closed(word, is_name);
    if (is_name) return known ? *known : LexiconEntry{.part = "name", .lemma = std::string(word)};
    const std::string folded = without_case(word);
    const bool has_two_roles = folded == "that" || folded == "her" || (folded == "there" && tagged.role == "pronoun");
    if (!tagged.part && has_two_roles && known && known->part != tagged.role)
      return {.part = std::string(tagged.role), .lemma = folded};
    if (!tagged.part) return known ? *known : unknown(word);
    if (known && may_be(known->part.value(), *tagged.part)) return *known;
    const WordReading* best = nullptr;
    const auto readings = readings_of(table_, without_case(word));
    for (const WordReading& one : readings) {
      if (one.part != *tagged.part || (one.part == PartOfSpeech::kVerb && one.form != tagged.verb_form)) continue;
      if (best == nullptr || rank(one) > rank(*best)) best = &one;
    }
    if (best == nullptr) return look_up(word);
    // A verb that does not take what stands around it has its object elsewhere: "the film that I watched".
    const std::uint32_t taken = taken_in(tagged.around), may_take = table_.entry(best->lemma, best->part)->may_take;
    const bool is_told = (may_take & taken) == taken;
    LexiconEntry entry = open(word, *best, is_told ? taken : verb_takes::kObject);
    if (!is_told) entry.alike = {};
    return entry;
  }

  static std::uint32_t taken_in(Surroundings around) {
    switch (around) {
      case Surroundings::kObject:
        return verb_takes::kObject;
      case Surroundings::kNothing:
        return verb_takes::kNothing;
      case Surroundings::kInfinitive:
        return verb_takes::kInfinitive;
      case Surroundings::kClause:
        return verb_takes::kClause;
      default:
        return 0;
    }
  }

  // The lists without what is wrong between these neighbours.
  static LexiconEntry fitting(LexiconEntry entry, Surroundings around) {
    if (around == Surroundings::kNothingFits || around == Surroundings::kOnlyAlike)
      entry.synonyms = entry.antonyms = {};
    const bool stands_bare = is_mass_noun(entry.lemma) || (entry.source == kClosedClasses && entry.lemma != "was");
    if (around == Surroundings::kNothingFits || (around == Surroundings::kNothingAlike && !stands_bare))
      entry.alike = {};
    // "you" is a subject or an object, and others are one of these.
    if (entry.lemma == "you")
      std::erase_if(entry.alike, [&](const std::string& one) {
        const std::string folded = without_case(one);
        const bool is_object = folded == "me" || folded == "him" || folded == "us" || folded == "them";
        return is_object != (around == Surroundings::kObject);
      });
    return entry;
  }

  // The opposite that a word has behind one of the last few words, which must be a certain verb: "turn it on".
  std::vector<std::string> antonyms_after(const ClosedWord& word, std::string_view text,
                                          std::span<const TaggedWord> before) const {
    constexpr size_t kReach = 4;
    for (const TaggedWord& one : before.last(std::min(kReach, before.size()))) {
      if (one.part != PartOfSpeech::kVerb) continue;
      for (const WordReading& reading : readings_of(table_, without_case(text.substr(one.begin, one.end - one.begin))))
        for (const VerbOpposite& opposite : word.after)
          if (std::ranges::find(opposite.verbs, table_.text(reading.lemma)) != opposite.verbs.end())
            return {opposite.antonym};
    }
    return {};
  }

  bool past_is_participle(WordId verb) const {
    return inflected(table_, verb, PartOfSpeech::kVerb, WordForm::kPast) ==
           inflected(table_, verb, PartOfSpeech::kVerb, WordForm::kParticiple);
  }

  // `wanted` is what other verbs must take.
  LexiconEntry open(std::string_view word, const WordReading& reading, std::uint32_t wanted = 0) const {
    const auto entry = *table_.entry(reading.lemma, reading.part);
    const bool own_mass = reading.part == PartOfSpeech::kNoun && is_mass_noun(table_.text(reading.lemma));
    // "watched" may be a past or a participle; "saw" is only one of them.
    const bool may_be_either =
        reading.part == PartOfSpeech::kVerb && reading.form == WordForm::kPast && past_is_participle(reading.lemma);
    // Words alike must take it in their first sense; a synonym or an opposite shares a sense with the word.
    const auto takes_it = [&](WordId lemma, bool alike) {
      if (wanted == 0) return true;
      const auto other = *table_.entry(lemma, reading.part);
      return ((alike ? other.takes : other.may_take) & wanted) == wanted;
    };
    const auto forms = [&](const std::vector<WordId>& lemmas, bool alike = false) {
      std::vector<std::string> result;
      for (const WordId lemma : lemmas) {
        if (closed_word(table_.text(lemma)) != nullptr) continue;
        if (may_be_either && !past_is_participle(lemma)) continue;
        if (!takes_it(lemma, alike)) continue;
        if (!are_alike_in_form(reading.part, entry.word, lemma)) continue;
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
                       forms(table_.alike(entry, 2 * kMostAlike), true),
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

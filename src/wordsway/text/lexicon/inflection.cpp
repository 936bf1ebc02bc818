#include "wordsway/text/lexicon/inflection.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "wordsway/text/tables/tables.h"

namespace wordsway {
namespace {

using WordId = LexiconTable::WordId;

struct VerbForms {
  std::string_view past, participle;
};

const std::map<std::string_view, VerbForms>& irregular_verbs() {
  static const auto verbs = [] {
    std::map<std::string_view, VerbForms> found;
    for (const auto& row : tables::rows_of("lexicon/irregular_verbs.tsv", {"verb", "past", "participle"}))
      found.emplace(row[0], VerbForms{row[1], row[2]});
    return found;
  }();
  return verbs;
}

bool is_vowel(char c) {
  return std::string_view("aeiou").find(c) != std::string_view::npos;
}

// How often vowels follow other letters: about the number of syllables, a silent e at the end aside.
int syllables(std::string_view word) {
  if (word.size() > 2 && word.back() == 'e' && !word.ends_with("le")) word.remove_suffix(1);
  int count = 0;
  for (size_t k = 0; k < word.size(); ++k) {
    const auto sounds = [&](size_t at) { return is_vowel(word[at]) || word[at] == 'y'; };
    if (sounds(k) && (k == 0 || !sounds(k - 1))) ++count;
  }
  return std::max(count, 1);
}

// "stop" doubles its last letter before an ending that begins with a vowel; "visit", stressed before, does not. Longer
// verbs that double it, such as "admit", are among WordNet's irregular forms.
bool doubles_last_letter(std::string_view word) {
  const size_t n = word.size();
  return n >= 3 && syllables(word) == 1 && !is_vowel(word[n - 1]) && is_vowel(word[n - 2]) && !is_vowel(word[n - 3]) &&
         std::string_view("wxy").find(word[n - 1]) == std::string_view::npos;
}

bool ends_in_consonant_and_y(std::string_view word) {
  return word.size() >= 2 && word.back() == 'y' && !is_vowel(word[word.size() - 2]);
}

std::string without_last(std::string_view word) {
  return std::string(word.substr(0, word.size() - 1));
}

std::string with_s(std::string_view word) {
  if (ends_in_consonant_and_y(word)) return without_last(word) + "ies";
  for (const std::string_view ending : {"s", "x", "z", "ch", "sh"})
    if (word.ends_with(ending)) return std::string(word) + "es";
  // "heroes", but "autos": most are short for something, or from another language.
  static const std::set<std::string_view> kWithE = {"do",     "go",      "hero",     "potato",  "tomato",  "echo",
                                                    "veto",   "torpedo", "mosquito", "tornado", "volcano", "buffalo",
                                                    "domino", "mango",   "embargo",  "forgo",   "undergo", "outdo",
                                                    "redo",   "undo",    "overdo"};
  if (word.ends_with('o') && kWithE.contains(word)) return std::string(word) + "es";
  return std::string(word) + "s";
}

// "woman", "fireman"; but not "human".
bool is_a_kind_of_man(std::string_view word) {
  if (!word.ends_with("man")) return false;
  constexpr std::array<std::string_view, 8> kOthers = {"human",   "german", "roman",    "norman",
                                                       "ottoman", "shaman", "talisman", "caiman"};
  return std::ranges::none_of(kOthers, [&](std::string_view other) { return word.ends_with(other); });
}

// With "ed", "er" or "est".
std::string with_e(std::string_view word, std::string_view ending) {
  if (word.back() == 'e') return std::string(word) + std::string(ending.substr(1));
  if (ends_in_consonant_and_y(word)) return without_last(word) + "i" + std::string(ending);
  if (doubles_last_letter(word)) return std::string(word) + word.back() + std::string(ending);
  return std::string(word) + std::string(ending);
}

std::string with_ing(std::string_view word) {
  if (word.ends_with("lie") || word.ends_with("tie") || word == "die" || word == "vie")
    return std::string(word.substr(0, word.size() - 2)) + "ying";
  if (word.size() > 2 && word.back() == 'e' && !word.ends_with("ee") && !word.ends_with("oe") && !word.ends_with("ye"))
    return without_last(word) + "ing";
  if (doubles_last_letter(word)) return std::string(word) + word.back() + "ing";
  return std::string(word) + "ing";
}

// Which form of its lemma an irregular form of WordNet's is; a past may be a participle, too.
std::vector<WordForm> kinds_of_form(std::string_view form, std::string_view lemma, PartOfSpeech part) {
  switch (part) {
    case PartOfSpeech::kNoun:
      return {WordForm::kPlural};
    case PartOfSpeech::kVerb: {
      if (form.ends_with("ing")) return {WordForm::kGerund};
      if (form.ends_with('s') && !lemma.ends_with('s')) return {WordForm::kThirdPerson};
      const auto known = irregular_verbs().find(lemma);
      if (known == irregular_verbs().end()) return {WordForm::kPast, WordForm::kParticiple};
      const auto& [past, participle] = known->second;
      if (form != past && form != participle) return {WordForm::kPast, WordForm::kParticiple};  // "burnt" beside burned
      std::vector<WordForm> kinds;
      if (form == past) kinds.push_back(WordForm::kPast);
      if (form == participle) kinds.push_back(WordForm::kParticiple);
      return kinds;
    }
    default:
      return {form.ends_with('t') ? WordForm::kSuperlative : WordForm::kComparative};
  }
}

struct Ending {
  std::string_view ending, instead;
  PartOfSpeech part;
  std::array<WordForm, 2> forms;  // twice the same for endings that tell
};

using enum PartOfSpeech;
using enum WordForm;
constexpr Ending kEndings[] = {{"s", "", kNoun, {kPlural, kPlural}},
                               {"es", "", kNoun, {kPlural, kPlural}},
                               {"ies", "y", kNoun, {kPlural, kPlural}},
                               {"men", "man", kNoun, {kPlural, kPlural}},
                               {"s", "", kVerb, {kThirdPerson, kThirdPerson}},
                               {"es", "", kVerb, {kThirdPerson, kThirdPerson}},
                               {"ies", "y", kVerb, {kThirdPerson, kThirdPerson}},
                               {"ed", "", kVerb, {kPast, kParticiple}},
                               {"ed", "e", kVerb, {kPast, kParticiple}},
                               {"ied", "y", kVerb, {kPast, kParticiple}},
                               {"ing", "", kVerb, {kGerund, kGerund}},
                               {"ing", "e", kVerb, {kGerund, kGerund}},
                               {"er", "", kAdjective, {kComparative, kComparative}},
                               {"er", "e", kAdjective, {kComparative, kComparative}},
                               {"ier", "y", kAdjective, {kComparative, kComparative}},
                               {"est", "", kAdjective, {kSuperlative, kSuperlative}},
                               {"est", "e", kAdjective, {kSuperlative, kSuperlative}},
                               {"iest", "y", kAdjective, {kSuperlative, kSuperlative}},
                               {"er", "", kAdverb, {kComparative, kComparative}},
                               {"er", "e", kAdverb, {kComparative, kComparative}},
                               {"ier", "y", kAdverb, {kComparative, kComparative}},
                               {"est", "", kAdverb, {kSuperlative, kSuperlative}},
                               {"est", "e", kAdverb, {kSuperlative, kSuperlative}},
                               {"iest", "y", kAdverb, {kSuperlative, kSuperlative}}};

void add_reading_by_rule(const LexiconTable& table, std::string_view word, const Ending& rule, const std::string& stem,
                         std::vector<WordReading>& readings) {
  const auto lemma = table.find(stem);
  if (!lemma || !table.entry(*lemma, rule.part)) return;
  for (size_t k = 0; k < (rule.forms[0] == rule.forms[1] ? 1U : 2U); ++k)
    // The rules must lead back: "hoping" is of hope, not of hop.
    if (inflected(table, *lemma, rule.part, rule.forms[k]) == word)
      readings.push_back({*lemma, rule.part, rule.forms[k]});
}

void add_regular_readings(const LexiconTable& table, std::string_view word, std::vector<WordReading>& readings) {
  for (const Ending& rule : kEndings) {
    if (!word.ends_with(rule.ending) || word.size() <= rule.ending.size() + 1) continue;
    const std::string_view stem = word.substr(0, word.size() - rule.ending.size());
    add_reading_by_rule(table, word, rule, std::string(stem) + std::string(rule.instead), readings);
    const size_t n = stem.size();
    if (rule.instead.empty() && rule.ending.front() != 's' && n > 2 && stem[n - 1] == stem[n - 2])
      add_reading_by_rule(table, word, rule, std::string(stem.substr(0, n - 1)), readings);  // "stopped"
  }
}

}  // namespace

std::vector<WordReading> readings_of(const LexiconTable& table, std::string_view word) {
  std::vector<WordReading> readings;
  const auto own = table.find(word);
  if (own)
    for (const auto& entry : table.entries(*own)) readings.push_back({*own, entry.part, kBase});
  for (const PartOfSpeech part : kPartsOfSpeech)
    for (const WordId lemma : table.lemmas_of(word, part)) {
      if (!table.entry(lemma, part)) continue;
      for (const WordForm form : kinds_of_form(word, table.text(lemma), part)) readings.push_back({lemma, part, form});
    }
  // "put" is also the past of put, and no file says so.
  if (const auto verb = irregular_verbs().find(word); own && verb != irregular_verbs().end()) {
    if (verb->second.past == word) readings.push_back({*own, kVerb, kPast});
    if (verb->second.participle == word) readings.push_back({*own, kVerb, kParticiple});
  }
  add_regular_readings(table, word, readings);
  return readings;
}

std::optional<std::string> inflected(const LexiconTable& table, WordId lemma, PartOfSpeech part, WordForm form) {
  const std::string_view word = table.text(lemma);
  if (form == kBase) return std::string(word);
  if (part == kVerb)
    if (const auto verb = irregular_verbs().find(word); verb != irregular_verbs().end()) {
      if (form == kPast) return std::string(verb->second.past);
      if (form == kParticiple) return std::string(verb->second.participle);
    }
  for (const std::string_view one : table.forms_of(lemma, part))
    if (std::ranges::count(kinds_of_form(one, word, part), form) > 0) return std::string(one);
  // "morals" is a plural already.
  if (form == kPlural && word.ends_with('s') && table.find(word.substr(0, word.size() - 1))) return std::nullopt;
  switch (form) {
    case kPlural:
      if (is_a_kind_of_man(word)) return std::string(word.substr(0, word.size() - 3)) + "men";
      return with_s(word);
    case kThirdPerson:
      return with_s(word);
    case kPast:
    case kParticiple:
      return with_e(word, "ed");
    case kGerund:
      return with_ing(word);
    default:
      break;
  }
  // Of adverbs, only those that are adjectives, too, as "fast".
  if (part == kAdverb && !table.entry(lemma, kAdjective)) return std::nullopt;
  const bool is_short = syllables(word) == 1 || (syllables(word) == 2 && ends_in_consonant_and_y(word));
  if (!is_short || part == kNoun) return std::nullopt;
  return with_e(word, form == kComparative ? "er" : "est");
}

bool begins_with_vowel_sound(std::string_view word) {
  if (word.empty()) return false;
  std::string text(word);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view silent : {"hour", "honest", "honor", "honour", "heir"})
    if (text.starts_with(silent)) return true;
  for (const std::string_view spoken : {"uni", "use", "usu", "uti", "eu", "one", "once", "ubi", "ura", "ute"})
    if (text.starts_with(spoken))
      return text.starts_with("unin") || text.starts_with("unim") || text.starts_with("unid");
  if (text.front() == '8' || text.starts_with("11") || text.starts_with("18")) return true;
  return is_vowel(text.front());
}

}  // namespace wordsway

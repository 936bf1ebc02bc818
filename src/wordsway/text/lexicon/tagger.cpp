#include "wordsway/text/lexicon/tagger.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "wordsway/text/lexicon/closed_classes.h"
#include "wordsway/text/tables/tables.h"
#include "wordsway/text/words/whole_words.h"

namespace wordsway {
namespace {

using namespace tags;

constexpr std::array<std::string_view, kTags> kTagNames = {"N", "VB", "VZ", "VD", "VG", "A", "R", "D", "P", "T",
                                                           "C", "S",  "M",  "B",  "H",  "G", "W", "Q", "."};
constexpr int kStart = kTags;  // a row of the table alone

// The share of the words of a text that have an open tag: emissions are by words that have the tag.
constexpr std::array<double, kTags> kTagShares = {0.28, 0.06, 0.03, 0.07, 0.03, 0.10, 0.06, 0.12, 0.11, 0.02,
                                                  0.06, 0.06, 0.03, 0.05, 0.02, 0.02, 0.02, 0.02, 0.12};

// How much of the use of a word that is in a closed class is as a member of that class: less if it is a common word of
// an open one, as "like" is.
constexpr double kClosedShare = 0.9, kOftenOpenShare = 0.6;
constexpr long kCommon = 50;  // occurrences in the lexicon's corpus

using TransitionTable = std::array<std::array<double, kTags>, kTags + 1>;  // logarithms, [before][after]

const TransitionTable& transitions() {
  static const TransitionTable table = [] {
    constexpr const char* kFile = "lexicon/tag_bigrams.tsv";
    const auto rows = tables::rows_of(kFile, {"tag", "N", "VB", "VZ", "VD", "VG", "A", "R", "D", "P",
                                              "T",   "C", "S",  "M",  "B",  "H",  "G", "W", "Q", "."});
    TransitionTable result{};
    if (rows.size() != kTags + 1) tables::refuse_table(kFile, "", "has another number of rows");
    for (const auto& row : rows) {
      const auto at = std::ranges::find(kTagNames, row[0]);
      auto& logs = result[row[0] == "start" ? kStart : static_cast<size_t>(at - kTagNames.begin())];
      double sum = 0;
      for (size_t k = 0; k < kTags; ++k) {
        const std::string_view field = row[k + 1];
        std::from_chars(field.data(), field.data() + field.size(), logs[k]);
        sum += logs[k] = std::max(logs[k], 1e-3);
      }
      for (double& value : logs) value = std::log(value / sum);
    }
    return result;
  }();
  return table;
}

struct Token {
  size_t begin, end;
  std::string folded;  // in lower case
  bool has_capital;
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<signed char>(c) < 0;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Words, with "'s" and the like as words of their own, and marks.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  const auto add = [&](size_t begin, size_t end) {
    const bool capital = text[begin] >= 'A' && text[begin] <= 'Z';
    tokens.push_back({begin, end, without_case(text.substr(begin, end - begin)), capital});
  };
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
      ++at;
      continue;
    }
    const size_t begin = at;
    const auto within = [&](size_t k) {
      if (is_letter(text[k]) || is_digit(text[k])) return true;
      const bool joins = text[k] == '-' || text[k] == '\'';
      return joins && k > begin && k + 1 < text.size() && is_letter(text[k + 1]) && is_letter(text[k - 1]);
    };
    while (at < text.size() && within(at)) ++at;
    if (at == begin) {
      add(begin, ++at);
      continue;
    }
    const std::string_view word = text.substr(begin, at - begin);
    const size_t mark = word.rfind('\'');
    if (mark == std::string_view::npos || mark == 0 || word.ends_with("n't")) {
      add(begin, at);
    } else {
      add(begin, begin + mark);
      add(begin + mark, at);
    }
  }
  return tokens;
}

struct Choice {
  Tag tag;
  double weight;  // its share of the use of the word; log of the emission once all are known
};

// "is", "isn't"; "have", "haven't": what they are without their negation. Others as they are.
std::string_view without_negation(std::string_view word) {
  if (word == "can't" || word == "cannot") return "can";
  if (word == "won't") return "will";
  if (word.ends_with("n't")) word.remove_suffix(3);
  return word;
}

std::vector<Tag> tags_of_class(std::string_view word, std::string_view name) {
  if (is_one_of(word, {"to"})) return {kT, kP};
  if (word == "that") return {kC, kD, kS};
  if (word == "her") return {kD, kS};
  if (word == "there") return {kS, kR};
  if (word == "so") return {kG, kR, kC};
  if (word == "as") return {kP, kC, kG};
  if (word == "than") return {kC, kP};
  if (is_one_of(word, {"up", "down", "off", "out", "in", "on", "over", "around", "along", "about", "before", "after"}))
    return {kP, kR};
  if (is_one_of(word, {"more", "most", "less", "least"})) return {kG, kD, kR, kS};
  if (is_one_of(word, {"much", "enough", "all", "both", "another"})) return {kD, kS, kR};
  if (word.ends_with("body") || word.ends_with("one") || word.ends_with("thing")) return {name == "number" ? kQ : kS};
  if (is_one_of(word, {"have", "has", "had", "having"})) return {kH};
  if (is_one_of(word, {"do", "does", "did"})) return {kM};
  if (name == "auxiliary") return {kB};
  if (name == "modal") return {kM};
  if (name == "pronoun") return {kS};
  if (name == "determiner" || name == "quantifier" || name == "negation") return {kD};
  if (name == "preposition") return {kP};
  if (name == "conjunction") return {kC};
  if (name == "question word") return {kW};
  if (name == "degree") return {kG, kR};
  if (name == "answer") return {kMark};
  if (name == "direction") return {kN, kA, kR};
  if (name == "number") return {kQ};
  if (name == "unit" || name == "currency") return {kN};
  return {kR};
}

bool is_open(Tag tag) {
  return tag <= kR;
}

PartOfSpeech part_of(Tag tag) {
  if (tag == kN) return PartOfSpeech::kNoun;
  if (tag == kA) return PartOfSpeech::kAdjective;
  return tag == kR ? PartOfSpeech::kAdverb : PartOfSpeech::kVerb;
}

WordForm verb_form_of(Tag tag, bool is_participle) {
  if (tag == kVZ) return WordForm::kThirdPerson;
  if (tag == kVG) return WordForm::kGerund;
  if (tag == kVD) return is_participle ? WordForm::kParticiple : WordForm::kPast;
  return WordForm::kBase;
}

// A form's tag, and how much of the use of a lemma is in this form.
Choice choice_of(const WordReading& reading) {
  switch (reading.form) {
    case WordForm::kBase: {
      constexpr std::array<Choice, 4> kBase = {{{kN, 0.75}, {kVB, 0.4}, {kA, 1}, {kR, 1}}};
      return kBase[static_cast<size_t>(reading.part)];
    }
    case WordForm::kPlural:
      return {kN, 0.25};
    case WordForm::kThirdPerson:
      return {kVZ, 0.15};
    case WordForm::kPast:
      return {kVD, 0.2};
    case WordForm::kParticiple:
      return {kVD, 0.15};
    case WordForm::kGerund:
      return {kVG, 0.15};
    case WordForm::kComparative:
    case WordForm::kSuperlative:
      break;
  }
  return {reading.part == PartOfSpeech::kAdverb ? kR : kA, 0.1};
}

// What the ending of an unknown word suggests.
std::vector<Choice> guesses(const Token& token, bool first) {
  const std::string& word = token.folded;
  const auto ends = [&](std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [&](std::string_view one) { return word.ends_with(one); });
  };
  if (token.has_capital && !first) return {{kN, 1}};
  if (word.ends_with("ly")) return {{kR, 0.9}, {kA, 0.1}};
  if (word.ends_with("ing")) return {{kVG, 0.6}, {kN, 0.2}, {kA, 0.2}};
  if (word.ends_with("ed")) return {{kVD, 0.6}, {kA, 0.4}};
  if (ends({"ous", "ful", "ive", "able", "ible", "ish", "less", "ical", "esque"})) return {{kA, 0.95}, {kN, 0.05}};
  if (word.find('-') != std::string::npos) return {{kA, 0.6}, {kN, 0.4}};
  if (word.ends_with('s')) return {{kN, 0.9}, {kVZ, 0.1}};
  return {{kN, 0.8}, {kA, 0.1}, {kVB, 0.1}};
}

void normalise(std::vector<Choice>& choices, double sum) {
  double total = 0;
  for (const Choice& one : choices) total += one.weight;
  for (Choice& one : choices) one.weight *= sum / total;
}

void add_choice(std::vector<Choice>& choices, Tag tag, double weight) {
  const auto known = std::ranges::find(choices, tag, &Choice::tag);
  if (known != choices.end())
    known->weight += weight;
  else
    choices.push_back({tag, weight});
}

std::vector<Choice> open_choices(const LexiconTable& table, const Token& token, bool first) {
  std::vector<Choice> choices;
  for (const WordReading& reading : readings_of(table, token.folded)) {
    const auto [tag, share] = choice_of(reading);
    add_choice(choices, tag, share * (static_cast<double>(table.entry(reading.lemma, reading.part)->count) + 0.5));
  }
  if (choices.empty()) choices = guesses(token, first);
  normalise(choices, 1);
  if (token.has_capital && !first) add_choice(choices, kN, 1);  // a title or a name
  normalise(choices, 1);
  return choices;
}

std::vector<Choice> choices_of(const LexiconTable& table, const Token& token, bool first) {
  const std::string& word = token.folded;
  if (word.front() == '\'') {
    if (word == "'s") return {{kB, 0.5}, {kD, 0.5}};
    if (word == "'m" || word == "'re") return {{kB, 1}};
    if (word == "'ve") return {{kH, 1}};
    if (word == "'ll" || word == "'d") return {{kM, 1}};
    return {{kMark, 1}};
  }
  if (is_digit(word.front())) return {{kQ, 0.9}, {kN, 0.1}};
  if (!is_letter(word.front())) return {{kMark, 1}};
  const std::string_view base = without_negation(word);
  const ClosedWord* const closed = closed_word(base);
  if (closed == nullptr) return open_choices(table, token, first);
  std::vector<Choice> choices;
  for (const Tag tag : tags_of_class(base, closed->name)) choices.push_back({tag, 1});
  const bool also_open = table.find(word).has_value() &&
                         !is_one_of(closed->name, {"pronoun", "determiner", "auxiliary", "number", "quantifier"});
  if (also_open) {
    long count = 0;
    for (const auto& entry : table.entries(*table.find(word))) count += entry.count;
    const double share = count >= kCommon ? kOftenOpenShare : kClosedShare;
    normalise(choices, share);
    auto open = open_choices(table, token, first);
    normalise(open, 1 - share);
    for (const Choice& one : open) add_choice(choices, one.tag, one.weight);
  }
  return choices;
}

// The likeliest tags of all the tokens together (Viterbi).
std::vector<Tag> likeliest(const std::vector<std::vector<Choice>>& choices) {
  std::vector<std::array<double, kTags>> scores(choices.size());
  std::vector<std::array<int, kTags>> before(choices.size());
  for (size_t t = 0; t < choices.size(); ++t) {
    scores[t].fill(-HUGE_VAL);
    for (const Choice& one : choices[t]) {
      double best = t == 0 ? transitions()[kStart][one.tag] : -HUGE_VAL;
      for (size_t from = 0; t > 0 && from < kTags; ++from) {
        const double score = scores[t - 1][from] + transitions()[from][one.tag];
        if (score > best) best = score, before[t][one.tag] = static_cast<int>(from);
      }
      scores[t][one.tag] = best + std::log(one.weight / kTagShares[one.tag]);
    }
  }
  std::vector<Tag> tags(choices.size());
  for (size_t t = choices.size(); t-- > 0;) {
    tags[t] = t + 1 == choices.size() ? static_cast<Tag>(std::ranges::max_element(scores[t]) - scores[t].begin())
                                      : static_cast<Tag>(before[t + 1][tags[t + 1]]);
  }
  return tags;
}

}  // namespace

std::vector<TaggedWord> tag_words(const LexiconTable& table, std::string_view text) {
  const std::vector<Token> tokens = tokens_of(text);
  std::vector<TaggedWord> words;
  std::vector<size_t> tagged;  // the tokens that count: a negation changes nothing for its neighbours
  std::vector<std::vector<Choice>> choices;
  for (size_t t = 0; t < tokens.size(); ++t) {
    const bool first = t == 0 || is_one_of(tokens[t - 1].folded, {".", "!", "?", ":", "\"", "("});
    words.push_back({tokens[t].begin, tokens[t].end, first});
    if (tokens[t].folded == "not") continue;
    tagged.push_back(t);
    choices.push_back(choices_of(table, tokens[t], first));
  }
  if (choices.empty()) return words;
  const std::vector<Tag> found = likeliest(choices);
  Tag auxiliary = kMark;  // the last tag that is neither an adverb nor of degree
  bool asks = false;      // "Is smoking permitted": the sentence begins with its auxiliary
  for (size_t k = 0; k < found.size(); ++k) {
    TaggedWord& word = words[tagged[k]];
    if (is_open(found[k])) word.part = part_of(found[k]);
    word.role = found[k] == kD ? "determiner" : found[k] == kS ? "pronoun" : found[k] == kC ? "conjunction" : "";
    const std::string_view next = tagged[k] + 1 < tokens.size() ? tokens[tagged[k] + 1].folded : std::string_view();
    word.verb_form = verb_form_of(found[k], asks || auxiliary == kB || auxiliary == kH || next == "by");
    const std::string_view previous = tagged[k] > 0 ? tokens[tagged[k] - 1].folded : std::string_view();
    const bool in_name =
        tokens[tagged[k]].has_capital && tagged[k] + 1 < tokens.size() && tokens[tagged[k] + 1].has_capital;
    const bool passive = word.verb_form == WordForm::kParticiple && auxiliary != kH;
    // "New York has …"
    word.around =
        in_name && word.part
            ? Surroundings::kNothingFits
            : surroundings({found, k, tokens[tagged[k]].folded, previous, next, word.begins_sentence, passive});
    if (found[k] != kR && found[k] != kG) auxiliary = found[k];
    if (word.begins_sentence) asks = found[k] == kB || found[k] == kH;
  }
  return words;
}

}  // namespace wordsway

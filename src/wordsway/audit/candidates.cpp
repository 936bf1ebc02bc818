#include "wordsway/audit/candidates.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "wordsway/audit/embed.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/utf8.h"
#include "wordsway/random/random_order.h"
#include "wordsway/text/tokenizer/unicode.h"
#include "wordsway/text/words/known_names.h"

namespace wordsway {
namespace {

using Class = WordKind::Class;

// The context that a head sees on either side of a word, in bytes: about eighty words. More would cost more and change
// little.
constexpr size_t kContext = 400;

bool has_capital(std::string_view word) {
  const std::u32string text = unicode::decode(word);
  char32_t buffer[2];
  return !text.empty() && unicode::is_letter(text.front()) &&
         unicode::lowercase(text.front(), buffer) != std::u32string_view(text.data(), 1);
}

bool begins_sentence(const std::string& text, size_t begin) {
  const size_t before = begin == 0 ? std::string::npos : text.find_last_not_of(" \t\"'([", begin - 1);
  return before == std::string::npos || std::string_view(".!?:\n").find(text[before]) != std::string_view::npos;
}

// Recognises a name by the group it belongs to, or by its capital within a sentence.
struct NameCheck {
  bool is_name = false;
  const NameGroup* group = nullptr;  // nothing: some name
};

NameCheck check_name(const std::string& text, const Word& word) {
  if (kind_of(word.text).kind != Class::kLetters) return {};
  const NameGroup* group = group_of(word.text);
  if (!has_capital(word.text)) return {group != nullptr && group->told_by_word, group};
  const bool first = begins_sentence(text, static_cast<size_t>(word.bytes[0]));
  if (group != nullptr) return {true, group};
  return {!first && unicode::decode(word.text).size() > 1, nullptr};
}

bool fits(const WholeWord& candidate, WordKind kind, bool one_letter) {
  if (candidate.is_letter && !one_letter) return false;
  if (kind.kind == Class::kPunctuation) return candidate.kind.kind == Class::kPunctuation;
  return candidate.kind == kind || (candidate.kind.kind == Class::kNumber && kind.kind == Class::kLetters) ||
         (candidate.kind.kind == Class::kLetters && kind.kind == Class::kNumber);
}

bool is_one_letter(std::string_view word) {
  return unicode::decode(word).size() == 1;
}

// The text around a word, cut at spaces, with a mask in the word's place.
std::string masked(const std::string& text, const Word& word, const std::string& mask) {
  const auto begin = static_cast<size_t>(word.bytes[0]), end = static_cast<size_t>(word.bytes[1]);
  size_t from = 0, to = text.size();
  if (begin > kContext) from = std::min(text.find(' ', begin - kContext), begin);
  if (to - end > kContext) to = std::max(text.rfind(' ', end + kContext), end);
  return text.substr(from, begin - from) + mask + text.substr(end, to - end);
}

// −log(−log u) turns the largest of log p + noise into a draw by p (Gumbel), and the first k into k draws without
// putting back.
double gumbel(const Stream& stream, std::uint64_t t) {
  return -std::log(-std::log(stream.uniform(t)));
}

}  // namespace

std::string_view name_of(Relation relation) {
  return relation == Relation::kSynonym ? "synonym" : relation == Relation::kAntonym ? "antonym" : "alike";
}

std::string_view name_of(CandidateSource source) {
  switch (source) {
    case CandidateSource::kAlike:
      return "alike";
    case CandidateSource::kSynonyms:
      return "synonyms";
    case CandidateSource::kAntonyms:
      return "antonyms";
    case CandidateSource::kPlausible:
      return "plausible";
    case CandidateSource::kAll:
      return "all";
    case CandidateSource::kGiven:
      break;
  }
  return "given";
}

std::optional<Relation> relation_of(CandidateSource source) {
  if (source == CandidateSource::kAlike) return Relation::kAlike;
  if (source == CandidateSource::kSynonyms) return Relation::kSynonym;
  if (source == CandidateSource::kAntonyms) return Relation::kAntonym;
  return std::nullopt;
}

std::vector<ByteRange> places_of(std::span<const Word> words) {
  std::vector<ByteRange> places;
  for (const Word& word : words) places.push_back(word.bytes);
  return places;
}

std::vector<Candidate> given_candidates(const std::vector<std::string>& given, const std::string& word) {
  const std::string folded = without_case(word);
  std::vector<Candidate> result;
  for (const std::string& line : given) {
    std::vector<std::string_view> group;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find('\t', begin), line.size());
      if (end > begin) group.push_back(std::string_view(line).substr(begin, end - begin));
      begin = end + 1;
    }
    const auto is_word = [&](std::string_view one) { return without_case(one) == folded; };
    if (group.size() > 1 && std::ranges::none_of(group, is_word)) continue;
    for (const std::string_view one : group)
      if (!is_word(one)) result.push_back({.text = one});
  }
  return result;
}

bool predicts_masked_words(const Model& model) {
  return model.transformer->predicts_words() && model.tokenizer->special_ids().mask.has_value();
}

CandidateWords::CandidateWords(const Model& model, const Model* head)
    : model_(model), head_(predicts_masked_words(model) ? &model : head) {
  if (head_ != nullptr && !predicts_masked_words(*head_))
    throw UsageError(fmt::format("{} does not predict masked words, so it cannot say which are plausible",
                                 head_->transformer->name()));
  // A tokenizer may know more tokens than its model.
  const auto known_words = [](const Model& of) {
    auto words = whole_words(*of.tokenizer);
    std::erase_if(words, [&](const WholeWord& word) { return word.id >= of.transformer->config().vocabulary; });
    return words;
  };
  words_ = known_words(model_);
  if (head_ != nullptr && head_ != &model_) head_words_ = known_words(*head_);
  for (const WholeWord& word : words_) ids_.emplace(word.text, word.id);
  for (const WholeWord& word : words_) ids_.emplace(word.folded, word.id);
}

std::optional<int> CandidateWords::id_of(std::string_view word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Candidate> CandidateWords::all(const Word& word) const {
  throw_if_stopped();
  const WordKind kind = kind_of(word.text);
  const bool one_letter = is_one_letter(word.text);
  const std::string folded = without_case(word.text);
  std::vector<Candidate> result;
  if (kind.kind == Class::kOther) return result;
  for (const WholeWord& candidate : words_)
    if (fits(candidate, kind, one_letter) && candidate.folded != folded)
      result.push_back({candidate.text, candidate.id});
  return result;
}

MatrixF CandidateWords::masked_logits(const std::string& text, std::span<const Word> words) const {
  const int mask = *head_->tokenizer->special_ids().mask;
  std::vector<LabelledText> texts;
  for (const Word& word : words)
    texts.push_back({masked(text, word, head_->tokenizer->piece(mask)), std::nullopt, word.text});
  const auto encodings = encode_texts(*head_, texts);
  MatrixF rows = MatrixF::Zero(static_cast<Index>(words.size()), head_->transformer->config().hidden_size);
  for_each_embedding(*head_, texts, encodings, {}, [&](size_t t, const MatrixF& hidden) {
    const auto& ids = encodings[t].ids;
    const auto place = std::find(ids.begin(), ids.end(), mask);
    if (place != ids.end()) rows.row(static_cast<Index>(t)) = hidden.row(place - ids.begin());
  });
  return head_->transformer->word_logits(rows);
}

std::vector<Candidate> CandidateWords::neighbours(const std::string& text, const Word& word, Index most) const {
  auto own = id_of(word.text);
  if (!own) own = id_of(without_case(word.text));
  const WordKind kind = kind_of(word.text);
  if (!own || word.tokens.size() != 1 || kind.kind != Class::kLetters) return {};
  const NameCheck name = check_name(text, word);
  std::vector<Candidate> candidates = all(word);
  std::erase_if(candidates, [&](const Candidate& one) {
    return kind_of(one.text) != kind || (name.is_name && (name.group == nullptr || group_of(one.text) != name.group));
  });
  if (candidates.empty()) return {};
  const auto count = static_cast<Index>(candidates.size());
  constexpr Index kRowsAtOnce = 1024;
  const auto for_blocks = [&](const auto& visit) {
    for (Index begin = 0; begin < count; begin += kRowsAtOnce) {
      std::vector<int> ids;
      for (Index k = begin; k < std::min(count, begin + kRowsAtOnce); ++k)
        ids.push_back(*candidates[static_cast<size_t>(k)].id);
      visit(begin, model_.transformer->embed_at_row(ids, word.tokens.front()));
    }
  };
  RowF mean = RowF::Zero(model_.transformer->config().hidden_size);
  for_blocks([&](Index, const MatrixF& rows) { mean += rows.colwise().sum() / static_cast<float>(count); });
  const RowF direction =
      (model_.transformer->embed_at_row(std::vector{*own}, word.tokens.front()).row(0) - mean).normalized();
  for_blocks([&](Index begin, const MatrixF& rows) {
    for (Index k = 0; k < rows.rows(); ++k)
      candidates[static_cast<size_t>(begin + k)].likeness = (rows.row(k) - mean).normalized().dot(direction);
  });
  std::ranges::stable_sort(candidates, [](const auto& a, const auto& b) { return *a.likeness > *b.likeness; });
  candidates.resize(std::min(candidates.size(), static_cast<size_t>(most)));
  return candidates;
}

// The head's words that could stand in a place.
std::vector<const WholeWord*> CandidateWords::fitting(const std::string& text, const Word& word) const {
  const WordKind kind = kind_of(word.text);
  if (kind.kind == Class::kOther) return {};
  const bool one_letter = is_one_letter(word.text);
  const NameCheck name = check_name(text, word);
  const std::string folded = without_case(word.text);
  const auto is_member = [&](const WholeWord& candidate) {
    const NameGroup* const group = group_of(candidate.folded);
    return name.group != nullptr ? group == name.group : group != nullptr || has_capital(candidate.text);
  };
  std::vector<const WholeWord*> result;
  for (const WholeWord& candidate : head_ == &model_ ? words_ : head_words_) {
    if (candidate.kind != kind || (candidate.is_letter && !one_letter) || candidate.folded == folded) continue;
    if (!name.is_name || is_member(candidate)) result.push_back(&candidate);
  }
  return result;
}

Index CandidateWords::count_plausible(const std::string& text, const Word& word, Kind kind, Index most) const {
  const KindFilter fits_kind = kind == Kind::kSame ? kind_filters(text, std::span(&word, 1)).front() : KindFilter();
  const auto count = [&](const auto& words, const auto& text_of) {
    Index found = 0;
    for (auto one = words.begin(); one != words.end() && found < most; ++one)
      found += !fits_kind || fits_kind(text_of(*one)) ? 1 : 0;
    return found;
  };
  if (head_ == nullptr) return count(all(word), [](const Candidate& one) { return one.text; });
  if (const NameCheck name = check_name(text, word); name.is_name && name.group != nullptr)
    return std::min(most, static_cast<Index>(name.group->members.size()) - 1);
  return count(fitting(text, word), [](const WholeWord* one) { return std::string_view(one->text); });
}

std::vector<CandidateWords::KindFilter> CandidateWords::kind_filters(const std::string& text,
                                                                     std::span<const Word> words) {
  std::vector<KindFilter> filters(words.size());
  const Lexicon* const lexicon = lexicon_of(text);
  if (lexicon == nullptr) return filters;
  auto entries = lexicon->look_up(text, places_of(words));
  for (size_t w = 0; w < words.size(); ++w) {
    // Of names and unknown words, whatever the head expects.
    if (!entries[w].part || entries[w].part == "name" || group_of(words[w].text) != nullptr) continue;
    filters[w] = [lexicon, entry = std::move(entries[w])](std::string_view word) {
      return lexicon->could_be(word, entry);
    };
  }
  return filters;
}

std::vector<Candidate> CandidateWords::likeliest(const std::string& text, const Word& word, ConstRowFRef logits,
                                                 Index most, const std::optional<Stream>& draw,
                                                 const KindFilter& fits_kind) const {
  const double peak = logits.maxCoeff();
  const double total = (logits.cast<double>().array() - peak).exp().sum();
  struct Ranked {
    double key;
    std::uint64_t number;
    Candidate candidate;
  };
  std::vector<Ranked> ranked;
  const double unknown = logits.minCoeff() - peak;  // the score of names that the head does not know
  const auto add = [&](std::string_view candidate, std::uint64_t number, std::optional<double> score) {
    const double noise = draw ? gumbel(*draw, number) : 0;
    auto id = id_of(candidate);
    if (!id) id = id_of(without_case(candidate));
    ranked.push_back({score.value_or(unknown) + noise,
                      number,
                      {candidate, id, score ? std::optional(std::exp(*score) / total) : std::nullopt}});
  };
  const std::vector<const WholeWord*> words = fitting(text, word);
  const auto score_of = [&](const WholeWord& one) { return static_cast<double>(logits[one.id]) - peak; };
  if (const NameCheck name = check_name(text, word); name.is_name && name.group != nullptr) {
    // All members of the group; those that the head does not know come last.
    std::map<std::string_view, const WholeWord*> known;
    for (const WholeWord* one : words) known.emplace(one->folded, one);
    for (size_t k = 0; k < name.group->members.size(); ++k) {
      const std::string folded = without_case(name.group->members[k]);
      if (folded == without_case(word.text)) continue;
      const auto found = known.find(folded);
      add(name.group->members[k], k, found == known.end() ? std::nullopt : std::optional(score_of(*found->second)));
    }
  } else {
    for (const WholeWord* one : words) add(one->text, static_cast<std::uint64_t>(one->id), score_of(*one));
  }
  // Of a known kind most words are not, so all are put in order before they are asked.
  const auto wanted = fits_kind ? ranked.size() : static_cast<size_t>(most);
  const auto end = ranked.begin() + static_cast<long>(std::min(ranked.size(), wanted));
  std::partial_sort(ranked.begin(), end, ranked.end(), [](const Ranked& a, const Ranked& b) {
    return a.key != b.key ? a.key > b.key : a.number < b.number;
  });
  std::vector<Candidate> result;
  for (auto one = ranked.begin(); one != end && static_cast<Index>(result.size()) < most; ++one)
    if (!fits_kind || fits_kind(one->candidate.text)) result.push_back(one->candidate);
  return result;
}

std::vector<std::vector<Candidate>> CandidateWords::plausible(const std::string& text, std::span<const Word> words,
                                                              Index most, const std::optional<Stream>& draw,
                                                              Kind kind) const {
  std::vector<std::vector<Candidate>> result(words.size());
  const auto filters = kind == Kind::kSame ? kind_filters(text, words) : std::vector<KindFilter>(words.size());
  const auto stream_of = [&](size_t w) {
    return draw ? std::optional(draw->derive(static_cast<std::uint64_t>(w))) : std::nullopt;
  };
  if (head_ == nullptr) {
    if (!draw) throw UsageError("there is no model that predicts masked words, so no word is the likeliest");
    for (size_t w = 0; w < words.size(); ++w) {
      auto candidates = all(words[w]);
      if (const KindFilter& fits_kind = filters[w])
        std::erase_if(candidates, [&](const Candidate& one) { return !fits_kind(one.text); });
      const auto total = static_cast<Index>(candidates.size());
      for (const Index k : random_order(*stream_of(w), total, std::min(total, most)))
        result[w].push_back(candidates[static_cast<size_t>(k)]);
    }
    return result;
  }
  const MatrixF logits = masked_logits(text, words);
  for (size_t w = 0; w < words.size(); ++w) {
    throw_if_stopped();
    result[w] = likeliest(text, words[w], logits.row(static_cast<Index>(w)), most, stream_of(w), filters[w]);
  }
  return result;
}

}  // namespace wordsway

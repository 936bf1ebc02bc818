#include "wordsway/ask/choices/candidate_choice.h"

#include <array>

#include "wordsway/core/error.h"
#include "wordsway/text/corpus/corpus.h"

namespace wordsway {
namespace {

using enum CandidateSource;
constexpr std::array kNamed = {kAlike, kSynonyms, kAntonyms, kPlausible, kAll};

// One word or group per line; the texts of a jsonl or csv file are words too.
std::vector<std::string> read_candidates(const std::string& path) {
  std::vector<std::string> words;
  for (LabelledText& text : read_corpus(path)) {
    const size_t begin = text.text.find_first_not_of(" \t"), end = text.text.find_last_not_of(" \t");
    if (begin != std::string::npos) words.push_back(text.text.substr(begin, end - begin + 1));
  }
  if (words.empty()) throw DataError(path + ": there is no word in it");
  return words;
}

}  // namespace

void CandidateChoice::describe(Fields<CandidateChoice>& fields, const std::string& by_default) {
  std::vector<std::string> names;
  names.reserve(kNamed.size());
  for (const CandidateSource source : kNamed) names.emplace_back(name_of(source));
  fields.custom(
      {.name = "candidates",
       .kind = FieldKind::kTexts,
       .help =
           "Words to try. Of the lexicon: alike (other words of the same kind), synonyms, antonyms. plausible: what a "
           "masked-word head gives the place, among words of the same kind; all: the whole words of the vocabulary; "
           "or a FILE with one word per line, or a group of words that replace each other, with tabs between them",
       .default_text = by_default,
       .choices = std::move(names),
       .strict = false,
       .names_file = true},
      [](const FieldInfo& field, CandidateChoice& choice, const Given& value) {
        const auto* list = std::get_if<std::vector<std::string>>(&value);
        const auto* empty = std::get_if<std::vector<double>>(&value);
        if ((list != nullptr && list->empty()) || empty != nullptr) throw UsageError("{candidates} holds no word");
        if (list != nullptr)
          choice.words = *list;
        else
          choice.name = take_text(field, value);
      },
      [](const CandidateChoice&) { return std::string(); });
}

CandidateChoice::Candidates CandidateChoice::read(CandidateSource by_default) const {
  if (!words.empty()) return {kGiven, words};
  if (!name) return {by_default};
  for (const CandidateSource source : kNamed)
    if (*name == name_of(source)) return {source};
  return {kGiven, read_candidates(*name)};
}

}  // namespace wordsway

// Does a model tell the opposite of a word from its synonym? One word of a built-in sentence becomes its commonest
// synonym, then its commonest opposite: both are changes of one word, so wording cannot explain the difference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wordsway/audit/changed_text.h"
#include "wordsway/audit/model.h"
#include "wordsway/run/study.h"
#include "wordsway/text/lexicon/lexicon.h"

namespace wordsway {

/// A model and what is looked at: its change, or its divergence where it is a distribution.
struct JudgedModel {
  std::string name;  // in rows
  Model model;
  ChangeOptions change;
};

struct OppositesConfig {
  std::vector<JudgedModel> models;
  std::uint64_t first = 0;      // the first built-in review
  Index reviews = 400;          // that are searched for sentences
  Index sentences_of_word = 6;  // at most, for each word and form
  std::uint64_t seed = 1;       // of the shuffled labels
};

/// A word of a sentence that has both a synonym and an opposite there.
struct TwoWayWord {
  std::string sentence;
  ByteRange place;
  std::string lemma, word, synonym, antonym;
};

/// The words of the reviews that have both, in the order of the reviews; no sentence comes twice for a lemma.
std::vector<TwoWayWord> two_way_words(std::uint64_t first, Index reviews, Index sentences_of_word);

/// Tasks are (model, word in a sentence). A row has the lemma, the three words, the sentence, `by_synonym` and
/// `by_antonym`, and `swapped`: whether a control that shuffles the labels swaps them here.
class OppositesStudy final : public Study {
 public:
  /// Throws UsageError without models or words.
  explicit OppositesStudy(OppositesConfig config);

  std::string command() const override { return "opposites"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override;
  Record key(Index task) const override;
  double memory_bytes(Index task) const override;
  double work(Index task) const override;
  std::string kind(Index task) const override { return judged(task).name; }
  std::vector<Record> run(Index task) const override;

 private:
  const JudgedModel& judged(Index task) const { return config_.models[static_cast<size_t>(task) / words_.size()]; }
  size_t place(Index task) const { return static_cast<size_t>(task) % words_.size(); }

  OppositesConfig config_;
  std::vector<TwoWayWord> words_;
};

}  // namespace wordsway

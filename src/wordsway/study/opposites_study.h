// Does a model tell the opposite of a word from its synonym? One word of a sentence becomes its commonest synonym, then
// its commonest opposite: both are changes of one word, so wording cannot explain the difference.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
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

/// A word of a sentence that has both a synonym and an opposite there.
struct TwoWayWord {
  std::string sentence;
  ByteRange place;
  std::string lemma, word, synonym, antonym;
};

/// The words that have both, in the order of the sentences; of a lemma, at most so many different sentences.
std::vector<TwoWayWord> two_way_words(std::span<const std::string> sentences,
                                      Index sentences_of_word = std::numeric_limits<Index>::max());

/// The sentences of built-in reviews.
std::vector<std::string> review_sentences(std::uint64_t first, Index reviews);

struct OppositesConfig {
  std::vector<JudgedModel> models;
  std::vector<TwoWayWord> words;
  Record settings = {};    // that decide which words these are
  std::uint64_t seed = 1;  // of the shuffled labels
};

/// Tasks are (model, word in a sentence). A row has the lemma, the three words, the sentence; by the synonym and by the
/// antonym the `_change`, with a text's vector the `_cosine`, with a distribution the `_divergence`; `missed`, whether
/// the opposite moved the model less; and `swapped`, whether a control that shuffles the labels swaps them here.
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
  const JudgedModel& judged(Index task) const {
    return config_.models[static_cast<size_t>(task) / config_.words.size()];
  }
  size_t place(Index task) const { return static_cast<size_t>(task) % config_.words.size(); }

  OppositesConfig config_;
};

/// Of one row, what changes are compared by: `_divergence` if there is one, else `_change`.
std::optional<double> magnitude_of(const Record& row, const std::string& relation);

}  // namespace wordsway

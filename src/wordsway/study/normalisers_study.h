// What encoders have learnt that were trained alike except for the normaliser of their attention, measured on texts of
// n tokens that none of them has seen. The study behind the figure `trained-normalisers`, which also measures the word
// sensitivities of these encoders (study/model_study.h).
//
//   masked   built-in reviews in which 15% of the words show the mask: how many are predicted right
//   task     the one-word task (study/one_word_study.h): ridge regression on the mean of the last layer's n rows, and
//            on the mean of the word vectors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wordsway/audit/model.h"
#include "wordsway/run/study.h"

namespace wordsway {

struct NormalisersConfig {
  std::vector<Model> models;  // of one vocabulary, each with a head that predicts masked words
  std::vector<Index> n = {20, 50, 100, 200};
  Index texts = 100;  // with masks, a length
  Index training_pairs = 120, test_pairs = 120;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  // the first review, and the first question of the training split, to look at
};

/// Tasks are (part, n). A row is one model: model, normaliser (normaliser_label). For "masked" it has the number of
/// masked words, `masked`, and how many are `right`; for "task" it has what judge_pairs gives (study/pair_readouts.h),
/// plus `ordered_words` and `right_words` of the readout of word vectors.
class NormalisersStudy final : public Study {
 public:
  /// Throws UsageError on no model, sizes below 1, or fewer than five training pairs; DataError when a model predicts
  /// no masked words or has another vocabulary than the first.
  explicit NormalisersStudy(NormalisersConfig config);

  std::string command() const override { return "trained-normalisers"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override { return 2 * static_cast<Index>(config_.n.size()); }
  Record key(Index task) const override;
  Index row_count(Index /*task*/) const override { return static_cast<Index>(config_.models.size()); }
  double memory_bytes(Index task) const override;
  double work(Index task) const override;
  std::string kind(Index task) const override { return is_task(task) ? "task" : "masked"; }
  std::vector<Record> run(Index task) const override;

 private:
  Index length(Index task) const { return config_.n[static_cast<size_t>(task / 2)]; }
  static bool is_task(Index task) { return task % 2 == 1; }
  std::vector<Record> predict_masked(Index n) const;
  std::vector<Record> read_words(Index n) const;

  NormalisersConfig config_;
};

}  // namespace wordsway

// The study behind `pairs`: the similarities of pairs after every step of a model, or the vectors of texts that are all
// compared with each other. Thresholds and rules are applied to its rows afterwards, so a journal serves any of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wordsway/audit/pairs.h"
#include "wordsway/run/study.h"

namespace wordsway {

/// A task is a few hundred pairs or texts. Rows begin with the number of their task and of the pair or text.
class PairsStudy final : public Study {
 public:
  /// Studies `pairs` or, if there are none, `texts`; `encoded` has all their texts, encoded with the prompt. A study of
  /// one task reports its progress to `progress`.
  PairsStudy(std::shared_ptr<const Model> model, std::vector<TextPair> pairs, std::vector<std::string> texts,
             EncodedByText encoded, std::string name, std::string prompt, Progress progress);

  std::string command() const override { return "pairs"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override;
  Record key(Index task) const override { return {{"batch", std::int64_t{task}}}; }
  double memory_bytes(Index task) const override;
  Index row_count(Index task) const override;
  double work(Index task) const override;
  std::vector<Record> run(Index task) const override;

  /// Read the rows of all tasks: one similarity for each pair, or one unit vector for each text, [texts, d]. Throw
  /// DataError, with the reason, if a task failed.
  std::vector<PairSimilarity> similarities(const std::vector<Record>& rows) const;
  Matrix vectors(const std::vector<Record>& rows) const;

 private:
  Index items() const;
  Index begin(Index task) const;

  std::shared_ptr<const Model> model_;
  std::vector<TextPair> pairs_;
  std::vector<std::string> texts_;
  EncodedByText encoded_;
  std::string name_, prompt_;
  Progress progress_;
};

}  // namespace wordsway

// The answers of a decoder to questions about film reviews that differ in one word, which decides the answer or is
// neutral. The study behind the figure `answers`.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "wordsway/audit/answers.h"
#include "wordsway/run/study.h"

namespace wordsway {

struct AnswersStudyConfig {
  Model model;                                // a decoder
  std::vector<Index> n = {20, 50, 100, 200};  // tokens of a review, about
  Index pairs = 50;                           // held-out questions of every length; half of them decide
  std::uint64_t seed = 1;                     // which questions
};

/// The first task is builtin_prompts(); its row has the prompts, the answers, the tokens of the first one and the
/// divergence at each of them (part "shown"). Every other task is a pair of held-out questions (part "pairs"): n,
/// question, kind, decides; tokens (of the review), words (the two that differ), answers, expected; right (how many of
/// the two answers are the expected ones, letter by letter), differ, and the largest divergence.
class AnswersStudy final : public Study {
 public:
  /// Throws UsageError if there is no length or no pair.
  explicit AnswersStudy(AnswersStudyConfig config);

  std::string command() const override { return "answers"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override;
  Record key(Index task) const override;
  double memory_bytes(Index task) const override;
  double work(Index task) const override;
  std::vector<Record> run(Index task) const override;

 private:
  struct Point {
    Index n;
    std::uint64_t question;
  };
  Point point(Index task) const;
  Record shown() const;

  AnswersStudyConfig config_;
};

}  // namespace wordsway

// Where the tokens of texts look before and after one of them moves: the study behind the figures of attention.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/audit/attention.h"
#include "wordsway/figures/figure_setting.h"
#include "wordsway/run/study.h"

namespace wordsway {

struct AttentionStudyConfig {
  std::shared_ptr<const Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::vector<std::string> texts;
  AttentionOptions options;
};

/// A task is a text and has one row: text, pieces, words (-1 for tokens that belong to none), attention (n·n numbers,
/// row j says where token j looks) and, when a token moves by √d, attention_after.
class AttentionStudy final : public Study {
 public:
  explicit AttentionStudy(AttentionStudyConfig config) : config_(std::move(config)) {}

  std::string command() const override { return "attention"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override { return static_cast<Index>(config_.texts.size()); }
  Record key(Index task) const override;
  double memory_bytes(Index task) const override;
  std::vector<Record> run(Index task) const override;

 private:
  AttentionStudyConfig config_;
};

/// The square matrix in a field of a row, with a row and a column for each piece. Throws DataError if it is not square.
Matrix attention_matrix(const Record& row, const std::string& field);
/// The texts (integers) in a field; empty if the row does not have it.
std::vector<std::string> texts_of(const Record& row, const std::string& field);
std::vector<std::int64_t> integers_of(const Record& row, const std::string& field);

}  // namespace wordsway

// The study behind `wordsway measure -m MODEL`: the model itself is the map, from its embedding output to a layer.
//
// A task is one text, cut to n tokens where sizes are given. Texts with fewer tokens than n are left out at that n.
// Words that replace a token are other tokens of all the texts, keyed by (seed, text, token).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "wordsway/audit/token_move.h"
#include "wordsway/model/model_map.h"
#include "wordsway/run/study.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/sensitivity/word_changes.h"
#include "wordsway/text/corpus/encoded_texts.h"
#include "wordsway/text/corpus/token_counts.h"

namespace wordsway {

struct ModelStudyConfig {
  std::shared_ptr<const Transformer> transformer;
  EncodedTexts texts;
  std::string layer = {};  // as the user named it
  ModelOutput output{0};
  std::vector<Index> n = {};         // empty: texts as they are
  std::optional<Index> trials = {};  // at most this many texts per size
  std::optional<Index> token = 0;    // nothing: all of them
  /// How many other tokens of the texts to try in a token's place: their mean change and the worst, and the change if
  /// the token is left out. 0: none.
  Index typical = 0;
  /// How many of all tokens of the texts to try for the worst; 0: only those drawn for the mean.
  Index worst_among = 0;
  SensitivityOptions search = {};
  std::uint64_t seed = 1;
  /// Called with the move that every task found, from any thread; may be empty.
  std::function<void(const Vector& delta)> observe = {};
};

class ModelStudy final : public Study {
 public:
  /// Throws UsageError when no text is long enough or a token is out of range.
  explicit ModelStudy(ModelStudyConfig config);

  std::string command() const override { return "measure"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override { return static_cast<Index>(tasks_.size()); }
  Record key(Index task) const override;
  double memory_bytes(Index task) const override;
  double work(Index task) const override;
  std::vector<Record> run(Index task) const override;

 private:
  struct Task {
    Index text;
    Index n;
    Index trial;
  };

  const Task& at(Index task) const { return tasks_[static_cast<size_t>(task)]; }
  void add_tasks(std::optional<Index> n);
  WordChanges change_words(const Task& at, const MappedSample& sample, Index token, const TokenView& view) const;

  ModelStudyConfig config_;
  ModelMap map_;
  std::vector<Task> tasks_;
  std::optional<TokenCounts> counts_;  // where words replace tokens
};

}  // namespace wordsway

// Can a model learn from examples that a single word decides? Pairs of reviews differ in one token and have opposite
// labels; readouts are trained on some pairs and tested on others. The study behind the figure `one-word-task`.
//
// Reviews of n tokens come from review_pairs (study/film_pairs.h), counted by the encoder's tokenizer. Readouts are
//   maps       on φ(X), X the n rows of the encoder's embedding, scaled to √d: the min-norm interpolator, and ridge
//   encoder    ridge on the mean of a layer's n rows, and on all of them, flattened
//   decoder    ridge on a layer's last row after the whole prompt, with the question; its own answer
// where ridge is ridge regression with a penalty chosen on training pairs (learning/readout.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wordsway/audit/model.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/run/study.h"
#include "wordsway/study/film_pairs.h"

namespace wordsway {

/// A random map under the name that rows give it.
struct NamedMap {
  std::string name, map;
  MapOptions options;  // its n and d come from the study
};

struct OneWordConfig {
  Model encoder, decoder;
  std::vector<NamedMap> maps;
  std::vector<Index> n = {20, 50, 100, 200};
  Index training_pairs = 150, test_pairs = 150;
  Index trials = 1;  // each with other pairs and weights
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  // the first question of the training split to look at
};

/// Tasks are (n, trial, part): a part is a map, "encoder" or "decoder". A row is one readout: part, readout
/// ("interpolator" and "ridge" of maps, "mean", "flattened", "last", "answer"), layer (of models), and of `pairs` test
/// pairs: right (texts, of 2·pairs), both_right (pairs), ordered (pairs whose outputs are in the right order, whatever
/// their sign; missing for the answer).
class OneWordStudy final : public Study {
 public:
  /// Throws UsageError on sizes below 1, or fewer than five training pairs.
  explicit OneWordStudy(OneWordConfig config);

  std::string command() const override { return "one-word-task"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override;
  Record key(Index task) const override;
  Index row_count(Index task) const override;
  double memory_bytes(Index task) const override;
  double work(Index task) const override;
  std::string kind(Index task) const override { return part_name(point(task).part); }
  std::vector<Record> run(Index task) const override;

 private:
  struct Point {
    Index n, trial;
    size_t part;  // a map, then the encoder, then the decoder
  };
  Point point(Index task) const;
  std::string part_name(size_t part) const;
  const Model& model_of(size_t part) const { return part == config_.maps.size() ? config_.encoder : config_.decoder; }
  std::vector<ReviewPair> pairs(const Point& at) const;
  MapOptions options_of(size_t map, Index n) const;
  std::vector<Record> run_map(const Point& at, const std::vector<ReviewPair>& pairs) const;
  std::vector<Record> run_encoder(const std::vector<ReviewPair>& pairs) const;
  std::vector<Record> run_decoder(const std::vector<ReviewPair>& pairs) const;
  Record judged(const std::string& readout, const std::vector<ReviewPair>& pairs, const Vector& outputs) const;

  OneWordConfig config_;
};

}  // namespace wordsway

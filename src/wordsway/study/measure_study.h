// The study behind `wordsway measure`: word sensitivity over a grid of maps and sizes, several trials a point.
//
// The data of a trial are keyed by (seed, n, d, trial) and its weights likewise, so maps are compared on the same
// samples and, where they have the same weights, with the same weights. Words that replace a token are keyed by (seed,
// trial, token): they are the same at every n and for every map.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "wordsway/core/device.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/run/study.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/sensitivity/word_changes.h"

namespace wordsway {

/// One trial, with results that a row does not hold.
struct Measurement {
  Record row;
  Vector delta;  // of tokens that move together one after the other: [M·d]
  std::unique_ptr<FeatureMap> map;
};

struct MeasureConfig {
  std::vector<std::string> maps = {"raf"};
  std::vector<Index> n = {100};
  std::vector<Index> d = {256};
  ParameterLists parameters;  // of the maps, by name; those not listed have their defaults
  std::string random;         // empty: each map's own choice
  std::uint64_t seed = 1;
  Index trials = 10;
  std::optional<Index> token = 0;  // nothing: all of them
  /// How many tokens move together, from `token` on; each number is a point of the study. Empty: one, and no row says
  /// so.
  std::vector<Index> moved_tokens = {};
  bool spread = false;  // evenly from `token` to the end instead of next to each other
  /// Besides the worst move, replaces the token by words of the data: the mean change over this many, the worst of all
  /// words, and the change if the word is left out. 0: none.
  Index typical = 0;
  /// Whether rows say what share of the sample lies in one direction (share_of_first_direction).
  bool first_direction = false;
  SensitivityOptions search;
  std::shared_ptr<const DataSource> data;
  std::optional<Matrix> weights;  // instead of drawing them
  Device device;                  // where the maps are computed
  /// Called with every measurement, from any thread, for what its row does not hold; may be empty.
  std::function<void(const Measurement&)> observe;
};

class MeasureStudy final : public Study {
 public:
  /// Throws UsageError if the configuration makes no sense: unknown map, a size below 1, a token out of range, tokens
  /// that run past the end, a parameter that no map has or that is out of range; a missing device, or one that does not
  /// support what is asked.
  explicit MeasureStudy(MeasureConfig config);

  std::string command() const override { return "measure"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override;
  Record key(Index task) const override;
  double memory_bytes(Index task) const override;
  double work(Index task) const override;
  std::string kind(Index task) const override;
  std::vector<Record> run(Index task) const override;

 private:
  struct Point {
    std::string map;
    MapOptions options;
  };

  const Point& point(Index task) const { return points_[static_cast<size_t>(task / config_.trials)]; }
  Index trial(Index task) const { return task % config_.trials; }
  void check() const;
  void check_moved_tokens() const;
  double map_bytes(Index task) const;
  std::vector<Index> moved_at(Index task) const;
  WordChanges change_words(Index task, const MappedSample& sample, Index token, const TokenView& view) const;
  std::vector<MapOptions> all_options() const;
  MapOptions as_measured(const MapEntry& entry, MapOptions options) const;

  MeasureConfig config_;
  std::vector<Point> points_;
  Index words_ = 0;  // that replace a token
};

/// Throws UsageError where maps cannot be computed on this device: it is not there, or in another precision than its
/// own.
void check_map_device(const Device& device);

}  // namespace wordsway

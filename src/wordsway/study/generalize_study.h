// The study behind `wordsway generalize`: after a one-word change that should flip the label, over a grid of maps and
// sizes. A task is one simulation: it draws data and weights once and evaluates every training, objective and penalty
// on them, so that they are compared on the same draws.
//
// Data and weights are keyed by (seed, n, d, trial): maps and training sizes share them as far as they can.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "wordsway/core/device.h"
#include "wordsway/data/labelled_source.h"
#include "wordsway/learning/generalization.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/run/study.h"

namespace wordsway {

/// A simulation with what its rows do not hold.
struct Simulation {
  std::vector<Record> rows;
  Generalization result;
  double data_seconds = 0, draw_seconds = 0;
};

struct GeneralizeConfig {
  std::vector<std::string> maps = {"raf"};
  std::vector<Index> n = {40};
  std::vector<Index> d = {256};
  std::vector<Index> training_sizes = {100};
  MapOptions map;  // parameters and random; its n and d come from the grid
  std::uint64_t seed = 1;
  Index trials = 10;
  double radius = 1;        // in units of √d
  GeneralizationPlan plan;  // its radius is set from the above
  std::shared_ptr<const LabelledSource> data;
  std::optional<Matrix> weights;  // instead of drawing them
  Device device;                  // where features, kernels and searches are computed
  /// Receives what the user should know, from any thread; may be empty.
  std::function<void(const std::string& remark)> remark;
  /// Receives every simulation, from any thread, with results that its rows do not hold; may be empty.
  std::function<void(const Simulation&)> observe;
};

class GeneralizeStudy final : public Study {
 public:
  /// Throws UsageError when the configuration makes no sense: unknown map, a size below 1, a token out of range, a
  /// parameter that none of the maps has or that is out of its range; where the device is not there.
  explicit GeneralizeStudy(GeneralizeConfig config);

  std::string command() const override { return "generalize"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override;
  Record key(Index task) const override;
  double memory_bytes(Index task) const override;
  Index row_count(Index task) const override;
  double work(Index task) const override;
  std::string kind(Index task) const override { return point(task).map; }
  std::vector<Record> run(Index task) const override;

 private:
  struct Point {
    std::string map;
    Index n, d, training_size;
  };

  const Point& point(Index task) const { return points_[static_cast<size_t>(task / config_.trials)]; }
  Index trial(Index task) const { return task % config_.trials; }
  MapOptions options_of(const Point& point) const;
  void check() const;
  std::unique_ptr<LearnerView> view_of(const Point& point, const Stream& weights, const LearnerSamples& samples) const;
  Record row_of(Index task, const Outcome& outcome, const Generalization& result, double drawing) const;

  GeneralizeConfig config_;
  std::vector<Point> points_;
};

}  // namespace wordsway

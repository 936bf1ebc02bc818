#include "wordsway/run/estimate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "wordsway/core/parallel.h"
#include "wordsway/io/json.h"
#include "wordsway/run/schedule.h"

namespace wordsway {
namespace {

// Used only to avoid pilots that would take long.
constexpr double kWorkPerSecond = 1e10, kFixedSeconds = 2e-5;

double guessed_seconds(double work) {
  return kFixedSeconds + work / kWorkPerSecond;
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Tasks of one kind and the same work: the trials of a point, mostly.
struct Tier {
  double work = 0;
  std::vector<Index> tasks;
  double seconds = -1;  // of lane time a task, once a pilot has run
};

struct Kind {
  std::vector<Tier> tiers;  // by growing work

  // Time in proportion to work from the nearest tier that was run, below where possible.
  double seconds(size_t tier) const {
    if (tiers[tier].seconds >= 0) return tiers[tier].seconds;
    const auto run = [](const Tier& t) { return t.seconds >= 0; };
    const auto below = std::find_if(tiers.rend() - static_cast<std::ptrdiff_t>(tier), tiers.rend(), run);
    const auto above = std::find_if(tiers.begin() + static_cast<std::ptrdiff_t>(tier), tiers.end(), run);
    const bool has_below = below != tiers.rend(), has_above = above != tiers.end();
    if (!has_below && !has_above) return guessed_seconds(tiers[tier].work);
    if (has_below && has_above && above->work > below->work) {
      const double slope = std::log(above->seconds / below->seconds) / std::log(above->work / below->work);
      return below->seconds * std::pow(tiers[tier].work / below->work, slope);
    }
    const Tier& near = has_below ? *below : *above;
    return near.seconds * tiers[tier].work / near.work;
  }
};

std::map<std::string, Kind> tiers_by_kind(const Study& study) {
  std::map<std::string, std::map<double, Tier>> sorted;
  for (Index task = 0; task < study.size(); ++task) {
    const double work = std::max(1.0, study.work(task));
    Tier& tier = sorted[study.kind(task)][work];
    tier.work = work;
    tier.tasks.push_back(task);
  }
  std::map<std::string, Kind> kinds;
  for (auto& [name, tiers] : sorted)
    for (auto& [work, tier] : tiers) kinds[name].tiers.push_back(std::move(tier));
  return kinds;
}

class Piloting {
 public:
  Piloting(const Study& study, double limit, const std::function<double()>& clock)
      : study_(study), limit_(limit), clock_(clock ? clock : steady_seconds) {}

  Index count() const { return count_; }

  // Runs as many tasks of the tier at once as the study itself would, because they slow each other down. Short ones run
  // several times, because the machine may be busy for a moment.
  void run(Tier& tier, double patience) {
    const int lanes = make_schedule(study_, tier.tasks, limit_, available_threads()).front().lanes;
    std::vector<double> waves;
    double spent = 0;
    do {
      waves.push_back(run_wave(tier, lanes, waves.size()));
      spent += waves.back();
    } while (waves.size() < kMostWaves && spent < patience);
    std::nth_element(waves.begin(), waves.begin() + static_cast<std::ptrdiff_t>(waves.size() / 2), waves.end());
    tier.seconds = std::max(1e-7, waves[waves.size() / 2]);
  }

 private:
  double run_wave(const Tier& tier, int lanes, size_t wave) {
    const double begin = clock_();
    parallel_for(lanes, [&](Index lane) {
      const size_t k = wave * static_cast<size_t>(lanes) + static_cast<size_t>(lane);
      run_task(study_, tier.tasks[k % tier.tasks.size()]);
    });
    count_ += lanes;
    return clock_() - begin;
  }

  static constexpr size_t kMostWaves = 7;
  const Study& study_;
  double limit_;
  std::function<double()> clock_;
  Index count_ = 0;
};

// Runs the smallest tier to learn the speed, then the largest that the time allows, to learn it where it matters.
void pilot(Kind& kind, Piloting& piloting, double seconds) {
  if (guessed_seconds(kind.tiers.front().work) > 10 * seconds) return;
  const double patience = seconds / 10;
  piloting.run(kind.tiers.front(), patience);
  double left = seconds - kind.tiers.front().seconds - patience;
  for (size_t tier = kind.tiers.size(); tier-- > 1;) {
    if (kind.seconds(tier) > left) continue;
    piloting.run(kind.tiers[tier], patience);
    left -= kind.tiers[tier].seconds + patience;
  }
}

Index count_points(const Study& study) {
  std::set<std::string> points;
  for (Index task = 0; task < study.size(); ++task) {
    Record key = study.key(task);
    if (key.find("trial") != nullptr) key.set("trial", {});
    points.insert(to_json(key));
  }
  return static_cast<Index>(points.size());
}

double peak_memory(const Study& study, const std::vector<Phase>& phases) {
  double peak = 0;
  for (const Phase& phase : phases) {
    std::vector<double> bytes;
    for (const Index task : phase.tasks) bytes.push_back(study.memory_bytes(task));
    std::sort(bytes.begin(), bytes.end(), std::greater<>());
    double held = 0;
    for (size_t k = 0; k < std::min(bytes.size(), static_cast<size_t>(phase.lanes)); ++k) held += bytes[k];
    peak = std::max(peak, held);
  }
  return peak;
}

// Longest first onto the lane that is free first, as the study itself does it.
double makespan(const std::vector<Phase>& phases, const std::vector<double>& seconds, int processes) {
  double total = 0;
  for (const Phase& phase : phases) {
    std::multiset<double> lanes;
    for (int lane = 0; lane < phase.lanes * processes; ++lane) lanes.insert(0);
    for (const Index task : phase.tasks) {
      const double free = *lanes.begin();
      lanes.erase(lanes.begin());
      lanes.insert(free + seconds[static_cast<size_t>(task)]);
    }
    total += *lanes.rbegin();
  }
  return total;
}

}  // namespace

Estimate estimate_study(const Study& study, const EstimateOptions& options) {
  const double limit = options.memory_limit > 0 ? options.memory_limit : default_memory_limit();
  std::vector<Index> all(static_cast<size_t>(study.size()));
  for (size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Index>(k);
  const std::vector<Phase> phases = make_schedule(study, all, limit, available_threads(), options.processes);

  auto kinds = tiers_by_kind(study);
  Piloting piloting(study, limit, options.clock);
  std::vector<double> seconds(all.size());
  for (auto& [name, kind] : kinds) {
    pilot(kind, piloting, options.pilot_seconds / static_cast<double>(kinds.size()));
    for (size_t tier = 0; tier < kind.tiers.size(); ++tier)
      for (const Index task : kind.tiers[tier].tasks) seconds[static_cast<size_t>(task)] = kind.seconds(tier);
  }
  return {count_points(study), study.size(), makespan(phases, seconds, options.processes), peak_memory(study, phases),
          piloting.count()};
}

}  // namespace wordsway

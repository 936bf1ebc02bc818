// The expected cost of a study, from running a few of its tasks. docs/cost.md describes the model.
#pragma once

#include <functional>

#include "wordsway/run/study.h"

namespace wordsway {

struct EstimateOptions {
  double memory_limit = 0;        // as in RunOptions
  int processes = 1;              // that share the work; limit and threads are those of each
  double pilot_seconds = 2;       // about how long tasks may be run to learn their speed
  std::function<double()> clock;  // in seconds; empty: the time of day
};

struct Estimate {
  Index points = 0;  // groups of tasks that differ in their trial only
  Index tasks = 0;
  double seconds = 0;       // of wall time on this machine with the threads there are
  double memory_bytes = 0;  // peak of one process, beyond what the program holds anyway
  Index pilots = 0;         // tasks that were run; 0: the time is guessed from the speed of memory
};

/// Runs the smallest tasks of each kind, then the largest that fit into the time, and extrapolates by Study::work.
/// Throws UsageError when a task needs more memory than the limit; a pilot that fails counts with the time it took.
Estimate estimate_study(const Study& study, const EstimateOptions& options = {});

}  // namespace wordsway

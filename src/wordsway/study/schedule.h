// Which tasks run at the same time, so that together they fit into the memory.
#pragma once

#include <vector>

#include "wordsway/study/study.h"

namespace wordsway {

/// Tasks of which any `lanes` fit into the memory together, the longest first, so that no thread is left alone with
/// one at the end.
struct Phase {
  int lanes = 1;
  std::vector<Index> tasks;
};

/// Bytes that tasks may hold together when nobody says otherwise: most of the memory there is.
double default_memory_limit();

/// Cuts the tasks into phases to be run one after the other, by each of `processes` processes on up to `threads`
/// threads; memory and lanes are those of one process. Throws UsageError with both
/// sizes when one task alone needs more than `memory_limit` bytes, or the rows of all tasks do.
std::vector<Phase> make_schedule(const Study& study, const std::vector<Index>& tasks, double memory_limit, int threads,
                                 int processes = 1);

/// Just the check.
void check_memory(const Study& study, double memory_limit);

/// "8.0 GiB".
std::string format_bytes(double bytes);

}  // namespace wordsway

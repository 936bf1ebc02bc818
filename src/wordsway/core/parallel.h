// Parallel loops whose results do not depend on the number of threads.
//
// The work is cut into `count` items by the caller, never by the number of threads; threads pick items up as they
// become free. An item writes only what belongs to it, so any number of threads gives the same bits.
#pragma once

#include <algorithm>
#include <functional>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// Sets how many threads parallel_for may use in this process, at least 1. The default is the number of cores.
void set_thread_count(int threads);
/// The threads that a parallel_for called from here may use: less than thread_count inside another parallel_for's item.
int available_threads();

/// Calls body(0) ... body(count - 1), each once, from up to available_threads() threads.
///
/// Nested calls share the threads: with fewer items than threads, each item's own parallel_for gets an equal part of
/// them. If items throw, the remaining ones are not started and the exception of the lowest index that threw is
/// rethrown here. When the caller is asked to stop (core/stop.h) no more items are started and Stopped is thrown.
void parallel_for(Index count, const std::function<void(Index)>& body);

/// Calls body(), where available_threads() is `threads`; 0: as many as outside any parallel_for.
void with_threads(int threads, const std::function<void()>& body);

/// A parallel_for where the work is worth waking threads for, else one item after the other.
template <typename Body>
void parallel_if(bool worth_it, Index count, const Body& body) {
  if (worth_it) return parallel_for(count, body);
  for (Index item = 0; item < count; ++item) body(item);
}

/// A range cut into blocks of `size` (the last may be shorter), the usual partition for parallel_for.
struct Blocks {
  Index total;
  Index size;

  Index count() const { return (total + size - 1) / size; }
  Index begin(Index block) const { return block * size; }
  Index length(Index block) const { return std::min(size, total - begin(block)); }
};

}  // namespace wordsway

// Concurrent work whose requests are answered in batches.
//
// A device is fast when it is given many requests at once, but a search makes one request after the other. So many
// searches run at a time, each on a thread of its own. Each submits a request and waits; when all of them wait, their
// requests are answered in one batch. Code that searches does not notice: it calls a function that submits its request.
//
// Batches do not depend on timing: a batch has the requests of all running items of a group, in the order of the items,
// and those of several groups where few are left in each. An item that has ended makes room for the next one before the
// others are answered.
#pragma once

#include <functional>
#include <span>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// Answers a batch of requests, whose type is known to the handler and those who submit them. If it throws, so does
/// submit() for each request of the batch.
using BatchHandler = std::function<void(std::span<void* const> requests)>;

/// Items are dealt out to groups, which do not wait for one another: one computes while another is answered. A group in
/// which at most `few` requests wait is answered together with the others, once they have as few, because a batch of
/// few requests takes as long as a slightly larger one.
struct LockstepGroups {
  Index count = 1, few = 0;
};

/// Calls body(0) ... body(count - 1), at most `width` of them at a time, each on a thread of its own; the functions
/// that parallel_for runs in parallel run one after the other there. Exceptions and stopping as with parallel_for.
void lockstep_for(Index count, Index width, const std::function<void(Index)>& body, LockstepGroups groups = {});

/// Calls body(0) ... body(count - 1). Within an item of lockstep_for they run as parts of it, whose requests join the
/// batches of the other items; elsewhere this is parallel_for.
void run_concurrently(Index count, const std::function<void(Index)>& body);

/// Waits until `request` is answered: within an item of lockstep_for in a batch with the requests of its group, one for
/// each handler; elsewhere at once and alone. Several groups may call the same handler at once.
void submit(const BatchHandler& handler, void* request);

}  // namespace wordsway

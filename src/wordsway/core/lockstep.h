// Work that runs side by side and meets: items with threads of their own, and requests that are answered together.
//
// A device is fast when it is asked many things at once, and a search asks one thing after the other. So many searches
// run at a time. Each hands in a request and waits; when all of them wait, the requests of all are answered in one go.
// Code that searches does not notice: it calls a function that hands its request in.
//
// Which requests are answered together does not depend on timing: always those of all items of a group that run, in the
// order of the items, and those of several groups where few of each are left. An item that has ended makes room for the
// next one before the others are answered.
#pragma once

#include <functional>
#include <span>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// Answers requests, which the caller and it agree on, together. If it throws, so does hand_in() for each of them.
using AnswerTogether = std::function<void(std::span<void* const> requests)>;

/// Items are dealt out to groups, which do not wait for one another: one computes while another is answered. A group in
/// which at most `few` requests wait is answered with the others, once they have as few: to answer few requests takes
/// as long as to answer some more.
struct LockstepGroups {
  Index count = 1, few = 0;
};

/// Calls body(0) ... body(count - 1), at most `width` of them at a time, each on a thread of its own; the functions
/// that parallel_for runs in parallel run one after the other there. Exceptions and stopping as with parallel_for.
void lockstep_for(Index count, Index width, const std::function<void(Index)>& body, LockstepGroups groups = {});

/// The same for parts of an item, where this thread belongs to one: they meet the other items. Else a parallel_for.
void side_by_side(Index count, const std::function<void(Index)>& body);

/// Waits until `request` is answered: within an item together with the requests of all of its group that run, in one
/// call of each `answer` that some of them gave; else at once and alone. Groups may call the same `answer` at once.
void hand_in(const AnswerTogether& answer, void* request);

}  // namespace wordsway

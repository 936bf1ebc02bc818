// Stopping a computation from another thread, within milliseconds.
//
//     std::stop_source source;                      // somebody else calls source.request_stop()
//     const StopScope scope(source.get_token());    // from here on work of this thread can be stopped
//     measure_tokens(*sample, options, stream);     // throws Stopped
//
// The token belongs to the thread, not to signatures (docs/decisions/0013-stopping.md). parallel_for hands it to its
// helpers. Loops that take long call throw_if_stopped() between steps: without a scope that tests one pointer.
#pragma once

#include <stop_token>

#include "wordsway/core/error.h"

namespace wordsway {

class StopScope;

namespace detail {
// Not inline: a program and a shared library would each have their own.
extern constinit thread_local const StopScope* current_stop_scope;
}  // namespace detail

/// Sets the token of this thread for as long as it lives. Scopes nest; a stop of any of them stops the work inside.
class StopScope {
 public:
  explicit StopScope(std::stop_token token) : token_(std::move(token)), outer_(detail::current_stop_scope) {
    detail::current_stop_scope = this;
  }
  ~StopScope() { detail::current_stop_scope = outer_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  bool stop_requested() const { return token_.stop_requested() || (outer_ != nullptr && outer_->stop_requested()); }

 private:
  std::stop_token token_;
  const StopScope* outer_;
};

/// Whether the work of this thread was asked to stop.
inline bool stop_requested() {
  const StopScope* const scope = detail::current_stop_scope;
  return scope != nullptr && scope->stop_requested();
}

/// Throws Stopped if so. To be called between steps of at most a few milliseconds, where giving up leaves nothing
/// half-done that is used again.
inline void throw_if_stopped() {
  if (stop_requested()) throw Stopped("the computation was stopped");
}

namespace detail {

/// Lets another thread work in a scope; whoever owns the scope waits for it.
class BorrowedStopScope {
 public:
  explicit BorrowedStopScope(const StopScope* scope) : before_(current_stop_scope) { current_stop_scope = scope; }
  ~BorrowedStopScope() { current_stop_scope = before_; }
  BorrowedStopScope(const BorrowedStopScope&) = delete;
  BorrowedStopScope& operator=(const BorrowedStopScope&) = delete;

 private:
  const StopScope* before_;
};

}  // namespace detail
}  // namespace wordsway

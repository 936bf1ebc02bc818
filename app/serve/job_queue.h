// Work that is done one job after the other, each of which can be stopped and tells what it does.
//
// A browser's tab asks again with every key press, so a new job of a tab stops the tab's older one for the same thing.
// Jobs of several tabs wait for each other: each may use all cores, and two at once would both be late.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "wordsway/core/progress.h"

namespace wordsway::serve {

/// What a job tells, in order: the name of an event and its JSON.
struct Event {
  std::string name, json;
};

/// One piece of work. The queue runs it; others wait for its events and may stop it.
class Job {
 public:
  /// The JSON of the result. May throw.
  using Work = std::function<std::string(Job&)>;

  Job(std::string tab, std::string topic, std::string what, Work work);

  // For the work.

  void tell(std::string name, std::string json);
  /// Tells what is being done. Steps are thinned out: about twenty a second are told, and of those not taken, the last.
  void tell_progress(const ProgressEvent& event);
  /// A callback that calls tell_progress; valid as long as the job.
  Progress progress();

  // For those who wait.

  /// The next event, waiting for it; nothing after the last one, or when the time is over.
  std::optional<Event> next(std::chrono::milliseconds time);
  /// Whether the work has ended and all its events were taken.
  bool ended() const;
  /// Once it has ended, and only once: the result, or what the work threw.
  std::string take_result();

  const std::string& tab() const { return tab_; }
  const std::string& topic() const { return topic_; }
  const std::string& what() const { return what_; }

 private:
  friend class JobQueue;
  void tell_place(std::int64_t before);
  void run();
  void fail(std::exception_ptr failure);
  void end();

  const std::string tab_, topic_, what_;
  Work work_;
  std::stop_source stop_;
  std::chrono::steady_clock::time_point started_ = {};
  std::int64_t before_ = 0;  // that it was told last
  std::chrono::steady_clock::time_point told_progress_ = {};

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::optional<std::string> progress_;  // not seen yet
  std::string result_;
  std::exception_ptr failure_;
  bool done_ = false;
};

/// Thread-safe.
class JobQueue {
 public:
  explicit JobQueue(std::size_t most_waiting = 32);
  /// Stops what runs and what waits, and waits for it.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// Puts work at the end. The older jobs of the same tab and topic are stopped. Throws SystemError when too many wait.
  std::shared_ptr<Job> submit(std::string tab, std::string topic, std::string what, Job::Work work);
  /// Ends a job: at once when it waits, and within moments when it runs (core/stop.h). It then has thrown Stopped.
  void stop(const std::shared_ptr<Job>& job);

 private:
  void stop_if(const std::function<bool(const Job&)>& wanted);  // with mutex_ held
  void serve(const std::stop_token& stop);
  void tell_places();  // with mutex_ held

  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::shared_ptr<Job> running_;
  std::jthread thread_;  // last: it uses the others
};

/// Whoever waits for a job. When it goes, whatever the reason, the job is stopped.
class WaitingClient {
 public:
  /// The queue must outlive it.
  WaitingClient(JobQueue& queue, std::shared_ptr<Job> job) : queue_(queue), job_(std::move(job)) {}
  ~WaitingClient() { give_up(); }
  WaitingClient(const WaitingClient&) = delete;
  WaitingClient& operator=(const WaitingClient&) = delete;

  Job& job() const { return *job_; }
  void give_up() const { queue_.stop(job_); }

 private:
  JobQueue& queue_;
  std::shared_ptr<Job> job_;
};

}  // namespace wordsway::serve

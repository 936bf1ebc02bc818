#include "serve/job_queue.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/io/json.h"

namespace wordsway::serve {

Job::Job(std::string tab, std::string topic, std::string what, Work work)
    : tab_(std::move(tab)), topic_(std::move(topic)), what_(std::move(what)), work_(std::move(work)) {}

void Job::tell(std::string name, std::string json) {
  const std::lock_guard lock(mutex_);
  events_.push_back({std::move(name), std::move(json)});
  changed_.notify_all();
}

void Job::tell_progress(const ProgressEvent& event) {
  constexpr std::chrono::milliseconds kBetween{50};
  const auto now = std::chrono::steady_clock::now();
  if (now - told_progress_ < kBetween) return;
  told_progress_ = now;
  const std::chrono::duration<double> seconds = now - started_;
  std::string json = to_json(Record{
      {"done", event.done}, {"total", event.total}, {"what", std::string(event.stage)}, {"seconds", seconds.count()}});
  const std::lock_guard lock(mutex_);
  progress_ = std::move(json);
  changed_.notify_all();
}

Progress Job::progress() {
  return [this](const ProgressEvent& event) { tell_progress(event); };
}

std::optional<Event> Job::next(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [this] { return !events_.empty() || progress_ || done_; });
  if (!events_.empty()) {
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }
  // How far it is, after everything that has happened.
  if (progress_) return Event{"progress", *std::exchange(progress_, std::nullopt)};
  return std::nullopt;
}

bool Job::ended() const {
  const std::lock_guard lock(mutex_);
  return done_ && events_.empty() && !progress_;
}

std::string Job::take_result() {
  const std::lock_guard lock(mutex_);
  ensure(done_, "the result of a job is asked for when it has ended");
  // Handed over: whoever asked is the last to have it, not the queue when it lets the job go.
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return std::move(result_);
}

void Job::tell_place(std::int64_t before) {
  if (std::exchange(before_, before) != before && before > 0) tell("queued", to_json(Record{{"before", before}}));
}

void Job::run() {
  started_ = std::chrono::steady_clock::now();
  const StopScope scope(stop_.get_token());
  std::exception_ptr failure;
  try {
    throw_if_stopped();
    tell("started", to_json(Record{{"what", what_}}));
    std::string result = work_(*this);
    const std::lock_guard lock(mutex_);
    result_ = std::move(result);
  } catch (...) {
    failure = std::current_exception();
  }
  // Behind the catch, which holds the exception too: from here on only those who see the job end have it.
  if (failure) fail(std::move(failure));
  end();
}

void Job::fail(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  failure_ = std::move(failure);
}

void Job::end() {
  work_ = nullptr;  // with the models it holds
  const std::lock_guard lock(mutex_);
  progress_.reset();
  done_ = true;
  changed_.notify_all();
}

JobQueue::JobQueue(std::size_t most_waiting)
    : most_waiting_(most_waiting), thread_([this](const std::stop_token& stop) { serve(stop); }) {}

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(mutex_);
    stop_if([](const Job&) { return true; });
  }
  thread_.request_stop();
}

std::shared_ptr<Job> JobQueue::submit(std::string tab, std::string topic, std::string what, Job::Work work) {
  auto job = std::make_shared<Job>(std::move(tab), std::move(topic), std::move(what), std::move(work));
  const std::lock_guard lock(mutex_);
  stop_if([&](const Job& other) {
    return !job->tab().empty() && other.tab() == job->tab() && other.topic() == job->topic();
  });
  if (waiting_.size() >= most_waiting_)
    throw SystemError(fmt::format("{} requests are waiting already; try again in a moment", waiting_.size()));
  waiting_.push_back(job);
  tell_places();
  changed_.notify_one();
  return job;
}

void JobQueue::stop(const std::shared_ptr<Job>& job) {
  const std::lock_guard lock(mutex_);
  stop_if([&](const Job& other) { return &other == job.get(); });
  tell_places();
}

void JobQueue::stop_if(const std::function<bool(const Job&)>& wanted) {
  std::erase_if(waiting_, [&](const std::shared_ptr<Job>& job) {
    if (!wanted(*job)) return false;
    job->fail(std::make_exception_ptr(Stopped("the computation was stopped before it began")));
    job->end();
    return true;
  });
  if (running_ && wanted(*running_)) running_->stop_.request_stop();
}

// Who waits is told behind how many.
void JobQueue::tell_places() {
  std::int64_t before = running_ ? 1 : 0;
  for (const auto& job : waiting_) job->tell_place(before++);
}

void JobQueue::serve(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
    running_ = std::move(waiting_.front());
    waiting_.pop_front();
    if (stop.stop_requested()) running_->stop_.request_stop();
    lock.unlock();
    running_->run();
    lock.lock();
    running_.reset();
    tell_places();
  }
}

}  // namespace wordsway::serve

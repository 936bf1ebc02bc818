// Messages are texts: `identity` with a journal's header on a line of its own, `plan LANES…`, `do PHASE TASK…`,
// `end PHASE` and `quit` from the first process; `same`, `ask PHASE COUNT`, `done TASK` with the rows on lines of their
// own, `left`, and `fail KIND` with the reason from the others.
#include "wordsway/run/group_work.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <new>
#include <sstream>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "wordsway/io/json.h"

namespace wordsway {

namespace {

// MPI would wait by spinning; a core is worth more than a tenth of a millisecond.
void rest() {
  std::this_thread::sleep_for(std::chrono::microseconds(100));
}

std::string after_first_line(const std::string& text) {
  const size_t newline = text.find('\n');
  return newline == std::string::npos ? std::string() : text.substr(newline + 1);
}

std::vector<Record> parse_rows(const std::string& text) {
  std::vector<Record> rows;
  std::istringstream lines(after_first_line(text));
  for (std::string line; std::getline(lines, line);) rows.push_back(record_from_json(line));
  return rows;
}

const char* kind_of(const std::exception& error) {
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return "usage";
  if (dynamic_cast<const DataError*>(&error) != nullptr) return "data";
  if (dynamic_cast<const FileError*>(&error) != nullptr) return "file";
  if (dynamic_cast<const SystemError*>(&error) != nullptr) return "system";
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "system";
  if (dynamic_cast<const std::system_error*>(&error) != nullptr) return "system";
  return "internal";
}

[[noreturn]] void throw_again(const std::string& kind, const std::string& what) {
  if (kind == "usage") throw UsageError(what);
  if (kind == "data") throw DataError(what);
  if (kind == "file") throw FileError(what);
  if (kind == "system") throw SystemError(what);
  throw InternalError(what);
}

[[noreturn]] void throw_failure(const GroupMessage& message) {
  std::istringstream words(message.text);
  std::string verb, kind;
  words >> verb >> kind;
  throw_again(kind, fmt::format("process {}: {}", message.from, after_first_line(message.text)));
}

GroupMessage await_message(ProcessGroup& group) {
  while (true) {
    if (auto message = group.receive()) return *std::move(message);
    rest();
  }
}

// Waits for an order of the first process; throws when this process is told to end.
std::string await_order(ProcessGroup& group) {
  const GroupMessage message = await_message(group);
  if (message.text == "quit") throw GroupDismissed("the first process has ended the run");
  return message.text;
}

class Coordinator {
 public:
  Coordinator(TaskQueue& queue, Ledger& ledger, ProcessGroup& group) : queue_(queue), ledger_(ledger), group_(group) {}

  void serve(const std::atomic<bool>& own_part_done) {
    std::string plan = "plan";
    for (const int lanes : queue_.lanes()) plan += fmt::format(" {}", lanes);
    for (int rank = 1; rank < group_.size(); ++rank) group_.send(rank, plan);
    int following = group_.size() - 1;
    while (following > 0 || !own_part_done) {
      const auto message = group_.receive();
      if (!message) {
        rest();
        continue;
      }
      try {
        if (!answer(*message)) --following;
      } catch (...) {
        if (!failure_) failure_ = std::current_exception();
        queue_.close();
        if (message->text.compare(0, 4, "fail") == 0) --following;
      }
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // False when the process has left.
  bool answer(const GroupMessage& message) {
    std::istringstream words(message.text);
    std::string verb;
    words >> verb;
    if (verb == "left") return false;
    if (verb == "fail") throw_failure(message);
    size_t number = 0, count = 0;
    words >> number >> count;
    if (verb == "done") {
      ledger_.record(static_cast<Index>(number), parse_rows(message.text));
    } else {
      give(message.from, number, count);
    }
    return true;
  }

  void give(int rank, size_t phase, size_t count) {
    std::string tasks;
    bool ended = false;
    for (size_t k = 0; k < count && !ended; ++k) {
      const auto task = queue_.next(phase);
      ended = !task;
      if (task) tasks += fmt::format(" {}", *task);
    }
    if (!tasks.empty()) group_.send(rank, fmt::format("do {}{}", phase, tasks));
    if (ended) group_.send(rank, fmt::format("end {}", phase));
  }

  TaskQueue& queue_;
  Ledger& ledger_;
  ProcessGroup& group_;
  std::exception_ptr failure_;
};

std::vector<int> await_plan(ProcessGroup& group) {
  std::istringstream words(await_order(group));
  std::string verb;
  words >> verb;
  ensure(verb == "plan", "a study begins with its plan");
  std::vector<int> lanes;
  for (int each = 0; words >> each;) lanes.push_back(each);
  return lanes;
}

void take(const std::string& text, WorkerQueue& desk) {
  std::istringstream words(text);
  std::string verb;
  size_t phase = 0;
  words >> verb >> phase;
  if (verb == "quit") throw GroupDismissed("the first process has ended the run");
  if (verb == "end") return desk.end(phase);
  for (Index task = 0; words >> task;) desk.put(task);
}

}  // namespace

void check_identity_of_others(const JournalIdentity& identity, ProcessGroup& group) {
  JournalHeader header;
  header.identity = identity;
  for (int rank = 1; rank < group.size(); ++rank) group.send(rank, "identity\n" + header_line(header));
  for (int waiting = group.size() - 1; waiting > 0; --waiting) {
    const GroupMessage message = await_message(group);
    if (message.text != "same") throw_failure(message);
  }
}

void check_identity_with_first(const JournalIdentity& identity, ProcessGroup& group) {
  const JournalHeader first = parse_header_line(after_first_line(await_order(group)), "the first process");
  const std::string difference = first_difference(first.identity, identity, "the first process");
  if (!difference.empty())
    throw DataError(fmt::format("this process does not see what the first one sees: {}", difference));
  group.send(0, "same");
}

void lead_group(const Study& study, TaskQueue& queue, Ledger& ledger, ProcessGroup& group) {
  std::exception_ptr failure;
  std::atomic<bool> done{false};
  {
    const std::jthread own([&] {
      try {
        run_phases(
            study, queue.lanes(), [&](size_t phase) { return queue.next(phase); },
            [&](Index task, std::vector<Record> rows) { ledger.record(task, std::move(rows)); });
      } catch (...) {
        failure = std::current_exception();
        queue.close();
      }
      done = true;
    });
    Coordinator(queue, ledger, group).serve(done);
  }
  if (failure) std::rethrow_exception(failure);
}

void follow_group(const Study& study, ProcessGroup& group) {
  const std::vector<int> lanes = await_plan(group);
  WorkerQueue desk;
  std::exception_ptr failure;
  std::atomic<bool> done{false};
  {
    const std::jthread own([&] {
      try {
        run_phases(
            study, lanes, [&](size_t phase) { return desk.next(phase); },
            [&](Index task, std::vector<Record> rows) { desk.finished(task, rows); });
      } catch (...) {
        failure = std::current_exception();
      }
      done = true;
    });
    try {
      while (true) {
        const bool last_round = done;
        bool idle = true;
        for (const std::string& text : desk.outgoing()) {
          group.send(0, text);
          idle = false;
        }
        if (last_round) break;
        if (const auto message = group.receive()) {
          take(message->text, desk);
          idle = false;
        }
        if (idle) rest();
      }
    } catch (...) {
      desk.end_all();
      throw;
    }
  }
  if (failure) std::rethrow_exception(failure);
  group.send(0, "left");
}

void dismiss_group(ProcessGroup& group) {
  for (int rank = 1; rank < group.size(); ++rank) group.send(rank, "quit");
}

void report_failure(ProcessGroup& group, const std::exception& error) {
  group.send(0, fmt::format("fail {}\n{}", kind_of(error), error.what()));
}

std::optional<Index> WorkerQueue::next(size_t phase) {
  std::unique_lock lock(mutex_);
  phase_ = phase;
  if (ended_ <= phase) ++wanted_;
  changed_.wait(lock, [&] { return !tasks_.empty() || ended_ > phase; });
  if (tasks_.empty()) return std::nullopt;
  const Index task = tasks_.front();
  tasks_.pop_front();
  return task;
}

void WorkerQueue::finished(Index task, const std::vector<Record>& rows) {
  std::string text = fmt::format("done {}", task);
  for (const Record& row : rows) text += "\n" + to_json(row);
  const std::lock_guard lock(mutex_);
  results_.push_back(std::move(text));
}

void WorkerQueue::put(Index task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(task);
  changed_.notify_all();
}

void WorkerQueue::end(size_t phase) {
  const std::lock_guard lock(mutex_);
  ended_ = std::max(ended_, phase + 1);
  // Several requests may have been answered by the same end; threads that are further on still want their tasks.
  if (phase == phase_) wanted_ = 0;
  changed_.notify_all();
}

void WorkerQueue::end_all() {
  const std::lock_guard lock(mutex_);
  ended_ = std::numeric_limits<size_t>::max();
  tasks_.clear();
  changed_.notify_all();
}

std::vector<std::string> WorkerQueue::outgoing() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> messages = std::move(results_);
  results_.clear();
  if (wanted_ > 0) messages.push_back(fmt::format("ask {} {}", phase_, wanted_));
  wanted_ = 0;
  return messages;
}

}  // namespace wordsway

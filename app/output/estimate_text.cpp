#include "output/estimate_text.h"

#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "wordsway/core/memory.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"
#include "wordsway/run/schedule.h"

namespace wordsway::app {

namespace {

std::string for_people(const Record& row) {
  const auto whole = [&](const char* name) { return fmt::format("{:.0f}", row.number(name)); };
  std::string lanes = whole("threads") + (row.number("threads") > 1 ? " threads" : " thread");
  if (row.number("processes") > 1) lanes = fmt::format("{} processes of {} each", whole("processes"), lanes);
  std::string result = fmt::format("points           {}\ntrials           {}\n", whole("points"), whole("trials"));
  result += fmt::format("expected time    {} on {}{}\n", format_duration(row.number("expected_seconds")), lanes,
                        row.number("pilot_trials") > 0 ? "" : " (a rough guess: one trial takes too long to try it)");
  return result + fmt::format("expected memory  {} of {} that may be used\n",
                              format_bytes(row.number("expected_memory_bytes")),
                              format_bytes(row.number("memory_limit_bytes")));
}

}  // namespace

double held_memory() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string format_estimate(const Study& study, const Estimate& estimate, const EstimateOptions& options, double held,
                            const std::string& format) {
  const Record row{{"command", study.command()},
                   {"points", static_cast<std::int64_t>(estimate.points)},
                   {"trials", static_cast<std::int64_t>(estimate.tasks)},
                   {"expected_seconds", estimate.seconds},
                   {"expected_memory_bytes", static_cast<std::int64_t>(estimate.memory_bytes + held)},
                   {"memory_limit_bytes", static_cast<std::int64_t>(options.memory_limit)},
                   {"processes", std::int64_t{options.processes}},
                   {"threads", std::int64_t{available_threads()}},
                   {"pilot_trials", static_cast<std::int64_t>(estimate.pilots)}};
  if (format == "table") return for_people(row);
  return format == "json" ? to_json(row) + "\n" : format_rows({row}, format);
}

std::string format_duration(double seconds) {
  if (seconds < 9.5) return fmt::format("{:.2g} s", seconds);
  // Beyond this seconds mean nothing to people, and a long would overflow.
  constexpr double kTooLong = 1e12;
  if (seconds > kTooLong) return fmt::format("{:.2g} years", seconds / (365.25 * 86400));
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace wordsway::app

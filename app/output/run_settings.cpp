#include "output/run_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/kernels.h"
#include "wordsway/core/memory.h"
#include "wordsway/core/parallel.h"
#include "wordsway/run/machine.h"
#include "wordsway/run/schedule.h"

namespace wordsway::app {
namespace {

template <typename T>
std::string text_of(const T& value) {
  if constexpr (std::is_same_v<T, Missing>) return {};
  if constexpr (std::is_same_v<T, bool>) return value ? "yes" : "no";
  if constexpr (std::is_arithmetic_v<T>) return fmt::format("{:g}", static_cast<double>(value));
  if constexpr (std::is_same_v<T, std::string>) return value;
  if constexpr (!std::is_arithmetic_v<T> && !std::is_same_v<T, std::string> && !std::is_same_v<T, Missing>)
    return fmt::format("{}", fmt::join(value, ", "));
}

std::string as_text(const Value& value) {
  return std::visit([](const auto& held) { return text_of(held); }, value);
}

}  // namespace

Settings settings_of(const Study& study) {
  Settings settings;
  const Record config = study.config();
  for (const auto& [name, value] : config.fields())
    if (std::string text = as_text(value); !text.empty()) settings.emplace_back(name, std::move(text));
  return settings;
}

Settings settings_of_machine() {
  const Record build = build_information(), machine = machine_information();
  return {{"version", version()},
          {"compiler", as_text(*build.find("compiler"))},
          {"kernels", kernels()},
          {"machine", fmt::format("{}, {} cores, {}", as_text(*machine.find("cpu")), as_text(*machine.find("cores")),
                                  format_bytes(machine.number("memory_bytes")))},
          {"threads", std::to_string(available_threads())}};
}

double seconds_of(const Study& study, const StudyResult& result) {
  double total = 0;
  size_t next = 0;
  for (Index task = 0; task < study.size() && next < result.rows.size(); ++task) {
    const bool failed = is_failed(result.rows[next]);
    const size_t end = std::min(result.rows.size(), next + (failed ? 1 : static_cast<size_t>(study.row_count(task))));
    double sum = 0, least = 0;
    for (size_t row = next; row < end; ++row) {
      if (result.rows[row].missing("seconds")) continue;
      const double seconds = result.rows[row].number("seconds");
      least = row == next ? seconds : std::min(least, seconds);
      sum += seconds;
    }
    total += sum - static_cast<double>(end - next - 1) * least;
    next = end;
  }
  return total;
}

}  // namespace wordsway::app

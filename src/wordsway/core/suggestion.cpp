#include "wordsway/core/suggestion.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace wordsway {
namespace {

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  for (char& letter : result)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return result;
}

// Short names differ by chance: a name of one letter is close to none.
size_t most_changes(std::string_view a, std::string_view b) {
  return (std::max(a.size(), b.size()) + 1) / 3;
}

std::optional<std::string> only_one_that_begins_with(const std::string& given, std::span<const std::string> names) {
  constexpr size_t kFewestLetters = 3;
  std::optional<std::string> found;
  if (given.size() < kFewestLetters) return found;
  for (const std::string& name : names) {
    if (!in_small_letters(name).starts_with(given)) continue;
    if (found) return std::nullopt;
    found = name;
  }
  return found;
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b) {
  // Row i holds the distances of the first i letters of `a` to all beginnings of `b`; three rows are enough.
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::optional<std::string> closest_name(std::string_view given, std::span<const std::string> names) {
  constexpr size_t kLongestName = 100;  // longer ones are no slip of the fingers, and cost time
  if (given.size() > kLongestName) return std::nullopt;
  const std::string wanted = in_small_letters(given);
  std::optional<std::string> closest;
  size_t least = kLongestName;
  for (const std::string& name : names) {
    const size_t distance = edit_distance(wanted, in_small_letters(name));
    if (distance >= least || distance > most_changes(wanted, name)) continue;
    least = distance;
    closest = name;
  }
  return closest ? closest : only_one_that_begins_with(wanted, names);
}

std::string suggestion(std::string_view given, std::span<const std::string> names) {
  const auto closest = closest_name(given, names);
  return closest ? "; did you mean '" + *closest + "'?" : "";
}

std::string enumerate(std::span<const std::string> names, std::string_view word) {
  std::string result;
  for (size_t k = 0; k < names.size(); ++k) {
    if (k > 0) result += k + 1 < names.size() ? ", " : fmt::format(" {} ", word);
    result += names[k];
  }
  return result;
}

std::string unknown_name(std::string_view kind, std::string_view given, std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return "unknown " + std::string(kind) + " '" + std::string(given) + "'; there are: " + list +
         suggestion(given, names);
}

}  // namespace wordsway

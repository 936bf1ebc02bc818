#include "serve/request_arguments.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/io/json.h"

namespace wordsway::serve {
namespace {

constexpr int kMostDepth = 2;  // an object of lists

JsonView parsed(std::string_view body) {
  if (const auto fault = json_fault(body, kMostDepth)) throw UsageError("the request " + *fault);
  JsonView view = JsonView::parse(body, "the request");
  if (!view.is_object()) throw UsageError("the request must be a JSON object");
  return view;
}

// The library's complaints about a file are here about what the user asked.
template <typename Read>
auto asked(const Read& read) {
  try {
    return read();
  } catch (const DataError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

RequestArguments::RequestArguments(std::string_view body) : object_(asked([&] { return parsed(body); })) {}

JsonView RequestArguments::find(std::string_view key) {
  if (std::ranges::find(asked_, key) == asked_.end()) asked_.emplace_back(key);
  return object_[key];
}

bool RequestArguments::has(std::string_view key) {
  return find(key).exists();
}
bool RequestArguments::is_text(std::string_view key) {
  return find(key).is_string();
}
bool RequestArguments::is_whole(std::string_view key) {
  return find(key).is_integer();
}

std::optional<std::string> RequestArguments::long_text(std::string_view key) {
  const JsonView value = find(key);
  if (!value.exists()) return std::nullopt;
  return asked([&] { return value.string(); });
}

std::optional<std::string> RequestArguments::text(std::string_view key) {
  auto text = long_text(key);
  if (text && text->size() > kMostTextBytes)
    throw UsageError(fmt::format("{}: the text has {} bytes; at most {} are taken", key, text->size(), kMostTextBytes));
  return text;
}

std::string RequestArguments::text_or(std::string_view key, std::string_view fallback) {
  return text(key).value_or(std::string(fallback));
}

std::string RequestArguments::required_text(std::string_view key) {
  auto value = text(key);
  if (!value) throw UsageError(fmt::format("the request needs a text under \"{}\"", key));
  return std::move(*value);
}

std::string RequestArguments::one_of(std::string_view key, const std::vector<std::string>& choices) {
  std::string value = text_or(key, choices.front());
  if (std::ranges::find(choices, value) == choices.end())
    throw UsageError(
        fmt::format("{} must be one of {}; got {}", key, fmt::join(choices, ", "), json_quoted(value.substr(0, 60))));
  return value;
}

std::optional<Index> RequestArguments::whole(std::string_view key, Index least, Index most) {
  const JsonView value = find(key);
  if (!value.exists()) return std::nullopt;
  const Index found = asked([&] { return static_cast<Index>(value.integer()); });
  if (found < least || found > most)
    throw UsageError(fmt::format("{} must be from {} to {}; got {}", key, least, most, found));
  return found;
}

std::optional<double> RequestArguments::number(std::string_view key) {
  const JsonView value = find(key);
  if (!value.exists()) return std::nullopt;
  return asked([&] { return value.number(); });
}

bool RequestArguments::flag(std::string_view key) {
  const JsonView value = find(key);
  return value.exists() && asked([&] { return value.boolean(); });
}

std::uint64_t RequestArguments::seed() {
  return static_cast<std::uint64_t>(whole("seed", 0, Index{1} << 53).value_or(1));
}

namespace {

// The elements of a list, or a value by itself.
std::vector<JsonView> listed(const JsonView& value, std::string_view key, std::size_t most) {
  if (!value.exists()) return {};
  std::vector<JsonView> values = value.is_array() ? value.elements() : std::vector<JsonView>{value};
  if (values.size() > most)
    throw UsageError(fmt::format("{} has {} values; at most {} are taken", key, values.size(), most));
  return values;
}

}  // namespace

std::vector<Index> RequestArguments::wholes(std::string_view key, Index least, Index largest, std::size_t most) {
  std::vector<Index> result;
  for (const JsonView& value : listed(find(key), key, most)) {
    const Index found = asked([&] { return static_cast<Index>(value.integer()); });
    if (found < least || found > largest)
      throw UsageError(fmt::format("{} must be from {} to {}; got {}", key, least, largest, found));
    result.push_back(found);
  }
  return result;
}

std::vector<double> RequestArguments::numbers(std::string_view key, std::size_t most) {
  std::vector<double> result;
  for (const JsonView& value : listed(find(key), key, most)) result.push_back(asked([&] { return value.number(); }));
  return result;
}

std::vector<std::string> RequestArguments::texts(std::string_view key, std::size_t most) {
  std::vector<std::string> result;
  for (const JsonView& value : listed(find(key), key, most)) result.push_back(asked([&] { return value.string(); }));
  return result;
}

std::optional<std::string> RequestArguments::text_or_number(std::string_view key) {
  const JsonView value = find(key);
  if (!value.is_number()) return text(key);
  return std::to_string(asked([&] { return value.integer(); }));
}

void RequestArguments::finish() const {
  for (const auto& [key, value] : object_.members())
    if (std::ranges::find(asked_, key) == asked_.end())
      throw UsageError(fmt::format("the request has an unknown key {}; known here are {}",
                                   json_quoted(key.substr(0, 60)), fmt::join(asked_, ", ")));
}

}  // namespace wordsway::serve

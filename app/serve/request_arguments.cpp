#include "serve/request_arguments.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
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

namespace {

std::string checked_text(std::string_view key, const JsonView& value) {
  std::string text = value.string();
  if (key != RequestArguments::kContent && text.size() > RequestArguments::kMostTextBytes)
    throw UsageError(fmt::format("{}: the text has {} bytes; at most {} are taken", key, text.size(),
                                 RequestArguments::kMostTextBytes));
  return text;
}

template <typename T, typename Read>
Given list_of(const std::vector<JsonView>& values, const Read& read) {
  std::vector<T> list;
  list.reserve(values.size());
  for (const JsonView& value : values) list.push_back(read(value));
  return list;
}

Given list_value(std::string_view key, const std::vector<JsonView>& values) {
  if (values.size() > RequestArguments::kMostEntries)
    throw UsageError(
        fmt::format("{} has {} values; at most {} are taken", key, values.size(), RequestArguments::kMostEntries));
  const auto all = [&](bool (JsonView::*is)() const) {
    return std::ranges::all_of(values, [&](const JsonView& value) { return (value.*is)(); });
  };
  if (values.empty()) return std::vector<double>();
  if (all(&JsonView::is_string))
    return list_of<std::string>(values, [&](const JsonView& value) { return checked_text(key, value); });
  if (all(&JsonView::is_integer))
    return list_of<std::int64_t>(values, [](const JsonView& value) { return value.integer(); });
  if (all(&JsonView::is_number)) return list_of<double>(values, [](const JsonView& value) { return value.number(); });
  throw UsageError(fmt::format("{} must be a list of texts or of numbers", key));
}

}  // namespace

std::optional<Given> RequestArguments::value(std::string_view key) const {
  if (std::ranges::find(asked_, key) == asked_.end()) asked_.emplace_back(key);
  const JsonView value = object_[key];
  if (!value.exists()) return std::nullopt;
  return asked([&]() -> Given {
    if (value.is_boolean()) return value.boolean();
    if (value.is_integer()) return value.integer();
    if (value.is_number()) return value.number();
    if (value.is_string()) return checked_text(key, value);
    if (value.is_array()) return list_value(key, value.elements());
    value.fail("expected a text, a number, true, false or a list of them");
  });
}

std::optional<std::string> RequestArguments::text(std::string_view key) const {
  const auto given = value(key);
  if (!given) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*given)) return *text;
  throw UsageError(fmt::format("{} must be a text", key));
}

void RequestArguments::finish() const {
  for (const auto& [key, value] : object_.members())
    if (std::ranges::find(asked_, key) == asked_.end())
      throw UsageError(fmt::format("the request has an unknown key {}; known here are {}",
                                   json_quoted(key.substr(0, 60)), fmt::join(asked_, ", ")));
}

}  // namespace wordsway::serve

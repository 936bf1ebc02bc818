#include "wordsway/ask/field.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

namespace wordsway {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// Formats a number as people write it: 1e100, not 1e+100.
std::string plain(double value) {
  std::string text = fmt::format("{}", value);
  std::erase(text, '+');
  return text;
}

// Quotes a text and cuts it if it is long.
std::string quoted(const std::string& text) {
  constexpr size_t kMost = 60;
  return text.size() > kMost ? fmt::format("'{}…'", text.substr(0, kMost)) : fmt::format("'{}'", text);
}

std::string described(const Given& given) {
  return std::visit(
      Overloaded{[](const Written& text) { return quoted(fmt::format("{}", fmt::join(text.texts, " "))); },
                 [](bool value) { return std::string(value ? "true" : "false"); },
                 [](std::int64_t value) { return std::to_string(value); }, [](double value) { return plain(value); },
                 [](const std::string& text) { return quoted(text); },
                 [](const NpyArray&) { return std::string("an array"); },
                 [](const std::shared_ptr<const Model>&) { return std::string("a model"); },
                 [](const auto& list) { return fmt::format("a list of {} values", list.size()); }},
      given);
}

[[noreturn]] void refuse(const FieldInfo& field, const std::string& wanted, const std::string& got) {
  throw UsageError(fmt::format("{{{}}} {}, but is {}", field.name, wanted, got));
}

[[noreturn]] void refuse_kind(const FieldInfo& field, const char* wanted, const Given& given) {
  refuse(field, fmt::format("must be {}", wanted), described(given));
}

template <typename Number>
std::optional<Number> parsed(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool is_whole(const FieldInfo& field) {
  return field.kind == FieldKind::kWhole || field.kind == FieldKind::kWholes;
}

// Text that is not a number gets the same sentence as a number out of range.
template <typename Number>
Number within(const FieldInfo& field, std::optional<Number> value, const std::string& got) {
  const auto number = static_cast<double>(value.value_or(0));
  const bool fits = value && std::isfinite(number) && number >= field.range.least && number <= field.range.most;
  if (!fits && std::abs(field.range.least) > 1e300)
    refuse(field, is_whole(field) ? "must be a whole number" : "must be a finite number", got);
  if (!fits) refuse(field, fmt::format("must lie between {}", field.range_text()), got);
  return *value;
}

// A field with one value may be given only once in a shell.
const std::string& only(const FieldInfo& field, const Written& written) {
  if (written.texts.size() != 1)
    throw UsageError(fmt::format("{{{}}} takes one value; got {}", field.name,
                                 quoted(fmt::format("{}", fmt::join(written.texts, ",")))));
  return written.texts.front();
}

std::vector<std::string> split(const FieldInfo& field, const std::string& text) {
  std::vector<std::string> entries;
  size_t begin = 0;
  while (true) {
    const size_t comma = text.find(',', begin);
    entries.push_back(text.substr(begin, comma - begin));
    if (entries.back().empty())
      throw UsageError(fmt::format("{{{}}}: {} has an empty entry", field.name, quoted(text)));
    if (comma == std::string::npos) return entries;
    begin = comma + 1;
  }
}

// Splits a list into its entries.
std::vector<Given> entries_of(const FieldInfo& field, const Given& given) {
  return std::visit(Overloaded{[&](const Written& written) {
                                 std::vector<Given> entries;
                                 for (const std::string& text : written.texts)
                                   for (std::string& entry : split(field, text))
                                     entries.emplace_back(Written{{std::move(entry)}});
                                 return entries;
                               },
                               [&](const std::string& text) {
                                 std::vector<Given> entries;
                                 for (std::string& entry : split(field, text)) entries.emplace_back(std::move(entry));
                                 return entries;
                               },
                               [](bool value) { return std::vector<Given>{value}; },
                               [](std::int64_t value) { return std::vector<Given>{value}; },
                               [](double value) { return std::vector<Given>{value}; },
                               [&](const NpyArray&) -> std::vector<Given> { refuse_kind(field, "a list", given); },
                               [&](const std::shared_ptr<const Model>&) -> std::vector<Given> {
                                 refuse_kind(field, "a list", given);
                               },
                               [](const auto& list) { return std::vector<Given>(list.begin(), list.end()); }},
                    given);
}

template <typename Take>
auto take_list(const FieldInfo& field, const Given& given, const Take& take) {
  std::vector<decltype(take(field, given))> values;
  for (const Given& entry : entries_of(field, given)) values.push_back(take(field, entry));
  if (values.empty()) throw UsageError(fmt::format("{{{}}} names nothing", field.name));
  return values;
}

}  // namespace

bool FieldInfo::is_for(FrontEnd front_end) const {
  return std::ranges::find(front_ends, front_end) != front_ends.end();
}

std::string FieldInfo::name_in(FrontEnd front_end) const {
  if (front_end == FrontEnd::kPython && is_negated_in_python()) return name.substr(std::string_view("no_").size());
  if (front_end == FrontEnd::kPython && !python_name.empty()) return python_name;
  if (front_end == FrontEnd::kPage && !page_name.empty()) return page_name;
  return name;
}

bool FieldInfo::is_list() const {
  return kind == FieldKind::kWholes || kind == FieldKind::kNumbers || kind == FieldKind::kNames ||
         kind == FieldKind::kTexts;
}

std::string FieldInfo::range_text() const {
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  const auto whole = [](double value) {
    return value >= static_cast<double>(kLargest) ? kLargest : static_cast<std::int64_t>(value);
  };
  if (is_whole(*this)) return fmt::format("{} and {}", whole(range.least), whole(range.most));
  return fmt::format("{} and {}", plain(range.least), plain(range.most));
}

bool take_flag(const FieldInfo& field, const Given& given) {
  if (const auto* value = std::get_if<bool>(&given)) return *value;
  refuse_kind(field, "true or false", given);
}

std::int64_t take_whole(const FieldInfo& field, const Given& given) {
  if (const auto* written = std::get_if<Written>(&given)) {
    const std::string& text = only(field, *written);
    return within(field, parsed<std::int64_t>(text), quoted(text));
  }
  if (const auto* value = std::get_if<std::int64_t>(&given))
    return within(field, std::optional(*value), described(given));
  refuse_kind(field, "a whole number", given);
}

double take_number(const FieldInfo& field, const Given& given) {
  if (const auto* written = std::get_if<Written>(&given)) {
    const std::string& text = only(field, *written);
    return within(field, parsed<double>(text), quoted(text));
  }
  if (const auto* value = std::get_if<double>(&given)) return within(field, std::optional(*value), described(given));
  if (const auto* value = std::get_if<std::int64_t>(&given))
    return within(field, std::optional(static_cast<double>(*value)), described(given));
  refuse_kind(field, "a number", given);
}

std::string take_text(const FieldInfo& field, const Given& given) {
  if (const auto* written = std::get_if<Written>(&given)) return only(field, *written);
  if (const auto* text = std::get_if<std::string>(&given)) return *text;
  refuse_kind(field, "a text", given);
}

std::string take_choice(const FieldInfo& field, const Given& given) {
  std::string text = take_text(field, given);
  if (field.strict && std::ranges::find(field.choices, text) == field.choices.end())
    throw UsageError(fmt::format("{{{}}}: {}", field.name, unknown_name(field.name, text, field.choices)));
  return text;
}

std::string take_label(const FieldInfo& field, const Given& given) {
  if (const auto* value = std::get_if<std::int64_t>(&given)) return std::to_string(*value);
  return field.choices.empty() ? take_text(field, given) : take_choice(field, given);
}

double take_bytes(const FieldInfo& field, const Given& given) {
  if (!std::holds_alternative<Written>(given) && !std::holds_alternative<std::string>(given))
    return take_number(field, given);
  const std::string text = take_text(field, given);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  std::string unit(stop, end);
  for (char& letter : unit) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (unit.ends_with("IB")) {
    unit.resize(unit.size() - 2);
  } else if (unit.ends_with("B")) {
    unit.pop_back();
  }
  const size_t power = unit.empty() ? 0 : std::string("KMGTP").find(unit) + 1;
  if (error != std::errc() || unit.size() > 1 || (power == 0 && !unit.empty()) || !(value > 0) || !std::isfinite(value))
    throw UsageError(fmt::format("{{{}}}: {} is not a size such as 500M, 8G or 1.5T", field.name, quoted(text)));
  return value * std::pow(1024, static_cast<double>(power));
}

std::vector<std::int64_t> take_wholes(const FieldInfo& field, const Given& given) {
  return take_list(field, given, take_whole);
}

std::vector<double> take_numbers(const FieldInfo& field, const Given& given) {
  return take_list(field, given, take_number);
}

std::vector<std::string> take_names(const FieldInfo& field, const Given& given) {
  return take_list(field, given, field.choices.empty() || !field.strict ? take_text : take_choice);
}

std::vector<std::string> take_texts(const FieldInfo& field, const Given& given) {
  if (const auto* written = std::get_if<Written>(&given)) return written->texts;
  if (const auto* text = std::get_if<std::string>(&given)) return {*text};
  if (const auto* texts = std::get_if<std::vector<std::string>>(&given)) return *texts;
  const auto* numbers = std::get_if<std::vector<double>>(&given);
  if (numbers != nullptr && numbers->empty()) return {};  // an empty list has no type
  refuse_kind(field, "a text or a list of texts", given);
}

std::string shown(bool value) {
  return value ? "true" : "false";
}
std::string shown(std::int64_t value) {
  return std::to_string(value);
}
std::string shown(double value) {
  return plain(value);
}
std::string shown(const std::string& value) {
  return value;
}

std::string spelled(std::string_view sentence, const std::vector<const FieldInfo*>& fields,
                    const std::function<std::string(const FieldInfo&)>& spell) {
  std::string result;
  while (!sentence.empty()) {
    const size_t open = sentence.find('{');
    const size_t close = open == sentence.npos ? open : sentence.find('}', open);
    if (close == sentence.npos) break;
    const std::string_view name = sentence.substr(open + 1, close - open - 1);
    const auto field = std::ranges::find_if(fields, [&](const FieldInfo* one) { return one->name == name; });
    result += sentence.substr(0, open);
    result += field == fields.end() ? std::string("{") : spell(**field);
    sentence.remove_prefix(field == fields.end() ? open + 1 : close + 1);
  }
  return result + std::string(sentence);
}

}  // namespace wordsway
